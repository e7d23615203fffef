//! The header `Authorization`: its scheme, and the bearer token in it.

use super::error;
use super::jwt::TokenRefusal;
use crate::contract::error::ApiError;
use crate::contract::limits;

/// Returns the token of an `Authorization` header. Another scheme counts as no token (RFC 6750, 3.1).
pub(super) fn bearer(authorization: Option<&str>) -> Result<&str, ApiError> {
    let (scheme, rest) = authorization.map(split_scheme).ok_or_else(error::missing)?;
    if !scheme.eq_ignore_ascii_case("Bearer") {
        return Err(error::missing());
    }
    if rest.len() > limits::TOKEN_BYTES {
        return Err(TokenRefusal::Length.into());
    }
    Ok(rest)
}

/// Splits a header into its scheme and the rest.
pub(super) fn split_scheme(authorization: &str) -> (&str, &str) {
    let (scheme, rest) = authorization.trim_matches(' ').split_once(' ').unwrap_or((authorization, ""));
    (scheme.trim_matches(' '), rest.trim_start_matches(' '))
}
