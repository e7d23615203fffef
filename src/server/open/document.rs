//! `GET /openapi.json`: the OpenAPI document, without a token. The build prints it from the contract into a static
//! file, so that no instance is larger for a text that few ask for.

use crate::contract::api::endpoint::DOCUMENT_PATH;
use crate::contract::api::header::{RequestHeader, ResponseHeader};
use crate::contract::error::ApiError;

use crate::server::http::{Body, Headers, Response};
use crate::server::platform::{Asset, Host, Port};
use crate::server::read;
use crate::server::request::decode;
use crate::server::response::respond;

/// The document changes only with a deployment, so a cached one may be five minutes old.
const CACHE: &str = "public, max-age=300";

/// Returns the document, or 304 if the caller has it.
pub(crate) async fn respond<H: Host>(
    platform: &Port<H>,
    headers: &dyn Headers,
) -> Result<Response<H::Raw>, ApiError> {
    let if_none_match = decode::condition(headers, RequestHeader::IfNoneMatch)?;
    let Asset { etag, body } = platform.read_asset(DOCUMENT_PATH).await.map_err(|failure| {
        ApiError::unavailable("The OpenAPI document is unavailable. Try again.").with_cause(failure.0)
    })?;
    let mut response = Response::of(respond::JSON, Body::Raw(body));
    response.push(ResponseHeader::CacheControl, CACHE);
    response.push(ResponseHeader::ETag, etag);
    Ok(read::conditional(response, if_none_match.as_ref()))
}
