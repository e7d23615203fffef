//! Claims of a verified token.

use sha2::{Digest as _, Sha256};

use super::jwt::{self, TokenClaims, TokenRefusal};
use crate::contract::api::endpoint::Access;
use crate::contract::error::ApiError;
use crate::contract::limits::INTEGER_MAX;
use crate::server::settings::scope::Scope;
use crate::util::json;
use crate::util::strict_json::JsonMembers;
use crate::util::text::concat;
use crate::util::time::Millis;

/// The beginning of the name of a caller without a token. Other names are JSON arrays.
const ANONYMOUS: &str = "anonymous ";

#[derive(Debug, Clone, PartialEq)]
pub struct Claims {
    /// The caller as a JSON array of issuer, client, and subject, so that callers of different issuers are never
    /// equal. It is the same for each token of a caller (D18).
    pub caller: String,
    /// The end of the token, in milliseconds since 1970.
    pub expires: Millis,
    pub(super) scopes: Vec<Scope>,
    /// All claims, for the rules of projects.
    members: JsonMembers,
}

impl Claims {
    pub(super) fn new(token: &TokenClaims, members: JsonMembers) -> Self {
        let mut caller = String::new();
        json::array(&mut caller, &[&token.issuer, &token.client_id, &token.subject], |out, name| {
            json::string(out, name);
        });
        // Ignores scopes of other services, and scopes without a project.
        let scopes = token.scope.split(' ').filter_map(Scope::of_token).collect();
        Self { caller, expires: token.expires, scopes, members }
    }

    /// Creates the claims of a caller without a token, who is known by an address.
    pub fn anonymous(address: &str) -> Self {
        let caller = concat(&[ANONYMOUS, address]);
        Self { caller, expires: INTEGER_MAX as Millis, scopes: Vec::new(), members: JsonMembers::new() }
    }

    /// Returns whether there is no token.
    pub(in crate::server) fn are_anonymous(&self) -> bool {
        self.caller.starts_with(ANONYMOUS)
    }

    pub fn members(&self) -> &JsonMembers {
        &self.members
    }

    pub fn has_scope_of(&self, project: &str) -> bool {
        self.scopes.iter().any(|scope| scope.allows(Access::Read, project))
    }

    /// Returns how long the token is valid, in milliseconds, or an error if it has expired. Here clocks do not differ:
    /// what waits would end at once, and a caller who sends it again would never pause.
    pub fn remaining(&self, now: Millis) -> Result<u32, ApiError> {
        match self.expires.saturating_sub(now) {
            0 => Err(TokenRefusal::Expired.into()),
            ms => Ok(u32::try_from(ms).unwrap_or(u32::MAX)),
        }
    }

    /// Returns the caller as a number below 2^53: a part of its hash.
    pub fn number(&self) -> u64 {
        let hash: [u8; 32] = Sha256::digest(&self.caller).into();
        hash.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes) >> 11)
    }

    pub(super) fn has_expired(&self, now: Millis) -> bool {
        jwt::has_expired(self.expires, now)
    }
}
