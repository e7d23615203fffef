//! The error table (contract, section 7).

use serde::{Deserialize, Serialize};

use crate::contract::prose;

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $code:ident = $status:literal $wire:literal,)*) => {
        /// Every error of the contract.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Code { $($(#[doc = $doc])* $code,)* }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$code,)*];

            /// Returns the HTTP status of its response.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$code => $status,)* }
            }

            /// Returns the `code` on the wire.
            #[must_use]
            pub const fn wire(self) -> &'static str {
                match self { $(Self::$code => $wire,)* }
            }

            /// Returns what went wrong, in one sentence.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self { $(Self::$code => prose(concat!($($doc),*)).trim_ascii_start(),)* }
            }
        }
    };
}

codes! {
    /// The body is not JSON.
    InvalidJsonInput = 400 "InvalidJsonInput",
    /// A field has a wrong type or value, or is unknown.
    InvalidField = 400 "InvalidField",
    /// A required field is absent or null.
    RequiredField = 400 "RequiredField",
    /// A value that must be unique is in use.
    DuplicateField = 400 "DuplicateField",
    /// A parameter, a path part or a header is malformed.
    InvalidInput = 400 "InvalidInput",
    /// The request cannot be performed in this form.
    InvalidOperation = 400 "InvalidOperation",
    /// A text of the query language is malformed.
    SyntaxError = 400 "SyntaxError",
    /// The token is missing, malformed, expired or not trusted.
    InvalidToken = 401 "invalid_token",
    /// The token lacks a scope for the project.
    InsufficientScope = 403 "insufficient_scope",
    /// There is no such resource or path.
    ResourceNotFound = 404 "ResourceNotFound",
    /// The path has no such method.
    MethodNotAllowed = 405 "MethodNotAllowed",
    /// The resource does not have the expected version.
    ConcurrentModification = 409 "ConcurrentModification",
    /// The resource does not match `If-Match` or `If-None-Match`.
    PreconditionFailed = 412 "PreconditionFailed",
    /// The body or the record is too large.
    ContentTooLarge = 413 "ContentTooLarge",
    /// The body is not plain `application/json`.
    UnsupportedMediaType = 415 "UnsupportedMediaType",
    /// The `Idempotency-Key` was used for another request.
    IdempotencyKeyReused = 422 "IdempotencyKeyReused",
    /// Too many requests.
    TooManyRequests = 429 "TooManyRequests",
    /// An internal error of the service.
    General = 500 "General",
    /// The service is temporarily unavailable.
    ServiceUnavailable = 503 "ServiceUnavailable",
    /// Token endpoint: the client could not be authenticated.
    InvalidClient = 401 "invalid_client",
    /// Token endpoint: the request is malformed.
    InvalidRequest = 400 "invalid_request",
    /// Token endpoint: the grant type is not `client_credentials`.
    UnsupportedGrantType = 400 "unsupported_grant_type",
    /// Token endpoint: the scope is malformed or not the client's.
    InvalidScope = 400 "invalid_scope",
    /// The position belongs to another history of the project, or is above its newest revision.
    HistoryChanged = 410 "HistoryChanged",
    /// There is no room to store the write.
    InsufficientStorage = 507 "InsufficientStorage",
}

impl Code {
    /// Returns whether the body also carries `error` as RFC 6749 and RFC 6750 name it.
    #[must_use]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn wire_names_are_unique() {
        for (at, code) in Code::ALL.iter().enumerate() {
            assert!(!Code::ALL[..at].iter().any(|other| other.wire() == code.wire()), "{}", code.wire());
        }
    }
}
