//! The error table (contract, section 7).

use serde::{Deserialize, Serialize};

names! {
    /// Every error of the contract.
    #[derive(Serialize, Deserialize)]
    pub enum Code wire [status: u16]:
    /// The body is not JSON.
    InvalidJsonInput = "InvalidJsonInput" 400,
    /// A field has a wrong type or value, or is unknown.
    InvalidField = "InvalidField" 400,
    /// A required field is absent or null.
    RequiredField = "RequiredField" 400,
    /// A value that must be unique is in use.
    DuplicateField = "DuplicateField" 400,
    /// A parameter, a path part or a header is malformed.
    InvalidInput = "InvalidInput" 400,
    /// The request cannot be performed in this form.
    InvalidOperation = "InvalidOperation" 400,
    /// A text of the query language is malformed.
    SyntaxError = "SyntaxError" 400,
    /// The token is missing, malformed, expired or not trusted.
    InvalidToken = "invalid_token" 401,
    /// The token lacks a scope for the project.
    InsufficientScope = "insufficient_scope" 403,
    /// There is no such resource or path.
    ResourceNotFound = "ResourceNotFound" 404,
    /// The path has no such method.
    MethodNotAllowed = "MethodNotAllowed" 405,
    /// The resource does not have the expected version.
    ConcurrentModification = "ConcurrentModification" 409,
    /// The resource does not match `If-Match` or `If-None-Match`.
    PreconditionFailed = "PreconditionFailed" 412,
    /// The body or the record is too large.
    ContentTooLarge = "ContentTooLarge" 413,
    /// The body is not plain `application/json`.
    UnsupportedMediaType = "UnsupportedMediaType" 415,
    /// The `Idempotency-Key` was used for another request.
    IdempotencyKeyReused = "IdempotencyKeyReused" 422,
    /// Too many requests.
    TooManyRequests = "TooManyRequests" 429,
    /// An internal error of the service.
    General = "General" 500,
    /// The service is temporarily unavailable.
    ServiceUnavailable = "ServiceUnavailable" 503,
    /// Token endpoint: the client could not be authenticated.
    InvalidClient = "invalid_client" 401,
    /// Token endpoint: the request is malformed.
    InvalidRequest = "invalid_request" 400,
    /// Token endpoint: the grant type is not `client_credentials`.
    UnsupportedGrantType = "unsupported_grant_type" 400,
    /// Token endpoint: the scope is malformed or not the client's.
    InvalidScope = "invalid_scope" 400,
    /// The position belongs to another history of the project, or is above its newest revision.
    HistoryChanged = "HistoryChanged" 410,
    /// There is no room to store the write.
    InsufficientStorage = "InsufficientStorage" 507,
    /// The rules of the project do not permit the write. `rule` has the rule.
    Forbidden = "Forbidden" 403,
}

impl Code {
    /// Returns whether the body also carries `error` as RFC 6749 and RFC 6750 name it.
    pub const fn is_oauth(self) -> bool {
        matches!(
            self,
            Self::InvalidToken
                | Self::InsufficientScope
                | Self::InvalidClient
                | Self::InvalidRequest
                | Self::UnsupportedGrantType
                | Self::InvalidScope
        )
    }
}
