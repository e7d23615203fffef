//! Authentication (contract, section 8): verifies bearer tokens, checks scopes, and issues tokens. Imports the contract,
//! the settings, and [`Platform`], but not the routes.

mod cache;
mod client;
mod error;
mod jwks;
mod jwt;
mod oauth;
mod own;
mod parameters;
pub(crate) mod scope;
pub(crate) mod strict;

use std::cell::RefCell;
use std::rc::Rc;

use sha2::{Digest as _, Sha256};

use self::cache::TokenCache;
pub(super) use self::client::claimed_client;
pub use self::error::AuthError;
use self::error::{Failure, unconfigured};
use self::jwks::Jwks;
use self::jwt::{Parts, Refusal, TokenClaims};
pub(super) use self::oauth::refuse;
use self::scope::Scope;
use super::platform::{Host, Platform};
use super::settings::{
    LIMIT_PERIOD_DEFAULT, LogLevel, OWN_ISSUER, OutsideIssuer, ReadDefault, Settings, SettingsError,
};
use crate::contract::error::ApiError;
use crate::contract::json;
use crate::contract::limits;
use crate::contract::operation::Access;
use crate::contract::time::Millis;

/// The caller of a verified token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    caller: String,
    client_id: String,
    subject: String,
    expires: Millis,
    source: Source,
    scopes: Vec<Scope>,
}

/// Who issued a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The built-in issuer.
    Own,
    /// The external issuer, `TOKEN_ISSUER`.
    Outside,
}

impl Claims {
    fn new(token: TokenClaims, source: Source) -> Self {
        let mut caller = String::new();
        json::array(&mut caller, &[&token.issuer, &token.client_id, &token.subject], |out, name| {
            json::string(out, name);
        });
        // Ignores scopes of other services, and scopes without a project.
        let scopes = token.scope.split(' ').filter_map(Scope::of_token).collect();
        let TokenClaims { client_id, subject, expires, .. } = token;
        Self { caller, client_id, subject, expires, source, scopes }
    }

    /// Returns the caller as a JSON array of issuer, client, and subject, so that callers of different issuers are never
    /// equal. It is the same for each token of a caller (D18).
    #[must_use]
    pub fn caller(&self) -> &str {
        &self.caller
    }

    /// Returns the client of the token.
    #[must_use]
    pub fn client_id(&self) -> &str {
        &self.client_id
    }

    /// Returns the subject: the client itself, or a user.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Returns when the token expires, without skew.
    #[must_use]
    pub fn expires(&self) -> Millis {
        self.expires
    }

    /// Returns the issuer of the token.
    #[must_use]
    pub fn source(&self) -> Source {
        self.source
    }

    fn has_expired(&self, now: Millis) -> bool {
        jwt::has_expired(self.expires, now)
    }
}

/// Verifies and issues tokens. Created once for all requests; it caches keys and verified tokens.
#[derive(Debug)]
pub struct Authenticator {
    settings: Result<Settings, SettingsError>,
    tokens: RefCell<TokenCache>,
    keys: Jwks,
}

impl Authenticator {
    /// Creates an authenticator. If the settings have an error, it refuses every call.
    #[must_use]
    pub fn new(settings: Result<Settings, SettingsError>) -> Self {
        Self { settings, tokens: RefCell::default(), keys: Jwks::default() }
    }

    /// Returns the problems of the settings.
    #[must_use]
    pub fn settings_error(&self) -> Option<&SettingsError> {
        self.settings.as_ref().err()
    }

    /// Writes a line to the log if the settings refuse every call. The line has no values.
    pub fn report<H: Host>(&self, host: &H) {
        if let Err(error) = self.configured() {
            host.log_failure("every call is refused", error.message());
        }
    }

    /// Returns the origins whose pages may read responses. `None` means any, also if the settings have an error.
    #[must_use]
    pub fn cors(&self) -> Option<&[String]> {
        self.settings.as_ref().ok()?.cors.as_deref()
    }

    /// Returns the source of a plain read by ID or key (D19).
    #[must_use]
    pub fn read_default(&self) -> ReadDefault {
        self.settings.as_ref().map_or(ReadDefault::Cached, |settings| settings.read_default)
    }

    /// Returns which requests get a line in the log. A wrong setting is reported to every caller and in the log.
    #[must_use]
    pub fn log_level(&self) -> LogLevel {
        self.settings.as_ref().map_or_else(|_| LogLevel::default(), |settings| settings.log)
    }

    /// Returns the period of the rate limiters, in seconds.
    #[must_use]
    pub fn limit_period(&self) -> u32 {
        self.settings.as_ref().map_or(LIMIT_PERIOD_DEFAULT, |settings| settings.limit_period)
    }

