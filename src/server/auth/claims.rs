//! Claims of a verified token.

use super::jwt::{self, TokenClaims};
use crate::contract::api::endpoint::Access;
use crate::server::settings::scope::Scope;
use crate::util::json;
use crate::util::time::Millis;

/// The caller of a verified token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    caller: String,
    client_id: String,
    subject: String,
    expires: Millis,
    source: TokenIssuer,
    scopes: Vec<Scope>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenIssuer {
    BuiltIn,
    /// The external issuer, `TOKEN_ISSUER`.
    External,
}

impl Claims {
    pub(super) fn new(token: TokenClaims, source: TokenIssuer) -> Self {
        let mut caller = String::new();
        json::array(&mut caller, &[&token.issuer, &token.client_id, &token.subject], |out, name| {
            json::string(out, name);
        });
        // Ignores scopes of other services, and scopes without a project.
        let scopes = token.scope.split(' ').filter_map(Scope::of_token).collect();
        let TokenClaims { client_id, subject, expires, .. } = token;
        Self { caller, client_id, subject, expires, source, scopes }
    }

    /// Returns the caller as a JSON array of issuer, client, and subject, so that callers of different issuers are
    /// never equal. It is the same for each token of a caller (D18).
    pub fn caller(&self) -> &str {
        &self.caller
    }

    pub fn client_id(&self) -> &str {
        &self.client_id
    }

    /// Returns the subject: the client itself, or a user.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Returns when the token expires, without skew.
    pub fn expires(&self) -> Millis {
        self.expires
    }

    pub fn source(&self) -> TokenIssuer {
        self.source
    }

    pub(super) fn has_expired(&self, now: Millis) -> bool {
        jwt::has_expired(self.expires, now)
    }

    /// Returns whether one of the scopes allows the access to the project.
    pub(super) fn allow(&self, access: Access, project: &str) -> bool {
        // Scopes have only valid project keys, so no other text is equal to one.
        self.scopes.iter().any(|scope| scope.allows(access, project))
    }
}
