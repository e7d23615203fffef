//! The session: the client's newest revision per ID and key, for read-your-writes and monotonic reads (contract,
//! section 9).
//!
//! The memory is bounded without weakening the guarantee: when the session drops a name, the name's revision becomes
//! the default minimum of all names that the session does not have. The next read of such a name goes to the source of
//! truth, and then the session has the name again.

use core::num::NonZeroU64;

use crate::util::time::Millis;

/// The maximum number of names.
const MAX_NAMES: usize = 1024;
/// How many slots the first name allocates. A program may have thousands of clients that each observe little.
const FIRST_SLOTS: usize = 16;

/// The hash of an ID or a key. Two names with the same hash share the higher of their minimum revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NameHash(NonZeroU64);

impl NameHash {
    pub(super) fn id(text: &str) -> Self {
        Self::hash(b'i', text)
    }

    pub(super) fn key(text: &str) -> Self {
        Self::hash(b'k', text)
    }

    /// Hashes eight bytes at a time by rotation and multiplication. Folds the upper half of the result into the lower
    /// half, which selects the slot.
    #[inline(never)]
    fn hash(kind: u8, text: &str) -> Self {
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        let rest = rest.iter().fold(text.len() as u64, |word, byte| word << 8 | u64::from(*byte));
        let words = words.iter().map(|word| u64::from_le_bytes(*word));
        let hash = words.chain([rest]).fold(u64::from(kind), |hash, word| {
            (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
        });
        Self(NonZeroU64::new(hash ^ (hash >> 32)).unwrap_or(NonZeroU64::MIN))
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
    None,
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
    key: Option<NameHash>,
}

/// The newest revision that the client has seen of each ID and key.
#[derive(Debug, Clone, Default)]
pub(super) struct Session {
    /// The names, each in the first slot from that of its hash on that had no other name. Half of the slots or more
    /// have no name.
    slots: Vec<Option<SessionEntry>>,
    /// The number of names.
    names: usize,
    /// The minimum revision of every name that the session does not have.
    default_minimum: Millis,
    /// The newest revision that the client has seen of anything.
    newest: Millis,
    observations: u64,
    /// The number of the observation that last dropped names.
    dropped_at: u64,
}

impl Session {
    /// Returns the number of observations: the session's clock.
    pub(super) fn observations(&self) -> u64 {
        self.observations
    }

    /// Returns the minimum revision that a read of the name accepts.
    pub(super) fn minimum_revision(&self, name: NameHash) -> Millis {
        self.entry(name).map_or(self.default_minimum, |entry| entry.revision)
    }

    /// Returns the newest revision that the client has seen. A page of this revision or a later one shows everything
    /// that the client has seen.
    pub(super) fn newest(&self) -> Millis {
        self.newest
    }

    /// Adds a revision of the project as a whole.
    pub(super) fn raise(&mut self, revision: Millis) {
        self.newest = self.newest.max(revision);
    }

    /// Returns whether the session has the name. Then its minimum revision is what the client has observed of it, not
    /// the default.
    pub(super) fn has(&self, name: NameHash) -> bool {
        self.entry(name).is_some()
    }

    /// Returns whether the minimum revision of the name may have risen after the first `began` observations.
    pub(super) fn has_risen(&self, name: NameHash, began: u64) -> bool {
        self.entry(name).map_or(self.dropped_at, |entry| entry.raised_at) > began
    }

    /// Returns whether no name was dropped after the first `began` observations. If so, responses of the source of
    /// truth since then are not older than any revision that the session has dropped.
    pub(super) fn dropped_none_since(&self, began: u64) -> bool {
        self.dropped_at <= began
    }

    /// Adds the revision of an ID or a key to the session.
    #[inline(never)]
    pub(super) fn observe(&mut self, name: NameHash, revision: Millis, recency: Recency) {
        self.observations += 1;
        self.raise(revision);
        let now = SessionEntry { name, revision, raised_at: self.observations, key: None };
        if let Some(Some(entry)) = self.slot_mut(name) {
            if entry.revision < revision {
                *entry = SessionEntry { key: entry.key, ..now };
            }
        } else if revision >= self.default_minimum || recency == Recency::Current {
            self.make_room();
            self.insert(now);
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
        let before = self.entry(id).copied();
        self.observe(id, revision, recency);
        // An older response does not change the known key.
        let is_news = before.is_none_or(|before| revision >= before.revision);
        if is_news && let Some(Some(entry)) = self.slot_mut(id) {
            match known_key {
                KnownKey::Key(key) => entry.key = Some(key),
                KnownKey::None => entry.key = None,
                KnownKey::Unknown => {}
            }
        }
        if let KnownKey::Key(key) = known_key {
            self.observe(key, revision, recency);
        }
        if is_news
            && let Some(key) = before.and_then(|before| before.key)
            && known_key != KnownKey::Key(key)
        {
            // The response does not show which resource has the key now.
            self.observe(key, revision, Recency::Unknown);
        }
    }

    // Not inlined, because each byte of the client counts in the size of a page.
    #[inline(never)]
    fn entry(&self, name: NameHash) -> Option<&SessionEntry> {
        self.slots.get(self.place(name))?.as_ref()
    }

    fn slot_mut(&mut self, name: NameHash) -> Option<&mut Option<SessionEntry>> {
        let place = self.place(name);
        self.slots.get_mut(place)
    }

    /// Returns the index of the slot that has the name, or would have it.
    #[inline(never)]
    fn place(&self, name: NameHash) -> usize {
        // The number of slots is a power of two, so the mask is the largest index.
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = name.0.get() as usize & mask;
        while let Some(Some(entry)) = self.slots.get(at)
            && entry.name != name
        {
            at = (at + 1) & mask;
        }
        at
    }

    fn insert(&mut self, entry: SessionEntry) {
        if let Some(slot) = self.slot_mut(entry.name) {
            *slot = Some(entry);
            self.names += 1;
        }
    }

    /// Doubles the slots if half of them have names. If there are as many names as may be, drops those that are not
    /// newer than the mean instead.
    fn make_room(&mut self) {
        if 2 * self.names < self.slots.len() {
            return;
        }
        let is_full = self.names == MAX_NAMES;
        let size = if is_full { self.slots.len() } else { (2 * self.slots.len()).max(FIRST_SLOTS) };
        let before = core::mem::replace(&mut self.slots, vec![None; size]);
        self.names = 0;
        let entries = || before.iter().flatten();
        // Revisions are below 2^53, and there are 2^10 of them.
        let mean = entries().map(|entry| entry.revision).sum::<Millis>() / MAX_NAMES as u64;
        for entry in entries() {
            if is_full && entry.revision <= mean {
                self.default_minimum = self.default_minimum.max(entry.revision);
                self.dropped_at = self.observations;
            } else {
                self.insert(*entry);
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
    fn a_session_keeps_hundreds_of_names_and_its_size_has_a_bound() {
        let mut session = Session::default();
        assert_eq!(session.slots.capacity(), 0);
        session.observe(id(0), 1, Recency::Unknown);
        assert!(session.slots.capacity() * size_of::<Option<SessionEntry>>() <= 1024);
        for number in 0..MAX_NAMES as u32 {
            session.observe(id(number), u64::from(number) + 1, Recency::Unknown);
        }
        for number in 0..MAX_NAMES as u32 {
            assert_eq!(session.minimum_revision(id(number)), u64::from(number) + 1, "{number}");
        }
        assert_eq!((session.default_minimum, session.dropped_at), (0, 0));
        for number in 10_000..20_000 {
            session.observe(id(number), u64::from(number), Recency::Unknown);
            assert!((MAX_NAMES / 2..=MAX_NAMES).contains(&session.names), "{number}");
        }
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
