//! Bodies and records as JSON Schema 2020-12, printed from the contract's schema.

use crate::contract::api::endpoint;
use crate::contract::limits;
use crate::contract::resource::schema::{
    self, Array, ArrayRule, BODIES, Field, Format, Object as Shape, Type, Union,
};
use crate::contract::response::RESOURCE_FIELDS;
use crate::util::json::ObjectWriter;

use super::parts::{describe, object, reference, texts};

/// Any text that the service accepts (D7).
pub(super) const TEXT: &str = "^[^\\u0000]*$";
/// `YYYY-MM-DDThh:mm:ss.mmmZ` (D6). The format excludes days that do not exist.
const DATE_TIME: &str = "^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\\.[0-9]{3}Z$";
/// The characters of IDs and keys (D3).
const NAME: &str = "[^\\u0000-\\u001f\\u007f-\\u009f]+$";

/// Writes the shapes of bodies and of the resource.
pub(super) fn write(schemas: &mut ObjectWriter<'_>) {
    let mut done = Vec::new();
    for shape in BODIES {
        write_shape(schemas, &mut done, shape, None);
    }
    write_shape(schemas, &mut done, &schema::RESOURCE, None);
}

/// Writes the shape and the shapes in it, each once. `tag` is the member that names it, with its value, if it is one of
/// several.
fn write_shape(
    schemas: &mut ObjectWriter<'_>,
    done: &mut Vec<&'static str>,
    shape: &'static Shape,
    tag: Option<(&Field, &str)>,
) {
    if done.contains(&shape.name) {
        return;
    }
    done.push(shape.name);
    let is_response = is_response_only(shape);
    object(schemas.member(shape.name), |schema| {
        describe(schema, shape.about);
        schema.text("type", "object");
        let required: Vec<&str> =
            shape.fields.iter().filter(|field| field.required).map(Field::name).collect();
        if !required.is_empty() {
            texts(schema.member("required"), &required);
        }
        object(schema.member("properties"), |properties| {
            for field in shape.fields {
                let out = properties.member(field.name());
                match tag {
                    Some((tag, value)) if tag.id == field.id => object(out, |schema| {
                        schema.text("type", "string");
                        schema.text("const", value);
                    }),
                    _ => write_value(out, &field.ty, !field.required && !is_response, about(shape, field)),
                }
            }
        });
        // A typo must not lose data (D9). A later version may add members to a response.
        if !is_response {
            schema.member("additionalProperties").push_str("false");
        }
    });
    for field in shape.fields {
        write_within(schemas, done, &field.ty);
    }
}

/// Returns the rules of a field that its type does not express; empty if there are none.
fn about(shape: &Shape, field: &Field) -> &'static str {
    let known = RESOURCE_FIELDS.iter().find(|(id, _)| *shape == schema::RESOURCE && *id == field.id);
    known.map_or("", |(_, about)| about)
}

/// Whether only responses have the shape.
fn is_response_only(shape: &Shape) -> bool {
    [&schema::RESOURCE, &schema::ARRAYS].contains(&shape)
}

fn write_within(schemas: &mut ObjectWriter<'_>, done: &mut Vec<&'static str>, ty: &Type) {
    match ty {
        Type::Object(shape) => write_shape(schemas, done, shape, None),
        Type::Array(array) => write_within(schemas, done, &array.items),
        Type::Union(union) => write_union(schemas, done, union),
        Type::Integer { .. } | Type::Number | Type::Boolean | Type::String(_) => {}
    }
}

fn write_union(schemas: &mut ObjectWriter<'_>, done: &mut Vec<&'static str>, union: &'static Union) {
    object(schemas.member(union.name), |schema| {
        schema.array("oneOf", union.variants, |out, (_, shape)| reference(out, "schemas", shape.name));
        object(schema.member("discriminator"), |discriminator| {
            discriminator.text("propertyName", union.tag.name());
            object(discriminator.member("mapping"), |mapping| {
                for (value, shape) in union.variants {
                    mapping.text(value, &["#/components/schemas/", shape.name].concat());
                }
            });
        });
    });
    for (value, shape) in union.variants {
        write_shape(schemas, done, shape, Some((&union.tag, value)));
    }
}

