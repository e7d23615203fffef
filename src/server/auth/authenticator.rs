//! Verifies bearer tokens: selects the issuer's keys, and caches verified tokens.

use std::cell::RefCell;
use std::rc::Rc;

use super::authorization::bearer;
use super::cache::TokenCache;
use super::claims::Claims;
use super::error::{self, keys_unavailable, unconfigured};
use super::jwks::{self, Jwks};
use super::jwt::{JwtParts, TokenRefusal};
use crate::contract::api::endpoint::Access;
use crate::contract::error::ApiError;
use crate::server::platform::{Algorithm, Host, Port};
use crate::server::settings::{BUILT_IN_ISSUER, ExternalIssuer, Settings, SettingsError};
use crate::util::time::Millis;

/// Verifies and issues tokens. Created once for all requests; it caches keys and verified tokens.
#[derive(Debug)]
pub struct Authenticator {
    /// The settings; the defaults if they have an error.
    pub(in crate::server) settings: Settings,
    error: Option<SettingsError>,
    pub(super) tokens: RefCell<TokenCache>,
    keys: Jwks,
}

impl Authenticator {
    /// Creates an authenticator. If the settings have an error, it rejects every call.
    pub fn new(settings: Result<Settings, SettingsError>) -> Self {
        let (settings, error) = match settings {
            Ok(settings) => (settings, None),
            Err(error) => (Settings::default(), Some(error)),
        };
        Self { settings, error, tokens: RefCell::default(), keys: Jwks::default() }
    }

    /// Writes a line to the log if the settings make every call fail. The line has no values.
    pub fn report<H: Host>(&self, host: &H) {
        if let Err(error) = self.configured() {
            host.log_failure("every call is rejected", error.message());
        }
    }

    /// Verifies the bearer token of an `Authorization` header. Returns 401 if it is not trusted, and 503 if the service
    /// cannot decide or is not configured.
    pub async fn authenticate<H: Host>(
        &self,
        platform: &Port<H>,
        authorization: Option<&str>,
    ) -> Result<Rc<Claims>, ApiError> {
        let settings = self.configured()?;
        let token = bearer(authorization)?;
        let cached = self.tokens.borrow_mut().get(token, platform.host.now());
        if let Some(claims) = cached {
            return Ok(claims);
        }
        let (claims, until) = self.verify(settings, platform, token).await?;
        let claims = Rc::new(claims);
        self.tokens.borrow_mut().insert(token, Rc::clone(&claims), until, &platform.host);
        Ok(claims)
    }

    /// Returns the settings, if they are valid and have an issuer.
    pub(in crate::server) fn configured(&self) -> Result<&Settings, ApiError> {
        match &self.error {
            None if self.settings.has_issuer() => Ok(&self.settings),
            None => Err(unconfigured(
                "no token issuer is set; set TOKEN_SECRET and API_CLIENTS, or TOKEN_ISSUER, TOKEN_AUDIENCE \
                 and TOKEN_JWKS_URL",
            )),
            Some(error) => Err(unconfigured(&error.to_string())),
        }
    }

    /// Returns the token's claims, and until when they need no new verification. The claimed issuer determines the keys
    /// that are tried, and the key determines the algorithm.
    async fn verify<H: Host>(
        &self,
        settings: &Settings,
        platform: &Port<H>,
        token: &str,
    ) -> Result<(Claims, Millis), ApiError> {
        let parts = JwtParts::parse(token)?;
        let issuer = parts.issuer()?;
        if let Some(built_in) = settings.built_in.as_ref().filter(|_| issuer == BUILT_IN_ISSUER) {
            let claims = built_in.verify(&parts, platform.host.now())?;
            return Ok((Claims::new(&claims, parts.into_payload()), Millis::MAX));
        }
        if let Some(external) = settings.external.as_ref().filter(|external| issuer == external.issuer) {
            return self.verify_external(external, platform, parts).await;
        }
        Err(TokenRefusal::Issuer.into())
    }

    async fn verify_external<H: Host>(
        &self,
        external: &ExternalIssuer,
        platform: &Port<H>,
        parts: JwtParts<'_>,
    ) -> Result<(Claims, Millis), ApiError> {
        let is_claimed = |algorithm: Algorithm| parts.claims_algorithm(algorithm.name()).is_ok();
        let found = self.keys.find(platform, &external.jwks_url, parts.kid()?, is_claimed).await?;
        if !jwks::is_signature(found.key.algorithm, &parts.signature) {
            return Err(TokenRefusal::Signature.into());
        }
        let verified = platform.verify(found.key, parts.signed, &parts.signature).await.map_err(|cause| {
            platform.host.log_failure("a signature could not be verified", &cause.0);
            keys_unavailable()
        })?;
        if !verified {
            return Err(TokenRefusal::Signature.into());
        }
        let claims = parts.claims()?;
        claims.check(&external.audience, platform.host.now())?;
        // When an issuer withdraws a key, its verified tokens must expire too.
        Ok((Claims::new(&claims, parts.into_payload()), found.until))
    }
}

/// Returns 403 unless the token has a scope for the access to the project, and 401 without a token.
pub fn authorize(claims: &Claims, access: Access, project: &str) -> Result<(), ApiError> {
    if claims.are_anonymous() {
        return Err(error::missing());
    }
    // Scopes have only valid project keys, so no other text is equal to one.
    let is_allowed = claims.scopes.iter().any(|scope| scope.allows(access, project));
    if is_allowed { Ok(()) } else { Err(error::insufficient(access, project)) }
}
