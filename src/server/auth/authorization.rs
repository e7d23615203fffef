//! The header `Authorization`: its scheme, and the bearer token in it.

use super::error::AuthError;
use super::jwt::TokenRefusal;
use crate::contract::limits;

/// Returns the token of an `Authorization` header. Another scheme counts as no token (RFC 6750, 3.1).
pub(super) fn bearer(authorization: Option<&str>) -> Result<&str, AuthError> {
    let (scheme, rest) = authorization.map(split_scheme).ok_or_else(AuthError::missing)?;
    if !scheme.eq_ignore_ascii_case("Bearer") {
        return Err(AuthError::missing());
    }
    if rest.len() > limits::TOKEN_BYTES {
        return Err(AuthError::refused(TokenRefusal::Length));
    }
    Ok(rest)
}

/// Splits a header into its scheme and the rest.
pub(super) fn split_scheme(authorization: &str) -> (&str, &str) {
    let (scheme, rest) = authorization.trim_matches(' ').split_once(' ').unwrap_or((authorization, ""));
    (scheme.trim_matches(' '), rest.trim_start_matches(' '))
}
