//! How a caller wants the feed of changes: a page, a socket, or a stream of events (D36).

use crate::contract::api::endpoint::{CallId, PROTOCOL};
use crate::contract::api::header::RequestHeader;
use crate::contract::api::media;
use crate::contract::error::ApiError;

use crate::server::http::{Headers, Request};
use crate::server::response::accept;

/// How the protocol begins that is the token of a page. Pages cannot set headers of a socket.
const BEARER: &str = "bearer.";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Page,
    Socket,
    Events,
}

impl Transport {
    /// Returns what the headers of a request ask for. Only the feed of changes has more than pages.
    pub(crate) fn of(id: CallId, request: &Request) -> Self {
        if id != CallId::Changes || request.method != "GET" {
            return Self::Page;
        }
        let headers = request.headers.as_ref();
        let names_websocket = |value: String| value.trim().eq_ignore_ascii_case("websocket");
        if headers.get(RequestHeader::Upgrade).is_some_and(names_websocket) {
            Self::Socket
        } else if headers.get(RequestHeader::Accept).is_some_and(|value| accept::names(&value, media::EVENTS))
        {
            Self::Events
        } else {
            Self::Page
        }
    }

    /// Returns the value of `Authorization`. That of a page's socket is in the list of protocols.
    pub(crate) fn authorization(self, headers: &dyn Headers) -> Option<String> {
        match headers.get(RequestHeader::Authorization) {
            None if self == Self::Socket => bearer(headers),
            authorization => authorization,
        }
    }
}

fn bearer(headers: &dyn Headers) -> Option<String> {
    let protocols = headers.get(RequestHeader::WebSocketProtocol)?;
    let token = protocols.split(',').find_map(|one| one.trim().strip_prefix(BEARER))?;
    Some(["Bearer ", token].concat())
}

/// Returns an error unless the caller of a socket offers its protocol.
pub(crate) fn check_protocol(headers: &dyn Headers) -> Result<(), ApiError> {
    let offered = headers.get(RequestHeader::WebSocketProtocol).unwrap_or_default();
    if offered.split(',').any(|one| one.trim() == PROTOCOL) {
        return Ok(());
    }
    let reason = ["expected a list with ", PROTOCOL].concat();
    Err(ApiError::header(RequestHeader::WebSocketProtocol.name(), &reason))
}
