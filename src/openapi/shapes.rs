//! Shapes that only responses have, as JSON Schema 2020-12.

use serde_json::Value;

use crate::contract::api::endpoint::ENDPOINTS;
use crate::contract::error::reason::Reason;
use crate::contract::error::{Code, Member};
use crate::contract::response::errors::{ERROR, ERROR_ITEM, PROBLEM};
use crate::contract::response::{ResponseContent, ResponseMember, ResponseSchema, ResponseType};

use super::parts::{join, object, one_of, reference};
use super::schema::Schemas;

/// Returns every shape that a response has, each once.
pub(super) fn all() -> Schemas {
    let mut schemas = Schemas::new();
    for shape in [&ERROR, &PROBLEM] {
        add_shape(&mut schemas, shape);
    }
    for success in ENDPOINTS.iter().flat_map(|row| row.success) {
        if let Some(ty) = success.shape.schema() {
            add_within(&mut schemas, &ty);
        }
    }
    schemas
}

/// Adds the shape after those that it refers to.
fn add_shape(schemas: &mut Schemas, shape: &'static ResponseSchema) {
    if schemas.iter().any(|(name, _)| *name == shape.name) {
        return;
    }
    match &shape.content {
        ResponseContent::Object { parents, members } => {
            parents.iter().for_each(|parent| add_within(schemas, parent));
            members.iter().for_each(|member| add_within(schemas, &member.ty));
        }
        ResponseContent::Union { variants, .. } => {
            variants.iter().for_each(|(_, variant)| add_shape(schemas, variant));
        }
        ResponseContent::Text => {}
    }
    schemas.push((shape.name, of_shape(shape)));
}

/// Adds the shapes that the type refers to by their names.
fn add_within(schemas: &mut Schemas, ty: &ResponseType) {
    match ty {
        ResponseType::Named(shape) => add_shape(schemas, shape),
        ResponseType::Inline(shape) => {
            if let ResponseContent::Object { members, .. } = &shape.content {
                members.iter().for_each(|member| add_within(schemas, &member.ty));
            }
        }
        ResponseType::Array(item) | ResponseType::NonEmpty(item) | ResponseType::Map(item) => {
            add_within(schemas, item);
        }
        // The schema's own objects are added with the bodies, and the others have no shapes in them.
        _ => {}
    }
}

fn of_shape(shape: &ResponseSchema) -> Value {
    let schema = match &shape.content {
        ResponseContent::Object { parents: [], members } => {
            let is_error = core::ptr::eq(shape, &raw const ERROR_ITEM);
            of_members(members, if is_error { Member::ALL } else { &[] })
        }
        ResponseContent::Object { parents, members } => {
            let own = (!members.is_empty()).then(|| of_members(members, &[]));
            object! { "allOf" => parents.iter().map(of).chain(own).collect::<Vec<_>>() }
        }
        ResponseContent::Union { tag, variants } => {
            one_of(tag, variants.iter().map(|(value, variant)| (*value, variant.name)))
        }
        ResponseContent::Text => object! { "type" => "string" },
    };
    join(object! { "description" => shape.about }, schema)
}

fn of_members(members: &[ResponseMember], further: &[Member]) -> Value {
    let further = further.iter().map(|member| member.described());
    let properties = members
        .iter()
        .copied()
        .chain(further)
        .map(|member| (member.name, join(object! { "description" => member.about }, of(&member.ty))));
    object! {
        "type" => "object",
        "required" => members.iter().filter(|it| it.is_always).map(|it| it.name).collect::<Vec<_>>(),
        "properties" => properties.collect::<Value>(),
    }
}

pub(super) fn of(ty: &ResponseType) -> Value {
    let string = || object! { "type" => "string" };
    match ty {
        ResponseType::Integer => object! { "type" => "integer" },
        ResponseType::Number => object! { "type" => "number" },
        ResponseType::Boolean => object! { "type" => "boolean" },
        ResponseType::Text => string(),
        ResponseType::Format(format) => object! { "type" => "string", "format" => *format },
        ResponseType::Pattern(pattern) => object! { "type" => "string", "pattern" => *pattern },
        ResponseType::Constant(value) => object! { "type" => "string", "const" => *value },
        ResponseType::Choice(values) => choice(values.iter().copied()),
        ResponseType::Code => choice(Code::ALL.iter().map(|code| code.wire())),
        ResponseType::Reason => choice(Reason::ALL.iter().map(|reason| reason.wire())),
        ResponseType::Texts => object! { "type" => "array", "items" => string() },
        ResponseType::TextOrTexts => object! { "type" => vec!["string", "array"], "items" => string() },
        ResponseType::Any => object! {},
        ResponseType::Array(item) => object! { "type" => "array", "items" => of(item) },
        ResponseType::NonEmpty(item) => {
            object! { "type" => "array", "minItems" => 1, "items" => of(item) }
        }
        ResponseType::Map(item) => object! { "type" => "object", "additionalProperties" => of(item) },
        ResponseType::Inline(shape) => of_shape(shape),
        ResponseType::Named(shape) => reference("schemas", shape.name),
        ResponseType::Object(shape) => reference("schemas", shape.name),
    }
}

fn choice(values: impl Iterator<Item = &'static str>) -> Value {
    object! { "type" => "string", "enum" => values.collect::<Vec<_>>() }
}
