//! Path variables, query parameters and request headers.

use crate::contract::api::endpoint::Endpoint;
use crate::contract::api::header::RequestHeader;
use crate::contract::api::media;
use crate::contract::api::path::{Segment, Variable};
use crate::contract::limits;
use crate::contract::param::{Param, ParamId, ParamType};
use crate::shape::types::{Format, Type};

use super::content::of_type;
use super::examples;
use super::json_value::JsonValue;
use super::parts::{Described, TEXT, content, endpoints, join, object, reference};

/// `*`, or a list of entity tags (RFC 9110, 8.8.3).
const CONDITION: &str = "^(\\*|(W/)?\"[^\"]*\"([ \\t]*,[ \\t]*(W/)?\"[^\"]*\")*)$";

pub(super) fn all(described: Described<'_>) -> JsonValue {
    let mut all: Vec<(&str, JsonValue)> = Vec::new();
    for row in endpoints(described.shape) {
        let variables = row.path.iter().copied().filter_map(Segment::variable);
        let variables = variables.map(|variable| (variable.name(), of_variable(variable, described)));
        let params = row.params().map(|param| (name(param), of_param(described, param)));
        let headers = row.headers.iter().map(|header| (header.name(), of_header(*header)));
        for (name, parameter) in variables.chain(params).chain(headers) {
            if !all.iter().any(|(known, _)| *known == name) {
                all.push((name, parameter));
            }
        }
    }
    all.into_iter().collect()
}

pub(super) fn of_path(path: &[Segment]) -> Vec<&'static str> {
    path.iter().copied().filter_map(Segment::variable).map(Variable::name).collect()
}

/// Returns the query parameters and headers of an endpoint: references to shared ones. A parameter that has another
/// rule or meaning than the shared one of its name is written out.
pub(super) fn of_endpoint(described: Described<'_>, row: &'static Endpoint) -> Vec<JsonValue> {
    let of_query = |param| {
        if is_shared(described, param) { referenced(name(param)) } else { of_param(described, param) }
    };
    let headers = row.headers.iter().map(|header| referenced(header.name()));
    row.params().map(of_query).chain(headers).collect()
}

/// Returns a reference to a shared parameter.
pub(super) fn referenced(name: &str) -> JsonValue {
    reference("parameters", name)
}

/// Returns whether the document's shared parameter of this name, the first one, is the same.
fn is_shared(described: Described<'_>, param: &Param) -> bool {
    let mut params = endpoints(described.shape).iter().flat_map(Endpoint::params);
    let first = params.find(|first| name(first) == name(param));
    first.is_some_and(|first| first.id == param.id && first.about == param.about)
}

/// Returns the parameter's name in the document: for a family (`var.<name>`) the beginning of its names.
pub(super) fn name(param: &Param) -> &'static str {
    param.id.family_name().unwrap_or_else(|| param.id.name())
}

fn of_variable(variable: Variable, described: Described<'_>) -> JsonValue {
    let schema = match variable {
        Variable::ProjectKey => {
            let pattern = format!("^[A-Za-z0-9_-]{{1,{}}}$", limits::PROJECT_KEY_CHARS);
            object! { "type" => "string", "pattern" => pattern }
        }
        Variable::Id => of_type(&Type::String(Format::Id)),
        Variable::Key => of_type(&Type::String(Format::Key)),
        Variable::UriParameterOne | Variable::UriParameterTwo => {
            object! { "type" => "string", "minLength" => 1 }
        }
    };
    object! {
        "name" => variable.name(),
        "in" => "path",
        "required" => true,
        "description" => variable.about(),
        "schema" => schema,
        "example" => examples::variable(described, variable),
    }
}

/// Returns JSON that the contract has.
fn written(json: &str) -> JsonValue {
    JsonValue::Written(json.to_owned())
}

fn of_param(described: Described<'_>, param: &Param) -> JsonValue {
    let head = object! { "name" => name(param), "in" => "query", "description" => param.about };
    let example = examples::param(described, param.id);
    let rule = param.id.rule();
    if let ParamType::Json(id) = rule.ty {
        let content = content(media::JSON, reference("schemas", id.name()), Some(example));
        return join(head, object! { "content" => content });
    }
    let value = value(param.id, rule.ty);
    let schema = match param.id.pattern() {
        Some(pattern) => object! {
            "type" => "object",
            // Generators ignore `patternProperties`.
            "additionalProperties" => value,
            "propertyNames" => object! { "pattern" => pattern },
        },
        None if rule.repeatable => object! { "type" => "array", "items" => value },
        None => value,
    };
    let rest = object! { "style" => "form", "explode" => true, "schema" => schema, "example" => example };
    join(head, rest)
}

fn value(id: ParamId, ty: ParamType) -> JsonValue {
    match ty {
        ParamType::String | ParamType::Json(_) => {
            let (name, rule) = grammar(id).map_or(("pattern", TEXT), |language| ("format", language));
            object! { "type" => "string", name => rule }
        }
        ParamType::Float => object! { "type" => "number", "format" => "double" },
        ParamType::Whole { min, max } => {
            object! { "type" => "integer", "minimum" => min, "maximum" => max }
        }
        ParamType::Boolean => object! { "type" => "boolean" },
    }
}

/// Returns the language of the parameter's text, if the guide describes it.
const fn grammar(id: ParamId) -> Option<&'static str> {
    match id {
        ParamId::Where => Some("predicate"),
        ParamId::Sort => Some("sort"),
        ParamId::Expand => Some("expansion"),
        ParamId::Fields => Some("fields"),
        ParamId::Filter | ParamId::FilterFacets | ParamId::FilterQuery => Some("filter"),
        ParamId::Facet => Some("facet"),
        ParamId::Time => Some("date-time"),
        // Plain text, or no text at all.
        _ => None,
    }
}

fn of_header(header: RequestHeader) -> JsonValue {
    let schema = match header {
        RequestHeader::MinRevision => object! {
            "type" => "integer",
            "format" => "int64",
            "minimum" => 0,
            "maximum" => limits::INTEGER_MAX,
        },
        RequestHeader::IdempotencyKey => object! {
            "type" => "string",
            "pattern" => "^[ -~]+$",
            "maxLength" => limits::IDEMPOTENCY_KEY_CHARS as i64,
        },
        RequestHeader::IfMatch | RequestHeader::IfNoneMatch => {
            object! { "type" => "string", "format" => "entity-tags", "pattern" => CONDITION }
        }
        // Any text is accepted: a malformed `traceparent` is ignored.
        _ => object! { "type" => "string" },
    };
    object! {
        "name" => header.name(),
        "in" => "header",
        "description" => header.about(),
        "schema" => schema,
        "example" => examples::header(header).map(written),
    }
}
