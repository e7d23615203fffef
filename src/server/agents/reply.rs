//! Results and errors as messages of JSON-RPC.

use crate::contract::error::ApiError;
use crate::util::json::{self, ObjectWriter};
use crate::util::strict_json::{JsonMembers, text_of};

use crate::server::http::Response;
use crate::server::response::respond;

use super::message::{REVISIONS, RpcError, RpcRequest};

/// How long a client may use a list of tools, in milliseconds. It changes only with a deployment.
const TTL_MS: i64 = 300_000;

/// What an agent has to know beyond the descriptions of the tools.
const INSTRUCTIONS: &str = "Each tool is an operation on the resources of one project. Read a resource before you \
    change it: an update names the version that it expects, and fails with currentVersion if the resource has another. \
    Predicates of where are like key = \"a\", arrayOfIntExample contains any (6, 7), custom is defined, combined by \
    and, or, not. An error lists every problem, each with the path or parameter that has it.";

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
    /// Returns the response with a result, which is JSON.
    pub(crate) fn respond<B>(&self, result: &str) -> Response<B> {
        respond::json(json::object(|message| {
            message.text("jsonrpc", "2.0");
            message.member("id").push_str(&self.id);
            message.member("result").push_str(result);
        }))
    }
}

/// Returns the response to a notification.
pub(crate) fn accepted<B>() -> Response<B> {
    Response::empty(202)
}

/// Returns the response to a page of a foreign origin.
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

fn abilities(result: &mut ObjectWriter<'_>) {
    result.member("capabilities").push_str("{\"tools\":{}}");
    result.text("instructions", INSTRUCTIONS);
}

/// Returns the result of `initialize`: the revision that the client asks for, or else the newest that has the method.
pub(super) fn initialized(params: &JsonMembers) -> String {
    let [_, newest, ..] = REVISIONS;
    let asked = text_of(params, "protocolVersion");
    let revision = REVISIONS.iter().skip(1).find(|revision| asked == Some(revision));
    result(false, |result| {
        result.text("protocolVersion", revision.unwrap_or(&newest));
        server(result, "serverInfo");
        abilities(result);
    })
}

pub(super) fn discovered() -> String {
    result(true, |result| {
        result.array("supportedVersions", &REVISIONS, |out, revision| json::string(out, revision));
        abilities(result);
        cacheable(result);
    })
}

pub(super) fn pong(is_stateless: bool) -> String {
    result(is_stateless, |_| ())
}

pub(super) fn tools(is_stateless: bool, lines: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = lines.collect();
    result(is_stateless, |result| {
        result.array("tools", &lines, |out, line| out.push_str(line));
        cacheable(result);
    })
}

/// Returns the result of a tool: the body of the operation's response, or its error.
pub(crate) fn result_of_tool(request: &RpcRequest, performed: &Result<String, ApiError>) -> String {
    let error = performed.as_ref().err().map(ApiError::to_json);
    let body = performed.as_ref().map_or_else(|_| error.as_deref().unwrap_or_default(), String::as_str);
    result(request.is_stateless, |result| {
        let content = result.member("content");
        content.push_str("[{\"type\":\"text\",\"text\":");
        json::string(content, body);
        content.push_str("}]");
        result.member("structuredContent").push_str(body);
        result.boolean("isError", error.is_some());
    })
}
