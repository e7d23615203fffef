//! The session: the client's newest revision per ID and key, for read-your-writes and monotonic reads (contract,
//! section 9).
//!
//! The memory is bounded without weakening the guarantee: when the session drops a name, the name's revision becomes
//! the default minimum of all names that the session does not have. The next read of such a name goes to the source of
//! truth, and then the session has the name again.

use crate::util::time::Millis;

/// The number of names in a set.
const WAYS: usize = 4;
/// How many sets the first name allocates. A program may have thousands of clients that each observe little.
const FIRST_SETS: usize = 4;
/// The maximum number of sets. A full set doubles their number until then.
const MAX_SETS: usize = 256;

/// The hash of an ID or a key. Two names with the same hash share the higher of their minimum revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NameHash(u64);

impl NameHash {
    const NONE: Self = Self(0);

    /// Hashes an ID.
    #[must_use]
    pub(super) fn id(text: &str) -> Self {
        Self::hash(b'i', text)
    }

    /// Hashes a key.
    #[must_use]
    pub(super) fn key(text: &str) -> Self {
        Self::hash(b'k', text)
    }

    /// Hashes eight bytes at a time by rotation and multiplication. Folds the upper half of the result into the lower
    /// half, which selects the set.
    #[inline(never)]
    fn hash(kind: u8, text: &str) -> Self {
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        let rest = rest.iter().fold(text.len() as u64, |word, byte| word << 8 | u64::from(*byte));
        let words = words.iter().map(|word| u64::from_le_bytes(*word));
        let hash = words.chain([rest]).fold(u64::from(kind), |hash, word| {
            (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
        });
        Self((hash ^ (hash >> 32)).max(1))
    }

    /// Returns the index of the name's set.
    fn set(self, sets: usize) -> usize {
        // The remainder fits.
        (self.0 % sets.max(1) as u64) as usize
    }
}

/// How a revision compares with what the client has observed of a name, even if the session has dropped the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recency {
    /// It is not older.
    Current,
    /// It may be older. Then a name that the session does not have keeps the default minimum.
    Unknown,
}

/// The key of a resource, as far as a response shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KnownKey {
    /// Nothing.
    Unknown,
    /// The resource has no key.
    None,
    /// The resource has this key.
    Key(NameHash),
}

#[derive(Debug, Clone, Copy)]
struct SessionEntry {
    name: NameHash,
    /// The newest revision that the client has seen of the name. It never falls.
    revision: Millis,
    /// The number of the observation that last raised it.
    raised_at: u64,
    /// For an ID: the key of the resource when it was last observed.
    key: NameHash,
}

const EMPTY: SessionEntry =
    SessionEntry { name: NameHash::NONE, revision: 0, raised_at: 0, key: NameHash::NONE };

/// The newest revision that the client has seen of each ID and key.
#[derive(Debug, Clone, Default)]
pub(super) struct Session {
    /// Its sets, from `FIRST_SETS` to `MAX_SETS` of them; none before the first name.
    sets: Vec<[SessionEntry; WAYS]>,
    /// The minimum revision of every name that the session does not have.
    default_minimum: Millis,
    /// The number of observations.
    observations: u64,
    /// The number of the observation that last dropped a name.
    dropped_at: u64,
}

impl Session {
    /// Returns the number of observations: the session's clock.
    #[must_use]
    pub(super) fn observations(&self) -> u64 {
        self.observations
    }

    /// Returns the minimum revision that a read of the name accepts.
    #[must_use]
    pub(super) fn minimum_revision(&self, name: NameHash) -> Millis {
        self.entry(name).map_or(self.default_minimum, |entry| entry.revision)
    }

    /// Returns whether the session has the name. Then its minimum revision is what the client has observed of it, not
    /// the default.
    #[must_use]
    pub(super) fn has(&self, name: NameHash) -> bool {
        self.entry(name).is_some()
    }

    /// Returns whether the minimum revision of the name may have risen after the first `began` observations.
    #[must_use]
    pub(super) fn has_risen(&self, name: NameHash, began: u64) -> bool {
        self.entry(name).map_or(self.dropped_at, |entry| entry.raised_at) > began
    }

    /// Returns whether no name was dropped after the first `began` observations. If so, responses of the source of
    /// truth since then are not older than any revision that the session has dropped.
    #[must_use]
    pub(super) fn dropped_none_since(&self, began: u64) -> bool {
        self.dropped_at <= began
    }

