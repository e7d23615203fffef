//! Shapes that only responses have, as JSON Schema 2020-12.

use std::borrow::Cow;

use crate::contract::error::{Code, Member, Reason};
use crate::contract::response::errors::{self, ERROR_ITEM};
use crate::contract::response::{ResponseContent, ResponseMember, ResponseSchema, ResponseType};
use crate::contract::response::{operations, services};
use crate::shape::Shape;

use super::json_value::JsonValue;
use super::parts::{join, object, one_of, reference};

/// The shapes that have a name in the document.
static SHAPES: [&ResponseSchema; 22] = [
    &errors::ERROR_ITEM,
    &errors::ERROR,
    &errors::PROBLEM,
    &services::TOKEN,
    &services::INTROSPECTION,
    &services::DOCUMENT,
    &services::HEALTH,
    &operations::PAGE,
    &operations::QUERY_PAGE,
    &operations::TERMS_FACET,
    &operations::RANGE_FACET,
    &operations::FILTERED_FACET,
    &operations::FACET,
    &operations::SEARCH_PAGE,
    &operations::RECEIPT,
    &services::STATUS,
    &services::LINES,
    &services::IMPORTED,
    &services::CLEARED,
    &services::RESTORED,
    &services::CHANGES,
    &services::BATCH_RESULTS,
];

pub(super) fn all(shape: &Shape) -> impl Iterator<Item = (Cow<'static, str>, JsonValue)> {
    // A page of a declared resource has no arrays beside its results.
    let is_declared = shape.is_declared();
    let is_described = move |shape: &&&ResponseSchema| {
        !(is_declared && core::ptr::eq(**shape, &raw const operations::QUERY_PAGE))
    };
    SHAPES.iter().filter(is_described).map(|shape| (shape.name.into(), of_shape(shape)))
}

fn of_shape(shape: &ResponseSchema) -> JsonValue {
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

fn of_members(members: &[ResponseMember], further: &[Member]) -> JsonValue {
    let further = further.iter().map(|member| member.described());
    let properties = members
        .iter()
        .copied()
        .chain(further)
        .map(|member| (member.name, join(object! { "description" => member.about }, of(&member.ty))));
    object! {
        "type" => "object",
        "required" => members.iter().filter(|it| it.is_always).map(|it| it.name).collect::<Vec<_>>(),
        "properties" => properties.collect::<JsonValue>(),
    }
}

pub(super) fn of(ty: &ResponseType) -> JsonValue {
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
        ResponseType::Object(id) => reference("schemas", id.name()),
    }
}

fn choice(values: impl Iterator<Item = &'static str>) -> JsonValue {
    object! { "type" => "string", "enum" => values.collect::<Vec<_>>() }
}
