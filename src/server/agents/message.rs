//! Messages of JSON-RPC 2.0, and the revision of the protocol that each names.

use base64ct::{Base64, Encoding as _};

use crate::contract::api::header::RequestHeader;
use crate::contract::error::quoted;
use crate::util::strict_json::{self, Json, JsonMembers, text_of};
use crate::validate;

use crate::server::http::Headers;

const PARSE_ERROR: i64 = -32_700;
const INVALID_REQUEST: i64 = -32_600;
pub(super) const METHOD_NOT_FOUND: i64 = -32_601;
pub(super) const INVALID_PARAMS: i64 = -32_602;
const HEADER_MISMATCH: i64 = -32_020;
const UNSUPPORTED_VERSION: i64 = -32_022;

/// The revision in which each request names it.
const STATELESS: &str = "2026-07-28";
/// All revisions, the newest first. Those after the first begin with `initialize`.
pub(super) const REVISIONS: [&str; 4] = [STATELESS, "2025-11-25", "2025-06-18", "2025-03-26"];

const REVISION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// A request that waits for its result.
#[derive(Debug)]
pub(crate) struct RpcRequest {
    /// A text or a number, as JSON.
    pub(super) id: String,
    pub(super) method: String,
    pub(super) params: JsonMembers,
    /// The whole message: arguments pass on as they are in it.
    pub(super) text: String,
    /// Whether it names its revision. Then errors of the protocol have separate HTTP statuses.
    pub(super) is_stateless: bool,
}

/// An error of the protocol: the message is wrong, whatever the tool does.
#[derive(Debug)]
pub(crate) struct RpcError {
    pub(super) status: u16,
    pub(super) code: i64,
    pub(super) message: String,
    /// The ID of the request, if it can be read.
    pub(super) id: Option<String>,
    /// The revision that the caller named, if it is the problem.
    pub(super) requested: Option<String>,
}

impl RpcError {
    fn new(code: i64, message: impl Into<String>) -> Self {
        Self { status: 400, code, message: message.into(), id: None, requested: None }
    }

    /// Returns the error of a request that was read. Before 2026-07-28, errors of methods have the status 200.
    pub(super) fn of(request: &RpcRequest, code: i64, message: String) -> Self {
        let status = if request.is_stateless && code == METHOD_NOT_FOUND { 404 } else { 200 };
        Self { status, id: Some(request.id.clone()), ..Self::new(code, message) }
    }
}

/// Reads a message. Returns `None` for a notification, which needs nothing.
pub(crate) fn read(headers: &dyn Headers, body: Vec<u8>) -> Result<Option<RpcRequest>, RpcError> {
    let not_json = || RpcError::new(PARSE_ERROR, "The body is not JSON, or an object has a member twice.");
    let text = String::from_utf8(body).map_err(|_| not_json())?;
    let value = strict_json::value(text.as_bytes()).ok_or_else(not_json)?;
    let Json::Object(mut members) = value else {
        return Err(RpcError::new(INVALID_REQUEST, "Expected one message, an object."));
    };
    let id = match members.remove("id") {
        None => None,
        Some(id @ (Json::Text(_) | Json::Number(_))) => {
            Some(validate::member(&text, &["id"]).map_or_else(|| id.to_json(), str::to_owned))
        }
        Some(_) => return Err(RpcError::new(INVALID_REQUEST, "The id is neither a text nor a number.")),
    };
    let refuse = |message| RpcError { id: id.clone(), ..RpcError::new(INVALID_REQUEST, message) };
    let params = match members.remove("params") {
        None => JsonMembers::default(),
        Some(Json::Object(params)) => params,
        Some(_) => return Err(refuse("The params are not an object.")),
    };
    let method = match (text_of(&members, "jsonrpc"), text_of(&members, "method")) {
        (Some("2.0"), Some(method)) => method.to_owned(),
        _ => return Err(refuse("Expected jsonrpc '2.0' and the name of a method.")),
    };
    let Some(known_id) = id.clone() else { return Ok(None) };
    let mut request = RpcRequest { id: known_id, method, params, text, is_stateless: false };
    request.is_stateless = revision(headers, &request).map_err(|problem| RpcError { id, ..problem })?;
    Ok(Some(request))
}

/// Checks the revision of a request. Returns whether the request names it itself, as from 2026-07-28 on.
fn revision(headers: &dyn Headers, request: &RpcRequest) -> Result<bool, RpcError> {
    let in_header = headers.get(RequestHeader::McpProtocolVersion);
    let meta = request.params.get("_meta").and_then(Json::object);
    let unsupported = |named: &str| RpcError {
        requested: Some(quoted(named).to_owned()),
        ..RpcError::new(UNSUPPORTED_VERSION, "Unsupported protocol version.")
    };
    let Some((meta, named)) = meta.and_then(|meta| Some((meta, text_of(meta, REVISION)?))) else {
        // A client of an earlier revision sends the header after `initialize`, or never.
        return match in_header.as_deref() {
            Some(STATELESS) => Err(RpcError::new(INVALID_PARAMS, format!("_meta has no {REVISION}."))),
            Some(named) if !REVISIONS.contains(&named) => Err(unsupported(named)),
            _ => Ok(false),
        };
    };
    let is_named = |name| in_header.as_deref() == Some(name);
    if !is_named(named) {
        return Err(mismatch(RequestHeader::McpProtocolVersion));
    }
    if named != STATELESS {
        return Err(unsupported(named));
    }
    if meta.get(CAPABILITIES).and_then(Json::object).is_none() {
        return Err(RpcError::new(INVALID_PARAMS, format!("_meta has no {CAPABILITIES}.")));
    }
    let tool = text_of(&request.params, "name").filter(|_| request.method == "tools/call");
    for (header, expected) in
        [(RequestHeader::McpMethod, Some(request.method.as_str())), (RequestHeader::McpName, tool)]
    {
        if expected.is_some() && headers.get(header).map(plain).as_deref() != expected {
            return Err(mismatch(header));
        }
    }
    Ok(true)
}

fn mismatch(header: RequestHeader) -> RpcError {
    let message = format!("Header mismatch: {} is not what the body has.", header.name());
    RpcError::new(HEADER_MISMATCH, message)
}

/// Returns the value of a header that clients may encode: `=?base64?…?=`.
fn plain(value: String) -> String {
    let encoded = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    let decoded = encoded.and_then(|encoded| String::from_utf8(Base64::decode_vec(encoded).ok()?).ok());
    decoded.unwrap_or(value)
}
