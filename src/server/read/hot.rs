//! The copies that an instance last read from KV, for a few seconds (D33). A read of one of them needs no read of KV.

use core::cell::RefCell;
use core::hash::Hasher as _;
use std::hash::DefaultHasher;

use crate::contract::kv::EntryKind;
use crate::server::platform::CacheCopy;
use crate::util::generations::Generations;
use crate::util::time::Millis;

/// The bytes of a generation: an instance remembers at most twice as many. The platform gives it 128 MB.
const BYTES: usize = 4 << 20;
/// What a copy takes beside its body and its KV key, in bytes.
const OVERHEAD: usize = 256;

#[derive(Debug)]
pub(super) struct HotCopies<B> {
    /// How long a copy is remembered, in milliseconds.
    age: Millis,
    known: RefCell<Generations<Vec<u8>, Known<B>>>,
}

/// What an instance knows of a resource.
#[derive(Debug)]
struct Known<B> {
    since: Millis,
    /// The revision that the resource has, or had at the time: an older copy is not remembered.
    revision: Millis,
    copy: Option<CacheCopy<B>>,
}

impl<B: Clone> HotCopies<B> {
    pub(super) const fn new(age: Millis) -> Self {
        Self { age, known: RefCell::new(Generations::new(BYTES)) }
    }

    pub(super) fn get(&self, kv_key: &str, now: Millis) -> Option<CacheCopy<B>> {
        let mut copies = self.known.borrow_mut();
        let known = copies.get_mut(&place(kv_key))?;
        // A clock that was set back says nothing about the age.
        if known.since <= now && self.is_young(known, now) { known.copy.clone() } else { None }
    }

    /// Remembers a copy that was read from KV at that time or later.
    pub(super) fn insert(&self, kv_key: &str, copy: &CacheCopy<B>, since: Millis) {
        let weight = copy.bytes + kv_key.len() + OVERHEAD;
        let known = Known { since, revision: copy.revision, copy: Some(copy.clone()) };
        self.replace(kv_key, known, weight);
    }

    /// Discards the copy of a resource if it is older than a state that the object returned.
    pub(super) fn observe(&self, project: &str, id: &str, revision: Millis, since: Millis) {
        let kv_key = EntryKind::Resource.entry(project, id);
        let weight = kv_key.len() + OVERHEAD;
        self.replace(&kv_key, Known { since, revision, copy: None }, weight);
    }

    fn replace(&self, kv_key: &str, new: Known<B>, weight: usize) {
        if self.age == 0 {
            return;
        }
        let place = place(kv_key);
        let mut known = self.known.borrow_mut();
        let old = known.get_mut(&place).filter(|known| self.is_young(known, new.since));
        let is_older = |old: &Known<B>| new.revision < old.revision;
        let has_copy = |old: &Known<B>| new.revision == old.revision && new.copy.is_none();
        if !old.is_some_and(|old| is_older(old) || has_copy(old)) {
            known.insert_of(place, new, weight);
        }
    }

    /// Discards everything.
    pub(super) fn clear(&self) {
        self.known.replace(Generations::new(BYTES));
    }

    fn is_young(&self, known: &Known<B>, now: Millis) -> bool {
        now.saturating_sub(known.since) < self.age
    }
}

/// Returns the place of a KV key in the tree: after its hash, because KV keys begin alike, and comparing takes long.
fn place(kv_key: &str) -> Vec<u8> {
    let mut hasher = DefaultHasher::new();
    hasher.write(kv_key.as_bytes());
    [&hasher.finish().to_be_bytes(), kv_key.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    const NOW: Millis = 1_000_000;

    fn copy(revision: Millis, bytes: usize) -> CacheCopy<Millis> {
        CacheCopy { body: revision, bytes, revision, key: None, deleted: false }
    }

    /// Returns the revision of the copy of `a`.
    fn revision(copies: &HotCopies<Millis>, now: Millis) -> Option<Millis> {
        copies.get("r1:p:a", now).map(|copy| copy.revision)
    }

    fn insert(copies: &HotCopies<Millis>, copy: &CacheCopy<Millis>, now: Millis) {
        copies.insert("r1:p:a", copy, now);
    }

    #[test]
    fn a_copy_is_remembered_for_the_age_and_by_no_clock_that_was_set_back() {
        let copies = HotCopies::new(5_000);
        insert(&copies, &copy(7, 1), NOW);
        let found = [0, 4_999, 5_000, 60_000].map(|ms| revision(&copies, NOW + ms));
        assert_eq!(found, [Some(7), Some(7), None, None]);
        assert_eq!(revision(&copies, NOW - 1), None);
        let off = HotCopies::new(0);
        insert(&off, &copy(7, 1), NOW);
        off.observe("p", "a", 8, NOW);
        assert!(off.known.borrow().is_empty());
    }

    #[test]
    fn nothing_older_than_what_the_instance_has_seen_is_remembered() {
        let copies = HotCopies::new(5_000);
        insert(&copies, &copy(7, 1), NOW);
        copies.observe("p", "a", 7, NOW + 1);
        assert_eq!(revision(&copies, NOW + 1), Some(7), "the object has the same state");
        copies.observe("p", "a", 9, NOW + 1);
        assert_eq!(revision(&copies, NOW + 1), None);
        insert(&copies, &copy(8, 1), NOW);
        assert_eq!(revision(&copies, NOW + 1), None, "a read that began before");
        insert(&copies, &copy(8, 1), NOW + 5_000);
        assert_eq!(revision(&copies, NOW + 5_000), None, "KV is behind");
        insert(&copies, &copy(9, 1), NOW + 5_000);
        insert(&copies, &copy(8, 1), NOW + 5_000);
        assert_eq!(revision(&copies, NOW + 5_000), Some(9));
        // What it saw is no reason for ever: a restore returns to an older state.
        insert(&copies, &copy(6, 1), NOW + 10_000);
        assert_eq!(revision(&copies, NOW + 10_000), Some(6));
        copies.clear();
        assert_eq!(revision(&copies, NOW + 10_000), None);
    }

    #[test]
    fn the_bytes_are_bounded() {
        let copies = HotCopies::new(5_000);
        let mebibyte = 1 << 20;
        for number in 0..64 {
            copies.insert(&number.to_string(), &copy(number, mebibyte), NOW);
        }
        let kept: Vec<u64> =
            (0..64).filter(|number| copies.get(&number.to_string(), NOW).is_some()).collect();
        assert!((3..=6).contains(&kept.len()) && kept.contains(&63), "{kept:?}");
        copies.insert("large", &copy(1, BYTES), NOW);
        assert_eq!(copies.get("large", NOW), None);
    }
}
