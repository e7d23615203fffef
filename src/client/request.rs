//! Renders requests from the table of endpoints: address, query in the order of presentation, and headers (contract,
//! section 9). A call that the service would reject is an error here, with the service's sentence.

use super::call::{Call, Pair};
use super::operation::ClientOperation;
use crate::contract::api::endpoint::{TOKEN_PATH, is_reserved_id};
use crate::contract::api::header::{self, RequestHeader};
use crate::contract::api::media;
use crate::contract::api::path::{self, Variable, is_name};
use crate::contract::error::{malformed, quoted};
use crate::contract::limits;
use crate::contract::param::{self, ParamId, ParamType};
use crate::contract::resource::ObjectId;
use crate::util::text::{append, concat, has, is_printable};
use crate::util::time::Millis;
use crate::util::{json, percent};

/// Checks a JSON text by an object of the shape. Returns what is wrong with it, as a sentence.
pub type CheckJson = fn(ObjectId, &str) -> Option<String>;

/// Sets a header of a request. Not a type parameter, because each use of that would be separate code.
pub(super) type SetHeader<'a> = &'a mut dyn FnMut(&str, &str);

/// Renders the request of a call: returns its address, and passes each header except `Authorization` to `set_header`.
/// If the call is wrong, returns all its errors in the form of [`Wrong`].
pub(super) fn render(
    base: &str,
    project: &str,
    call: &Call<'_>,
    minimum_revision: Millis,
    check_json: CheckJson,
    set_header: SetHeader<'_>,
) -> Result<String, String> {
    let Some(operation) = call.operation else {
        set_header(RequestHeader::ContentType.name(), media::FORM);
        let mut url = base.to_owned();
        path::render(&mut url, TOKEN_PATH, |_| "");
        return Ok(url);
    };
    let mut wrong = Wrong::default();
    for (variable, value) in operation.variables().zip([call.first_variable, call.second_variable]) {
        if !fits(variable, value) {
            let reason = concat(&["expected a value that a path can contain, found '", quoted(value), "'"]);
            wrong.push(PARAMETER, variable.name(), &reason);
        }
    }
    let mut url = String::with_capacity(base.len() + 512);
    append(&mut url, &[base]);
    path::render(&mut url, operation.path, |variable| match variable {
        Variable::ProjectKey => project,
        Variable::Id | Variable::Key | Variable::UriParameterOne => call.first_variable,
        Variable::UriParameterTwo => call.second_variable,
    });
    let pairs = call.pairs();
    let (params, headers) = pairs.split_at_checked(call.parameters as usize).unwrap_or((&pairs, &[]));
    push_query(&mut url, operation, params, check_json, &mut wrong);
    if url.len() > base.len() + limits::TARGET_BYTES {
        wrong.push(PARAMETER, "query", "the path and query are too long");
    }
    push_headers(operation, call, headers, minimum_revision, set_header, &mut wrong);
    if wrong.0.is_empty() { Ok(url) } else { Err(wrong.0) }
}

const PARAMETER: &str = "parameter";
const HEADER: &str = "header";

/// All errors of a call. Each has three texts, with U+0000 after each: the member for its place (`parameter` or
/// `header`), the name, and the sentence. No name can contain U+0000.
#[derive(Default)]
struct Wrong(String);

impl Wrong {
    #[cold]
    #[inline(never)]
    fn push(&mut self, what: &str, name: &str, reason: &str) {
        append(&mut self.0, &[what, "\0", name, "\0", &malformed(what, name, reason), "\0"]);
    }
}

/// Returns whether a header can have the name and the value. For other values, JavaScript's `Headers` throws, and
/// gloo-net's panics.
#[inline(never)]
fn is_header(name: &str, value: &str) -> bool {
    !name.is_empty()
        && is_printable(name)
        && !name.bytes().any(|byte| has(b" ()<>@,;:\\\"/[]?={}", byte))
        && is_printable(value)
}

