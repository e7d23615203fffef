//! Issued tokens: signed and verified with `TOKEN_SECRET`.

use base64ct::{Base64UrlUnpadded, Encoding as _};
use hmac::Mac as _;

use super::jwt::{JwtParts, TokenClaims, TokenRefusal};
use crate::server::settings::scope::{self, Scope};
use crate::server::settings::{ApiClient, BUILT_IN_ISSUER, BuiltInIssuer};
use crate::util::json;
use crate::util::time::Millis;

/// The header of every issued token.
const HEADER: &str = "{\"typ\":\"at+jwt\",\"alg\":\"HS256\"}";

impl BuiltInIssuer {
    /// Returns the claims of a token that this issuer signed, with its present or previous key, and that has not
    /// expired.
    pub(super) fn verify(&self, parts: &JwtParts<'_>, now: Millis) -> Result<TokenClaims, TokenRefusal> {
        parts.claims_algorithm("HS256")?;
        let mut keys = [Some(&self.key), self.previous.as_ref()].into_iter().flatten();
        let is_signed = keys.any(|key| {
            let mut mac = key.clone();
            mac.update(parts.signed);
            // In constant time.
            mac.verify_slice(&parts.signature).is_ok()
        });
        if !is_signed {
            return Err(TokenRefusal::Signature);
        }
        let claims = parts.claims()?;
        if claims.issuer != BUILT_IN_ISSUER {
            return Err(TokenRefusal::Issuer);
        }
        claims.check(BUILT_IN_ISSUER, now)?;
        Ok(claims)
    }

    /// Creates a token for the client; `id` has unpredictable bytes that identify the token.
    pub(super) fn issue(&self, client: &ApiClient, scopes: &[Scope], now: Millis, id: [u8; 16]) -> String {
        // Times are below 2^53.
        let issued = (now / 1000) as i64;
        let payload = json::object(|object| {
            object.text("iss", BUILT_IN_ISSUER);
            object.text("aud", BUILT_IN_ISSUER);
            object.text("sub", &client.id);
            object.text("client_id", &client.id);
            object.integer("iat", issued);
            object.integer("exp", issued + i64::from(self.ttl));
            object.text("jti", &Base64UrlUnpadded::encode_string(&id));
            object.text("scope", &scope::join(scopes));
        });
        self.sign(HEADER, &payload)
    }

    pub(super) fn sign(&self, header: &str, payload: &str) -> String {
        let mut token = Base64UrlUnpadded::encode_string(header.as_bytes());
        token.push('.');
        token.push_str(&Base64UrlUnpadded::encode_string(payload.as_bytes()));
        let mut mac = self.key.clone();
        mac.update(token.as_bytes());
        token.push('.');
        token.push_str(&Base64UrlUnpadded::encode_string(&mac.finalize().into_bytes()));
        token
    }
}