    /// Adds the revision of an ID or a key to the session.
    #[inline(never)]
    pub(super) fn observe(&mut self, name: NameHash, revision: Millis, recency: Recency) {
        self.observations += 1;
        let now = self.observations;
        if let Some(entry) = self.entry_mut(name, revision, recency)
            && entry.revision < revision
        {
            (entry.revision, entry.raised_at) = (revision, now);
        }
    }

    /// Adds the revision of a resource for its ID and its key. A key that the resource no longer has gets the revision
    /// too, so that a read by that key does not return the resource again.
    pub(super) fn observe_resource(
        &mut self,
        id: NameHash,
        known_key: KnownKey,
        revision: Millis,
        recency: Recency,
    ) {
        let before = self.entry(id).map_or(EMPTY, |entry| *entry);
        self.observe(id, revision, recency);
        // An older response does not change the known key.
        let is_news = revision >= before.revision;
        if is_news && let Some(entry) = self.entry_mut(id, revision, recency) {
            match known_key {
                KnownKey::Key(key) => entry.key = key,
                KnownKey::None => entry.key = NameHash::NONE,
                KnownKey::Unknown => {}
            }
        }
        if let KnownKey::Key(key) = known_key {
            self.observe(key, revision, recency);
        }
        if is_news && before.key != NameHash::NONE && known_key != KnownKey::Key(before.key) {
            // The response does not show which resource has the key now.
            self.observe(before.key, revision, Recency::Unknown);
        }
    }

    // Not inlined, because each byte of the client counts in the size of a page.
    #[inline(never)]
    fn entry(&self, name: NameHash) -> Option<&SessionEntry> {
        self.sets.get(name.set(self.sets.len()))?.iter().find(|entry| entry.name == name)
    }

    /// Returns the entry of the name. If its set is full, adds sets, or replaces the oldest entry. `None` if the
    /// session does not have the name and its default minimum is higher than the revision.
    #[inline(never)]
    fn entry_mut(&mut self, name: NameHash, revision: Millis, recency: Recency) -> Option<&mut SessionEntry> {
        if !self.has(name) {
            if revision < self.default_minimum && recency == Recency::Unknown {
                return None;
            }
            self.make_room(name);
        }
        let sets = self.sets.len();
        let set = self.sets.get_mut(name.set(sets))?;
        // Empty entries have the revision 0, so they are replaced first.
        let entry = set.iter_mut().min_by_key(|entry| (entry.name != name, entry.revision))?;
        if entry.name != name {
            if entry.name != NameHash::NONE {
                self.default_minimum = self.default_minimum.max(entry.revision);
                self.dropped_at = self.observations;
            }
            *entry = SessionEntry { name, revision, raised_at: self.observations, key: NameHash::NONE };
        }
        Some(entry)
    }

