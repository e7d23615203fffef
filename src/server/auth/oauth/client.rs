//! Authenticates the API client of a token request (RFC 6749, 2.3.1).

use base64ct::{Base64, Encoding as _};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use super::parameters::{Parameters, invalid};
use crate::contract::api::header::RequestHeader;
use crate::contract::error::{ApiError, Code};
use crate::server::auth::authorization::split_scheme;
use crate::server::http::Request;
use crate::server::settings::{ApiClient, BuiltInIssuer};
use crate::util::percent;

/// Returns the ID of the client that a request names, whether or not its secret is right. Returns `None` if the request
/// names none: then no secret is compared.
pub(crate) fn claimed_client(request: &Request, parameters: &Parameters) -> Option<String> {
    credentials(request, parameters).ok().map(|(id, _)| id)
}

/// Returns the ID and secret of the request, from HTTP Basic or the form.
fn credentials(request: &Request, parameters: &Parameters) -> Result<(String, String), ApiError> {
    let in_form = (parameters.get("client_id"), parameters.get("client_secret"));
    match (request.headers.get(RequestHeader::Authorization), in_form) {
        (Some(_), (_, Some(_))) => Err(invalid("The client authenticates in two ways at once.".to_owned())),
        (Some(header), (named, None)) => {
            let (id, secret) = basic(&header).ok_or_else(unknown)?;
            if named.is_some_and(|named| named != id) {
                return Err(invalid("The parameter client_id names another client.".to_owned()));
            }
            Ok((id, secret))
        }
        (None, (Some(id), Some(secret))) => Ok((id.to_owned(), secret.to_owned())),
        (None, (None, Some(_))) => Err(invalid("The parameter client_id is missing.".to_owned())),
        (None, (_, None)) => Err(unknown()),
    }
}

impl BuiltInIssuer {
    /// Returns the API client that a request authenticates. Compares its ID and secret with those of all clients, so
    /// that the time reveals nothing.
    pub(crate) fn client(&self, request: &Request, parameters: &Parameters) -> Result<&ApiClient, ApiError> {
        let (id, secret) = credentials(request, parameters)?;
        let [id, secret]: [[u8; 32]; 2] = [id, secret].map(|text| Sha256::digest(text).into());
        let mut found = None;
        for client in &self.clients {
            if bool::from(client.id_hash.ct_eq(&id) & client.secret_hash.ct_eq(&secret)) {
                found = Some(client);
            }
        }
        found.ok_or_else(unknown)
    }
}

fn unknown() -> ApiError {
    ApiError::new(Code::InvalidClient, "The client could not be authenticated.")
}

/// Returns the ID and secret of an HTTP Basic header, which are form-encoded in it.
fn basic(header: &str) -> Option<(String, String)> {
    let (scheme, rest) = split_scheme(header);
    if !scheme.eq_ignore_ascii_case("Basic") {
        return None;
    }
    let credentials = String::from_utf8(Base64::decode_vec(rest).ok()?).ok()?;
    let (id, secret) = credentials.split_once(':')?;
    Some((percent::decode_form(id).ok()?, percent::decode_form(secret).ok()?))
}