/// Returns whether a path can contain the value. Other values would change the path: addresses resolve dots, and
/// literal segments have precedence over IDs (D3).
fn fits(variable: Variable, value: &str) -> bool {
    match variable {
        Variable::Id => is_name(value) && !is_reserved_id(value),
        Variable::Key => is_name(value),
        Variable::UriParameterTwo if matches!(value, "." | "..") => false,
        Variable::ProjectKey | Variable::UriParameterOne | Variable::UriParameterTwo => !value.is_empty(),
    }
}

#[inline(never)]
fn push_query(
    url: &mut String,
    operation: &ClientOperation,
    given: &[Pair<'_>],
    check_json: CheckJson,
    wrong: &mut Wrong,
) {
    for (name, _) in given {
        if !operation.params().any(|param| is(param, name)) {
            wrong.push(PARAMETER, name, &param::unknown_name(operation.params(), name));
        }
    }
    let mut separator = "?";
    for param in operation.params() {
        let mut is_again = false;
        for (name, value) in given {
            if is(param, name) {
                append(url, &[separator]);
                percent::encode(url, name);
                append(url, &["="]);
                percent::encode(url, value);
                separator = "&";
                if let Some(reason) = reason(param, value, is_again, check_json) {
                    wrong.push(PARAMETER, name, reason.strip_suffix('.').unwrap_or(&reason));
                }
                is_again = true;
            }
        }
    }
}

#[inline(never)]
fn reason(param: ParamId, value: &str, is_again: bool, check_json: CheckJson) -> Option<String> {
    let rule = param.rule();
    match (rule.ty.parse(value), rule.ty) {
        (Err(reason), _) => Some(reason),
        (Ok(_), _) if is_again && !rule.repeatable => Some(param::ONCE.to_owned()),
        (Ok(_), ParamType::Json(object)) => check_json(object, value),
        (Ok(_), _) => None,
    }
}

/// Returns whether the name belongs to the parameter.
#[inline(never)]
fn is(param: ParamId, name: &str) -> bool {
    param.matches(name).is_some()
}

/// Returns a text that ends with a number.
fn with_number(text: &str, number: i64) -> String {
    let mut text = text.to_owned();
    json::integer(&mut text, number);
    text
}

/// Passes the headers of a call to `set_header`. The call's options have precedence over the caller's headers.
#[inline(never)]
fn push_headers(
    operation: &ClientOperation,
    call: &Call<'_>,
    given: &[Pair<'_>],
    minimum_revision: Millis,
    set_header: SetHeader<'_>,
    wrong: &mut Wrong,
) {
    if let Some(media_type) = operation.media_type {
        set_header(RequestHeader::ContentType.name(), media_type);
    }
    if operation.write {
        let (name, key) = (RequestHeader::IdempotencyKey.name(), call.idempotency_key);
        if header::is_idempotency_key(key) {
            set_header(name, key);
        } else {
            wrong.push(HEADER, name, header::IDEMPOTENCY_KEY);
        }
    } else if minimum_revision > 0 {
        // Revisions stay below 2^53.
        set_header(RequestHeader::MinRevision.name(), &with_number("", minimum_revision as i64));
    }
    let max_age = with_number("max-age=", call.max_age.into());
    let freshness = if call.fresh { "no-cache" } else { &max_age };
    let asked_for = [
        (call.fresh || call.max_age > 0, RequestHeader::CacheControl.name(), freshness),
        (call.respond_async, RequestHeader::Prefer.name(), "respond-async"),
    ];
    for (name, value) in given {
        if asked_for.iter().any(|(is, own, _)| *is && name.eq_ignore_ascii_case(own)) {
            continue;
        }
        if is_header(name, value) {
            set_header(name, value);
        } else {
            wrong.push(HEADER, name, "expected printable ASCII");
        }
    }
    for (is, name, value) in asked_for {
        if is {
            set_header(name, value);
        }
    }
}
