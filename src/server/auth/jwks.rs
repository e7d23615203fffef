//! The keys of the external issuer: fetched, parsed, and cached (RFC 7517).

use std::cell::RefCell;

use base64ct::{Base64UrlUnpadded, Encoding as _};

use super::error::keys_unavailable;
use super::jwt::TokenRefusal;
use crate::contract::error::ApiError;
use crate::server::platform::{Algorithm, Host, Port, PublicKey};
use crate::util::json;
use crate::util::strict_json::{self, JsonMembers};
use crate::util::time::Millis;

/// How long fetched keys are used before the next fetch, in milliseconds.
const FRESH: Millis = 10 * 60 * 1000;
/// How long they are trusted while the issuer is unavailable.
const STALE: Millis = 24 * 60 * 60 * 1000;
/// The minimum time between two fetches while there are keys.
const PAUSE: Millis = 60 * 1000;
/// The minimum time after a failed fetch while there are no keys.
const RETRY: Millis = 5 * 1000;
/// The largest set of keys, in bytes.
const SET_BYTES: usize = 256 * 1024;
/// The allowed lengths of an RSA modulus, in bytes (RFC 7518, 3.3: 2048 bits or more).
const MODULUS_BYTES: core::ops::RangeInclusive<usize> = 256..=1024;

#[derive(Debug)]
struct Key {
    kid: String,
    public: PublicKey,
}

/// A key, and until when it needs no new look-up.
#[derive(Debug)]
pub(super) struct FoundKey {
    pub(super) key: PublicKey,
    pub(super) until: Millis,
}

#[derive(Debug, Default)]
pub(super) struct Jwks(RefCell<State>);

#[derive(Debug, Default)]
struct State {
    keys: Vec<Key>,
    /// When the keys were fetched. `None` before the first success.
    fetched: Option<Millis>,
    attempt: Option<(Millis, Attempt)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attempt {
    /// Started. It may never end, because a request may be dropped at any await.
    Pending,
    Failed,
    Done,
}

impl Jwks {
    /// Returns the key of a name. Fetches the set if it is out of date or lacks the name, within the limits above.
    pub(super) async fn find<H: Host>(
        &self,
        platform: &Port<H>,
        url: &str,
        kid: &str,
        algorithm: impl Fn(Algorithm) -> bool,
    ) -> Result<FoundKey, ApiError> {
        let now = platform.host.now();
        if self.0.borrow().wants_fetch(now, kid) {
            self.0.borrow_mut().attempt = Some((now, Attempt::Pending));
            // No borrow is held here: another request may run meanwhile.
            let keys = fetch(platform, url).await;
            self.0.borrow_mut().settle(platform.host.now(), keys);
        }
        self.0.borrow().lookup(platform.host.now(), kid, algorithm)
    }
}

impl State {
    fn has(&self, kid: &str) -> bool {
        self.keys.iter().any(|key| key.kid == kid)
    }

    fn is_younger(instant: Option<Millis>, age: Millis, now: Millis) -> bool {
        // If the clock was set back, the keys do not count as new for long.
        instant.is_some_and(|instant| now.abs_diff(instant) < age)
    }

    fn wants_fetch(&self, now: Millis, kid: &str) -> bool {
        let attempted = |age| Self::is_younger(self.attempt.map(|(begun, _)| begun), age, now);
        if Self::is_younger(self.fetched, STALE, now) {
            let current = Self::is_younger(self.fetched, FRESH, now) && self.has(kid);
            !current && !attempted(PAUSE)
        } else {
            // During the first fetch other requests may fetch too: on Workers no request can wait for another one.
            let has_failed = matches!(self.attempt, Some((_, Attempt::Failed)));
            !(has_failed && attempted(RETRY))
        }
    }

    fn settle(&mut self, now: Millis, keys: Option<Vec<Key>>) {
        let outcome = if keys.is_some() { Attempt::Done } else { Attempt::Failed };
        self.attempt = Some((self.attempt.map_or(now, |(begun, _)| begun), outcome));
        if let Some(keys) = keys {
            self.keys = keys;
            self.fetched = Some(now);
        }
    }

