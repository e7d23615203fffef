//! Requests rendered from the operation table: address, query in the order of presentation, headers (contract, section 9).

use super::call::Call;
use super::text::{Parts, SEPARATOR, cut, wrong};
use crate::contract::header::RequestHeader;
use crate::contract::operation::hides_id;
use crate::contract::param::ParamId;
use crate::contract::path::{self, Variable, is_name};
use crate::contract::time::Millis;
use crate::contract::{json, limits, percent};

/// The request of a call, but for its method, body and token: the whole address, then each header's name and value. Reads
/// ask for `asked` or newer. Or what is wrong with the call, as a sentence.
pub(super) fn render(base: &str, project: &str, call: &Call<'_>, asked: Millis) -> Result<String, String> {
    let [first, second] = call.variables;
    for (segment, value) in call.row.variables().zip(call.variables) {
        if let Some(variable) = segment.variable()
            && !fits(variable, value)
        {
            return Err(wrong(variable.name(), "what a path can carry", value));
        }
    }
    let mut out = String::with_capacity(base.len() + 512);
    out.push_str(base);
    path::render(&mut out, call.row.path, |variable| match variable {
        Variable::ProjectKey => project,
        Variable::Id | Variable::Key | Variable::UriParameterOne => first,
        Variable::UriParameterTwo => second,
    });
    push_query(&mut out, call)?;
    if out.len() > base.len() + limits::TARGET_BYTES {
        return Err("The path and the query are too long.".to_owned());
    }
    push_headers(&mut out, call, asked);
    for (name, value) in read(out.get(base.len()..).unwrap_or_default()).1 {
        if !is_header(name, value) {
            return Err(wrong("headers", "printable ASCII", name));
        }
    }
    Ok(out)
}

/// Whether a header can have the name and the value: `Headers` would throw, and gloo-net's panic, at what cannot be.
fn is_header(name: &str, value: &str) -> bool {
    let printable = |byte: u8| (b' '..0x7f).contains(&byte);
    !name.is_empty()
        && name.bytes().all(|byte| printable(byte) && !b" ()<>@,;:\\\"/[]?={}".contains(&byte))
        && value.bytes().all(printable)
}

/// Whether a path can carry the value: another would lead elsewhere, since addresses resolve dots, and literal parts go
/// before ids (D3).
fn fits(variable: Variable, value: &str) -> bool {
    match variable {
        Variable::Id => is_name(value) && !hides_id(value),
        Variable::Key => is_name(value),
        Variable::UriParameterTwo if matches!(value, "." | "..") => false,
        Variable::ProjectKey | Variable::UriParameterOne | Variable::UriParameterTwo => !value.is_empty(),
    }
}

/// Appends the parameters in the order of presentation.
fn push_query(url: &mut String, call: &Call<'_>) -> Result<(), String> {
    for (name, _) in call.params() {
        if !call.row.params().any(|(param, _)| is(param, name)) {
            return Err(wrong("parameters", "those of the operation", name));
        }
    }
    let mut separator = '?';
    for (param, repeatable) in call.row.params() {
        let mut times = 0;
        for (name, value) in call.params() {
            if is(param, name) {
                url.push(separator);
                separator = '&';
                percent::encode(url, name);
                url.push('=');
                percent::encode(url, value);
                times += 1;
            }
        }
        if times > 1 && !repeatable {
            return Err(wrong(param.name(), "one value", "several"));
        }
    }
    Ok(())
}

/// Whether the name is the parameter's, or begins as its family does; the service judges the rest of that.
#[inline(never)]
fn is(param: ParamId, name: &str) -> bool {
    match cut(param.name(), b'<') {
        (beginning, Some(_)) => name.starts_with(beginning),
        (whole, None) => name == whole,
    }
}

fn push_headers(out: &mut String, call: &Call<'_>, asked: Millis) {
    if call.row.body {
        push(out, RequestHeader::ContentType.name(), "application/json");
    }
    if call.row.write {
        push(out, RequestHeader::IdempotencyKey.name(), call.idempotency_key);
    } else if asked > 0 {
        push(out, RequestHeader::MinRevision.name(), "");
        // Revisions stay below 2^53.
        json::integer(out, asked as i64);
    }
    let asked_for = [
        (call.is_fresh(), RequestHeader::CacheControl.name(), "no-cache"),
        (call.is_async(), RequestHeader::Prefer.name(), "respond-async"),
    ];
    for (name, value) in call.headers() {
        // What the call asks for goes before the caller's own.
        if !asked_for.iter().any(|(is, own, _)| *is && name.eq_ignore_ascii_case(own)) {
            push(out, name, value);
        }
    }
    for (is, name, value) in asked_for {
        if is {
            push(out, name, value);
        }
    }
}

#[inline(never)]
fn push(out: &mut String, name: &str, value: &str) {
    for part in [name, value] {
        out.push(SEPARATOR);
        out.push_str(part);
    }
}

/// The address and the headers of a request.
pub fn read(request: &str) -> (&str, impl Iterator<Item = (&str, &str)>) {
    let mut parts = Parts::of(request);
    (parts.word(), core::iter::from_fn(move || parts.pair()))
}
