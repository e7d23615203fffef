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

pub(super) fn missing() -> ApiError {
    ApiError::new(Code::InvalidToken, Code::InvalidToken.wire()).with_challenge(CHALLENGE.to_owned())
}

impl From<TokenRefusal> for ApiError {
    fn from(refusal: TokenRefusal) -> Self {
        let description = refusal.description();
        let challenge = format!("{CHALLENGE} error=\"invalid_token\", error_description=\"{description}\"");
        missing().with_challenge(challenge)
    }
}

/// Creates the error of a token that lacks the scope for the access to the project.
pub(super) fn insufficient(access: Access, project: &str) -> ApiError {
    let names = access.scopes();
    let message =
        format!("Insufficient scope. One of the following scopes is missing: {}.", names.join(", "));
    let mut challenge = format!("{CHALLENGE} error=\"insufficient_scope\"");
    // The last scope is the smallest that is enough. A text that is not a project key must not get into a header.
    if let Some(weakest) = names.last().filter(|_| is_project_key(project)) {
        challenge.extend([", scope=\"", weakest, ":", project, "\""]);
    }
    ApiError::new(Code::InsufficientScope, message).with(Member::Scopes, names).with_challenge(challenge)
}

pub(super) fn keys_unavailable() -> ApiError {
    ApiError::unavailable("The token issuer's keys are unavailable. Try again later.")
        .with_retry_after(UNREACHABLE_RETRY)
}

/// Creates the error of a service that is not configured; `what` says what to set.
pub(super) fn unconfigured(what: &str) -> ApiError {
    ApiError::unavailable(format!("The service is not configured: {what}."))
        .with_retry_after(UNCONFIGURED_RETRY)
}
