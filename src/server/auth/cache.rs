//! Tokens that were verified, so that a caller's next request costs one hash.

use std::rc::Rc;

use super::Claims;
use crate::contract::sorted::SortedMap;
use crate::contract::time::Millis;

/// How many tokens a generation holds; there are two.
const GENERATION: usize = 512;

/// The hash of a token. A lookup by it tells nothing of the token through its time.
pub(super) type Digest = [u8; 32];

/// Verified tokens, at most twice a generation of them: when the young are full they become the old, and the old go. A
/// token that is used survives by moving back to the young, so no list has to be kept in order.
#[derive(Debug, Default)]
pub(super) struct TokenCache {
    young: SortedMap<Digest, Verified>,
    old: SortedMap<Digest, Verified>,
}

#[derive(Debug)]
struct Verified {
    claims: Rc<Claims>,
    /// When the verification itself is out of date, though the token may not be.
    until: Millis,
}

impl TokenCache {
    /// The claims of a token that was verified and has not expired.
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

    /// Remembers a verified token until an instant, and never past its expiry.
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