    fn lookup(
        &self,
        now: Millis,
        kid: &str,
        algorithm: impl Fn(Algorithm) -> bool,
    ) -> Result<FoundKey, ApiError> {
        let Some(fetched) = self.fetched.filter(|fetched| Self::is_younger(Some(*fetched), STALE, now))
        else {
            return Err(keys_unavailable());
        };
        if !self.has(kid) {
            // If the fetch failed, the name may belong to a new key.
            let asked = matches!(self.attempt, Some((_, Attempt::Done)));
            return Err(if asked { TokenRefusal::Key.into() } else { keys_unavailable() });
        }
        self.keys
            .iter()
            .find(|key| key.kid == kid && algorithm(key.public.algorithm))
            .map(|key| FoundKey { key: key.public.clone(), until: fetched.saturating_add(FRESH) })
            .ok_or_else(|| TokenRefusal::Algorithm.into())
    }
}

async fn fetch<H: Host>(platform: &Port<H>, url: &str) -> Option<Vec<Key>> {
    let outcome = match platform.fetch_text(url).await {
        Ok(text) => parse(&text).ok_or_else(|| "the response is not a set of keys".to_owned()),
        Err(cause) => Err(cause.0),
    };
    let log = |cause: &String| {
        platform.host.log_failure("the keys at TOKEN_JWKS_URL are unavailable", cause);
    };
    outcome.inspect_err(log).ok()
}

/// Returns the keys of a set that can verify tokens. Ignores others, as RFC 7517, 5 requires.
fn parse(text: &str) -> Option<Vec<Key>> {
    if text.len() > SET_BYTES {
        return None;
    }
    let set = strict_json::object(text.as_bytes())?;
    let keys = set.get("keys")?.array()?;
    Some(keys.iter().filter_map(|key| read(key.object()?)).collect())
}

fn read(members: &JsonMembers) -> Option<Key> {
    let text = |name: &str| strict_json::text_of(members, name);
    // An absent member allows all; a member of a wrong type allows nothing.
    let allows = |name: &str, wanted: &str| !members.contains_key(name) || text(name) == Some(wanted);
    let verifies = match members.get("key_ops") {
        None => true,
        Some(operations) => operations.texts()?.contains(&"verify"),
    };
    let (algorithm, jwk) = match text("kty")? {
        "RSA" => (Algorithm::Rs256, rsa(text("n")?, text("e")?)?),
        "EC" if text("crv") == Some("P-256") => (Algorithm::Es256, ec(text("x")?, text("y")?)?),
        _ => return None,
    };
    (verifies && allows("use", "sig") && allows("alg", algorithm.name()))
        .then(|| Some(Key { kid: text("kid")?.to_owned(), public: PublicKey { algorithm, jwk } }))?
}

/// Returns whether the bytes have the length of a signature: for ES256 two numbers of 32 bytes (RFC 7518, 3.4), for
/// RS256 the length of the modulus.
pub(super) fn is_signature(algorithm: Algorithm, bytes: &[u8]) -> bool {
    match algorithm {
        Algorithm::Rs256 => MODULUS_BYTES.contains(&bytes.len()),
        Algorithm::Es256 => bytes.len() == 64,
    }
}

/// Returns the key with only the members that it needs, so that nothing else in the set reaches `importKey`.
fn rsa(modulus: &str, exponent: &str) -> Option<String> {
    let n = Base64UrlUnpadded::decode_vec(modulus).ok()?;
    let e = Base64UrlUnpadded::decode_vec(exponent).ok()?;
    let long_enough = MODULUS_BYTES.contains(&n.iter().skip_while(|byte| **byte == 0).count());
    // With an exponent of 1 every signature would be its own message.
    let odd = (1..=8).contains(&e.len()) && e.last().is_some_and(|byte| byte % 2 == 1) && e != [1];
    (long_enough && odd).then(|| jwk(&[("kty", "RSA"), ("n", modulus), ("e", exponent)]))
}

fn ec(x: &str, y: &str) -> Option<String> {
    let is_coordinate = |text: &str| Base64UrlUnpadded::decode_vec(text).is_ok_and(|bytes| bytes.len() == 32);
    (is_coordinate(x) && is_coordinate(y))
        .then(|| jwk(&[("kty", "EC"), ("crv", "P-256"), ("x", x), ("y", y)]))
}

fn jwk(members: &[(&str, &str)]) -> String {
    json::object(|object| {
        for (name, value) in members {
            object.text(name, value);
        }
    })
}

#[cfg(test)]
mod tests;
