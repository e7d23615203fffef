//! `POST /{projectKey}/mcp`: tools of the Model Context Protocol, revision 2026-07-28, and the three
//! before it. A call of a tool becomes the request of its operation, so everything about it is checked as usual. A
//! request has exactly one response, so there are no sessions and no streams.

mod fields;
mod message;
mod reply;
mod request;
mod schema;
mod tool;

use crate::contract::error::quoted;
use crate::util::strict_json::raw_text_of;

use message::{INVALID_PARAMS, METHOD_NOT_FOUND};

pub(crate) use message::{RpcError, RpcRequest, read};
pub(crate) use reply::{accepted, foreign_origin};
use request::NULL;
pub(crate) use request::{Arguments, ToolRequest, request};
pub(crate) use tool::{Subject, Tool};

/// What has to be done for a request.
#[derive(Debug)]
pub(crate) enum RpcAction {
    /// Return this result, which is JSON.
    Respond(String),
    Call(Tool, Arguments),
}

/// What an agent may call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offer {
    /// `AGENT_TOOLS`: whether the operations are listed.
    pub(crate) operations: bool,
    /// A caller that may not write does not see tools that write.
    pub(crate) may_write: bool,
}

/// Returns what has to be done for the request.
pub(crate) fn action(
    subject: Subject<'_>,
    request: &RpcRequest,
    offer: Offer,
) -> Result<RpcAction, RpcError> {
    match request.method.as_str() {
        "initialize" => Ok(RpcAction::Respond(reply::initialized(subject, &request.params))),
        "server/discover" => Ok(RpcAction::Respond(reply::discovered(subject))),
        "ping" => Ok(RpcAction::Respond(reply::pong(request.is_stateless))),
        // All tools are on the first page.
        "tools/list" if request.params.get("cursor").is_some_and(|cursor| cursor != NULL) => {
            Err(RpcError::of(request, INVALID_PARAMS, "There is no further page of tools.".to_owned()))
        }
        "tools/list" => {
            let tools = tool::listed(offer.operations).into_iter();
            let tools = tools.filter(|tool| offer.may_write || tool.only_reads());
            let tools: Vec<String> = tools.map(|tool| tool.describe(subject)).collect();
            Ok(RpcAction::Respond(reply::tools(request.is_stateless, &tools)))
        }
        "tools/call" => call(request, offer),
        other => {
            let message = format!("Unknown method '{}'.", quoted(other));
            Err(RpcError::of(request, METHOD_NOT_FOUND, message))
        }
    }
}

fn call(request: &RpcRequest, offer: Offer) -> Result<RpcAction, RpcError> {
    let name = raw_text_of(&request.params, "name").unwrap_or_default();
    let Some(tool) = tool::find(&name) else {
        let names: Vec<&str> = tool::listed(offer.operations).iter().map(|tool| tool.name).collect();
        let message = format!("Unknown tool '{}'. The tools are {}.", quoted(&name), names.join(", "));
        return Err(RpcError::of(request, INVALID_PARAMS, message));
    };
    let arguments = request.params.get("arguments").filter(|arguments| *arguments != NULL);
    let arguments = Arguments::read(arguments.map_or("{}", String::as_str));
    let not_object = || RpcError::of(request, INVALID_PARAMS, "The arguments are not an object.".to_owned());
    Ok(RpcAction::Call(tool, arguments.ok_or_else(not_object)?))
}
