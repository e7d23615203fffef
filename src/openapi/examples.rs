//! Example values. Tests send each of them.

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
use crate::contract::response::services::{batch_results, changes, write_result};
use crate::shape::types::{
    ActionEffect, Array, ArrayRule, Field, Format, Object, Role, Type, Union, Variant,
};
use crate::shape::{Deleted, ObjectId, Shape, System};
use crate::util::time;

use super::json_value::JsonValue;
use super::parts::{Described, join, object};
use super::samples;

/// The time of the example, the same as in RFC 9110.
const INSTANT: time::Millis = 784_111_777_000;
const ID: &str = "00b69035-46e8-7000-8000-000000000001";
const KEY: &str = "first";

pub(super) fn variable(described: Described<'_>, variable: Variable) -> JsonValue {
    let text = match variable {
        Variable::ProjectKey => return described.project.to_owned().into(),
        Variable::Id => ID,
        Variable::Key => KEY,
        Variable::UriParameterOne => "a",
        Variable::UriParameterTwo => "b",
    };
    text.into()
}

/// Returns a value of a query parameter: a list for a repeatable one, the members for a family.
pub(super) fn param(described: Described<'_>, id: ParamId) -> JsonValue {
    let json = match id {
        ParamId::Confirm => return described.project.to_owned().into(),
        _ if described.shape.is_declared() => of_declared(id),
        _ => of_interface(id),
    };
    JsonValue::Written(json.to_owned())
}

/// Returns a value of a parameter, as JSON, if the fields of the interface do not exist.
const fn of_declared(id: ParamId) -> &'static str {
    match id {
        ParamId::Filter | ParamId::FilterFacets => "[\"version:range(1 to 10)\"]",
        ParamId::FilterQuery => "[\"key:missing\"]",
        ParamId::Facet => "[\"version:range(* to 10),(10 to *) as versions\",\"key\",\"version:1\"]",
        ParamId::Where => "[\"version > 1\",\"key is not defined or key = \\\"first\\\"\"]",
        ParamId::Var => "{\"var.name\":\"red\"}",
        _ => of_interface(id),
    }
}

const fn of_interface(id: ParamId) -> &'static str {
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
        ParamId::Fields => "[\"key,createdBy\"]",
        ParamId::Var => "{\"var.custom\":\"red\"}",
        ParamId::Version => "2",
        ParamId::After => "\"0fa0ff07c1a5e84b1f0a.784111777000\"",
        ParamId::Confirm => "null",
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

/// Returns a body or a record. `None` if there is no simple example of a required field.
pub(super) fn body(shape: &Shape, id: ObjectId) -> Option<JsonValue> {
    of_object(shape, shape.object(id), None)
}

/// Returns an object with an example for each field, so that a new field is in every example. A body lacks the optional
/// fields that the service sets, and those of a declared resource without a simple example. `variant`: which of a
/// union it is.
fn of_object(shape: &Shape, object: &Object, variant: Option<(&Union, &Variant)>) -> Option<JsonValue> {
    let is_set = |role| {
        let set = [System::Id, System::Version, System::CreatedAt, System::LastModifiedAt];
        set.into_iter().any(|system| role == Role::System(system))
    };
    let is_left_out = |field: &&Field| is_set(field.role) && !field.required;
    let value = |field: &Field| match (variant, field.role, field.name.as_ref()) {
        (Some((union, variant)), _, name) if name == union.tag.name => Some(variant.tag.clone().into()),
        // The overwrite expects the first version. It creates the second, which all other examples have.
        (_, Role::System(System::Version), _) => {
            Some((if object.name == ObjectId::Overwrite.name() { 1 } else { 2 }).into())
        }
        (_, Role::Inner, FIRST_NAME) => Some("Ada".into()),
        (_, Role::Inner, LAST_NAME) => Some("Lovelace".into()),
        (_, Role::Content, name) => match (shape.schema_of(name), variant.map(|(_, variant)| variant.effect))
        {
            (None, _) => of_type(shape, &field.ty, 0),
            (Some(text), Some(ActionEffect::Add | ActionEffect::Remove)) => samples::of_list(field, text),
            (Some(text), _) => samples::of_field(field, text),
        },
        _ => of_type(shape, &field.ty, 0),
    };
    let fields = object.fields.iter().filter(|field| !is_left_out(field));
    let members = fields.map(|field| match value(field) {
        None if field.required => None,
        value => Some((field.name.clone(), value)),
    });
    let members: Vec<_> = members.collect::<Option<_>>()?;
    Some(members.into_iter().filter_map(|(name, value)| Some((name, value?))).collect())
}

