//! Decodes a page of the feed of changes, a listener, and a stream of events.

use crate::call::{After, Call, Changes, Listener, wire};
use crate::contract::api::endpoint::CallId;
use crate::contract::api::header::RequestHeader;
use crate::contract::error::{ApiError, Reason};
use crate::contract::limits;
use crate::contract::param::{ParamId, Refusal};
use crate::contract::position::FeedPosition;
use crate::shape::Shape;

use crate::server::http::Request;
use crate::server::request::parameters::Params;
use crate::server::request::query;
use crate::server::request::transport::{self, Transport};

/// The position after the newest change.
const NOW: &str = "now";

pub(crate) fn changes(shape: &Shape, mut params: Params, request: &Request) -> Result<Call, ApiError> {
    let transport = Transport::of(CallId::Changes, request);
    let after = after(&mut params);
    refuse(&mut params, transport);
    let limit = params.count(ParamId::ChangesLimit, limits::EXPORT_LINES as u32);
    let has_predicates = params.texts(ParamId::Where).next().is_some();
    let condition = has_predicates.then(|| query::predicates(shape, &mut params, Vec::new()));
    let wait = params.count(ParamId::Wait, 0) * 1_000;
    params.finish()?;
    let (after, wait) = match transport {
        Transport::Page => (after, wait),
        Transport::Events => (last_event(request)?.or(after), limits::EVENTS_SECONDS * 1_000),
        Transport::Socket => {
            transport::check_protocol(request.headers.as_ref())?;
            let listener = Listener { after: after.unwrap_or(After::Now), condition, expires: 0, caller: 0 };
            check_size(&listener)?;
            return Ok(Call::Listen(listener));
        }
    };
    let after = after.unwrap_or(After::Beginning);
    Ok(Call::Changes(Changes { after, condition, limit, wait, caller: 0 }))
}

/// Returns where the feed begins, if the caller says so.
fn after(params: &mut Params) -> Option<After> {
    let text = params.texts(ParamId::After).next()?;
    let after = if text == NOW { Some(After::Now) } else { FeedPosition::parse(text).map(After::Position) };
    if after.is_none() {
        let sentence = "expected a position that a page of changes or an export returned, or now";
        params.wrong(ParamId::After, Refusal::new(Reason::Format, sentence.to_owned()));
    }
    after
}

/// Refuses the parameters that only pages have.
fn refuse(params: &mut Params, transport: Transport) {
    let refused: &[ParamId] = match transport {
        Transport::Page => &[],
        Transport::Socket => &[ParamId::ChangesLimit, ParamId::Wait],
        Transport::Events => &[ParamId::Wait],
    };
    for id in refused {
        if params.value(*id).is_some() {
            let sentence = "expected only in a request for a page, not for a socket or a stream of events";
            params.wrong(*id, Refusal::new(Reason::UnknownParameter, sentence.to_owned()));
        }
    }
}

/// Returns the position that the reader of an earlier stream has reached.
fn last_event(request: &Request) -> Result<Option<After>, ApiError> {
    let id = request.headers.get(RequestHeader::LastEventId).filter(|id| !id.is_empty());
    let Some(id) = id else { return Ok(None) };
    match FeedPosition::parse(&id) {
        Some(position) => Ok(Some(After::Position(position))),
        None => Err(ApiError::header(RequestHeader::LastEventId.name(), "expected the ID of an event")),
    }
}

/// Returns an error if the platform cannot store the conditions with the socket.
pub(crate) fn check_size(listener: &Listener) -> Result<(), ApiError> {
    let bytes = wire::encode(listener).map_or(usize::MAX, |bytes| bytes.len());
    if bytes <= limits::LISTENER_BYTES {
        return Ok(());
    }
    let sentence =
        "the predicates and parameters are too long for a socket; send a shorter query, or read pages";
    Err(Refusal::new(Reason::Size, sentence.to_owned()).of(ParamId::Where.name()).into())
}
