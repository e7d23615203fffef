//! Shapes that only responses have, as JSON Schema 2020-12.

use crate::contract::api::endpoint::ENDPOINTS;
use crate::contract::error::reason::Reason;
use crate::contract::error::{Code, Member};
use crate::contract::response::errors::{ERROR, ERROR_ITEM, PROBLEM};
use crate::contract::response::{ResponseContent, ResponseMember, ResponseSchema, ResponseType};
use crate::util::json::{self, ObjectWriter};

use super::parts::{describe, object, reference, texts};

/// Writes every shape that a response has, each once.
pub(super) fn write(schemas: &mut ObjectWriter<'_>) {
    let mut done = Vec::new();
    for shape in [&ERROR, &PROBLEM] {
        write_shape(schemas, &mut done, shape);
    }
    for success in ENDPOINTS.iter().flat_map(|row| row.success) {
        if let Some(ty) = success.shape.schema() {
            write_within(schemas, &mut done, &ty);
        }
    }
}

/// Writes the shape after those that it refers to.
fn write_shape(schemas: &mut ObjectWriter<'_>, done: &mut Vec<&'static str>, shape: &'static ResponseSchema) {
    if done.contains(&shape.name) {
        return;
    }
    done.push(shape.name);
    match &shape.content {
        ResponseContent::Object { parents, members } => {
            parents.iter().for_each(|parent| write_within(schemas, done, parent));
            members.iter().for_each(|member| write_within(schemas, done, &member.ty));
        }
        ResponseContent::Union { variants, .. } => {
            variants.iter().for_each(|(_, variant)| write_shape(schemas, done, variant));
        }
        ResponseContent::Text => {}
    }
    object(schemas.member(shape.name), |schema| write_content(schema, shape));
}

/// Writes the shapes that the type refers to by their names.
fn write_within(schemas: &mut ObjectWriter<'_>, done: &mut Vec<&'static str>, ty: &ResponseType) {
    match ty {
        ResponseType::Named(shape) => write_shape(schemas, done, shape),
        ResponseType::Inline(shape) => {
            if let ResponseContent::Object { members, .. } = &shape.content {
                members.iter().for_each(|member| write_within(schemas, done, &member.ty));
            }
        }
        ResponseType::Array(item) | ResponseType::NonEmpty(item) | ResponseType::Map(item) => {
            write_within(schemas, done, item);
        }
        // The schema's own objects are written with the bodies.
        ResponseType::Object(_)
        | ResponseType::Integer
        | ResponseType::Number
        | ResponseType::Boolean
        | ResponseType::Text
        | ResponseType::Format(_)
        | ResponseType::Pattern(_)
        | ResponseType::Constant(_)
        | ResponseType::Choice(_)
        | ResponseType::Texts
        | ResponseType::TextOrTexts
        | ResponseType::Code
        | ResponseType::Reason
        | ResponseType::Any => {}
    }
}

fn write_content(schema: &mut ObjectWriter<'_>, shape: &ResponseSchema) {
    describe(schema, shape.about);
    match &shape.content {
        ResponseContent::Object { parents: [], members } => {
            let is_error = core::ptr::eq(shape, &raw const ERROR_ITEM);
            write_members(schema, members, if is_error { Member::ALL } else { &[] });
        }
        ResponseContent::Object { parents, members } => write_extension(schema, parents, members),
        ResponseContent::Union { tag, variants } => {
            schema.array("oneOf", variants, |out, (_, variant)| reference(out, "schemas", variant.name));
            object(schema.member("discriminator"), |discriminator| {
                discriminator.text("propertyName", tag);
                object(discriminator.member("mapping"), |mapping| {
                    for (value, variant) in *variants {
                        mapping.text(value, &["#/components/schemas/", variant.name].concat());
                    }
                });
            });
        }
        ResponseContent::Text => schema.text("type", "string"),
    }
}

/// Writes an object with the members of its parents.
fn write_extension(schema: &mut ObjectWriter<'_>, parents: &[ResponseType], members: &[ResponseMember]) {
    let out = schema.member("allOf");
    out.push('[');
    for (at, parent) in parents.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { "," });
        write_type(out, parent);
    }
    if !members.is_empty() {
        out.push(',');
        object(out, |schema| write_members(schema, members, &[]));
    }
    out.push(']');
}

fn write_members(schema: &mut ObjectWriter<'_>, members: &[ResponseMember], further: &[Member]) {
    schema.text("type", "object");
    let required: Vec<&str> =
        members.iter().filter(|member| member.is_always).map(|member| member.name).collect();
    texts(schema.member("required"), &required);
    object(schema.member("properties"), |properties| {
        for member in members.iter().copied().chain(further.iter().map(|member| member.described())) {
            object(properties.member(member.name), |schema| {
                describe(schema, member.about);
                write_plain(schema, &member.ty);
            });
        }
    });
}

/// Appends the schema of a type.
pub(super) fn write_type(out: &mut String, ty: &ResponseType) {
    match ty {
        ResponseType::Named(shape) => reference(out, "schemas", shape.name),
        ResponseType::Object(shape) => reference(out, "schemas", shape.name),
        _ => object(out, |schema| write_plain(schema, ty)),
    }
}

#[expect(clippy::too_many_lines, reason = "a table: the schema of each type")]
fn write_plain(schema: &mut ObjectWriter<'_>, ty: &ResponseType) {
    match ty {
        ResponseType::Integer => schema.text("type", "integer"),
        ResponseType::Number => schema.text("type", "number"),
        ResponseType::Boolean => schema.text("type", "boolean"),
        ResponseType::Text => schema.text("type", "string"),
        ResponseType::Format(format) => {
            schema.text("type", "string");
            schema.text("format", format);
        }
        ResponseType::Pattern(pattern) => {
            schema.text("type", "string");
            schema.text("pattern", pattern);
        }
        ResponseType::Constant(value) => {
            schema.text("type", "string");
            schema.text("const", value);
        }
        ResponseType::Choice(values) => {
            schema.text("type", "string");
            texts(schema.member("enum"), values);
        }
        ResponseType::Code => {
            schema.text("type", "string");
            schema.array("enum", Code::ALL, |out, code| json::string(out, code.wire()));
        }
        ResponseType::Reason => {
            schema.text("type", "string");
            schema.array("enum", Reason::ALL, |out, reason| json::string(out, reason.wire()));
        }
        ResponseType::Texts => {
            schema.text("type", "array");
            schema.member("items").push_str("{\"type\":\"string\"}");
        }
        ResponseType::TextOrTexts => {
            texts(schema.member("type"), &["string", "array"]);
            schema.member("items").push_str("{\"type\":\"string\"}");
        }
        ResponseType::Any => {}
        ResponseType::Array(item) => {
            schema.text("type", "array");
            write_type(schema.member("items"), item);
        }
        ResponseType::NonEmpty(item) => {
            schema.text("type", "array");
            schema.integer("minItems", 1);
            write_type(schema.member("items"), item);
        }
        ResponseType::Map(item) => {
            schema.text("type", "object");
            write_type(schema.member("additionalProperties"), item);
        }
        ResponseType::Inline(shape) => write_content(schema, shape),
        ResponseType::Named(shape) => schema.text("$ref", &["#/components/schemas/", shape.name].concat()),
        ResponseType::Object(shape) => schema.text("$ref", &["#/components/schemas/", shape.name].concat()),
    }
}
