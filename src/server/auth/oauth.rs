//! The token endpoints: client credentials (RFC 6749, 4.4) and introspection (RFC 7662).

pub(crate) mod client;
pub(crate) mod parameters;

use self::parameters::{Parameters, invalid};
use super::authenticator::Authenticator;
use super::error::unconfigured;
use super::jwt::{JwtParts, TokenClaims};
use crate::contract::api::endpoint::{FormField, GRANT_TYPE, GRANT_TYPE_FIELD};
use crate::contract::api::header::ResponseHeader;
use crate::contract::error::{ApiError, Code, quoted};
use crate::contract::response::services::{BEARER, introspection, token};
use crate::server::http::{Request, Response};
use crate::server::platform::{Host, Port};
use crate::server::response::respond;
use crate::server::settings::scope::{self, Scope};
use crate::server::settings::{ApiClient, BuiltInIssuer};
use crate::util::json;

/// The longest `scope` of a token, in bytes: the token with it stays below [`crate::contract::limits::TOKEN_BYTES`].
const SCOPE_BYTES: usize = 8 * 1024;

impl Authenticator {
    /// Reads the parameters of a request to a token endpoint, if the service issues tokens. Compares no secret.
    pub(in crate::server) async fn parameters<H: Host>(
        &self,
        platform: &Port<H>,
        request: &Request,
        form: &'static [FormField],
    ) -> Result<Parameters, ApiError> {
        self.built_in()?;
        Parameters::read(platform, request, form).await
    }

    fn built_in(&self) -> Result<&BuiltInIssuer, ApiError> {
        self.configured()?
            .built_in
            .as_ref()
            .ok_or_else(|| unconfigured("the built-in issuer is off; set TOKEN_SECRET and API_CLIENTS"))
    }

    /// Returns the response to `POST /oauth/token`: a token for the authenticated client.
    pub(in crate::server) fn grant<H: Host>(
        &self,
        host: &H,
        request: &Request,
        parameters: &Parameters,
    ) -> Result<String, ApiError> {
        let built_in = self.built_in()?;
        let client = built_in.client(request, parameters)?;
        match parameters.get(GRANT_TYPE_FIELD) {
            Some(GRANT_TYPE) => {}
            Some(_) => {
                let message = "The grant type must be client_credentials.";
                return Err(ApiError::new(Code::UnsupportedGrantType, message));
            }
            None => return Err(invalid("The parameter grant_type is missing.".to_owned())),
        }
        let scopes = scopes(client, parameters.get("scope"))?;
        let mut id = [0; 16];
        host.random(&mut id);
        Ok(json::object(|object| {
            object.text(token::ACCESS_TOKEN, &built_in.issue(client, &scopes, host.now(), id));
            object.text(token::TOKEN_TYPE, BEARER);
            object.integer(token::EXPIRES_IN, i64::from(built_in.ttl));
            object.text(token::SCOPE, &scope::join(&scopes));
        }))
    }

    /// Returns the response to `POST /oauth/introspect`: the claims of an issued token, or that it is not active.
    pub(in crate::server) fn inspect<H: Host>(
        &self,
        host: &H,
        request: &Request,
        parameters: &Parameters,
    ) -> Result<String, ApiError> {
        let built_in = self.built_in()?;
        built_in.client(request, parameters)?;
        let token =
            parameters.get("token").ok_or_else(|| invalid("The parameter token is missing.".to_owned()))?;
        // Tries only the service's keys, so tokens of other issuers are not active here.
        let claims = JwtParts::parse(token).and_then(|parts| built_in.verify(&parts, host.now()));
        Ok(claims.map_or_else(
            |_| json::object(|object| object.boolean(introspection::ACTIVE, false)),
            |claims| describe(&claims),
        ))
    }
}

/// Returns the scopes of the new token: the requested ones, each of which the client must have, or by default all of
/// the client's.
fn scopes(client: &ApiClient, asked: Option<&str>) -> Result<Vec<Scope>, ApiError> {
    let scopes = match asked {
        Some(asked) if asked.len() > SCOPE_BYTES => return Err(too_many()),
        Some(asked) => asked
            .split(' ')
            .filter(|text| !text.is_empty())
            .map(|text| allowed(client, text))
            .collect::<Result<Vec<Scope>, ApiError>>()?,
        None if client.scopes.iter().any(Scope::is_any) => {
            let message =
                "The client has scopes for any project. The request must name the scopes that it needs.";
            return Err(ApiError::new(Code::InvalidScope, message));
        }
        None => client.scopes.clone(),
    };
    if scopes.is_empty() {
        return Err(ApiError::new(Code::InvalidScope, "The parameter scope contains no scope."));
    }
    if scope::join(&scopes).len() > SCOPE_BYTES {
        return Err(too_many());
    }
    Ok(scopes)
}

fn too_many() -> ApiError {
    ApiError::new(Code::InvalidScope, "The request has too many scopes for one token. Send fewer.")
}

fn allowed(client: &ApiClient, text: &str) -> Result<Scope, ApiError> {
    let fail = |reason: &str| {
        // Without characters that RFC 6749 forbids in an error_description.
        let shown: String = quoted(text)
            .chars()
            .filter(|char| matches!(char, ' '..='~') && !matches!(char, '"' | '\\'))
            .collect();
        ApiError::new(Code::InvalidScope, format!("The scope '{shown}' {reason}."))
    };
    let scope = Scope::of_token(text)
        .ok_or_else(|| fail("is malformed: expected manage_test:{projectKey} or view_test:{projectKey}"))?;
    if client.scopes.iter().any(|had| had.covers(&scope)) {
        Ok(scope)
    } else {
        Err(fail("is not a scope of the client"))
    }
}

/// Returns the members of an active token (RFC 7662, 2.2).
fn describe(claims: &TokenClaims) -> String {
    // Times are below 2^53.
    let seconds = |instant| (instant / 1000) as i64;
    json::object(|object| {
        object.boolean(introspection::ACTIVE, true);
        object.text(introspection::SCOPE, &claims.scope);
        object.text(introspection::CLIENT_ID, &claims.client_id);
        object.text(introspection::TOKEN_TYPE, BEARER);
        object.integer(introspection::EXP, seconds(claims.expires));
        object.integer(introspection::IAT, seconds(claims.issued));
        object.text(introspection::SUB, &claims.subject);
        match claims.audience.as_slice() {
            [one] => object.text(introspection::AUD, one),
            several => object.array(introspection::AUD, several, |out, one| json::string(out, one)),
        }
        object.text(introspection::ISS, &claims.issuer);
        object.text(introspection::JTI, &claims.id);
    })
}

/// Renders the response of both endpoints. It is never stored (RFC 6749, 5.1).
pub(in crate::server) fn render<B>(result: Result<String, ApiError>) -> Response<B> {
    let mut response = match result {
        Ok(text) => respond::json(text),
        Err(error) => {
            let error = match error.code() {
                Code::InvalidClient => error.with_challenge("Basic realm=\"resource-edge\"".to_owned()),
                _ => error,
            };
            // Problem details have no place for the members of RFC 6749.
            respond::error(&error, respond::ErrorForm::Contract)
        }
    };
    response.push(ResponseHeader::CacheControl, "no-store");
    response.push(ResponseHeader::Pragma, "no-cache");
    response
}

#[cfg(test)]
mod tests;
