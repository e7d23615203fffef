//! Results and errors as messages of JSON-RPC.

use crate::util::json::{self, ObjectWriter};
use crate::util::strict_json::{RawMembers, raw_text_of};
use crate::util::text::concat;

use crate::server::http::Response;
use crate::server::response::respond;

use super::fields;
use super::message::{REVISIONS, RpcError, RpcRequest};
use super::tool::Subject;

/// How long a client may use a list of tools, in milliseconds. It changes only with a deployment.
const TTL_MS: i64 = 300_000;

/// What an agent has to know beyond the descriptions of the tools. Examples of predicates follow.
const INSTRUCTIONS: &str = "Tools for the resources of one project. Read a resource before you change it: an update \
    and a deletion name the version that you read, and fail with currentVersion if the resource has another. An error \
    lists every problem, each with its path or parameter and what is expected. Conditions, combined by and, or, not, \
    are like ";

impl RpcError {
    pub(crate) fn into_response<B>(self) -> Response<B> {
        let text = json::object(|message| {
            message.text("jsonrpc", "2.0");
            if let Some(id) = &self.id {
                message.member("id").push_str(id);
            }
            let mut error = ObjectWriter::open(message.member("error"));
            error.integer("code", self.code);
            error.text("message", &self.message);
            if let Some(requested) = &self.requested {
                let mut data = ObjectWriter::open(error.member("data"));
                data.array("supported", &REVISIONS, |out, revision| json::string(out, revision));
                data.text("requested", requested);
                data.close();
            }
            error.close();
        });
        Response { status: self.status, ..respond::json(text) }
    }
}

impl RpcRequest {
    pub(crate) fn respond<B>(&self, result: &str) -> Response<B> {
        respond::json(self.message(result))
    }

    fn message(&self, result: &str) -> String {
        json::object(|message| {
            message.text("jsonrpc", "2.0");
            message.member("id").push_str(&self.id);
            message.member("result").push_str(result);
        })
    }

    /// Returns the message with the result of a tool, without its body: a tab is in both places, that of the body as a
    /// JSON text, and that of the body as it is. No other part of the message has a tab.
    pub(crate) fn frame(&self, is_error: bool) -> String {
        self.message(&result(self.is_stateless, |result| {
            result.member("content").push_str("[{\"type\":\"text\",\"text\":\t}]");
            result.member("structuredContent").push('\t');
            result.boolean("isError", is_error);
        }))
    }

    /// Returns the response with a short result of a tool.
    pub(crate) fn respond_to_tool<B>(&self, body: &str, is_error: bool) -> Response<B> {
        let mut text = String::new();
        json::string(&mut text, body);
        respond::json(self.frame(is_error).replacen('\t', &text, 1).replacen('\t', body, 1))
    }
}

/// Returns the response to a notification.
pub(crate) fn accepted<B>() -> Response<B> {
    Response::empty(202)
}

pub(crate) fn foreign_origin<B>() -> Response<B> {
    let message = "The origin of the page is not allowed. CORS_ORIGINS has those that are.".to_owned();
    RpcError { status: 403, code: -32_600, message, id: None, requested: None }.into_response()
}

/// Returns a result. That of a stateless request has what every result of 2026-07-28 has. Clients of earlier revisions
/// may refuse that.
fn result(is_stateless: bool, write: impl FnOnce(&mut ObjectWriter<'_>)) -> String {
    json::object(|result| {
        if is_stateless {
            result.text("resultType", "complete");
            let mut meta = ObjectWriter::open(result.member("_meta"));
            server(&mut meta, "io.modelcontextprotocol/serverInfo");
            meta.close();
        }
        write(result);
    })
}

fn server(object: &mut ObjectWriter<'_>, name: &str) {
    let mut server = ObjectWriter::open(object.member(name));
    server.text("name", env!("CARGO_PKG_NAME"));
    server.text("version", env!("CARGO_PKG_VERSION"));
    server.close();
}

fn cacheable(result: &mut ObjectWriter<'_>) {
    result.integer("ttlMs", TTL_MS);
    // The tools are those of the token.
    result.text("cacheScope", "private");
}

fn abilities(subject: Subject<'_>, result: &mut ObjectWriter<'_>) {
    result.member("capabilities").push_str("{\"tools\":{}}");
    let examples = fields::predicates(subject.shape).join(", ");
    result.text("instructions", &concat(&[&subject.named(INSTRUCTIONS), &examples, "."]));
}

/// Returns the result of `initialize`: the revision that the client asks for, or else the newest that has the method.
pub(super) fn initialized(subject: Subject<'_>, params: &RawMembers) -> String {
    let [_, newest, ..] = REVISIONS;
    let asked = raw_text_of(params, "protocolVersion");
    let revision = REVISIONS.iter().skip(1).find(|revision| asked.as_deref() == Some(revision));
    result(false, |result| {
        result.text("protocolVersion", revision.unwrap_or(&newest));
        server(result, "serverInfo");
        abilities(subject, result);
    })
}

pub(super) fn discovered(subject: Subject<'_>) -> String {
    result(true, |result| {
        result.array("supportedVersions", &REVISIONS, |out, revision| json::string(out, revision));
        abilities(subject, result);
        cacheable(result);
    })
}

pub(super) fn pong(is_stateless: bool) -> String {
    result(is_stateless, |_| ())
}

pub(super) fn tools(is_stateless: bool, tools: &[String]) -> String {
    result(is_stateless, |result| {
        result.array("tools", tools, |out, tool| out.push_str(tool));
        cacheable(result);
    })
}
