//! Errors of authentication: 401 and 403 with their challenges (RFC 6750), and 503 if the service cannot decide.

use super::jwt::TokenRefusal;
use crate::contract::api::endpoint::Access;
use crate::contract::api::path::is_project_key;
use crate::contract::error::{ApiError, Code, Member};

/// The challenge to a caller without a token (contract, section 10).
const CHALLENGE: &str = "Bearer";
/// `Retry-After` while the service is not configured, in seconds.
const UNCONFIGURED_RETRY: u32 = 60;
/// `Retry-After` while an issuer's keys are unavailable, in seconds.
const UNREACHABLE_RETRY: u32 = 5;

/// Why a caller was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthError {
    /// The error.
    pub error: ApiError,
    /// The value of `WWW-Authenticate`; 401 and 403 have one, 503 has none.
    pub challenge: Option<String>,
}

impl From<AuthError> for ApiError {
    fn from(AuthError { mut error, challenge }: AuthError) -> Self {
        error.challenge = challenge;
        error
    }
}

impl AuthError {
    /// Creates the error of a request without a token.
    pub(super) fn missing() -> Self {
        Self { error: invalid_token(), challenge: Some(CHALLENGE.to_owned()) }
    }

    /// Creates the error of a token that is not trusted.
    pub(super) fn refused(refusal: TokenRefusal) -> Self {
        let description = refusal.description();
        let challenge = format!("{CHALLENGE} error=\"invalid_token\", error_description=\"{description}\"");
        Self { error: invalid_token(), challenge: Some(challenge) }
    }

    /// Creates the error of a token that lacks the scope for the access to the project.
    pub(super) fn insufficient(access: Access, project: &str) -> Self {
        let names = access.scopes();
        let message =
            format!("Insufficient scope. One of the following scopes is missing: {}.", names.join(", "));
        let mut challenge = format!("{CHALLENGE} error=\"insufficient_scope\"");
        // The last scope is the smallest that is enough. A text that is not a project key must not get into a header.
        if let Some(weakest) = names.last().filter(|_| is_project_key(project)) {
            challenge.extend([", scope=\"", weakest, ":", project, "\""]);
        }
        let error = ApiError::new(Code::InsufficientScope, message).with_texts(Member::Scopes, names);
        Self { error, challenge: Some(challenge) }
    }

    /// Creates the error of a service that cannot decide.
    pub(super) fn unavailable(error: ApiError) -> Self {
        Self { error, challenge: None }
    }
}

fn invalid_token() -> ApiError {
    ApiError::new(Code::InvalidToken, Code::InvalidToken.wire())
}

/// Why a token was not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AuthFailure {
    /// It is not trusted.
    Refused(TokenRefusal),
    /// The keys of its issuer are unavailable.
    Unavailable,
}

impl From<TokenRefusal> for AuthFailure {
    fn from(refusal: TokenRefusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<AuthFailure> for AuthError {
    fn from(failure: AuthFailure) -> Self {
        match failure {
            AuthFailure::Refused(refusal) => Self::refused(refusal),
            AuthFailure::Unavailable => {
                let mut error =
                    ApiError::unavailable("The token issuer's keys are unavailable. Try again later.");
                error.retry_after = Some(UNREACHABLE_RETRY);
                Self::unavailable(error)
            }
        }
    }
}

/// Creates the error of a service that is not configured; `what` says what to set.
pub(super) fn unconfigured(what: &str) -> ApiError {
    let mut error = ApiError::unavailable(format!("The service is not configured: {what}."));
    error.retry_after = Some(UNCONFIGURED_RETRY);
    error
}
