//! A cache of verified tokens: the next request with the same token costs one hash.

use std::rc::Rc;

use super::claims::Claims;
use crate::util::generations::Generations;
use crate::util::time::Millis;

/// How many tokens a generation has. There are two generations.
const GENERATION: usize = 512;

/// The hash of a token. The time of a look-up by it reveals nothing about the token.
pub(super) type Digest = [u8; 32];

#[derive(Debug)]
pub(super) struct TokenCache(Generations<Digest, Verified>);

impl Default for TokenCache {
    fn default() -> Self {
        Self(Generations::new(GENERATION))
    }
}

#[derive(Debug)]
struct Verified {
    claims: Rc<Claims>,
    /// When the verification expires. The token itself may be valid for longer.
    until: Millis,
}

impl TokenCache {
    /// Returns the claims of a token that was verified and has not expired.
    pub(super) fn get(&mut self, token: &Digest, now: Millis) -> Option<Rc<Claims>> {
        let verified = self.0.get_mut(token)?;
        if verified.claims.has_expired(now) || now >= verified.until {
            self.0.remove(token);
            return None;
        }
        Some(Rc::clone(&verified.claims))
    }

    /// Stores a verified token until a time, and never past its expiry.
    pub(super) fn insert(&mut self, token: Digest, claims: Rc<Claims>, until: Millis) {
        self.0.insert(token, Verified { claims, until });
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
