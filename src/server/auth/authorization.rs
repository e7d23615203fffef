//! The header `Authorization`: its scheme, and the bearer token in it.

use super::error;
use crate::contract::error::ApiError;

/// Returns the token of an `Authorization` header. Another scheme counts as no token (RFC 6750, 3.1).
pub(super) fn bearer(authorization: Option<&str>) -> Result<&str, ApiError> {
    match authorization.map(split_scheme) {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("Bearer") => Ok(token),
        _ => Err(error::missing()),
    }
}

/// Splits a header into its scheme and the rest.
pub(super) fn split_scheme(authorization: &str) -> (&str, &str) {
    let (scheme, rest) = authorization.trim_matches(' ').split_once(' ').unwrap_or((authorization, ""));
    (scheme.trim_matches(' '), rest.trim_start_matches(' '))
}
