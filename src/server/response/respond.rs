//! From replies and errors to HTTP: statuses, headers, and bodies.

use core::fmt;
use std::borrow::Cow;

use crate::call::{CallResult, More, Outcome, Reply, ResourceHead};
use crate::contract::api::endpoint::{CallId, ENDPOINTS, PROTOCOL};
use crate::contract::api::etag;
use crate::contract::api::header::ResponseHeader;
use crate::contract::api::media;
use crate::contract::api::path::{self, Variable};
use crate::contract::error::{ApiError, Code};
use crate::contract::param::ParamId;
use crate::util::percent;
use crate::util::time::Millis;

use crate::server::http::{Body, Response};
use crate::server::platform::Unreachable;

/// The media type of every body but problems.
pub(crate) const JSON: &str = "application/json; charset=utf-8";
const PROBLEM: &str = "application/problem+json; charset=utf-8";

/// The form of an error's body (contract, section 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorForm {
    /// The contract's own.
    Contract,
    /// The problem details of RFC 9457.
    Problem,
}

pub(crate) fn error<B>(error: &ApiError, form: ErrorForm) -> Response<B> {
    let (media, text) = match form {
        ErrorForm::Contract => (JSON, error.to_json()),
        ErrorForm::Problem => (PROBLEM, error.to_problem_json()),
    };
    let mut response = Response { status: error.status(), ..Response::of(media, Body::Text(text)) };
    for (header, value) in [
        (ResponseHeader::Allow, error.allow.clone()),
        (ResponseHeader::WwwAuthenticate, error.challenge.clone()),
        (ResponseHeader::RetryAfter, error.retry_after.map(|seconds| seconds.to_string())),
        (ResponseHeader::ResourceRevision, error.revision.map(|revision| revision.to_string())),
    ] {
        if let Some(value) = value {
            response.push(header, value);
        }
    }
    response
}

pub(crate) fn json<B>(text: String) -> Response<B> {
    Response::of(JSON, Body::Text(text))
}

/// Returns the response of a reply. `query` is that of the request.
pub(crate) fn reply<B>(reply: Reply<B>, project: &str, query: &str) -> Result<Response<B>, ApiError> {
    let body = reply.body.map_or(Body::Empty, Body::Raw);
    let newest = reply.head.newest;
    match reply.head.result {
        CallResult::Resource(head) => Ok(resource(&head, body, project)),
        CallResult::Performed => Ok(with_newest(Response::of(JSON, body), newest)),
        CallResult::Batch { newest } => Ok(with_newest(Response::of(JSON, body), Some(newest))),
        CallResult::Export(next) => {
            Ok(lines(body, next.map(|after| next_page(CallId::Export, project, "", &after))))
        }
        CallResult::Changes { to, more } => {
            let next = (more == More::Page).then(|| next_page(CallId::Changes, project, query, &to));
            Ok(lines(body, next))
        }
        CallResult::Listening(_) => {
            let headers = vec![(ResponseHeader::WebSocketProtocol, Cow::Borrowed(PROTOCOL))];
            Ok(Response { status: 101, headers, body })
        }
        CallResult::Exists(exists) => {
            Ok(with_newest(Response::empty(if exists { 200 } else { 404 }), newest))
        }
        // No request asks for it.
        CallResult::Replication { .. } => Err(ApiError::general()),
        CallResult::Error(error) => Err(error),
    }
}

/// Adds the newest revision of the project, if the reply has it (D45).
fn with_newest<B>(mut response: Response<B>, newest: Option<Millis>) -> Response<B> {
    if let Some(newest) = newest {
        response.push(ResponseHeader::ResourceRevision, newest.to_string());
    }
    response
}

pub(crate) fn events<B>(reply: Reply<B>) -> Result<Response<B>, ApiError> {
    match reply.head.result {
        CallResult::Changes { .. } => {
            let mut response = Response::of(media::EVENTS, reply.body.map_or(Body::Empty, Body::Raw));
            response.push(ResponseHeader::AccelBuffering, "no");
            Ok(response)
        }
        CallResult::Error(error) => Err(error),
        _ => Err(ApiError::general()),
    }
}

