//! A cache of verified tokens: the next request with the same token costs one hash.

use core::hash::Hasher as _;
use std::hash::DefaultHasher;
use std::rc::Rc;

use super::claims::Claims;
use crate::server::platform::Host;
use crate::util::generations::Generations;
use crate::util::time::Millis;

/// How many tokens a generation has. There are two generations.
const GENERATION: usize = 512;

/// The tokens by their hashes. Nobody knows the hash of a token without the secret, so the time of a look-up reveals
/// nothing about the tokens.
#[derive(Debug)]
pub(super) struct TokenCache {
    tokens: Generations<u64, Verified>,
    /// Random, as soon as there is a token.
    secret: [u8; 16],
}

impl Default for TokenCache {
    fn default() -> Self {
        Self { tokens: Generations::new(GENERATION), secret: [0; 16] }
    }
}

#[derive(Debug)]
struct Verified {
    token: Box<str>,
    claims: Rc<Claims>,
    /// When the verification expires. The token itself may be valid for longer.
    until: Millis,
}

impl TokenCache {
    /// Returns the claims of a token that was verified and has not expired.
    pub(super) fn get(&mut self, token: &str, now: Millis) -> Option<Rc<Claims>> {
        let hash = self.hash(token);
        let verified = self.tokens.get_mut(&hash).filter(|verified| *verified.token == *token)?;
        if verified.claims.has_expired(now) || now >= verified.until {
            self.tokens.remove(&hash);
            return None;
        }
        Some(Rc::clone(&verified.claims))
    }

    /// Stores a verified token until a time, and never past its expiry. Of two tokens with one hash it has the last.
    pub(super) fn insert<H: Host>(&mut self, token: &str, claims: Rc<Claims>, until: Millis, host: &H) {
        if self.tokens.is_empty() {
            host.random(&mut self.secret);
        }
        self.tokens.insert(self.hash(token), Verified { token: token.into(), claims, until });
    }

    fn hash(&self, token: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        hasher.write(&self.secret);
        hasher.write(token.as_bytes());
        hasher.finish()
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::auth::jwt::TokenClaims;
    use crate::server::auth::tests::fake::{Fake, NOW};
    use crate::test;
    use crate::util::strict_json::JsonMembers;

    #[test]
    fn a_token_with_the_hash_of_another_is_unknown() {
        let mut cache = TokenCache::default();
        let token = TokenClaims { expires: Millis::MAX, ..TokenClaims::default() };
        let claims = Rc::new(Claims::new(&token, JsonMembers::new()));
        cache.insert("a", claims, Millis::MAX, &&Fake::new());
        assert!(cache.get("a", NOW).is_some());
        let hash = cache.hash("a");
        cache.tokens.get_mut(&hash).unwrap().token = "b".into();
        assert!(cache.get("a", NOW).is_none());
    }
}
