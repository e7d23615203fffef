//! A cache of verified tokens: the next request with the same token costs one hash.

use std::rc::Rc;

use super::claims::Claims;
use crate::util::sorted::SortedMap;
use crate::util::time::Millis;

/// How many tokens a generation has. There are two generations.
const GENERATION: usize = 512;

/// The hash of a token. The time of a look-up by it reveals nothing about the token.
pub(super) type Digest = [u8; 32];

/// Verified tokens in two generations. When the young generation is full, it replaces the old one. A token that is used
/// moves back to the young generation, so there is no list to keep in order.
#[derive(Debug, Default)]
pub(super) struct TokenCache {
    young: SortedMap<Digest, Verified>,
    old: SortedMap<Digest, Verified>,
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
        if let Some(verified) = self.old.remove(token) {
            self.put(*token, verified);
        }
        let Verified { claims, until } = self.young.get(token)?;
        if claims.has_expired(now) || now >= *until {
            self.young.remove(token);
            return None;
        }
        Some(Rc::clone(claims))
    }

    /// Stores a verified token until a time, and never past its expiry.
    pub(super) fn insert(&mut self, token: Digest, claims: Rc<Claims>, until: Millis) {
        self.put(token, Verified { claims, until });
    }

    fn put(&mut self, token: Digest, verified: Verified) {
        if self.young.len() >= GENERATION {
            self.old = core::mem::take(&mut self.young);
        }
        self.young.insert(token, verified);
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }
}
