//! Responses: statuses, headers, bodies.

use crate::contract::error::Code;
use crate::contract::header::answer;
use crate::contract::json::Object;
use crate::contract::operation::{Access, Method, Operation, Shape, Success};
use crate::contract::schema;
use crate::contract::service::{LINES, Service, ServiceId};

use super::{describe, examples, object, reference};

/// The headers of every response.
const ALWAYS: &[&str] = &[answer::CORRELATION_ID, answer::CACHE_CONTROL, answer::VARY];
/// The listed headers that may be absent.
const SOMETIMES: &[&str] = &[
    answer::IDEMPOTENCY_REPLAYED,
    answer::LINK,
    answer::LOCATION,
    answer::RESOURCE_REVISION,
    answer::WARNING,
];

/// Writes every response header.
pub(super) fn write_headers(headers: &mut Object<'_>) {
    for (name, about) in answer::ALL {
        // The content of a response has its media type.
        if *name == answer::CONTENT_TYPE {
            continue;
        }
        object(headers.member(name), |header| {
            describe(header, about);
            if !SOMETIMES.contains(name) {
                header.member("required").push_str("true");
            }
            let number = [answer::RESOURCE_REVISION, answer::RETRY_AFTER].contains(name);
            object(header.member("schema"), |schema| {
                schema.text("type", if number { "integer" } else { "string" });
            });
        });
    }
}

/// Writes the shared responses: those of statuses with one code.
pub(super) fn write_shared(responses: &mut Object<'_>) {
    for code in Code::ALL.iter().filter(|code| is_shared(**code)) {
        object(responses.member(&code.status().to_string()), |response| {
            write_error(response, &[*code], true);
        });
    }
}

/// Whether only this code has its status, apart from the codes of the token endpoints, whose responses are not shared.
fn is_shared(code: Code) -> bool {
    let others = Code::ALL.iter().filter(|other| other.status() == code.status() && **other != code);
    !is_of_tokens(code) && others.copied().all(is_of_tokens)
}

/// Whether only the token endpoints return it.
fn is_of_tokens(code: Code) -> bool {
    code.is_oauth() && !matches!(code, Code::InvalidToken | Code::InsufficientScope)
}

/// Writes the responses of an operation.
pub(super) fn write_of_operation(responses: &mut Object<'_>, row: &'static Operation) {
    for success in row.success {
        object(responses.member(&success.status.to_string()), |response| {
            write_success(response, row, success);
        });
    }
    if row.reads_one() {
        write_not_modified(responses, &[answer::ETAG, answer::RESOURCE_REVISION]);
    }
    write_errors(responses, row.errors(), row.method != Method::Head);
}

fn write_success(response: &mut Object<'_>, row: &Operation, success: &Success) {
    describe(response, success.when);
    let mut headers = Vec::new();
    if matches!(success.shape, Shape::Record | Shape::Arrays | Shape::Receipt) {
        headers.extend([answer::ETAG, answer::RESOURCE_REVISION]);
    }
    if success.status == 201 || row.answers(Shape::Receipt) {
        headers.push(answer::LOCATION);
    }
    if success.shape == Shape::Receipt {
        headers.push(answer::PREFERENCE_APPLIED);
    }
    if row.access == Access::Write {
        headers.push(answer::IDEMPOTENCY_REPLAYED);
    }
    if row.reads_one() {
        headers.push(answer::WARNING);
    }
    refer_to_headers(response, &headers);
    if let Some(example) = examples::answer(success.shape) {
        write_content(response, "application/json", schema_name(success.shape), Some(&example));
    }
}

/// The name of the schema of a shape.
fn schema_name(shape: Shape) -> &'static str {
    match shape {
        Shape::Record => schema::RESOURCE.name,
        Shape::Arrays => schema::ARRAYS.name,
        Shape::PageWithFirst => "QueryResult",
        Shape::SearchResult => "SearchResult",
        Shape::Receipt => "Receipt",
        Shape::Page | Shape::Nothing => "Page",
    }
}

fn write_not_modified(responses: &mut Object<'_>, validators: &[&'static str]) {
    object(responses.member("304"), |response| {
        describe(response, "Not modified: the caller has the current state.");
        refer_to_headers(response, validators);
    });
}

/// Writes the responses of a path that is not an operation.
pub(super) fn write_of_service(responses: &mut Object<'_>, row: &'static Service) {
    let (shape, validators): (_, &[&str]) = match row.id {
        ServiceId::Token => ("Token", &[]),
        ServiceId::Introspect => ("Introspection", &[]),
        ServiceId::Health => ("Health", &[]),
        ServiceId::Document => ("Document", &[answer::ETAG]),
        ServiceId::Status => ("Status", &[]),
        ServiceId::Export => ("Lines", &[]),
        ServiceId::Import => ("Imported", &[]),
        ServiceId::Clear => ("Cleared", &[]),
    };
    object(responses.member("200"), |response| {
        describe(response, row.summary);
        if row.id == ServiceId::Export {
            refer_to_headers(response, &[answer::LINK]);
            write_content(response, LINES, shape, Some(&examples::lines()));
            return;
        }
        refer_to_headers(response, validators);
        write_content(response, "application/json", shape, None);
    });
    if !validators.is_empty() {
        write_not_modified(responses, validators);
    }
    write_errors(responses, row.errors(), true);
}

/// Writes the errors, a response for each status. Shared ones are references.
fn write_errors(responses: &mut Object<'_>, codes: impl Iterator<Item = Code>, with_body: bool) {
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

fn write_error(response: &mut Object<'_>, codes: &[Code], with_body: bool) {
    let Some(first) = codes.first().copied() else { return };
    let mut about = String::new();
    for code in codes {
        let separator = if about.is_empty() { "`" } else { " `" };
        about.extend([separator, code.wire(), "`: ", code.about()]);
    }
    describe(response, &about);
    let headers: &[&str] = match first.status() {
        401 | 403 => &[answer::WWW_AUTHENTICATE],
        404 => &[answer::RESOURCE_REVISION, answer::IDEMPOTENCY_REPLAYED],
        405 => &[answer::ALLOW],
        400 | 409 | 412 | 413 => &[answer::IDEMPOTENCY_REPLAYED],
        429 | 503 => &[answer::RETRY_AFTER],
        _ => &[],
    };
    refer_to_headers(response, headers);
    if with_body {
        object(response.member("content"), |content| {
            object(content.member("application/json"), |media| {
                reference(media.member("schema"), "schemas", "Error");
                media.member("example").push_str(&examples::error(first));
            });
            object(content.member("application/problem+json"), |media| {
                reference(media.member("schema"), "schemas", "Problem");
            });
        });
    }
}

/// Writes references to the headers of every response and to these.
fn refer_to_headers(response: &mut Object<'_>, names: &[&str]) {
    object(response.member("headers"), |headers| {
        for name in ALWAYS.iter().chain(names) {
            reference(headers.member(name), "headers", name);
        }
    });
}

/// Writes a body of one media type.
pub(super) fn write_content(
    object_with_it: &mut Object<'_>,
    media: &str,
    schema: &str,
    example: Option<&str>,
) {
    object(object_with_it.member("content"), |content| {
        object(content.member(media), |media| {
            reference(media.member("schema"), "schemas", schema);
            if let Some(example) = example {
                media.member("example").push_str(example);
            }
        });
    });
}
