//! Example values. Tests send each of them.

use serde_json::{Value, json};

use crate::contract::api::endpoint::ResponseBody;
use crate::contract::api::header::RequestHeader;
use crate::contract::api::path::Variable;
use crate::contract::error::{ApiError, Code, Member};
use crate::contract::limits;
use crate::contract::param::ParamId;
use crate::contract::position::ProjectPosition;
use crate::contract::resource::{FIRST_NAME, LAST_NAME};
use crate::contract::response::operations::{FILTER, filtered_facet, page, search_page};
use crate::contract::response::receipt;
use crate::contract::response::services::changes;
use crate::shape::types::{Array, ArrayRule, Field, Format, Object, Role, Type};
use crate::shape::{Deleted, ObjectId, Shape, System};
use crate::util::time;

use super::parts::{join, object, parsed};

/// The time of the example, the same as in RFC 9110.
const INSTANT: time::Millis = 784_111_777_000;
const ID: &str = "00b69035-46e8-7000-8000-000000000001";
const KEY: &str = "first";

pub(super) const fn variable(variable: Variable) -> &'static str {
    match variable {
        Variable::ProjectKey => "demo",
        Variable::Id => ID,
        Variable::Key => KEY,
        Variable::UriParameterOne => "a",
        Variable::UriParameterTwo => "b",
    }
}

/// Returns a value of a query parameter, as JSON: a list for a repeatable one, the members for a family.
pub(super) const fn param(id: ParamId) -> &'static str {
    match id {
        ParamId::StringParameter
        | ParamId::OptionalQueryParameter
        | ParamId::SecondOptionalQueryParameter => "\"red\"",
        ParamId::QueryParameterTwo => "\"b\"",
        ParamId::FloatParameter | ParamId::WithMarkdownDescription | ParamId::QueryParameterOne => "0.5",
        ParamId::IntegerParameter => "7",
        ParamId::ObjectParameter => "{\"arrayOfIntExample\":[7]}",
        ParamId::ArrayOfString | ParamId::ArrayOfStringWithDescription => "[\"red\"]",
        ParamId::Fuzzy | ParamId::Prefix | ParamId::WithTotal => "true",
        ParamId::FuzzyLevel => "1",
        ParamId::Staged => "false",
        ParamId::Filter | ParamId::FilterFacets => "[\"arrayOfIntExample:range(1 to 10)\"]",
        ParamId::FilterQuery => "[\"custom:missing\"]",
        ParamId::Facet => {
            "[\"arrayOfIntExample:range(* to 10),(10 to *) as sizes\",\"custom\",\"version:1\"]"
        }
        ParamId::Text => "{\"text.en\":\"blue\"}",
        ParamId::Where => {
            "[\"arrayOfIntExample contains any (6, 7)\",\"custom is not defined or custom = \\\"red\\\"\"]"
        }
        ParamId::Sort => "[\"lastModifiedAt desc\"]",
        ParamId::Limit | ParamId::ChangesLimit => "20",
        ParamId::Offset | ParamId::Wait => "0",
        ParamId::Expand => "[\"createdBy\"]",
        ParamId::Var => "{\"var.custom\":\"red\"}",
        ParamId::Version => "2",
        ParamId::After => "\"0fa0ff07c1a5e84b1f0a.784111777000\"",
        ParamId::Confirm => "\"demo\"",
        ParamId::Time => "\"2026-11-19T08:00:00.000Z\"",
        ParamId::Bookmark => "\"0000007b-0000b26e-00001538-0c3e87bb37b3db5cc52eedb93cd3b96b\"",
    }
}

/// Returns a value of a request header, as JSON. `None` if it would explain nothing.
pub(super) const fn header(header: RequestHeader) -> Option<&'static str> {
    match header {
        RequestHeader::CacheControl => Some("\"no-cache\""),
        RequestHeader::MinRevision => Some("784111777000"),
        RequestHeader::IfMatch => Some("\"*\""),
        RequestHeader::IfNoneMatch => Some("\"\\\"00b69035-46e8-7000-8000-000000000001.784111777000\\\"\""),
        RequestHeader::IdempotencyKey => Some("\"5d0c8a4e-order-17\""),
        RequestHeader::Prefer => Some("\"respond-async\""),
        _ => None,
    }
}

pub(super) fn body(shape: &Shape, id: ObjectId) -> Value {
    of_object(shape.object(id), None)
}