    /// Verifies the bearer token of an `Authorization` header. Returns 401 if it is not trusted, and 503 if the service
    /// cannot decide or is not configured.
    pub async fn authenticate<P: Platform>(
        &self,
        platform: &P,
        authorization: Option<&str>,
    ) -> Result<Rc<Claims>, AuthError> {
        let settings = self.configured().map_err(AuthError::unavailable)?;
        let token = bearer(authorization)?;
        let digest = Sha256::digest(token).into();
        let remembered = self.tokens.borrow_mut().get(&digest, platform.now());
        if let Some(claims) = remembered {
            return Ok(claims);
        }
        let (claims, until) = self.verify(settings, platform, token).await?;
        let claims = Rc::new(claims);
        self.tokens.borrow_mut().insert(digest, Rc::clone(&claims), until);
        Ok(claims)
    }

    /// Returns the settings, if they are valid and have an issuer.
    pub(super) fn configured(&self) -> Result<&Settings, ApiError> {
        match &self.settings {
            Ok(settings) if settings.has_issuer() => Ok(settings),
            Ok(_) => Err(unconfigured(
                "no issuer of tokens is set; set TOKEN_SECRET and API_CLIENTS, or TOKEN_ISSUER, TOKEN_AUDIENCE \
                 and TOKEN_JWKS_URL",
            )),
            Err(error) => Err(unconfigured(&error.to_string())),
        }
    }

    /// Returns the token's claims, and until when they need no new verification. The claimed issuer determines the keys that
    /// are tried, and the key determines the algorithm.
    async fn verify<P: Platform>(
        &self,
        settings: &Settings,
        platform: &P,
        token: &str,
    ) -> Result<(Claims, Millis), Failure> {
        let parts = Parts::parse(token)?;
        let issuer = parts.issuer()?;
        if let Some(own) = settings.own.as_ref().filter(|_| issuer == OWN_ISSUER) {
            let claims = own.verify(&parts, platform.now())?;
            return Ok((Claims::new(claims, Source::Own), Millis::MAX));
        }
        if let Some(outside) = settings.outside.as_ref().filter(|outside| issuer == outside.issuer) {
            return self.verify_outside(outside, platform, &parts).await;
        }
        Err(Refusal::Issuer.into())
    }

    async fn verify_outside<P: Platform>(
        &self,
        outside: &OutsideIssuer,
        platform: &P,
        parts: &Parts<'_>,
    ) -> Result<(Claims, Millis), Failure> {
        let is_claimed = |algorithm| parts.claims_algorithm(jwks::name(algorithm)).is_ok();
        let found = self.keys.find(platform, &outside.jwks_url, parts.kid()?, is_claimed).await?;
        if !jwks::is_signature(found.key.algorithm, &parts.signature) {
            return Err(Refusal::Signature.into());
        }
        let verified =
            platform.verify(&found.key, parts.signed, &parts.signature).await.map_err(|cause| {
                platform.log_failure("a signature could not be verified", &cause.0);
                Failure::Unavailable
            })?;
        if !verified {
            return Err(Refusal::Signature.into());
        }
        let claims = parts.claims()?;
        claims.check(&outside.audience, platform.now())?;
        // When an issuer withdraws a key, its verified tokens must expire too.
        Ok((Claims::new(claims, Source::Outside), found.until))
    }
}

/// Returns the token of an `Authorization` header. Another scheme counts as no token (RFC 6750, 3.1).
fn bearer(authorization: Option<&str>) -> Result<&str, AuthError> {
    let (scheme, rest) = authorization.map(split_scheme).ok_or_else(AuthError::missing)?;
    if !scheme.eq_ignore_ascii_case("Bearer") {
        return Err(AuthError::missing());
    }
    if rest.len() > limits::TOKEN_BYTES {
        return Err(AuthError::refused(Refusal::Length));
    }
    Ok(rest)
}

/// Splits a header into its scheme and the rest.
fn split_scheme(authorization: &str) -> (&str, &str) {
    let (scheme, rest) = authorization.trim_matches(' ').split_once(' ').unwrap_or((authorization, ""));
    (scheme.trim_matches(' '), rest.trim_start_matches(' '))
}

/// Returns 403 unless the token has a scope for the access to the project.
pub fn authorize(claims: &Claims, access: Access, project: &str) -> Result<(), AuthError> {
    // Scopes have only valid project keys, so no other text is equal to one.
    if claims.scopes.iter().any(|scope| scope.allows(access, project)) {
        return Ok(());
    }
    Err(AuthError::insufficient(access, project))
}

#[cfg(test)]
mod attacks;
#[cfg(test)]
mod fake;
#[cfg(test)]
mod tests;
