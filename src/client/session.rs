//! The session: the client's newest revision per ID and key, for read-your-writes and monotonic reads (contract,
//! section 9).
//!
//! The memory is bounded, and the guarantee holds nevertheless: a name that the session drops leaves its revision as the
//! default minimum of all names that the session does not hold. Such a name costs one read from the source of truth, and
//! the session holds it again.

use crate::contract::time::Millis;

/// How many names a set holds.
const WAYS: usize = 4;
/// How many sets there are.
const SETS: usize = 256;

/// The hash of an ID or a key. Two names with the same hash share the higher of their minimum revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NameHash(u64);

impl NameHash {
    const NONE: Self = Self(0);

    /// The hash of an ID.
    #[must_use]
    pub(super) fn id(text: &str) -> Self {
        Self::hash(b'i', text)
    }

    /// The hash of a key.
    #[must_use]
    pub(super) fn key(text: &str) -> Self {
        Self::hash(b'k', text)
    }

    /// Hashes eight bytes at a time by rotation and multiplication. It folds the upper half of the result into the lower
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

    /// The index of the name's set.
    fn set(self) -> usize {
        // The remainder is small.
        (self.0 % SETS as u64) as usize
    }
}

/// What a response says about the key of a resource.
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
    revision: Millis,
    /// Of an ID: the key of the resource when it was last seen.
    key: NameHash,
}

const EMPTY: SessionEntry = SessionEntry { name: NameHash::NONE, revision: 0, key: NameHash::NONE };

/// The newest revision that the client has seen of each ID and key.
#[derive(Debug, Clone, Default)]
pub(super) struct Session {
    /// `SETS` sets; empty before the first name.
    sets: Vec<[SessionEntry; WAYS]>,
    /// The minimum revision of every name that the session does not hold.
    default_minimum: Millis,
}

impl Session {
    /// The minimum revision that a read of the name accepts.
    #[must_use]
    pub(super) fn minimum_revision(&self, name: NameHash) -> Millis {
        self.entry(name).map_or(self.default_minimum, |entry| entry.revision)
    }

    /// Adds the revision of an ID or a key to the session.
    pub(super) fn observe(&mut self, name: NameHash, revision: Millis) {
        if let Some(entry) = self.entry_mut(name) {
            entry.revision = entry.revision.max(revision);
        }
    }

    /// Adds the revision in the response to a read that asked for `minimum` or newer. An older response can only come
    /// from the source of truth, so it replaces a minimum that came from dropped names.
    pub(super) fn observe_read(&mut self, name: NameHash, revision: Millis, minimum: Millis) {
        if revision < minimum
            && self.minimum_revision(name) == minimum
            && let Some(entry) = self.entry_mut(name)
        {
            entry.revision = revision;
        } else {
            self.observe(name, revision);
        }
    }

    /// Adds the revision of a resource to its ID and its key. A key that the resource no longer has gets the revision too,
    /// so that a read by that key does not find the resource again.
    pub(super) fn observe_resource(&mut self, id: NameHash, known_key: KnownKey, revision: Millis) {
        let before = self.entry(id).map_or(EMPTY, |entry| *entry);
        // An older response does not change the known key.
        let is_news = revision >= before.revision;
        if let Some(entry) = self.entry_mut(id) {
            entry.revision = entry.revision.max(revision);
            match known_key {
                KnownKey::Key(key) if is_news => entry.key = key,
                KnownKey::None if is_news => entry.key = NameHash::NONE,
                _ => {}
            }
        }
        if let KnownKey::Key(key) = known_key {
            self.observe(key, revision);
        }
        if is_news && before.key != NameHash::NONE && known_key != KnownKey::Key(before.key) {
            self.observe(before.key, revision);
        }
    }

    fn entry(&self, name: NameHash) -> Option<&SessionEntry> {
        self.sets.get(name.set())?.iter().find(|entry| entry.name == name)
    }