/// Returns an object with an example for each field, so that a new field is in every example. A body lacks the optional
/// fields that the service sets. `tag` is the member that names the object, with its value, if it is one of several.
fn of_object(object: &Object, tag: Option<(&Field, &str)>) -> Value {
    let is_set = |role| {
        let set = [System::Id, System::Version, System::CreatedAt, System::LastModifiedAt];
        set.into_iter().any(|system| role == Role::System(system))
    };
    let is_left_out = |field: &&Field| is_set(field.role) && !field.required;
    let value = |field: &Field| match (tag, field.role, field.name.as_ref()) {
        (Some((tag, value)), _, name) if name == tag.name => json!(value),
        // The overwrite expects the first version. It creates the second, which all other examples have.
        (_, Role::System(System::Version), _) => {
            json!(if object.name == ObjectId::Overwrite.name() { 1 } else { 2 })
        }
        (_, Role::Inner, FIRST_NAME) => json!("Ada"),
        (_, Role::Inner, LAST_NAME) => json!("Lovelace"),
        _ => of_type(&field.ty, 0),
    };
    let fields = object.fields.iter().filter(|field| !is_left_out(field));
    fields.map(|field| (field.name.to_string(), value(field))).collect()
}

/// Returns a value of the type, with another for each place in an array.
fn of_type(ty: &Type, place: usize) -> Value {
    match ty {
        Type::Integer { min, max } => json!((6 + place as i64).clamp(*min, *max)),
        Type::Number => json!(0.5 + place as f64),
        Type::Boolean => json!(place.is_multiple_of(2)),
        Type::String(Format::Id) => json!(ID),
        Type::String(Format::Key) => json!(KEY),
        Type::String(Format::DateTime) => json!(time::format(INSTANT + place as u64)),
        Type::String(Format::Text) => json!(["red", "blue"].get(place).unwrap_or(&"green")),
        Type::Array(array) => json!(of_array(array)),
        Type::Object(object) => of_object(object, None),
        Type::Union(union) => {
            let variant = union.variants.get(place);
            variant.map(|variant| of_object(&variant.object, Some((&union.tag, &variant.tag)))).into()
        }
    }
}

/// Returns two items, or as many as the rule or the type of the array requires.
fn of_array(array: &Array) -> Vec<Value> {
    let count = match (array.rule, &array.items) {
        (ArrayRule::EmptyOr(exact), _) => exact,
        (_, Type::Union(union)) => union.variants.len(),
        (ArrayRule::AtMost(limit), _) => limit.min(2),
        (ArrayRule::Any | ArrayRule::Unique, _) => 2,
    };
    (0..count).map(|place| of_type(&array.items, place)).collect()
}

/// Returns a response of the shape, with the same resource in each. `None` if it would explain nothing.
pub(super) fn response(shape: &Shape, response: ResponseBody) -> Option<Value> {
    match response {
        ResponseBody::Record => Some(body(shape, ObjectId::Record)),
        ResponseBody::Arrays => Some(body(shape, ObjectId::StoredArrays)),
        ResponseBody::Receipt => Some(parsed(&receipt::json(INSTANT))),
        ResponseBody::Page => Some(page(shape)),
        ResponseBody::PageWithFirst => Some(join(page(shape), body(shape, ObjectId::StoredArrays))),
        ResponseBody::SearchResult => {
            let facet = object! { filtered_facet::TYPE => FILTER, filtered_facet::COUNT => 0 };
            Some(join(page(shape), object! { search_page::FACETS => object! { "version:1" => facet } }))
        }
        ResponseBody::Lines => Some(lines(shape)),
        ResponseBody::Changes => Some(changes(shape)),
        _ => None,
    }
}

fn page(shape: &Shape) -> Value {
    object! {
        page::LIMIT => i64::from(limits::PAGE_DEFAULT),
        page::OFFSET => 0,
        page::COUNT => 1,
        page::TOTAL => 1,
        page::RESULTS => vec![body(shape, ObjectId::Record)],
    }
}

/// Returns the lines of an export: a resource, and a deleted ID.
pub(super) fn lines(shape: &Shape) -> Value {
    let mut lines = body(shape, ObjectId::Record).to_string() + "\n";
    let deleted = Deleted { id: "gone".to_owned(), version: 3, revision: INSTANT + 1 };
    deleted.write(&mut lines);
    lines.push('\n');
    lines.into()
}

/// Returns a page of changes: its positions, a resource, and a deleted ID.
fn changes(shape: &Shape) -> Value {
    let at = |revision| ProjectPosition { history: "5f0e".to_owned(), revision }.to_string();
    let window = object! { changes::FROM => at(INSTANT - 1), changes::TO => at(INSTANT + 1) };
    [window.to_string().as_str(), "\n", lines(shape).as_str().unwrap_or_default()].concat().into()
}

pub(super) fn error(code: Code) -> Value {
    let error = ApiError::new(code, code.about());
    let error = match code {
        Code::ConcurrentModification => error.with(Member::CurrentVersion, 3_i64),
        _ => error,
    };
    parsed(&error.to_json())
}
