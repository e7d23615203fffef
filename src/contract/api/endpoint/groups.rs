//! Headers and errors that several endpoints have.

use crate::contract::api::header::RequestHeader::{
    self, CacheControl, CorrelationId, IdempotencyKey, IfMatch, IfNoneMatch, LastEventId, MinRevision,
    Prefer, TraceParent,
};
use crate::contract::error::Code::{
    self, ConcurrentModification, ContentTooLarge, General, IdempotencyKeyReused, InsufficientScope,
    InsufficientStorage, InvalidClient, InvalidField, InvalidInput, InvalidJsonInput, InvalidRequest,
    InvalidToken, PreconditionFailed, RequiredField, ServiceUnavailable, TooManyRequests,
    UnsupportedMediaType,
};

pub(crate) const QUERY_HEADERS: &[RequestHeader] = &[CorrelationId, CacheControl, MinRevision, TraceParent];
/// The headers of a follower of changes. Those of a socket are not listed: programs that send every header would ask
/// for one.
pub(crate) const FOLLOWER_HEADERS: &[RequestHeader] = &[CorrelationId, LastEventId, TraceParent];
pub(crate) const READ_HEADERS: &[RequestHeader] =
    &[CorrelationId, CacheControl, MinRevision, IfNoneMatch, TraceParent];
pub(crate) const WRITE_HEADERS: &[RequestHeader] =
    &[CorrelationId, IfMatch, IfNoneMatch, IdempotencyKey, TraceParent];
pub(crate) const BATCH_HEADERS: &[RequestHeader] = &[CorrelationId, IdempotencyKey, TraceParent];
/// The headers of a write whose response may be a receipt.
pub(crate) const MERGE_HEADERS: &[RequestHeader] =
    &[CorrelationId, IfMatch, IfNoneMatch, IdempotencyKey, Prefer, TraceParent];

/// The errors of every endpoint of a project.
pub(crate) const ALWAYS: &[Code] =
    &[InvalidInput, InvalidToken, InsufficientScope, TooManyRequests, General, ServiceUnavailable];
/// The errors of a body that is JSON or lines of it.
pub(crate) const BODY: &[Code] =
    &[InvalidJsonInput, InvalidField, RequiredField, ContentTooLarge, UnsupportedMediaType];
/// The errors of an operation that writes.
pub(crate) const WRITE: &[Code] =
    &[ConcurrentModification, PreconditionFailed, IdempotencyKeyReused, InsufficientStorage];
/// The errors of the token endpoints.
pub(crate) const CLIENT: &[Code] =
    &[InvalidRequest, InvalidClient, ContentTooLarge, TooManyRequests, General, ServiceUnavailable];
