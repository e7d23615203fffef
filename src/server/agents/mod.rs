//! `POST /{projectKey}/mcp`: the operations as tools of the Model Context Protocol, revision 2026-07-28, and the three
//! before it. A call of a tool becomes the request of its operation, so everything about it is checked as usual. A
//! request has exactly one response, so there are no sessions and no streams.

mod declared;
mod message;
mod reply;
mod tool;

use crate::contract::api::endpoint::{Access, Endpoint, operations};
use crate::contract::error::quoted;
use crate::shape::Shape;
use crate::util::strict_json::{self, Json};

use message::{INVALID_PARAMS, METHOD_NOT_FOUND};

pub(crate) use message::{RpcError, RpcRequest, read};
pub(crate) use reply::{accepted, foreign_origin};
pub(crate) use tool::{Arguments, ToolRequest, request};

/// The tools as JSON, a line for each operation that begins with its name. `make generate` writes it from the contract.
const TOOLS: &str = include_str!("tools.jsonl");

/// What has to be done for a request.
#[derive(Debug)]
pub(crate) enum RpcAction {
    /// Return this result, which is JSON.
    Respond(String),
    /// Call an operation.
    Call(&'static Endpoint, Arguments),
}

/// Returns what has to be done for the request. A caller that may not write does not see tools that write.
pub(crate) fn action(
    shape: &Shape,
    request: &mut RpcRequest,
    may_write: bool,
) -> Result<RpcAction, RpcError> {
    match request.method.as_str() {
        "initialize" => Ok(RpcAction::Respond(reply::initialized(shape, &request.params))),
        "server/discover" => Ok(RpcAction::Respond(reply::discovered(shape))),
        "ping" => Ok(RpcAction::Respond(reply::pong(request.is_stateless))),
        // All tools are on the first page.
        "tools/list" if request.params.get("cursor").is_some_and(|cursor| *cursor != Json::Null) => {
            Err(RpcError::of(request, INVALID_PARAMS, "There is no further page of tools.".to_owned()))
        }
        "tools/list" => Ok(RpcAction::Respond(reply::tools(request.is_stateless, lines(shape, may_write)))),
        "tools/call" => call(request),
        other => {
            let message = format!("Unknown method '{}'.", quoted(other));
            Err(RpcError::of(request, METHOD_NOT_FOUND, message))
        }
    }
}

fn lines(shape: &Shape, may_write: bool) -> impl Iterator<Item = String> {
    TOOLS.lines().filter_map(move |line| {
        let name = line.split('"').nth(3)?;
        let row = operations().find(|row| row.name == name)?;
        let tool = || if shape.is_declared() { declared::tool(shape, row, line) } else { line.to_owned() };
        (may_write || row.access() == Some(Access::Read)).then(tool)
    })
}

fn call(request: &mut RpcRequest) -> Result<RpcAction, RpcError> {
    let name = strict_json::text_of(&request.params, "name").unwrap_or_default();
    let Some(row) = operations().find(|row| row.name == name) else {
        let message = format!("Unknown tool '{}'.", quoted(name));
        return Err(RpcError::of(request, INVALID_PARAMS, message));
    };
    match request.params.remove("arguments") {
        None | Some(Json::Null) => Ok(RpcAction::Call(row, Arguments::default())),
        Some(Json::Object(members)) => {
            let message = core::mem::take(&mut request.text);
            Ok(RpcAction::Call(row, Arguments { members, message }))
        }
        Some(_) => Err(RpcError::of(request, INVALID_PARAMS, "The arguments are not an object.".to_owned())),
    }
}
