//! Access tokens as JWTs (RFC 7519, RFC 9068): parsing and checks. Other modules choose the key of a token; the token
//! never does.
//!
//! Ours instead of `jsonwebtoken`, because that brings the cryptography that verifies signatures into the upload, and
//! the platform has WebCrypto.

use base64ct::{Base64UrlUnpadded, Encoding as _};

use crate::contract::{limits, names};
use crate::util::strict_json::{self, Json, JsonMembers};
use crate::util::time::Millis;

/// How far clocks may differ, in milliseconds.
const SKEW: Millis = 60_000;
/// The latest time in a token, in seconds: the end of the year 9999 (D6).
const LATEST: f64 = 253_402_300_799.0;

names! {
    /// Why a token is not trusted. The description has only characters that RFC 6750 allows in an `error_description`.
    pub(super) enum TokenRefusal description:
    Length = "The token is too long.",
    Form = "The token is malformed.",
    Type = "The token is not an access token: its typ is not at+jwt.",
    Critical = "The token has critical extensions, which the service does not support.",
    Issuer = "The service does not trust the token's issuer.",
    Algorithm = "The token's algorithm is not that of its key.",
    Key = "The token's issuer has no such key.",
    Signature = "The token's signature is not valid.",
    Claims = "The token's claims are incomplete or malformed.",
    Audience = "The token is for another audience.",
    Expired = "The token has expired.",
    Early = "The token is not valid yet.",
}

/// A parsed token. Nothing in it is trusted yet.
#[derive(Debug)]
pub(super) struct JwtParts<'t> {
    pub(super) signed: &'t [u8],
    pub(super) signature: Vec<u8>,
    header: JsonMembers,
    payload: JsonMembers,
}

impl<'t> JwtParts<'t> {
    /// Parses a token, and checks what needs no key.
    pub(super) fn parse(token: &'t str) -> Result<Self, TokenRefusal> {
        if token.len() > limits::TOKEN_BYTES {
            return Err(TokenRefusal::Length);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenRefusal::Form)?;
        // A further dot is not base64url, so only exactly three parts pass.
        let (header, payload) = signed.split_once('.').ok_or(TokenRefusal::Form)?;
        let parts = Self {
            signed: signed.as_bytes(),
            signature: bytes(signature)?,
            header: members(header)?,
            payload: members(payload)?,
        };
        let is_access_token =
            |typ: &str| ["at+jwt", "application/at+jwt"].iter().any(|known| known.eq_ignore_ascii_case(typ));
        if !strict_json::text_of(&parts.header, "typ").is_some_and(is_access_token) {
            return Err(TokenRefusal::Type);
        }
        if parts.header.contains_key("crit") {
            return Err(TokenRefusal::Critical);
        }
        Ok(parts)
    }

    pub(super) fn issuer(&self) -> Result<&str, TokenRefusal> {
        strict_json::text_of(&self.payload, "iss").ok_or(TokenRefusal::Claims)
    }

    pub(super) fn kid(&self) -> Result<&str, TokenRefusal> {
        strict_json::text_of(&self.header, "kid").ok_or(TokenRefusal::Key)
    }

    pub(super) fn claims_algorithm(&self, name: &str) -> Result<(), TokenRefusal> {
        if strict_json::text_of(&self.header, "alg") == Some(name) {
            Ok(())
        } else {
            Err(TokenRefusal::Algorithm)
        }
    }

    /// Returns the claims. Call it only after the signature has been verified.
    pub(super) fn claims(&self) -> Result<TokenClaims, TokenRefusal> {
        TokenClaims::read(&self.payload).ok_or(TokenRefusal::Claims)
    }

    /// Returns all members of the payload. Call it only after the signature has been verified.
    pub(super) fn into_payload(self) -> JsonMembers {
        self.payload
    }
}

fn bytes(part: &str) -> Result<Vec<u8>, TokenRefusal> {
    Base64UrlUnpadded::decode_vec(part).map_err(|_| TokenRefusal::Form)
}

fn members(part: &str) -> Result<JsonMembers, TokenRefusal> {
    strict_json::object(&bytes(part)?).ok_or(TokenRefusal::Form)
}

/// The claims that RFC 9068 requires.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct TokenClaims {
    pub(super) issuer: String,
    pub(super) audience: Vec<String>,
    pub(super) subject: String,
    pub(super) client_id: String,
    pub(super) id: String,
    /// Empty if the token has none.
    pub(super) scope: String,
    pub(super) expires: Millis,
    pub(super) issued: Millis,
    pub(super) not_before: Option<Millis>,
}

impl TokenClaims {
    fn read(payload: &JsonMembers) -> Option<Self> {
        let text = |name: &str| strict_json::text_of(payload, name).map(str::to_owned);
        let party = |name: &str| text(name).filter(|party| is_party(party));
        let audience = match payload.get("aud")? {
            Json::Text(one) => vec![one.clone()],
            several => several.texts()?.into_iter().map(str::to_owned).collect(),
        };
        Some(Self {
            issuer: text("iss")?,
            audience,
            subject: party("sub")?,
            client_id: party("client_id")?,
            id: text("jti")?,
            scope: if payload.contains_key("scope") { text("scope")? } else { String::new() },
            expires: instant(payload.get("exp")?)?,
            issued: instant(payload.get("iat")?)?,
            not_before: if let Some(value) = payload.get("nbf") { Some(instant(value)?) } else { None },
        })
    }

    pub(super) fn check(&self, audience: &str, now: Millis) -> Result<(), TokenRefusal> {
        if !self.audience.iter().any(|one| one == audience) {
            return Err(TokenRefusal::Audience);
        }
        if has_expired(self.expires, now) {
            return Err(TokenRefusal::Expired);
        }
        if self.issued.max(self.not_before.unwrap_or_default()) > now.saturating_add(SKEW) {
            return Err(TokenRefusal::Early);
        }
        Ok(())
    }
}

/// Returns whether a token with this expiry has expired, including the skew.
pub(super) fn has_expired(expires: Millis, now: Millis) -> bool {
    now >= expires.saturating_add(SKEW)
}

fn is_party(text: &str) -> bool {
    (1..=limits::TOKEN_NAME_BYTES).contains(&text.len()) && !text.chars().any(char::is_control)
}

/// Returns the milliseconds of a `NumericDate`, which may have a fraction (RFC 7519, 2).
fn instant(value: &Json) -> Option<Millis> {
    match value {
        // Within the bounds, the product is far below 2^53.
        Json::Number(seconds) if (0.0..=LATEST).contains(seconds) => Some((seconds * 1000.0) as Millis),
        _ => None,
    }
}
