//! `GET /openapi.json`: the document, for whoever asks, without a token.

use sha2::{Digest, Sha256};

use crate::contract::error::ApiError;
use crate::contract::header::{RequestHeader, answer};
use crate::openapi;

use super::decode;
use super::http::{Headers, Response};
use super::{read, respond};

/// It changes with a deployment alone, and may be that much older.
const CACHE: &str = "public, max-age=300";

/// The document, or 304 where the caller has it. It is printed anew each time: no instance starts later or is larger for a
/// text that few ask for.
pub(super) fn respond<B>(headers: &dyn Headers) -> Result<Response<B>, ApiError> {
    let if_none_match = decode::condition(headers, RequestHeader::IfNoneMatch)?;
    let text = openapi::document();
    let etag = etag(&text);
    let mut response = respond::json(text);
    response.push(answer::CACHE_CONTROL, CACHE);
    response.push(answer::ETAG, etag);
    Ok(read::conditional(response, if_none_match.as_ref()))
}

/// The document's entity tag: the beginning of its hash.
fn etag(text: &str) -> String {
    let mut out = String::with_capacity(18);
    out.push('"');
    for byte in Sha256::digest(text.as_bytes()).iter().take(8) {
        for half in [byte >> 4, byte & 15] {
            out.extend(char::from_digit(u32::from(half), 16));
        }
    }
    out.push('"');
    out
}
