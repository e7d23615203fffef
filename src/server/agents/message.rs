//! Messages of JSON-RPC 2.0, and the revision of the protocol that each names.

use base64ct::{Base64, Encoding as _};

use crate::contract::api::header::RequestHeader;
use crate::contract::error::quoted;
use crate::util::strict_json::{self, RawMembers, member_texts, raw_text_of};

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
    pub(super) params: RawMembers,
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
    strict_json::value(text.as_bytes()).ok_or_else(not_json)?;
    let refuse = |id, message| RpcError { id, ..RpcError::new(INVALID_REQUEST, message) };
    let Some(mut members) = member_texts(&text) else {
        return Err(refuse(None, "Expected one message, an object."));
    };
    let id = members.remove("id");
    // A word, an array, or an object.
    if id.as_ref().is_some_and(|id| id.starts_with(['t', 'f', 'n', '[', '{'])) {
        return Err(refuse(None, "The id is neither a text nor a number."));
    }
    let params = members.remove("params").unwrap_or_else(|| "{}".to_owned());
    let Some(params) = member_texts(&params) else {
        return Err(refuse(id, "The params are not an object."));
    };
    let is_version_2 = raw_text_of(&members, "jsonrpc").is_some_and(|version| version == "2.0");
    let Some(method) = raw_text_of(&members, "method").filter(|_| is_version_2) else {
        return Err(refuse(id, "Expected jsonrpc '2.0' and the name of a method."));
    };
    let Some(known_id) = id.clone() else { return Ok(None) };
    let mut request = RpcRequest { id: known_id, method, params, is_stateless: false };
    request.is_stateless = revision(headers, &request).map_err(|problem| RpcError { id, ..problem })?;
    Ok(Some(request))
}

/// Checks the revision of a request. Returns whether the request names it itself, as from 2026-07-28 on.
fn revision(headers: &dyn Headers, request: &RpcRequest) -> Result<bool, RpcError> {
    let in_header = headers.get(RequestHeader::McpProtocolVersion);
    let meta = request.params.get("_meta").and_then(|meta| member_texts(meta));
    let unsupported = |named: &str| RpcError {
        requested: Some(quoted(named).to_owned()),
        ..RpcError::new(UNSUPPORTED_VERSION, "Unsupported protocol version.")
    };
    let named = meta.and_then(|meta| Some((raw_text_of(&meta, REVISION)?, meta)));
    let Some((named, meta)) = named else {
        // A client of an earlier revision sends the header after `initialize`, or never.
        return match in_header.as_deref() {
            Some(STATELESS) => Err(RpcError::new(INVALID_PARAMS, format!("_meta has no {REVISION}."))),
            Some(named) if !REVISIONS.contains(&named) => Err(unsupported(named)),
            _ => Ok(false),
        };
    };
    if in_header.as_ref() != Some(&named) {
        return Err(mismatch(RequestHeader::McpProtocolVersion));
    }
    if named != STATELESS {
        return Err(unsupported(&named));
    }
    if meta.get(CAPABILITIES).and_then(|abilities| member_texts(abilities)).is_none() {
        return Err(RpcError::new(INVALID_PARAMS, format!("_meta has no {CAPABILITIES}.")));
    }
    let tool = raw_text_of(&request.params, "name").filter(|_| request.method == "tools/call");
    for (header, expected) in
        [(RequestHeader::McpMethod, Some(request.method.clone())), (RequestHeader::McpName, tool)]
    {
        if expected.is_some() && headers.get(header).map(plain) != expected {
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
