//! KV as the platform describes it: one store, and a cache in each location. A put becomes visible when it lands. A
//! location reads the store as it was some time ago, and keeps what it read, absence too, for the cache's time.

use std::collections::BTreeMap;

use resource_edge::contract::kv::Metadata;
use resource_edge::project::{Listed, Put};
use resource_edge::server::settings::KV_CACHE_TTL;
use resource_edge::util::time::Millis;

use crate::world::simulation::faults::Faults;
use crate::world::simulation::random::Random;

/// How long a location keeps what it read: the default of the setting.
pub(crate) const CACHE_MS: Millis = match Millis::from_str_radix(KV_CACHE_TTL.default, 10) {
    Ok(seconds) => seconds * 1_000,
    Err(_) => panic!("the default is a number of seconds"),
};
/// The longest that a location reads the store behind its present state.
pub(crate) const LAG_MS: Millis = 90_000;
/// KV accepts one put of a key in this time.
const RATE_MS: Millis = 1_000;
/// The maximum keys in a page of a list. The platform's number is 1,000; a few keys need several pages here.
const PAGE: usize = 4;

/// A value with its metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) value: String,
    pub(crate) metadata: Metadata,
    pub(crate) expires: Option<Millis>,
}

/// A change of an entry with its time. `None` if the entry was removed.
type Change = (Millis, Option<Stored>);

#[derive(Default)]
pub(crate) struct Kv {
    /// The changes of each entry in the order in which they landed.
    entries: BTreeMap<String, Vec<Change>>,
    /// The cached state of each entry at each location, with its time.
    caches: BTreeMap<(usize, String), Change>,
    /// When the last put of a key arrived.
    arrivals: BTreeMap<String, Millis>,
}

impl Kv {
    /// Returns the entry as it is stored.
    pub(crate) fn stored(&self, entry: &str, now: Millis) -> Option<&Stored> {
        let (_, stored) = self.entries.get(entry)?.last()?;
        stored.as_ref().filter(|stored| stored.expires.is_none_or(|at| at > now))
    }

    /// Returns the newest revision that an entry ever had; 0 if it had none.
    pub(crate) fn newest(&self, entry: &str) -> Millis {
        let changes = self.entries.get(entry).into_iter().flatten();
        changes.filter_map(|(_, stored)| Some(stored.as_ref()?.metadata.revision)).max().unwrap_or(0)
    }

    /// Returns all entries as they are stored.
    pub(crate) fn all(&self, now: Millis) -> impl Iterator<Item = (&str, &Stored)> {
        self.entries.keys().filter_map(move |entry| Some((entry.as_str(), self.stored(entry, now)?)))
    }

    /// Returns whether KV rejects a put that arrives now.
    pub(crate) fn is_too_soon(&mut self, entry: &str, now: Millis) -> bool {
        let before = self.arrivals.insert(entry.to_owned(), now);
        before.is_some_and(|before| now < before + RATE_MS)
    }

    /// Makes a put visible.
    pub(crate) fn land(&mut self, put: &Put, now: Millis) {
        let expires = put.ttl_seconds.map(|seconds| now + Millis::from(seconds) * 1_000);
        let stored = Stored { value: put.value.clone(), metadata: put.metadata.clone(), expires };
        self.change(&put.entry, Some(stored), now);
    }

    /// Removes an entry, as somebody outside the service could.
    pub(crate) fn remove(&mut self, entry: &str, now: Millis) {
        self.change(entry, None, now);
    }

    fn change(&mut self, entry: &str, stored: Option<Stored>, now: Millis) {
        self.entries.entry(entry.to_owned()).or_default().push((now, stored));
    }

    pub(crate) fn read(
        &mut self,
        location: usize,
        entry: &str,
        now: Millis,
        faults: &Faults,
        random: &Random,
    ) -> Option<Stored> {
        let place = (location, entry.to_owned());
        if let Some((until, stored)) = self.caches.get(&place)
            && now < *until
        {
            return stored.clone();
        }
        let lag = match random.chance(faults.kv_lag) {
            true if random.chance(300) => random.below(LAG_MS),
            true => random.below(LAG_MS / 20),
            false => 0,
        };
        let seen = self.as_of(entry, now.saturating_sub(lag));
        let stored = seen.filter(|stored| stored.expires.is_none_or(|at| at > now)).cloned();
        self.caches.insert(place, (now + CACHE_MS, stored.clone()));
        stored
    }

    fn as_of(&self, entry: &str, at: Millis) -> Option<&Stored> {
        let changes = self.entries.get(entry)?;
        changes.iter().rev().find(|(landed, _)| *landed <= at)?.1.as_ref()
    }

    /// Returns a page of the keys with the prefix, and where the next page begins.
    pub(crate) fn list(
        &self,
        prefix: &str,
        cursor: Option<&str>,
        now: Millis,
    ) -> (Vec<Listed>, Option<String>) {
        let after = cursor.unwrap_or_default();
        let mut rest = self.all(now).filter(|(entry, _)| entry.starts_with(prefix) && *entry > after).map(
            |(entry, stored)| Listed { entry: entry.to_owned(), metadata: Some(stored.metadata.clone()) },
        );
        let page: Vec<Listed> = rest.by_ref().take(PAGE).collect();
        let cursor = rest.next().and_then(|_| page.last()).map(|listed| listed.entry.clone());
        (page, cursor)
    }
}
