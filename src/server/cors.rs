//! CORS: any origin, or those of an allow-list (contract, section 8).

use crate::contract::header::{RequestHeader, answer};

use super::http::{Body, Headers, Response};
use super::{respond, route};

/// How long a browser may remember a preflight, in seconds.
const MAX_AGE: &str = "7200";

/// Adds what every answer says about origins; errors too.
pub(super) fn add<B>(response: &mut Response<B>, headers: &Headers<'_>, origins: Option<&[String]>) {
    let allowed = match (origins, headers.get(RequestHeader::Origin)) {
        (None, _) => Some("*"),
        (Some(list), Some(origin)) => list.iter().any(|one| one == origin).then_some(origin),
        (Some(_), None) => None,
    };
    if let Some(allowed) = allowed {
        response.headers.push(("Access-Control-Allow-Origin", allowed.to_owned()));
        // Of use to pages alone, and they say where they come from.
        if headers.get(RequestHeader::Origin).is_some() {
            response.headers.push(("Access-Control-Expose-Headers", answer::EXPOSED.to_owned()));
        }
    }
}

/// The answer to `OPTIONS`, which needs no token: with the methods that the path has, where there is such a path, and to
/// pages with all methods, so that they can read what any other is answered.
pub(super) fn preflight<B>(path: &str, headers: &Headers<'_>) -> Response<B> {
    let mut list = vec![
        ("Access-Control-Allow-Methods", respond::all_methods()),
        ("Access-Control-Max-Age", MAX_AGE.to_owned()),
    ];
    if let Some(allow) = route::allow(path) {
        list.push((answer::ALLOW, format!("{allow}, OPTIONS")));
    }
    if let Some(wanted) = headers.get(RequestHeader::AccessControlRequestHeaders) {
        list.push(("Access-Control-Allow-Headers", wanted.to_owned()));
    }
    Response { status: 204, headers: list, body: Body::Empty }
}
