//! Example values. Tests send each of them.

use crate::contract::api::endpoint::Shape;
use crate::contract::api::header::RequestHeader;
use crate::contract::api::path::Variable;
use crate::contract::error::{ApiError, Code, Member};
use crate::contract::limits;
use crate::contract::param::ParamId;
use crate::contract::resource::model::Deleted;
use crate::contract::resource::schema::{
    self, Array, ArrayRule, Field, FieldId, Format, Object as Schema, Type,
};
use crate::contract::response::operations::{FILTER, filtered_facet, page, search_result};
use crate::contract::response::receipt;
use crate::util::json::{self, ObjectWriter};
use crate::util::time;

use super::parts::object;

/// The time of the example, the same as in RFC 9110.
const INSTANT: time::Millis = 784_111_777_000;
const ID: &str = "00b69035-46e8-7000-8000-000000000001";
const KEY: &str = "first";

/// Returns a value of a path variable.
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
        ParamId::Fuzzy | ParamId::WithTotal => "true",
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
        ParamId::Limit => "20",
        ParamId::Offset => "0",
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
        RequestHeader::Authorization
        | RequestHeader::ContentType
        | RequestHeader::ContentEncoding
        | RequestHeader::Accept
        | RequestHeader::Origin
        | RequestHeader::CorrelationId
        | RequestHeader::AccessControlRequestHeaders
        | RequestHeader::TraceParent
        | RequestHeader::ConnectingIp => None,
    }
}

/// Returns a body of the shape, as JSON.
pub(super) fn body(shape: &'static Schema) -> String {
    let mut out = String::new();
    write_object(&mut out, shape, None);
    out
}

/// Appends an object with an example for each field, so that a new field is in every example. A body lacks the optional
/// fields that the service sets. `tag` is the member that names the object, with its value, if it is one of several.
fn write_object(out: &mut String, shape: &'static Schema, tag: Option<(&Field, &str)>) {
    let is_left_out = |field: &Field| {
        let is_set =
            [FieldId::Id, FieldId::Version, FieldId::CreatedAt, FieldId::LastModifiedAt].contains(&field.id);
        is_set && !field.required
    };
    object(out, |object| {
        for field in shape.fields.iter().filter(|field| !is_left_out(field)) {
            let out = object.member(field.name());
            match (tag, field.id) {
                (Some((tag, value)), id) if id == tag.id => json::string(out, value),
                // The overwrite expects the first version. It creates the second, which all other examples have.
                (_, FieldId::Version) => {
                    json::integer(out, if *shape == schema::RESOURCE_OVERWRITE { 1 } else { 2 });
                }
                (_, FieldId::FirstName) => json::string(out, "Ada"),
                (_, FieldId::LastName) => json::string(out, "Lovelace"),
                _ => write_value(out, &field.ty, 0),
            }
        }
    });
}

/// Appends a value of the type, with another for each place in an array.
fn write_value(out: &mut String, ty: &Type, place: usize) {
    match ty {
        Type::Integer { min, max } => json::integer(out, (6 + place as i64).clamp(*min, *max)),
        Type::Number => json::number(out, 0.5 + place as f64),
        Type::Boolean => json::boolean(out, place.is_multiple_of(2)),
        Type::String(Format::Id) => json::string(out, ID),
        Type::String(Format::Key) => json::string(out, KEY),
        Type::String(Format::DateTime) => json::string(out, &time::format(INSTANT + place as u64)),
        Type::String(Format::Text) => {
            json::string(out, ["red", "blue"].get(place).copied().unwrap_or("green"));
        }
        Type::Array(array) => write_array(out, array),
        Type::Object(shape) => write_object(out, shape, None),
        Type::Union(union) => {
            if let Some((value, shape)) = union.variants.get(place) {
                write_object(out, shape, Some((&union.tag, value)));
            }
        }
    }
}

/// Appends an array of two items, or of as many as its rule or its type requires.
fn write_array(out: &mut String, array: &Array) {
    let count = match (array.rule, array.items) {
        (ArrayRule::EmptyOr(exact), _) => exact,
        (_, Type::Union(union)) => union.variants.len(),
        (ArrayRule::AtMost(limit), _) => limit.min(2),
        (ArrayRule::Any | ArrayRule::Unique, _) => 2,
    };
    let places: Vec<usize> = (0..count).collect();
    json::array(out, &places, |out, place| write_value(out, &array.items, *place));
}

/// Returns a response of the shape, as JSON, with the same resource in each. `None` if there is no body.
pub(super) fn response(shape: Shape) -> Option<String> {
    let mut out = String::new();
    match shape {
        Shape::Record => write_object(&mut out, &schema::RESOURCE, None),
        Shape::Arrays => write_object(&mut out, &schema::ARRAYS, None),
        Shape::Receipt => return Some(receipt::json(INSTANT)),
        Shape::Page => object(&mut out, write_page),
        Shape::PageWithFirst => object(&mut out, |page| {
            write_page(page);
            for field in schema::ARRAYS.fields {
                write_value(page.member(field.name()), &field.ty, 0);
            }
        }),
        Shape::SearchResult => object(&mut out, |page| {
            write_page(page);
            object(page.member(search_result::FACETS), |facets| {
                object(facets.member("version:1"), |facet| {
                    facet.text(filtered_facet::TYPE, FILTER);
                    facet.integer(filtered_facet::COUNT, 0);
                });
            });
        }),
        Shape::Lines => return Some(lines()),
        Shape::Nothing
        | Shape::Token
        | Shape::Introspection
        | Shape::Health
        | Shape::Document
        | Shape::Status
        | Shape::Imported
        | Shape::Cleared
        | Shape::Restored => return None,
    }
    Some(out)
}

/// Writes the members of a page with the resource.
fn write_page(page: &mut ObjectWriter<'_>) {
    page.integer(page::LIMIT, i64::from(limits::PAGE_DEFAULT));
    page.integer(page::OFFSET, 0);
    page.integer(page::COUNT, 1);
    page.integer(page::TOTAL, 1);
    page.array(page::RESULTS, &[&schema::RESOURCE], |out, shape| write_object(out, shape, None));
}

/// The lines of an export, as JSON: a resource, and a deleted ID.
pub(super) fn lines() -> String {
    let mut lines = body(&schema::RESOURCE);
    lines.push('\n');
    let deleted = Deleted { id: "gone".to_owned(), version: 3, revision: INSTANT + 1 };
    deleted.write(&mut lines);
    lines.push('\n');
    let mut out = String::new();
    json::string(&mut out, &lines);
    out
}

/// Returns a response of the error, as JSON.
pub(super) fn error(code: Code) -> String {
    let error = ApiError::new(code, code.about());
    match code {
        Code::ConcurrentModification => error.with_integer(Member::CurrentVersion, 3),
        _ => error,
    }
    .to_json()
}