/// Returns a value of the type, with another for each place in an array.
fn of_type(shape: &Shape, ty: &Type, place: usize) -> Option<JsonValue> {
    Some(match ty {
        Type::Integer { min, max } => (6 + place as i64).clamp(*min, *max).into(),
        Type::Number => (0.5 + place as f64).into(),
        Type::Boolean => place.is_multiple_of(2).into(),
        Type::String(Format::Id) => ID.into(),
        Type::String(Format::Key) => KEY.into(),
        Type::String(Format::DateTime) => time::format(INSTANT + place as u64).into(),
        Type::String(Format::Text) => ["red", "blue"].get(place).copied().unwrap_or("green").into(),
        Type::Array(array) => of_array(shape, array).into(),
        Type::Object(object) => return of_object(shape, object, None),
        Type::Union(_) => return None,
    })
}

/// Returns two items, or as many as the rule or the type of the array requires.
fn of_array(shape: &Shape, array: &Array) -> Vec<JsonValue> {
    let count = match (array.rule, &array.items) {
        // A later write would depend on what the earlier ones do.
        (ArrayRule::OneTo(_), Type::Union(union)) => {
            return of_union(shape, union).into_iter().take(1).collect();
        }
        (_, Type::Union(union)) => return of_union(shape, union),
        (ArrayRule::EmptyOr(exact), _) => exact,
        (ArrayRule::AtMost(limit) | ArrayRule::OneTo(limit), _) => limit.min(2),
        (ArrayRule::Any | ArrayRule::Unique, _) => 2,
    };
    (0..count).filter_map(|place| of_type(shape, &array.items, place)).collect()
}

/// Returns an example of each update action. Of a declared resource, there may be many: then one of each effect.
fn of_union(shape: &Shape, union: &Union) -> Vec<JsonValue> {
    let mut shown = Vec::new();
    let variants = union.variants.iter().filter_map(|variant| {
        let is_further = shape.is_declared() && shown.contains(&variant.effect);
        let example = of_object(shape, &variant.object, Some((union, variant))).filter(|_| !is_further)?;
        shown.push(variant.effect);
        Some(example)
    });
    variants.collect()
}

/// Returns a response of the shape, with the same resource in each. `None` if it would explain nothing.
pub(super) fn response(shape: &Shape, response: ResponseBody) -> Option<JsonValue> {
    match response {
        ResponseBody::Record => body(shape, ObjectId::Record),
        ResponseBody::Arrays => body(shape, ObjectId::StoredArrays),
        ResponseBody::Receipt => Some(JsonValue::Written(receipt::json(INSTANT))),
        ResponseBody::Page => page(shape),
        ResponseBody::PageWithFirst => Some(join(page(shape)?, body(shape, ObjectId::StoredArrays)?)),
        ResponseBody::SearchResult => {
            let facet = object! { filtered_facet::TYPE => FILTER, filtered_facet::COUNT => 0 };
            Some(join(page(shape)?, object! { search_page::FACETS => object! { "version:1" => facet } }))
        }
        ResponseBody::Batch => {
            let result = object! {
                write_result::STATUS => 201,
                write_result::RESOURCE => body(shape, ObjectId::Record)?,
            };
            Some(object! { batch_results::RESULTS => vec![result] })
        }
        ResponseBody::Lines => lines(shape).map(Into::into),
        ResponseBody::Changes => changes(shape).map(Into::into),
        _ => None,
    }
}

fn page(shape: &Shape) -> Option<JsonValue> {
    Some(object! {
        page::LIMIT => i64::from(limits::PAGE_DEFAULT),
        page::OFFSET => 0,
        page::COUNT => 1,
        page::TOTAL => 1,
        page::RESULTS => vec![body(shape, ObjectId::Record)?],
    })
}

/// Returns the lines of an export: a resource, and a deleted ID.
pub(super) fn lines(shape: &Shape) -> Option<String> {
    let mut lines = body(shape, ObjectId::Record)?.to_json() + "\n";
    let deleted = Deleted { id: "gone".to_owned(), version: 3, revision: INSTANT + 1 };
    deleted.write(&mut lines);
    lines.push('\n');
    Some(lines)
}

/// Returns a page of changes: its positions, a resource, and a deleted ID.
fn changes(shape: &Shape) -> Option<String> {
    let at = |revision| ProjectPosition { history: "5f0e".to_owned(), revision }.to_string();
    let window = object! { changes::FROM => at(INSTANT - 1), changes::TO => at(INSTANT + 1) };
    Some([window.to_json().as_str(), "\n", &lines(shape)?].concat())
}

pub(super) fn error(code: Code) -> JsonValue {
    let error = ApiError::new(code, code.about());
    let error = match code {
        Code::ConcurrentModification => error.with(Member::CurrentVersion, 3_i64),
        _ => error,
    };
    JsonValue::Written(error.to_json())
}
