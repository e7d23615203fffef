//! The session floor: the newest revision seen of each id and key, so that a client reads its own writes and never sees
//! time go backwards (contract, section 9).
//!
//! The memory is bounded and the promise is kept all the same: what is pushed out leaves its revision as the floor of
//! every name that is not remembered. That costs such a name one read of the truth, whose answer is remembered again.

use crate::contract::time::Millis;

/// How many names a set holds.
const WAYS: usize = 4;
/// How many sets there are.
const SETS: usize = 256;

/// An id or a key as a number. Two with the same number share a floor, which then is the stricter of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name(u64);

impl Name {
    const NONE: Self = Self(0);

    /// The name of an id.
    #[must_use]
    pub fn id(text: &str) -> Self {
        Self::hash(b'i', text)
    }

    /// The name of a key.
    #[must_use]
    pub fn key(text: &str) -> Self {
        Self::hash(b'k', text)
    }

    /// Eight bytes at a time by rotation and multiplication; the upper half of the result folded into the lower, which
    /// chooses the set.
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

    /// The place of the name's set.
    fn set(self) -> usize {
        // The remainder is small.
        (self.0 % SETS as u64) as usize
    }
}

/// What an answer says of the key of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bears {
    /// Nothing.
    Unsaid,
    /// It has none.
    None,
    /// This one.
    Key(Name),
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    name: Name,
    revision: Millis,
    /// Of an id: the key that the resource bore when it was last seen.
    key: Name,
}

const EMPTY: Entry = Entry { name: Name::NONE, revision: 0, key: Name::NONE };

/// The newest revision seen of each id and key.
#[derive(Debug, Clone, Default)]
pub struct Floor {
    /// `SETS` of them; none before the first name.
    sets: Vec<[Entry; WAYS]>,
    /// The floor of every name that is not remembered.
    beneath: Millis,
}

impl Floor {
    /// The oldest revision of the name that may be shown.
    #[must_use]
    pub fn of(&self, name: Name) -> Millis {
        self.entry(name).map_or(self.beneath, |entry| entry.revision)
    }

    /// The name was seen at the revision.
    pub fn raise(&mut self, name: Name, revision: Millis) {
        if let Some(entry) = self.place(name) {
            entry.revision = entry.revision.max(revision);
        }
    }

    /// The name was seen at the revision in the answer to a read that asked for `asked` or newer. An older answer than
    /// that can only be the truth, so it replaces a floor that came from names which were pushed out.
    pub fn settle(&mut self, name: Name, revision: Millis, asked: Millis) {
        if revision < asked
            && self.of(name) == asked
            && let Some(entry) = self.place(name)
        {
            entry.revision = revision;
        } else {
            self.raise(name, revision);
        }
    }

    /// The resource of the id was seen at the revision with what the answer says of its key. A key that it bore before and
    /// bears no more is raised too, so that a read by that key cannot find it there again.
    pub fn resource(&mut self, id: Name, bears: Bears, revision: Millis) {
        let before = self.entry(id).map_or(EMPTY, |entry| *entry);
        // What an older answer says of the key is no news.
        let news = revision >= before.revision;
        if let Some(entry) = self.place(id) {
            entry.revision = entry.revision.max(revision);
            match bears {
                Bears::Key(key) if news => entry.key = key,
                Bears::None if news => entry.key = Name::NONE,
                _ => {}
            }
        }
        if let Bears::Key(key) = bears {
            self.raise(key, revision);
        }
        if news && before.key != Name::NONE && bears != Bears::Key(before.key) {
            self.raise(before.key, revision);
        }
    }

    fn entry(&self, name: Name) -> Option<&Entry> {
        self.sets.get(name.set())?.iter().find(|entry| entry.name == name)
    }

    /// The entry of the name; a new one takes an empty place, or that of the oldest in its set, and starts at the floor of
    /// what is not remembered. Every name has a place.
    #[inline(never)]
    fn place(&mut self, name: Name) -> Option<&mut Entry> {
        if self.sets.is_empty() {
            self.sets.resize(SETS, [EMPTY; WAYS]);
        }
        let set = self.sets.get_mut(name.set())?;
        // Empty places have the revision 0, so that they are taken first.
        let entry = set.iter_mut().min_by_key(|entry| (entry.name != name, entry.revision))?;
        if entry.name != name {
            self.beneath = self.beneath.max(entry.revision);
            *entry = Entry { name, revision: self.beneath, key: Name::NONE };
        }
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    use proptest::prelude::*;

    fn id(number: u32) -> Name {
        Name::id(&format!("0198c5d4-{number}"))
    }

    #[test]
    fn a_floor_only_rises() {
        let mut floor = Floor::default();
        assert_eq!(floor.of(id(1)), 0);
        floor.raise(id(1), 5);
        floor.raise(id(1), 3);
        assert_eq!((floor.of(id(1)), floor.of(id(2))), (5, 0));
        assert_ne!(Name::id("a"), Name::key("a"));
    }

    #[test]
    fn what_is_pushed_out_stays_beneath_all_that_is_not_remembered() {
        let mut floor = Floor::default();
        for number in 0..10_000 {
            floor.raise(id(number), 1000 + u64::from(number));
        }
        for number in 0..10_000 {
            assert!(floor.of(id(number)) >= 1000 + u64::from(number), "{number}");
        }
        assert!(floor.beneath < 11_000);
    }

    #[test]
    fn an_older_answer_than_asked_for_is_the_truth_and_ends_the_detour() {
        let mut floor = Floor { beneath: 100, ..Floor::default() };
        let asked = floor.of(id(1));
        assert_eq!(asked, 100);
        floor.settle(id(1), 7, asked);
        assert_eq!(floor.of(id(1)), 7);
        // Meanwhile it was written: the answer is late, and changes nothing.
        floor.raise(id(2), 120);
        floor.settle(id(2), 7, asked);
        assert_eq!(floor.of(id(2)), 120);
        // What nobody asked for with a floor may be late in the same way.
        floor.raise(id(3), 7);
        assert_eq!(floor.of(id(3)), 100);
    }

    #[test]
    fn a_key_that_moved_away_is_not_found_at_its_old_place() {
        let (old, new) = (Name::key("old"), Name::key("new"));
        let mut floor = Floor::default();
        floor.resource(id(1), Bears::Key(old), 5);
        floor.resource(id(1), Bears::Key(new), 6);
        assert_eq!((floor.of(old), floor.of(new)), (6, 6));
        // A late answer from before the move takes nothing back.
        floor.resource(id(1), Bears::Key(old), 5);
        floor.resource(id(1), Bears::Unsaid, 7);
        assert_eq!((floor.of(old), floor.of(new), floor.of(id(1))), (6, 7, 7));
        floor.resource(id(1), Bears::None, 8);
        floor.resource(id(1), Bears::Unsaid, 9);
        assert_eq!((floor.of(new), floor.of(id(1))), (8, 9));
    }

    proptest! {
        #[test]
        fn no_floor_is_ever_below_what_was_seen(
            seen in proptest::collection::vec((0_u32..3000, 0_u32..3000, 1_u64..1_000_000), 0..4000),
        ) {
            let mut floor = Floor::default();
            let mut newest: HashMap<Name, Millis> = HashMap::new();
            for (number, key, revision) in seen {
                let key = Name::key(&key.to_string());
                floor.resource(id(number), Bears::Key(key), revision);
                for name in [id(number), key] {
                    let at = newest.entry(name).or_default();
                    *at = revision.max(*at);
                }
            }
            for (name, revision) in newest {
                prop_assert!(floor.of(name) >= revision);
            }
        }
    }
}
