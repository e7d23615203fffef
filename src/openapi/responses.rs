//! Responses: statuses, headers, bodies.

use crate::contract::api::endpoint::{Endpoint, Method, ResponseBody, Success};
use crate::contract::api::header::{RequestHeader, ResponseHeader};
use crate::contract::api::media;
use crate::contract::error::Code;
use crate::contract::response::ResponseType;
use crate::contract::response::errors::{ERROR, PROBLEM};
use crate::shape::Shape;

use super::json_value::JsonValue;
use super::parts::{content, join, object, reference};
use super::{examples, shapes};

/// The headers of every response.
const ALWAYS: &[ResponseHeader] =
    &[ResponseHeader::CorrelationId, ResponseHeader::CacheControl, ResponseHeader::Vary];
/// The listed headers that may be absent.
const SOMETIMES: &[ResponseHeader] = &[
    ResponseHeader::IdempotencyReplayed,
    ResponseHeader::Link,
    ResponseHeader::Location,
    ResponseHeader::ResourceRevision,
    ResponseHeader::Warning,
];

pub(super) fn headers() -> JsonValue {
    // The content of a response has its media type. The other two are for HTTP/1.0, and for proxies.
    let is_listed = |header: &&ResponseHeader| {
        !header.is_cors()
            && !matches!(
                header,
                ResponseHeader::ContentType | ResponseHeader::Pragma | ResponseHeader::AccelBuffering
            )
    };
    let header = |header: &ResponseHeader| {
        let is_number = [ResponseHeader::ResourceRevision, ResponseHeader::RetryAfter].contains(header);
        object! {
            "description" => header.about(),
            "required" => (!SOMETIMES.contains(header)).then_some(true),
            "schema" => object! { "type" => if is_number { "integer" } else { "string" } },
        }
    };
    ResponseHeader::ALL.iter().filter(is_listed).map(|name| (name.name(), header(name))).collect()
}

/// Returns the shared responses: those of statuses with one code.
pub(super) fn shared() -> JsonValue {
    let codes = Code::ALL.iter().filter(|code| is_shared(**code));
    by_status(codes.map(|code| (code.status(), of_error(&[*code], true))))
}

fn by_status(responses: impl Iterator<Item = (u16, JsonValue)>) -> JsonValue {
    responses.map(|(status, response)| (status.to_string(), response)).collect()
}

/// Returns whether only this code has its status, apart from the codes of the token endpoints, whose responses are not
/// shared.
fn is_shared(code: Code) -> bool {
    let others = Code::ALL.iter().filter(|other| other.status() == code.status() && **other != code);
    // Only declared resources have rules.
    let is_rare = |code| is_of_tokens(code) || code == Code::Forbidden;
    !is_of_tokens(code) && others.copied().all(is_rare)
}

/// Returns whether only the token endpoints return it.
fn is_of_tokens(code: Code) -> bool {
    code.is_oauth() && !matches!(code, Code::InvalidToken | Code::InsufficientScope)
}

pub(super) fn of_endpoint(shape: &Shape, row: &'static Endpoint) -> JsonValue {
    let not_modified = (row.reads_one() || row.may_return(ResponseBody::Document)).then(|| {
        let about = "Not modified: the caller has the current state.";
        (304, object! { "description" => about, "headers" => references(validators(row)) })
    });
    let successes = row.success.iter().map(|success| (success.status, of_success(shape, row, success)));
    by_status(successes.chain(not_modified).chain(errors(row)))
}

/// Returns the validators that the responses of an endpoint have (D19, D45).
fn validators(row: &Endpoint) -> &'static [ResponseHeader] {
    if row.may_return(ResponseBody::Record) || row.may_return(ResponseBody::Receipt) {
        &[ResponseHeader::ETag, ResponseHeader::ResourceRevision]
    } else if row.may_return(ResponseBody::Document) {
        &[ResponseHeader::ETag]
    } else if row.may_return(ResponseBody::Batch) || row.headers.contains(&RequestHeader::MinRevision) {
        &[ResponseHeader::ResourceRevision]
    } else {
        &[]
    }
}