    /// The entry of the name. A new entry replaces the oldest of its set, and starts at the default minimum. It is never
    /// `None`: every name has a set.
    #[inline(never)]
    fn entry_mut(&mut self, name: NameHash) -> Option<&mut SessionEntry> {
        if self.sets.is_empty() {
            self.sets.resize(SETS, [EMPTY; WAYS]);
        }
        let set = self.sets.get_mut(name.set())?;
        // Empty entries have the revision 0, so they are replaced first.
        let entry = set.iter_mut().min_by_key(|entry| (entry.name != name, entry.revision))?;
        if entry.name != name {
            self.default_minimum = self.default_minimum.max(entry.revision);
            *entry = SessionEntry { name, revision: self.default_minimum, key: NameHash::NONE };
        }
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    use proptest::prelude::*;

    fn id(number: u32) -> NameHash {
        NameHash::id(&format!("0198c5d4-{number}"))
    }

    #[test]
    fn a_minimum_revision_only_rises() {
        let mut session = Session::default();
        assert_eq!(session.minimum_revision(id(1)), 0);
        session.observe(id(1), 5);
        session.observe(id(1), 3);
        assert_eq!((session.minimum_revision(id(1)), session.minimum_revision(id(2))), (5, 0));
        assert_ne!(NameHash::id("a"), NameHash::key("a"));
    }

    #[test]
    fn the_revision_of_a_dropped_name_becomes_the_default_minimum() {
        let mut session = Session::default();
        for number in 0..10_000 {
            session.observe(id(number), 1000 + u64::from(number));
        }
        for number in 0..10_000 {
            assert!(session.minimum_revision(id(number)) >= 1000 + u64::from(number), "{number}");
        }
        assert!(session.default_minimum < 11_000);
    }

    #[test]
    fn a_response_below_the_minimum_is_from_the_source_of_truth_and_lowers_the_minimum() {
        let mut session = Session { default_minimum: 100, ..Session::default() };
        let minimum = session.minimum_revision(id(1));
        assert_eq!(minimum, 100);
        session.observe_read(id(1), 7, minimum);
        assert_eq!(session.minimum_revision(id(1)), 7);
        // Meanwhile it was written: the answer is late, and changes nothing.
        session.observe(id(2), 120);
        session.observe_read(id(2), 7, minimum);
        assert_eq!(session.minimum_revision(id(2)), 120);
        // What nobody minimum for with a session may be late in the same way.
        session.observe(id(3), 7);
        assert_eq!(session.minimum_revision(id(3)), 100);
    }

    #[test]
    fn a_key_that_a_resource_no_longer_has_is_observed_too() {
        let (old, new) = (NameHash::key("old"), NameHash::key("new"));
        let mut session = Session::default();
        session.observe_resource(id(1), KnownKey::Key(old), 5);
        session.observe_resource(id(1), KnownKey::Key(new), 6);
        assert_eq!((session.minimum_revision(old), session.minimum_revision(new)), (6, 6));
        // A late answer from before the move takes nothing back.
        session.observe_resource(id(1), KnownKey::Key(old), 5);
        session.observe_resource(id(1), KnownKey::Unknown, 7);
        assert_eq!(
            (session.minimum_revision(old), session.minimum_revision(new), session.minimum_revision(id(1))),
            (6, 7, 7)
        );
        session.observe_resource(id(1), KnownKey::None, 8);
        session.observe_resource(id(1), KnownKey::Unknown, 9);
        assert_eq!((session.minimum_revision(new), session.minimum_revision(id(1))), (8, 9));
    }

    proptest! {
        #[test]
        fn no_minimum_revision_is_below_what_was_seen(
            seen in proptest::collection::vec((0_u32..3000, 0_u32..3000, 1_u64..1_000_000), 0..4000),
        ) {
            let mut session = Session::default();
            let mut newest: HashMap<NameHash, Millis> = HashMap::new();
            for (number, key, revision) in seen {
                let key = NameHash::key(&key.to_string());
                session.observe_resource(id(number), KnownKey::Key(key), revision);
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
