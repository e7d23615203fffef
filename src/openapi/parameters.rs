//! Path variables, query parameters and request headers.

use crate::contract::api::endpoint::{ENDPOINTS, Endpoint};
use crate::contract::api::header::RequestHeader;
use crate::contract::api::path::{Segment, Variable};
use crate::contract::limits;
use crate::contract::param::{Param, ParamId, ParamType};
use crate::contract::resource::schema::{Format, Type};
use crate::util::json::{self, ObjectWriter};

use super::examples;
use super::parts::{describe, object, reference};
use super::schema::{self, TEXT};

/// `*`, or a list of entity tags (RFC 9110, 8.8.3).
const CONDITION: &str = "^(\\*|(W/)?\"[^\"]*\"([ \\t]*,[ \\t]*(W/)?\"[^\"]*\")*)$";

/// Writes every parameter, each once.
pub(super) fn write(parameters: &mut ObjectWriter<'_>) {
    let mut done: Vec<&str> = Vec::new();
    let mut first = |name| {
        let new = !done.contains(&name);
        done.push(name);
        new
    };
    for row in &ENDPOINTS {
        for variable in row.path.iter().copied().filter_map(Segment::variable) {
            if first(variable.name()) {
                object(parameters.member(variable.name()), |parameter| write_variable(parameter, variable));
            }
        }
        for param in row.params() {
            if first(name(param)) {
                object(parameters.member(name(param)), |parameter| write_param(parameter, param));
            }
        }
        for header in row.headers.iter().copied() {
            if first(header.name()) {
                object(parameters.member(header.name()), |parameter| write_header(parameter, header));
            }
        }
    }
}

/// Appends references to the variables of a path.
pub(super) fn refer_to_variables(out: &mut String, path: &[Segment]) {
    let names: Vec<&str> = path.iter().copied().filter_map(Segment::variable).map(Variable::name).collect();
    refer(out, &names);
}

/// Appends references to the query parameters and headers of an endpoint.
pub(super) fn refer_to_params(out: &mut String, row: &Endpoint) {
    let headers = row.headers.iter().copied().map(RequestHeader::name);
    refer(out, &row.params().map(name).chain(headers).collect::<Vec<_>>());
}

fn refer(out: &mut String, names: &[&str]) {
    json::array(out, names, |out, name| reference(out, "parameters", name));
}

/// Returns the parameter's name in the document: for a family (`var.<name>`) the beginning of its names.
fn name(param: &Param) -> &'static str {
    let name = param.id.name();
    name.split_once(".<").map_or(name, |(family, _)| family)
}

fn write_variable(parameter: &mut ObjectWriter<'_>, variable: Variable) {
    parameter.text("name", variable.name());
    parameter.text("in", "path");
    parameter.member("required").push_str("true");
    describe(parameter, variable.about());
    let out = parameter.member("schema");
    match variable {
        Variable::ProjectKey => object(out, |schema| {
            schema.text("type", "string");
            schema.text("pattern", &format!("^[A-Za-z0-9_-]{{1,{}}}$", limits::PROJECT_KEY_CHARS));
        }),
        Variable::Id => schema::value(out, &Type::String(Format::Id), false),
        Variable::Key => schema::value(out, &Type::String(Format::Key), false),
        Variable::UriParameterOne | Variable::UriParameterTwo => {
            out.push_str("{\"type\":\"string\",\"minLength\":1}");
        }
    }
    parameter.text("example", examples::variable(variable));
}

fn write_param(parameter: &mut ObjectWriter<'_>, param: &Param) {
    parameter.text("name", name(param));
    parameter.text("in", "query");
    describe(parameter, param.about);
    if let ParamType::Json(shape) = param.id.rule().ty {
        object(parameter.member("content"), |content| {
            object(content.member("application/json"), |media| {
                reference(media.member("schema"), "schemas", shape.name);
                media.member("example").push_str(examples::param(param.id));
            });
        });
        return;
    }
    parameter.text("style", "form");
    parameter.member("explode").push_str("true");
    object(parameter.member("schema"), |schema| match param.id.pattern() {
        Some(pattern) => {
            schema.text("type", "object");
            object(schema.member("patternProperties"), |properties| {
                object(properties.member(pattern), |schema| write_value(schema, param));
            });
            schema.member("additionalProperties").push_str("false");
        }
        None if param.id.rule().repeatable => {
            schema.text("type", "array");
            object(schema.member("items"), |schema| write_value(schema, param));
        }
        None => write_value(schema, param),
    });
    parameter.member("example").push_str(examples::param(param.id));
}

fn write_value(schema: &mut ObjectWriter<'_>, param: &Param) {
    match param.id.rule().ty {
        ParamType::String | ParamType::Json(_) => {
            schema.text("type", "string");
            match grammar(param.id) {
                Some(language) => schema.text("format", language),
                None => schema.text("pattern", TEXT),
            }
        }
        ParamType::Float => {
            schema.text("type", "number");
            schema.text("format", "double");
        }
        ParamType::Whole { min, max } => {
            schema.text("type", "integer");
            schema.integer("minimum", min);
            schema.integer("maximum", max);
        }
        ParamType::Boolean => schema.text("type", "boolean"),
    }
}

/// Returns the language of the parameter's text, if the guide describes it.
const fn grammar(id: ParamId) -> Option<&'static str> {
    match id {
        ParamId::Where => Some("predicate"),
        ParamId::Sort => Some("sort"),
        ParamId::Expand => Some("expansion"),
        ParamId::Filter | ParamId::FilterFacets | ParamId::FilterQuery => Some("filter"),
        ParamId::Facet => Some("facet"),
        ParamId::Time => Some("date-time"),
        // Plain text, or no text at all.
        _ => None,
    }
}

fn write_header(parameter: &mut ObjectWriter<'_>, header: RequestHeader) {
    parameter.text("name", header.name());
    parameter.text("in", "header");
    describe(parameter, header.about());
    object(parameter.member("schema"), |schema| match header {
        RequestHeader::MinRevision => {
            schema.text("type", "integer");
            schema.text("format", "int64");
            schema.integer("minimum", 0);
            schema.integer("maximum", limits::INTEGER_MAX);
        }
        RequestHeader::IdempotencyKey => {
            schema.text("type", "string");
            schema.text("pattern", "^[ -~]+$");
            schema.integer("maxLength", limits::IDEMPOTENCY_KEY_CHARS as i64);
        }
        RequestHeader::IfMatch | RequestHeader::IfNoneMatch => {
            schema.text("type", "string");
            schema.text("format", "entity-tags");
            schema.text("pattern", CONDITION);
        }
        // Any text is accepted: a malformed `traceparent` is ignored.
        RequestHeader::Authorization
        | RequestHeader::ContentType
        | RequestHeader::ContentEncoding
        | RequestHeader::Accept
        | RequestHeader::Origin
        | RequestHeader::CorrelationId
        | RequestHeader::CacheControl
        | RequestHeader::Prefer
        | RequestHeader::AccessControlRequestHeaders
        | RequestHeader::TraceParent
        | RequestHeader::ConnectingIp => schema.text("type", "string"),
    });
    if let Some(example) = examples::header(header) {
        parameter.member("example").push_str(example);
    }
}