fn of_success(shape: &Shape, row: &Endpoint, success: &Success) -> JsonValue {
    let mut headers = validators(row).to_vec();
    let is_lines = matches!(success.shape, ResponseBody::Lines | ResponseBody::Changes);
    for (has, header) in [
        (success.status == 201 || row.may_return(ResponseBody::Receipt), ResponseHeader::Location),
        (success.shape == ResponseBody::Receipt, ResponseHeader::PreferenceApplied),
        (row.headers.contains(&RequestHeader::IdempotencyKey), ResponseHeader::IdempotencyReplayed),
        (row.reads_one(), ResponseHeader::Warning),
        (is_lines, ResponseHeader::Link),
        (success.status == 101, ResponseHeader::WebSocketProtocol),
    ] {
        headers.extend(has.then_some(header));
    }
    let media_type = if is_lines { media::LINES } else { media::JSON };
    let events = (success.shape == ResponseBody::Changes).then_some(media::EVENTS);
    let body = |ty| {
        let with_example = content(media_type, shapes::of(&ty), examples::response(shape, success.shape));
        events.map(|events| content(events, shapes::of(&ty), None)).into_iter().fold(with_example, join)
    };
    object! {
        "description" => success.when.unwrap_or(row.summary),
        "headers" => references(&headers),
        "content" => success.shape.schema().map(body),
    }
}

/// Returns the errors of an endpoint, a response for each status. Shared ones are references.
fn errors(row: &'static Endpoint) -> Vec<(u16, JsonValue)> {
    let with_body = row.method != Method::Head;
    let mut codes: Vec<Code> = row.errors().collect();
    codes.sort_by_key(|code| code.status());
    let of_status = |codes: &[Code]| {
        let code = *codes.first()?;
        let is_reference = with_body && codes.len() == 1 && is_shared(code);
        let shared = || reference("responses", &code.status().to_string());
        Some((code.status(), if is_reference { shared() } else { of_error(codes, with_body) }))
    };
    codes.chunk_by(|code, next| code.status() == next.status()).filter_map(of_status).collect()
}

/// Returns the response with one of these codes, which have the same status.
fn of_error(codes: &[Code], with_body: bool) -> JsonValue {
    let sentences: Vec<String> =
        codes.iter().map(|code| ["`", code.wire(), "`: ", code.about()].concat()).collect();
    let content = |first| {
        let error = shapes::of(&ResponseType::Named(&ERROR));
        let problem = shapes::of(&ResponseType::Named(&PROBLEM));
        let problem = content(media::PROBLEM, problem, None);
        join(content(media::JSON, error, Some(examples::error(first))), problem)
    };
    let first = codes.first().copied();
    object! {
        "description" => sentences.join(" "),
        "headers" => references(first.map_or(&[], headers_of)),
        "content" => first.filter(|_| with_body).map(content),
    }
}

/// Returns the headers that the response of an error may have. They depend only on its status.
const fn headers_of(code: Code) -> &'static [ResponseHeader] {
    match code.status() {
        400 | 409 | 412 | 413 => &[ResponseHeader::IdempotencyReplayed],
        401 | 403 => &[ResponseHeader::WwwAuthenticate],
        404 => &[ResponseHeader::ResourceRevision, ResponseHeader::IdempotencyReplayed],
        405 => &[ResponseHeader::Allow],
        429 | 503 => &[ResponseHeader::RetryAfter],
        _ => &[],
    }
}

/// Returns references to the headers of every response and to these.
fn references(names: &[ResponseHeader]) -> JsonValue {
    let headers = ALWAYS.iter().chain(names).map(|header| header.name());
    headers.map(|name| (name, reference("headers", name))).collect()
}
