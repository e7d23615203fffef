//! `GET /openapi.json` and `GET /{projectKey}/openapi.json`: the OpenAPI document, without a token. The build prints
//! that of the interface's resource into a static file, so that no instance keeps a text that few ask for. That of a
//! declared resource is printed when somebody asks for it.

use core::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};

use crate::contract::api::endpoint::DOCUMENT_PATH;
use crate::contract::api::header::{RequestHeader, ResponseHeader};
use crate::contract::error::ApiError;
use crate::openapi;
use crate::shape::Declaration;
use crate::util::text::concat;

use crate::server::http::{Body, Headers, Response};
use crate::server::platform::{Asset, Host, Port};
use crate::server::read;
use crate::server::request::decode;
use crate::server::response::respond;

/// The document changes only with a deployment, so a cached one may be five minutes old.
const CACHE: &str = "public, max-age=300";

/// The printed documents of declared resources, by their names.
#[derive(Debug, Default)]
pub(crate) struct Documents(RefCell<BTreeMap<String, Rc<Asset<String>>>>);

impl Documents {
    fn of(&self, declared: &Declaration) -> Rc<Asset<String>> {
        let mut known = self.0.borrow_mut();
        let document = known.entry(declared.name.clone()).or_insert_with(|| {
            let body = openapi::of_declared(declared);
            let hash = Base64UrlUnpadded::encode_string(&Sha256::digest(&body));
            Rc::new(Asset { etag: concat(&["\"", &hash, "\""]), body })
        });
        Rc::clone(document)
    }
}

/// Returns the document of a declared resource, or else that of the service; 304 if the caller has it.
pub(crate) async fn respond<H: Host>(
    documents: &Documents,
    declared: Option<&Declaration>,
    platform: &Port<H>,
    headers: &dyn Headers,
) -> Result<Response<H::Raw>, ApiError> {
    let if_none_match = decode::condition(headers, RequestHeader::IfNoneMatch)?;
    let (etag, body) = if let Some(declared) = declared {
        let document = documents.of(declared);
        (document.etag.clone(), Body::Text(document.body.clone()))
    } else {
        let Asset { etag, body } = platform.read_asset(DOCUMENT_PATH).await.map_err(|failure| {
            ApiError::unavailable("The OpenAPI document is unavailable. Try again.").with_cause(failure.0)
        })?;
        (etag, Body::Raw(body))
    };
    let mut response = Response::of(respond::JSON, body);
    response.push(ResponseHeader::CacheControl, CACHE);
    response.push(ResponseHeader::ETag, etag);
    Ok(read::conditional(response, if_none_match.as_ref()))
}
