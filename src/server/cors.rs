//! CORS: any origin, or those of an allow-list (contract, section 8).

use std::borrow::Cow;

use crate::contract::api::header::{EXPOSED, RequestHeader, ResponseHeader};

use super::http::{Headers, Response};
use super::request::route;
use super::response::respond;

/// How long a browser may cache a preflight, in seconds.
const MAX_AGE: &str = "7200";

/// Adds the CORS headers of every response, errors included.
pub(super) fn add<B>(response: &mut Response<B>, headers: &dyn Headers, origins: Option<&[String]>) {
    let origin = headers.get(RequestHeader::Origin);
    // Only pages read the list, and they send their origin.
    let is_page = origin.is_some();
    let allowed = match (origins, origin) {
        (None, _) => Some(Cow::Borrowed("*")),
        (Some(list), Some(origin)) => list.contains(&origin).then_some(Cow::Owned(origin)),
        (Some(_), None) => None,
    };
    if let Some(allowed) = allowed {
        response.push(ResponseHeader::AllowOrigin, allowed);
        if is_page {
            response.push(ResponseHeader::ExposeHeaders, EXPOSED);
        }
    }
}

/// Returns whether the request is not from a page, or from one whose origin is allowed.
pub(super) fn allows(headers: &dyn Headers, origins: Option<&[String]>) -> bool {
    let origin = headers.get(RequestHeader::Origin);
    origins.is_none_or(|list| origin.is_none_or(|origin| list.contains(&origin)))
}

/// Returns the response to `OPTIONS`, which needs no token: the methods of the path, and for pages all methods, so that
/// they can read the response to any other.
pub(super) fn preflight<B>(path: &str, headers: &dyn Headers) -> Response<B> {
    let mut response = Response::empty(204);
    response.push(ResponseHeader::AllowMethods, respond::all_methods());
    response.push(ResponseHeader::MaxAge, MAX_AGE);
    if let Some(allow) = route::allow(path) {
        response.push(ResponseHeader::Allow, format!("{allow}, OPTIONS"));
    }
    if let Some(wanted) = headers.get(RequestHeader::AccessControlRequestHeaders) {
        response.push(ResponseHeader::AllowHeaders, wanted);
    }
    response
}
