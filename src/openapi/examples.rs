//! Example values. Tests send each of them.

use crate::contract::content::Content;
use crate::contract::error::{ApiError, Code, Member};
use crate::contract::header::RequestHeader;
use crate::contract::limits;
use crate::contract::model::{Deleted, Record};
use crate::contract::operation::Shape;
use crate::contract::param::ParamId;
use crate::contract::path::Variable;
use crate::contract::schema::{self, Object as Body, Slot};
use crate::util::json;
use crate::util::time;

use super::object;

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
        ParamId::After => "784111777000",
        ParamId::Confirm => "\"demo\"",
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

/// Returns a body of the shape, as JSON.
pub(super) fn body(shape: &Body) -> &'static str {
    if *shape == schema::RESOURCE_DRAFT {
        "{\"key\":\"first\",\"objectTypeProperty\":{\"arrayOfIntExample\":[6,7],\"arrayOfStringExample\":[\"red\",\"blue\"]}}"
    } else if *shape == schema::RESOURCE_OVERWRITE {
        "{\"version\":1,\"key\":\"first\",\"objectTypeProperty\":{\"arrayOfFloatExample\":[0.5]}}"
    } else if *shape == schema::RESOURCE_UPDATE {
        "{\"version\":2,\"actions\":[{\"action\":\"changeSomeProperty\",\"someProperty\":\"new\"},\
         {\"action\":\"doSomeThing\"}]}"
    } else {
        "{\"key\":\"first\",\"createdBy\":{\"firstName\":\"Ada\"},\"custom\":\"merged\"}"
    }
}

/// Returns a response of the shape, as JSON, with the same resource in each. `None` if there is no body.
pub(super) fn response(shape: Shape) -> Option<String> {
    let mut out = String::new();
    let record = record();
    match shape {
        Shape::Record => return Some(record.to_json()),
        Shape::Receipt => return Some(time::sample(INSTANT)),
        Shape::Arrays => record.content.write_arrays(&mut out),
        Shape::Page | Shape::PageWithFirst | Shape::SearchResult => object(&mut out, |page| {
            page.integer("limit", i64::from(limits::PAGE_DEFAULT));
            page.integer("offset", 0);
            page.integer("count", 1);
            page.integer("total", 1);
            page.member("results").extend(["[", &record.to_json(), "]"]);
            match shape {
                Shape::PageWithFirst => record.content.write_array_members(page),
                Shape::SearchResult => {
                    page.member("facets").push_str("{\"version:1\":{\"type\":\"filter\",\"count\":0}}");
                }
                _ => {}
            }
        }),
        Shape::Nothing => return None,
    }
    Some(out)
}

/// The lines of an export, as JSON: a resource, and a deleted ID.
pub(super) fn lines() -> String {
    let mut lines = record().to_json();
    lines.push('\n');
    let deleted = Deleted { id: "gone".to_owned(), version: 3, revision: INSTANT + 1 };
    deleted.write(&mut lines);
    lines.push('\n');
    let mut out = String::new();
    json::string(&mut out, &lines);
    out
}

fn record() -> Record {
    Record {
        id: ID.to_owned(),
        version: 2,
        key: Some(KEY.to_owned()),
        created_at: INSTANT,
        created_by: None,
        revision: INSTANT,
        last_modified_by: None,
        content: Content::default()
            .with(Slot::ArrayOfInt, vec![6, 7])
            .with(Slot::ArrayOfString, vec!["red".to_owned(), "blue".to_owned()])
            .with(Slot::SomeProperty, "new"),
    }
}

/// Returns a response of the error, as JSON.
pub(super) fn error(code: Code) -> String {
    let error = ApiError::new(code, code.about());
    match code {
        Code::ConcurrentModification => error.with_integer(Member::CurrentVersion, 3),
        _ => error,
    }
    .to_json(false)
}