/// Appends the schema of a value. With `null` it may be null, which means absent (D8).
pub(super) fn value(out: &mut String, ty: &Type, null: bool) {
    write_value(out, ty, null, "");
}

fn write_value(out: &mut String, ty: &Type, null: bool, about: &str) {
    let named = match ty {
        Type::Object(shape) => Some(shape.name),
        Type::Union(union) => Some(union.name),
        _ => None,
    };
    match named {
        Some(name) if null => {
            out.push_str("{\"anyOf\":[");
            reference(out, "schemas", name);
            out.push_str(",{\"type\":\"null\"}]}");
        }
        Some(name) => reference(out, "schemas", name),
        None => object(out, |schema| write_plain(schema, ty, null, about)),
    }
}

fn write_plain(schema: &mut ObjectWriter<'_>, ty: &Type, null: bool, about: &str) {
    if !about.is_empty() {
        describe(schema, about);
    }
    match ty {
        Type::Integer { min, max } => {
            write_type(schema, "integer", null);
            schema.text("format", if *max <= i64::from(i32::MAX) { "int32" } else { "int64" });
            schema.integer("minimum", *min);
            schema.integer("maximum", *max);
        }
        Type::Number => {
            write_type(schema, "number", null);
            schema.text("format", "double");
        }
        Type::Boolean => write_type(schema, "boolean", null),
        Type::String(format) => {
            write_type(schema, "string", null);
            write_format(schema, *format, about.is_empty());
        }
        Type::Array(array) => {
            write_type(schema, "array", null);
            value(schema.member("items"), &array.items, false);
            write_rule(schema, array);
        }
        Type::Object(_) | Type::Union(_) => {}
    }
}

fn write_type(schema: &mut ObjectWriter<'_>, name: &str, null: bool) {
    if null {
        texts(schema.member("type"), &[name, "null"]);
    } else {
        schema.text("type", name);
    }
}

fn write_format(schema: &mut ObjectWriter<'_>, format: Format, with_length: bool) {
    match format {
        Format::Text => schema.text("pattern", TEXT),
        Format::DateTime => {
            schema.text("format", "date-time");
            schema.text("pattern", DATE_TIME);
        }
        Format::Id | Format::Key => {
            if with_length {
                describe(schema, &format!("At most {} bytes of UTF-8.", limits::NAME_BYTES));
            }
            schema.integer("minLength", 1);
            schema.integer("maxLength", limits::NAME_BYTES as i64);
            schema.text("pattern", &name_pattern(format));
        }
    }
}

/// Returns the pattern of an ID or a key: no control characters, not `.` or `..`, and not a reserved ID (D3).
fn name_pattern(format: Format) -> String {
    let mut pattern = "^(?!\\.{1,2}$)".to_owned();
    if format == Format::Id {
        for (part, beginning) in endpoint::reserved_id_parts() {
            pattern.extend(["(?!", part, if beginning { ")" } else { "$)" }]);
        }
    }
    pattern.push_str(NAME);
    pattern
}

fn write_rule(schema: &mut ObjectWriter<'_>, array: &Array) {
    match array.rule {
        ArrayRule::Any => {}
        ArrayRule::Unique => schema.member("uniqueItems").push_str("true"),
        ArrayRule::AtMost(max) => schema.integer("maxItems", max as i64),
        ArrayRule::EmptyOr(exact) => {
            schema.integer("maxItems", exact as i64);
            schema.array("anyOf", &[("maxItems", 0), ("minItems", exact as i64)], |out, (rule, count)| {
                object(out, |schema| schema.integer(rule, *count));
            });
        }
    }
}
