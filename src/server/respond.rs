//! From replies and errors to HTTP: statuses, headers and bodies.

use crate::contract::error::{ApiError, Code};
use crate::contract::etag;
use crate::contract::header::answer;
use crate::contract::operation::{OPERATIONS, OperationId};
use crate::contract::path::{self, Variable};
use crate::contract::reply::{Answer, Outcome, Reply, ResourceReply};
use crate::contract::time::Millis;

use super::http::{Body, Response};

/// The media type of every body but problems.
pub(super) const JSON: &str = "application/json; charset=utf-8";
const PROBLEM: &str = "application/problem+json; charset=utf-8";

/// An error as a response, in the form that the caller accepts.
pub(super) fn error<B>(error: &ApiError, problem: bool) -> Response<B> {
    let mut headers = vec![(answer::CONTENT_TYPE, if problem { PROBLEM } else { JSON }.to_owned())];
    if let Some(allow) = &error.allow {
        headers.push((answer::ALLOW, allow.clone()));
    }
    if let Some(seconds) = error.retry_after {
        headers.push((answer::RETRY_AFTER, seconds.to_string()));
    }
    if let Some(revision) = error.revision {
        headers.push((answer::RESOURCE_REVISION, revision.to_string()));
    }
    Response { status: error.status(), headers, body: Body::Text(error.to_json(problem)) }
}

/// The object's answer as a response.
pub(super) fn answer<B>(answer: Answer, project: &str, problem: bool) -> Response<B> {
    let mut response = match answer.reply {
        Reply::Resource(reply) => resource(reply, project),
        Reply::Page(body) => Response {
            status: 200,
            headers: vec![(answer::CONTENT_TYPE, JSON.to_owned())],
            body: Body::Text(body),
        },
        Reply::Exists(exists) => {
            Response { status: if exists { 200 } else { 404 }, headers: Vec::new(), body: Body::Empty }
        }
        Reply::Error(failure) => error(&failure, problem),
    };
    if answer.replayed {
        response.headers.push((answer::IDEMPOTENCY_REPLAYED, "true".to_owned()));
    }
    response
}

fn resource<B>(reply: ResourceReply, project: &str) -> Response<B> {
    let mut headers = validators(&reply.id, reply.revision, reply.newest);
    if reply.outcome.has_location() {
        headers.push((answer::LOCATION, location(project, &reply.id)));
    }
    if reply.outcome == Outcome::Accepted {
        headers.push((answer::PREFERENCE_APPLIED, "respond-async".to_owned()));
    }
    Response { status: reply.outcome.status(), headers, body: Body::Text(reply.body) }
}

/// The headers of every single-resource answer (D16, D19).
pub(super) fn validators(id: &str, revision: Millis, newest: Millis) -> Vec<(&'static str, String)> {
    let mut headers = Vec::with_capacity(10);
    headers.push((answer::CONTENT_TYPE, JSON.to_owned()));
    headers.push((answer::ETAG, etag::of(id, revision)));
    headers.push((answer::RESOURCE_REVISION, newest.to_string()));
    headers
}

/// Where a resource is: the path of operation 2.
fn location(project: &str, id: &str) -> String {
    let mut out = String::with_capacity(64);
    path::render(&mut out, OperationId::GetById.row().path, |variable| match variable {
        Variable::ProjectKey => project,
        _ => id,
    });
    out
}

/// 404 for a path that no operation has.
pub(super) fn unknown_path() -> ApiError {
    ApiError::new(
        Code::ResourceNotFound,
        "There is nothing at this path. Operations stand under /{projectKey}/resource.",
    )
}

/// 405 with the methods that the path has.
pub(super) fn wrong_method(allow: String) -> ApiError {
    let mut error = ApiError::new(Code::MethodNotAllowed, format!("This path takes {allow}."));
    error.allow = Some(allow);
    error
}

/// Every method of the table, for preflights.
pub(super) fn all_methods() -> String {
    let mut methods: Vec<&str> = Vec::new();
    for row in &OPERATIONS {
        if !methods.contains(&row.method.name()) {
            methods.push(row.method.name());
        }
    }
    methods.join(", ")
}
