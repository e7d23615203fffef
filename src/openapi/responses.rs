//! Responses: statuses, headers, bodies.

use crate::contract::api::endpoint::{Endpoint, LINES, Method, Shape, Success};
use crate::contract::api::header::{RequestHeader, ResponseHeader};
use crate::contract::error::Code;
use crate::contract::response::ResponseType;
use crate::contract::response::errors::{ERROR, PROBLEM};
use crate::util::json::ObjectWriter;

use super::parts::{describe, object, reference};
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

/// Writes every response header.
pub(super) fn write_headers(headers: &mut ObjectWriter<'_>) {
    // The content of a response has its media type, and the last is for HTTP/1.0.
    let is_listed = |header: &&ResponseHeader| {
        !matches!(header, ResponseHeader::ContentType | ResponseHeader::Pragma) && !header.is_cors()
    };
    for name in ResponseHeader::ALL.iter().filter(is_listed) {
        object(headers.member(name.name()), |header| {
            describe(header, name.about());
            if !SOMETIMES.contains(name) {
                header.member("required").push_str("true");
            }
            let number = [ResponseHeader::ResourceRevision, ResponseHeader::RetryAfter].contains(name);
            object(header.member("schema"), |schema| {
                schema.text("type", if number { "integer" } else { "string" });
            });
        });
    }
}

/// Writes the shared responses: those of statuses with one code.
pub(super) fn write_shared(responses: &mut ObjectWriter<'_>) {
    for code in Code::ALL.iter().filter(|code| is_shared(**code)) {
        object(responses.member(&code.status().to_string()), |response| {
            write_error(response, &[*code], true);
        });
    }
}

/// Returns whether only this code has its status, apart from the codes of the token endpoints, whose responses are not
/// shared.
fn is_shared(code: Code) -> bool {
    let others = Code::ALL.iter().filter(|other| other.status() == code.status() && **other != code);
    !is_of_tokens(code) && others.copied().all(is_of_tokens)
}

/// Returns whether only the token endpoints return it.
fn is_of_tokens(code: Code) -> bool {
    code.is_oauth() && !matches!(code, Code::InvalidToken | Code::InsufficientScope)
}

/// Writes the responses of an endpoint.
pub(super) fn write_of_endpoint(responses: &mut ObjectWriter<'_>, row: &'static Endpoint) {
    for success in row.success {
        object(responses.member(&success.status.to_string()), |response| {
            write_success(response, row, success);
        });
    }
    if row.reads_one() || row.may_return(Shape::Document) {
        write_not_modified(responses, validators(row));
    }
    write_errors(responses, row.errors(), row.method != Method::Head);
}

/// Returns the validators that the responses of an endpoint have, if it returns one thing (D19).
fn validators(row: &Endpoint) -> &'static [ResponseHeader] {
    if row.may_return(Shape::Record) || row.may_return(Shape::Receipt) {
        &[ResponseHeader::ETag, ResponseHeader::ResourceRevision]
    } else if row.may_return(Shape::Document) {
        &[ResponseHeader::ETag]
    } else {
        &[]
    }
}

fn write_success(response: &mut ObjectWriter<'_>, row: &Endpoint, success: &Success) {
    describe(response, success.when.unwrap_or(row.summary));
    let mut headers = validators(row).to_vec();
    for (has, header) in [
        (success.status == 201 || row.may_return(Shape::Receipt), ResponseHeader::Location),
        (success.shape == Shape::Receipt, ResponseHeader::PreferenceApplied),
        (row.headers.contains(&RequestHeader::IdempotencyKey), ResponseHeader::IdempotencyReplayed),
        (row.reads_one(), ResponseHeader::Warning),
        (success.shape == Shape::Lines, ResponseHeader::Link),
    ] {
        headers.extend(has.then_some(header));
    }
    refer_to_headers(response, &headers);
    if let Some(ty) = success.shape.schema() {
        let media = if success.shape == Shape::Lines { LINES } else { "application/json" };
        write_content(response, media, &ty, examples::response(success.shape).as_deref());
    }
}

