//! Headers and errors that several endpoints have.

use crate::contract::api::header::RequestHeader;
use crate::contract::error::Code;

pub(crate) const QUERY_HEADERS: &[RequestHeader] =
    &[RequestHeader::CorrelationId, RequestHeader::TraceParent];
pub(crate) const READ_HEADERS: &[RequestHeader] = &[
    RequestHeader::CorrelationId,
    RequestHeader::CacheControl,
    RequestHeader::MinRevision,
    RequestHeader::IfNoneMatch,
    RequestHeader::TraceParent,
];
pub(crate) const WRITE_HEADERS: &[RequestHeader] = &[
    RequestHeader::CorrelationId,
    RequestHeader::IfMatch,
    RequestHeader::IfNoneMatch,
    RequestHeader::IdempotencyKey,
    RequestHeader::TraceParent,
];
/// The headers of a write whose response may be a receipt.
pub(crate) const MERGE_HEADERS: &[RequestHeader] = &[
    RequestHeader::CorrelationId,
    RequestHeader::IfMatch,
    RequestHeader::IfNoneMatch,
    RequestHeader::IdempotencyKey,
    RequestHeader::Prefer,
    RequestHeader::TraceParent,
];

/// The errors of every endpoint of a project.
pub(crate) const ALWAYS: &[Code] = &[
    Code::InvalidInput,
    Code::InvalidToken,
    Code::InsufficientScope,
    Code::TooManyRequests,
    Code::General,
    Code::ServiceUnavailable,
];
pub(crate) const BODY: &[Code] = &[
    Code::InvalidJsonInput,
    Code::InvalidField,
    Code::RequiredField,
    Code::ContentTooLarge,
    Code::UnsupportedMediaType,
];
pub(crate) const WRITE: &[Code] = &[
    Code::ConcurrentModification,
    Code::PreconditionFailed,
    Code::IdempotencyKeyReused,
    Code::InsufficientStorage,
];
/// The error of a body that names the resource, if another resource has the name.
pub(crate) const DUPLICATE: &[Code] = &[Code::DuplicateField];
/// The error of a body that names no resource, and so means the only one, if there are several (D12).
pub(crate) const NOT_THE_ONLY_ONE: &[Code] = &[Code::InvalidOperation];
/// The error of an endpoint that needs a resource.
pub(crate) const NOT_FOUND: &[Code] = &[Code::ResourceNotFound];
/// The error of a call that stores something, if there is no room.
pub(crate) const NO_ROOM: &[Code] = &[Code::InsufficientStorage];
/// The errors of the token endpoints.
pub(crate) const CLIENT: &[Code] = &[
    Code::InvalidRequest,
    Code::InvalidClient,
    Code::ContentTooLarge,
    Code::TooManyRequests,
    Code::General,
    Code::ServiceUnavailable,
];
