//! Renders requests from the operation table: address, query in the order of presentation, headers (contract, section 9).

use super::call::Call;
use super::operation::ClientOperation;
use super::text::{concat, cut, wrong};
use crate::contract::header::RequestHeader;
use crate::contract::operation::hides_id;
use crate::contract::param::ParamId;
use crate::contract::path::{self, Variable, is_name};
use crate::contract::service::TOKEN_PATH;
use crate::contract::time::Millis;
use crate::contract::{json, limits, percent};

/// Renders the request of a call: returns its address, and passes each header but `Authorization` to `set_header`. Returns
/// what is wrong with the call, as a sentence.
pub(super) fn render(
    base: &str,
    project: &str,
    call: &Call<'_>,
    minimum_revision: Millis,
    mut set_header: impl FnMut(&str, &str),
) -> Result<String, String> {
    let Some(operation) = call.operation else {
        set_header(RequestHeader::ContentType.name(), "application/x-www-form-urlencoded");
        return Ok(concat(&[base, TOKEN_PATH]));
    };
    let variables = [call.first_variable, call.second_variable];
    for (segment, value) in operation.variables().zip(variables) {
        if let Some(variable) = segment.variable()
            && !fits(variable, value)
        {
            return Err(wrong(variable.name(), "what a path can carry", value));
        }
    }
    let mut url = String::with_capacity(base.len() + 512);
    url.push_str(base);
    path::render(&mut url, operation.path, |variable| match variable {
        Variable::ProjectKey => project,
        Variable::Id | Variable::Key | Variable::UriParameterOne => call.first_variable,
        Variable::UriParameterTwo => call.second_variable,
    });
    push_query(&mut url, operation, call)?;
    if url.len() > base.len() + limits::TARGET_BYTES {
        return Err("The path and the query are too long.".to_owned());
    }
    push_headers(operation, call, minimum_revision, set_header)?;
    Ok(url)
}

/// Whether a header can have the name and the value. For others JavaScript's `Headers` throws, and gloo-net's panic.
#[inline(never)]
fn is_header(name: &str, value: &str) -> bool {
    let printable = |byte: u8| (b' '..0x7f).contains(&byte);
    !name.is_empty()
        && name.bytes().all(|byte| printable(byte) && !b" ()<>@,;:\\\"/[]?={}".contains(&byte))
        && value.bytes().all(printable)
}

/// Whether a path can carry the value. Others would change the path: addresses resolve dots, and literal parts have
/// precedence over IDs (D3).
fn fits(variable: Variable, value: &str) -> bool {
    match variable {
        Variable::Id => is_name(value) && !hides_id(value),
        Variable::Key => is_name(value),
        Variable::UriParameterTwo if matches!(value, "." | "..") => false,
        Variable::ProjectKey | Variable::UriParameterOne | Variable::UriParameterTwo => !value.is_empty(),
    }
}

/// Appends the parameters in the order of presentation.
fn push_query(url: &mut String, operation: &ClientOperation, call: &Call<'_>) -> Result<(), String> {
    for (name, _) in call.params() {
        if !operation.params().any(|(param, _)| is(param, name)) {
            return Err(wrong("parameters", "those of the operation", name));
        }
    }
    let mut separator = '?';
    for (param, repeatable) in operation.params() {
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

/// Whether the name is the parameter's, or starts with the prefix of its family; the service checks the rest.
#[inline(never)]
fn is(param: ParamId, name: &str) -> bool {
    match cut(param.name(), b'<') {
        (beginning, Some(_)) => name.starts_with(beginning),
        (whole, None) => name == whole,
    }
}

/// Passes the headers of a call to `set_header`. What the call asks for has precedence over the caller's own headers.
fn push_headers(
    operation: &ClientOperation,
    call: &Call<'_>,
    minimum_revision: Millis,
    mut set_header: impl FnMut(&str, &str),
) -> Result<(), String> {
    let mut push = |name: &str, value: &str| {
        if !is_header(name, value) {
            return Err(wrong("headers", "printable ASCII", name));
        }
        set_header(name, value);
        Ok(())
    };
    if operation.body {
        push(RequestHeader::ContentType.name(), "application/json")?;
    }
    if operation.write {
        push(RequestHeader::IdempotencyKey.name(), call.idempotency_key)?;
    } else if minimum_revision > 0 {
        let mut digits = String::new();
        // Revisions stay below 2^53.
        json::integer(&mut digits, minimum_revision as i64);
        push(RequestHeader::MinRevision.name(), &digits)?;
    }
    let asked_for = [
        (call.fresh, RequestHeader::CacheControl.name(), "no-cache"),
        (call.respond_async, RequestHeader::Prefer.name(), "respond-async"),
    ];
    for (name, value) in call.headers() {
        if !asked_for.iter().any(|(is, own, _)| *is && name.eq_ignore_ascii_case(own)) {
            push(name, value)?;
        }
    }
    for (is, name, value) in asked_for {
        if is {
            push(name, value)?;
        }
    }
    Ok(())
}
