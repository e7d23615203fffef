//! Bodies and records as JSON Schema 2020-12, printed from the contract's schema.

use serde_json::{Value, json};

use crate::contract::api::endpoint;
use crate::contract::limits;
use crate::contract::response::RESOURCE_FIELDS;
use crate::shape::types::{Array, ArrayRule, Field, Format, Object, Role, Type};
use crate::shape::{ObjectId, Shape};

use super::parts::{join, object, one_of, reference};

/// Any text that the service accepts (D7).
pub(super) const TEXT: &str = "^[^\\u0000]*$";
/// `YYYY-MM-DDThh:mm:ss.mmmZ` (D6). The format excludes days that do not exist.
const DATE_TIME: &str = "^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\\.[0-9]{3}Z$";
/// The characters of IDs and keys (D3).
const NAME: &str = "[^\\u0000-\\u001f\\u007f-\\u009f]+$";

type Schemas = Vec<(String, Value)>;

/// Returns the schemas of bodies and of the resource.
pub(super) fn all(shape: &Shape) -> Schemas {
    let mut schemas = Schemas::new();
    for id in ObjectId::BODIES.into_iter().chain([ObjectId::Record]) {
        add_object(&mut schemas, shape.object(id), None);
    }
    schemas
}

/// Adds the object and the objects in it, each once. `tag` is the member that names it, with its value, if it is one of
/// several.
fn add_object(schemas: &mut Schemas, object: &Object, tag: Option<(&Field, &str)>) {
    if schemas.iter().any(|(name, _)| *name == object.name) {
        return;
    }
    let is_response = [ObjectId::Record, ObjectId::StoredArrays].iter().any(|id| object.name == id.name());
    let property = |field: &Field| match tag {
        Some((tag, value)) if tag.name == field.name => object! { "type" => "string", "const" => value },
        _ => described(&field.ty, !field.required && !is_response, about(object, field)),
    };
    let required = object.fields.iter().filter(|field| field.required);
    let required: Vec<&str> = required.map(|field| field.name.as_ref()).collect();
    let properties = object.fields.iter().map(|field| (field.name.to_string(), property(field)));
    let schema = object! {
        "description" => object.about.as_ref(),
        "type" => "object",
        "required" => Some(required).filter(|required| !required.is_empty()),
        "properties" => properties.collect::<Value>(),
        // A typo must not lose data (D9). A later version may add members to a response.
        "additionalProperties" => (!is_response).then_some(false),
    };
    schemas.push((object.name.to_string(), schema));
    for field in &object.fields {
        add_within(schemas, &field.ty);
    }
}

/// Returns the rules of a field that its type does not express.
fn about(object: &Object, field: &Field) -> Option<&'static str> {
    let is_record = object.name == ObjectId::Record.name();
    let known = RESOURCE_FIELDS.iter().find(|(id, _)| is_record && field.role == Role::System(*id));
    known.map(|(_, about)| *about)
}

fn add_within(schemas: &mut Schemas, ty: &Type) {
    match ty {
        Type::Object(object) => add_object(schemas, object, None),
        Type::Array(array) => add_within(schemas, &array.items),
        Type::Union(union) => {
            let names = union.variants.iter().map(|variant| (&*variant.tag, &*variant.object.name));
            schemas.push((union.name.to_string(), one_of(&union.tag.name, names)));
            for variant in &union.variants {
                add_object(schemas, &variant.object, Some((&union.tag, &variant.tag)));
            }
        }
        Type::Integer { .. } | Type::Number | Type::Boolean | Type::String(_) => {}
    }
}

/// Returns the JSON Schema of a value of a type.
pub fn of(ty: &Type) -> Value {
    described(ty, false, None)
}

/// Returns the schema of a value. With `null` it may be null, which means absent (D8).
fn described(ty: &Type, null: bool, about: Option<&str>) -> Value {
    let (name, rules) = match ty {
        Type::Object(object) => return named(&object.name, null),
        Type::Union(union) => return named(&union.name, null),
        Type::Integer { min, max } => {
            let format = if *max <= i64::from(i32::MAX) { "int32" } else { "int64" };
            ("integer", object! { "format" => format, "minimum" => *min, "maximum" => *max })
        }
        Type::Number => ("number", object! { "format" => "double" }),
        Type::Boolean => ("boolean", object! {}),
        Type::String(format) => ("string", of_format(*format, about.is_none())),
        Type::Array(array) => ("array", object! { "items" => of(&array.items) }),
    };
    let name = if null { json!([name, "null"]) } else { json!(name) };
    let schema = join(object! { "type" => name }, rules);
    let rule = if let Type::Array(array) = ty {
        rule(array, &schema)
    } else {
        object! {}
    };
    join(object! { "description" => about }, join(schema, rule))
}

fn named(name: &str, null: bool) -> Value {
    let reference = reference("schemas", name);
    if null {
        object! { "anyOf" => vec![reference, object! { "type" => "null" }] }
    } else {
        reference
    }
}

fn of_format(format: Format, with_length: bool) -> Value {
    match format {
        Format::Text => object! { "pattern" => TEXT },
        Format::DateTime => object! { "format" => "date-time", "pattern" => DATE_TIME },
        Format::Id | Format::Key => {
            let about = || format!("At most {} bytes of UTF-8.", limits::NAME_BYTES);
            object! {
                "description" => with_length.then(about),
                "minLength" => 1,
                "maxLength" => limits::NAME_BYTES as i64,
                "pattern" => name_pattern(format),
            }
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

/// Returns the rule of an array with this schema.
fn rule(array: &Array, schema: &Value) -> Value {
    match array.rule {
        ArrayRule::Any => object! {},
        ArrayRule::Unique => object! { "uniqueItems" => true },
        ArrayRule::AtMost(max) => object! { "maxItems" => max as i64 },
        // Each alternative is a whole schema, because generators do not add what is beside the alternatives.
        ArrayRule::EmptyOr(exact) => {
            let exact = exact as i64;
            let counts = [object! { "maxItems" => 0 }, object! { "minItems" => exact, "maxItems" => exact }];
            object! { "anyOf" => counts.map(|count| join(schema.clone(), count)).to_vec() }
        }
    }
}