    /// Adds sets until the name's set has an empty entry, or their number reaches the limit.
    fn make_room(&mut self, name: NameHash) {
        if self.sets.is_empty() {
            self.sets.resize(FIRST_SETS, [EMPTY; WAYS]);
        }
        let is_full = |set: &[SessionEntry; WAYS]| set.iter().all(|entry| entry.name != NameHash::NONE);
        while self.sets.len() < MAX_SETS && self.sets.get(name.set(self.sets.len())).is_some_and(is_full) {
            // A name of set n belongs to n, or to n + the previous number of sets.
            self.sets.extend_from_within(..);
            let sets = self.sets.len();
            for (at, set) in self.sets.iter_mut().enumerate() {
                for entry in set {
                    if entry.name.set(sets) != at {
                        *entry = EMPTY;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use std::collections::HashMap;

    use proptest::prelude::*;

    fn id(number: u32) -> NameHash {
        NameHash::id(&format!("0198c5d4-{number}"))
    }

    #[test]
    fn a_minimum_revision_only_rises() {
        let mut session = Session::default();
        assert_eq!(session.minimum_revision(id(1)), 0);
        for recency in [Recency::Unknown, Recency::Current] {
            session.observe(id(1), 5, recency);
            session.observe(id(1), 3, recency);
            assert_eq!((session.minimum_revision(id(1)), session.minimum_revision(id(2))), (5, 0));
        }
        assert_ne!(NameHash::id("a"), NameHash::key("a"));
    }

    #[test]
    fn a_session_reports_what_has_risen_since_an_observation() {
        let mut session = Session::default();
        session.observe(id(1), 5, Recency::Unknown);
        let began = session.observations();
        assert!(!session.has_risen(id(1), began) && !session.has_risen(id(2), began));
        session.observe(id(1), 5, Recency::Unknown);
        assert!(!session.has_risen(id(1), began), "the same revision");
        session.observe(id(1), 6, Recency::Unknown);
        session.observe(id(2), 1, Recency::Unknown);
        assert!(session.has_risen(id(1), began) && session.has_risen(id(2), began));
        assert!(!session.has_risen(id(3), began) && session.dropped_none_since(began));
        let began = session.observations();
        for number in 10..3000 {
            session.observe(id(number), 1000, Recency::Unknown);
        }
        assert!(session.has_risen(id(3), began) && !session.dropped_none_since(began));
    }

    #[test]
    fn the_revision_of_a_dropped_name_becomes_the_default_minimum() {
        let mut session = Session::default();
        for number in 0..10_000 {
            session.observe(id(number), 1000 + u64::from(number), Recency::Unknown);
        }
        for number in 0..10_000 {
            assert!(session.minimum_revision(id(number)) >= 1000 + u64::from(number), "{number}");
        }
        assert!(session.default_minimum < 11_000);
    }

    #[test]
    fn a_session_of_few_names_is_small_and_grows_before_it_drops_any() {
        let bytes = |session: &Session| session.sets.capacity() * size_of::<[SessionEntry; WAYS]>();
        let mut session = Session::default();
        assert_eq!(bytes(&session), 0);
        session.observe(id(0), 1, Recency::Unknown);
        assert!(bytes(&session) <= 1024, "{}", bytes(&session));
        for number in 0..100 {
            session.observe(id(number), u64::from(number) + 1, Recency::Unknown);
        }
        for number in 0..100 {
            assert_eq!(session.minimum_revision(id(number)), u64::from(number) + 1, "{number}");
        }
        assert_eq!((session.default_minimum, session.dropped_at), (0, 0));
        for number in 0..10_000 {
            session.observe(id(number), 1000, Recency::Unknown);
        }
        assert_eq!(session.sets.len(), MAX_SETS);
    }

    #[test]
    fn a_name_gets_a_revision_below_the_default_minimum_only_if_that_is_current() {
        let mut session = Session { default_minimum: 100, ..Session::default() };
        session.observe(id(1), 7, Recency::Unknown);
        assert_eq!(session.minimum_revision(id(1)), 100, "it may be late");
        session.observe(id(1), 7, Recency::Current);
        assert_eq!(session.minimum_revision(id(1)), 7);
        session.observe(id(2), 120, Recency::Unknown);
        session.observe(id(2), 7, Recency::Current);
        assert_eq!(session.minimum_revision(id(2)), 120, "it was seen");
    }

    #[test]
    fn a_key_that_a_resource_no_longer_has_is_observed_too() {
        let (old, new) = (NameHash::key("old"), NameHash::key("new"));
        let mut session = Session::default();
        session.observe_resource(id(1), KnownKey::Key(old), 5, Recency::Unknown);
        session.observe_resource(id(1), KnownKey::Key(new), 6, Recency::Unknown);
        assert_eq!((session.minimum_revision(old), session.minimum_revision(new)), (6, 6));
        // A late response from before the move changes nothing.
        session.observe_resource(id(1), KnownKey::Key(old), 5, Recency::Unknown);
        session.observe_resource(id(1), KnownKey::Unknown, 7, Recency::Unknown);
        assert_eq!(
            (session.minimum_revision(old), session.minimum_revision(new), session.minimum_revision(id(1))),
            (6, 7, 7)
        );
        session.observe_resource(id(1), KnownKey::None, 8, Recency::Unknown);
        session.observe_resource(id(1), KnownKey::Unknown, 9, Recency::Unknown);
        assert_eq!((session.minimum_revision(new), session.minimum_revision(id(1))), (8, 9));
    }

    proptest! {
        #[test]
        fn no_minimum_revision_is_below_an_observed_one(
            seen in proptest::collection::vec((0_u32..3000, 0_u32..3000, 1_u64..1_000_000), 0..4000),
        ) {
            let mut session = Session::default();
            let mut newest: HashMap<NameHash, Millis> = HashMap::new();
            for (number, key, revision) in seen {
                let key = NameHash::key(&key.to_string());
                // Only a revision that is not older than anything observed is current.
                let seen = newest.get(&id(number)).max(newest.get(&key)).copied().unwrap_or_default();
                let recency = if revision >= seen { Recency::Current } else { Recency::Unknown };
                session.observe_resource(id(number), KnownKey::Key(key), revision, recency);
                for name in [id(number), key] {
                    let at = newest.entry(name).or_default();
                    *at = revision.max(*at);
                }
            }
            for (name, revision) in newest {
                prop_assert!(session.minimum_revision(name) >= revision);
            }
        }
    }
}
