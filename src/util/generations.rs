//! A cache with a bound: pairs in two generations.

use core::borrow::Borrow;
use std::collections::BTreeMap;

/// A map of at most twice `size` entries. When the young generation is full, it replaces the old one. An entry that is
/// used moves back to the young generation, so there is no list to keep in order.
#[derive(Debug)]
pub struct Generations<K, V> {
    size: usize,
    young: BTreeMap<K, V>,
    old: BTreeMap<K, V>,
}

impl<K: Ord, V> Generations<K, V> {
    /// Creates a map that keeps at least the `size` entries that were used last.
    pub const fn new(size: usize) -> Self {
        Self { size, young: BTreeMap::new(), old: BTreeMap::new() }
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        if let Some((key, value)) = self.old.remove_entry(key) {
            self.insert(key, value);
        }
        self.young.get_mut(key)
    }

    pub fn insert(&mut self, key: K, value: V) {
        if self.young.len() >= self.size {
            self.old = core::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q)
    where
        K: Borrow<Q>,
    {
        self.young.remove(key);
        self.old.remove(key);
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }

    pub fn is_empty(&self) -> bool {
        self.young.is_empty() && self.old.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use proptest::prelude::*;

    /// Checks that the map has the entries that were used last, and not many more.
    fn check(size: usize, keys: &[u8]) {
        let mut map = Generations::new(size);
        let mut used: Vec<u8> = Vec::new();
        for key in keys {
            let is_recent = used.iter().rev().take(size).any(|one| one == key);
            match map.get_mut(key) {
                Some(value) => assert_eq!(*value, u32::from(*key)),
                None if is_recent => panic!("{key} is missing after {used:?}"),
                None => map.insert(*key, u32::from(*key)),
            }
            used.retain(|one| one != key);
            used.push(*key);
            assert!(map.len() <= 2 * size, "{used:?}");
        }
        if let Some(last) = used.last() {
            map.remove(last);
            assert_eq!(map.get_mut(last), None);
        }
    }

    proptest! {
        #[test]
        fn what_was_used_last_is_kept(size in 1..6_usize, keys in prop::collection::vec(0..12_u8, 0..80)) {
            check(size, &keys);
        }
    }
}
