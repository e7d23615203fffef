//! Headers and errors that several endpoints have.

use crate::contract::api::header::RequestHeader::{
    self, CacheControl, CorrelationId, IdempotencyKey, IfMatch, IfNoneMatch, LastEventId, MinRevision,
    Prefer, TraceParent,
};
use crate::contract::error::Code::{
    self, ConcurrentModification, ContentTooLarge, DuplicateField, General, IdempotencyKeyReused,
    InsufficientScope, InsufficientStorage, InvalidClient, InvalidField, InvalidInput, InvalidJsonInput,
    InvalidOperation, InvalidRequest, InvalidToken, PreconditionFailed, RequiredField, ResourceNotFound,
    ServiceUnavailable, TooManyRequests, UnsupportedMediaType,
};

pub(crate) const QUERY_HEADERS: &[RequestHeader] = &[CorrelationId, TraceParent];
/// The headers of a follower of changes. Those of a socket are not listed: programs that send every header would ask
/// for one.
pub(crate) const FOLLOWER_HEADERS: &[RequestHeader] = &[CorrelationId, LastEventId, TraceParent];
pub(crate) const READ_HEADERS: &[RequestHeader] =
    &[CorrelationId, CacheControl, MinRevision, IfNoneMatch, TraceParent];
pub(crate) const WRITE_HEADERS: &[RequestHeader] =
    &[CorrelationId, IfMatch, IfNoneMatch, IdempotencyKey, TraceParent];
/// The headers of a write whose response may be a receipt.
pub(crate) const MERGE_HEADERS: &[RequestHeader] =
    &[CorrelationId, IfMatch, IfNoneMatch, IdempotencyKey, Prefer, TraceParent];

/// The errors of every endpoint of a project.
pub(crate) const ALWAYS: &[Code] =
    &[InvalidInput, InvalidToken, InsufficientScope, TooManyRequests, General, ServiceUnavailable];
pub(crate) const BODY: &[Code] =
    &[InvalidJsonInput, InvalidField, RequiredField, ContentTooLarge, UnsupportedMediaType];
pub(crate) const WRITE: &[Code] =
    &[ConcurrentModification, PreconditionFailed, IdempotencyKeyReused, InsufficientStorage];
/// The error of a body that names the resource, if another resource has the name.
pub(crate) const DUPLICATE: &[Code] = &[DuplicateField];
/// The error of a body that names no resource, and so means the only one, if there are several (D12).
pub(crate) const NOT_THE_ONLY_ONE: &[Code] = &[InvalidOperation];
/// The error of an endpoint that needs a resource.
pub(crate) const NOT_FOUND: &[Code] = &[ResourceNotFound];
/// The error of a call that stores something, if there is no room.
pub(crate) const NO_ROOM: &[Code] = &[InsufficientStorage];
/// The errors of the token endpoints.
pub(crate) const CLIENT: &[Code] =
    &[InvalidRequest, InvalidClient, ContentTooLarge, TooManyRequests, General, ServiceUnavailable];
