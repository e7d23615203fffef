//! The IDs of keys, as an instance last read them from KV. With them a read by key needs one read of KV instead of two.
//! An ID that is out of date does no harm: the reader uses a copy only if it still has the key, and reads the pointer
//! otherwise.

use core::cell::RefCell;

use crate::util::fnv;

/// How many keys an instance remembers at most.
const SLOTS: usize = 1 << 15;
/// The maximum number of bytes of a KV key and its ID together. Longer ones are not remembered, so that no caller fills
/// the memory.
const BYTES: usize = 256;

/// A table with one place for each hash: of two keys with one place, it has the one that was read last. So each access
/// costs the same, however many keys there are.
#[derive(Debug, Default)]
pub(in crate::server) struct Pointers(RefCell<Vec<Option<Box<Pointer>>>>);

#[derive(Debug)]
struct Pointer {
    kv_key: String,
    id: String,
}

impl Pointers {
    /// Returns the ID that the KV key of a key had.
    pub(super) fn get(&self, kv_key: &str) -> Option<String> {
        let slots = self.0.borrow();
        let known = slots.get(place(kv_key))?.as_ref()?;
        (known.kv_key == kv_key).then(|| known.id.clone())
    }

    pub(super) fn insert(&self, kv_key: String, id: &str) {
        if kv_key.len() + id.len() > BYTES {
            return;
        }
        let mut slots = self.0.borrow_mut();
        if slots.is_empty() {
            slots.resize_with(SLOTS, || None);
        }
        if let Some(slot) = slots.get_mut(place(&kv_key)) {
            *slot = Some(Box::new(Pointer { kv_key, id: id.to_owned() }));
        }
    }
}

/// Returns the place of a KV key, by the hash FNV-1a.
fn place(kv_key: &str) -> usize {
    let hash = kv_key.bytes().fold(fnv::START, |hash, byte| fnv::add(hash, byte.into()));
    (hash ^ (hash >> 15)) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn the_memory_is_bounded_and_has_the_last_of_the_keys_with_one_place() {
        let pointers = Pointers::default();
        assert_eq!(pointers.get("k1:p:a"), None);
        let key = |number: usize| format!("k1:p:{number}");
        for number in 0..4 * SLOTS {
            pointers.insert(key(number), &number.to_string());
            assert_eq!(pointers.get(&key(number)), Some(number.to_string()));
        }
        let known =
            (0..4 * SLOTS).filter(|number| pointers.get(&key(*number)) == Some(number.to_string())).count();
        assert!(known <= SLOTS && known > SLOTS * 9 / 10, "{known}");
        assert_eq!(pointers.0.borrow().len(), SLOTS);
        pointers.insert("x".repeat(BYTES), "a");
        assert_eq!(pointers.get(&"x".repeat(BYTES)), None);
    }
}