/// Returns a page of lines; it names the next one.
fn lines<B>(body: Body<B>, next: Option<String>) -> Response<B> {
    let mut response = Response::of(media::LINES, body);
    if let Some(next) = next {
        response.push(ResponseHeader::Link, next);
    }
    response
}

/// Returns the link to the page after a position. It has the other parameters of the query, except the wait.
fn next_page(call: CallId, project: &str, query: &str, after: &dyn fmt::Display) -> String {
    let mut link = ["<", &path_of(call, project, ""), "?"].concat();
    let is_own = |name: &str| [ParamId::After.name(), ParamId::Wait.name()].contains(&name);
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let name = pair.split_once('=').map_or(pair, |(name, _)| name);
        if !percent::decode_form(name).is_ok_and(|name| is_own(&name)) {
            link.push_str(pair);
            link.push('&');
        }
    }
    [link.as_str(), ParamId::After.name(), "=", &after.to_string(), ">; rel=\"next\""].concat()
}

fn resource<B>(head: &ResourceHead, body: Body<B>, project: &str) -> Response<B> {
    let headers = validators(&head.id, head.revision, head.newest);
    let mut response = Response { status: head.outcome.status(), headers, body };
    if head.outcome.has_location() {
        response.push(ResponseHeader::Location, path_of(CallId::GetById, project, &head.id));
    }
    if head.outcome == Outcome::Accepted {
        response.push(ResponseHeader::PreferenceApplied, "respond-async");
    }
    response
}

/// Returns the headers of every single-resource response (D16, D19).
pub(crate) fn validators(
    id: &str,
    revision: Millis,
    newest: Millis,
) -> Vec<(ResponseHeader, Cow<'static, str>)> {
    let mut headers = Vec::with_capacity(10);
    headers.push((ResponseHeader::ContentType, Cow::Borrowed(JSON)));
    headers.push((ResponseHeader::ETag, etag::of(id, revision).into()));
    headers.push((ResponseHeader::ResourceRevision, newest.to_string().into()));
    headers
}

/// Returns the error of a call whose repeat did nothing: 507 if SQLite has no room, because the platform then ends the
/// object, so that it returns no reply (D34); else 503.
pub(crate) fn not_performed(failure: Unreachable) -> ApiError {
    ApiError::no_room(&failure.0).unwrap_or_else(|| unavailable(failure))
}

/// Returns 503 for an object that is unavailable. The reason goes to the log.
pub(crate) fn unavailable(Unreachable(cause): Unreachable) -> ApiError {
    ApiError::unavailable("The project's database is unavailable. Try again.").with_cause(cause)
}

/// Returns the path of a call; `id` is the resource, if the path has one.
fn path_of(call: CallId, project: &str, id: &str) -> String {
    let mut out = String::with_capacity(64);
    path::render(&mut out, call.row().path, |variable| match variable {
        Variable::ProjectKey => project,
        Variable::Id | Variable::Key | Variable::UriParameterOne | Variable::UriParameterTwo => id,
    });
    out
}

/// Creates the error of an unknown path. A likely mistake has a hint.
pub(crate) fn unknown_path(path: &str) -> ApiError {
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    let hint = match *parts.as_slice() {
        [.., before, ""] if !before.is_empty() => " Remove the slash at the end.",
        ["resource", ..] => " The path begins with a project key.",
        [one, other, "resource", ..] if one == other => " The project key occurs twice.",
        [_, "resource", "key", _] => " The path of a key is /{projectKey}/resource/key={key}.",
        _ => "",
    };
    let sentence = "Unknown path. Operations are under /{projectKey}/resource.";
    ApiError::new(Code::ResourceNotFound, [sentence, hint].concat())
}

pub(crate) fn wrong_method(allow: String) -> ApiError {
    let mut error =
        ApiError::new(Code::MethodNotAllowed, format!("Method not allowed. This path supports {allow}."));
    error.allow = Some(allow);
    error
}

/// Returns every method of the table of endpoints, for preflights.
pub(crate) fn all_methods() -> String {
    let mut methods: Vec<&str> = Vec::new();
    for row in &ENDPOINTS {
        if !methods.contains(&row.method.name()) {
            methods.push(row.method.name());
        }
    }
    methods.join(", ")
}