fn write_not_modified(responses: &mut ObjectWriter<'_>, validators: &[ResponseHeader]) {
    object(responses.member("304"), |response| {
        describe(response, "Not modified: the caller has the current state.");
        refer_to_headers(response, validators);
    });
}

/// Writes the errors, a response for each status. Shared ones are references.
fn write_errors(responses: &mut ObjectWriter<'_>, codes: impl Iterator<Item = Code>, with_body: bool) {
    let mut codes: Vec<Code> = codes.collect();
    codes.sort_by_key(|code| code.status());
    for same in codes.chunk_by(|code, next| code.status() == next.status()) {
        let Some(code) = same.first() else { continue };
        let status = code.status().to_string();
        let out = responses.member(&status);
        if with_body && is_shared(*code) {
            reference(out, "responses", &status);
        } else {
            object(out, |response| write_error(response, same, with_body));
        }
    }
}

fn write_error(response: &mut ObjectWriter<'_>, codes: &[Code], with_body: bool) {
    let Some(first) = codes.first().copied() else { return };
    let mut about = String::new();
    for code in codes {
        let separator = if about.is_empty() { "`" } else { " `" };
        about.extend([separator, code.wire(), "`: ", code.about()]);
    }
    describe(response, &about);
    refer_to_headers(response, headers_of(first));
    if with_body {
        object(response.member("content"), |content| {
            object(content.member("application/json"), |media| {
                shapes::write_type(media.member("schema"), &ResponseType::Named(&ERROR));
                media.member("example").push_str(&examples::error(first));
            });
            object(content.member("application/problem+json"), |media| {
                shapes::write_type(media.member("schema"), &ResponseType::Named(&PROBLEM));
            });
        });
    }
}

/// Returns the headers that the response of an error may have. Errors of one status have the same.
const fn headers_of(code: Code) -> &'static [ResponseHeader] {
    match code {
        Code::InvalidToken | Code::InsufficientScope | Code::InvalidClient => {
            &[ResponseHeader::WwwAuthenticate]
        }
        Code::ResourceNotFound => &[ResponseHeader::ResourceRevision, ResponseHeader::IdempotencyReplayed],
        Code::MethodNotAllowed => &[ResponseHeader::Allow],
        Code::InvalidJsonInput
        | Code::InvalidField
        | Code::RequiredField
        | Code::DuplicateField
        | Code::InvalidInput
        | Code::InvalidOperation
        | Code::SyntaxError
        | Code::ConcurrentModification
        | Code::PreconditionFailed
        | Code::ContentTooLarge
        | Code::InvalidRequest
        | Code::UnsupportedGrantType
        | Code::InvalidScope => &[ResponseHeader::IdempotencyReplayed],
        Code::TooManyRequests | Code::ServiceUnavailable => &[ResponseHeader::RetryAfter],
        Code::UnsupportedMediaType
        | Code::IdempotencyKeyReused
        | Code::General
        | Code::HistoryChanged
        | Code::InsufficientStorage => &[],
    }
}

/// Writes references to the headers of every response and to these.
fn refer_to_headers(response: &mut ObjectWriter<'_>, names: &[ResponseHeader]) {
    object(response.member("headers"), |headers| {
        for name in ALWAYS.iter().chain(names) {
            reference(headers.member(name.name()), "headers", name.name());
        }
    });
}

/// Writes a body of one media type.
pub(super) fn write_content(
    object_with_it: &mut ObjectWriter<'_>,
    media: &str,
    schema: &ResponseType,
    example: Option<&str>,
) {
    object(object_with_it.member("content"), |content| {
        object(content.member(media), |media| {
            shapes::write_type(media.member("schema"), schema);
            if let Some(example) = example {
                media.member("example").push_str(example);
            }
        });
    });
}
