//! A cache with a bound: pairs in two generations.

use core::borrow::Borrow;
use std::collections::BTreeMap;

/// A map of at most twice `size` entries, or twice that weight. When the young generation is full, it replaces the old
/// one. An entry that is used moves back to the young generation, so there is no list to keep in order.
#[derive(Debug)]
pub struct Generations<K, V> {
    size: usize,
    /// The weight of the young generation.
    weight: usize,
    young: BTreeMap<K, (V, usize)>,
    old: BTreeMap<K, (V, usize)>,
}

impl<K: Ord, V> Generations<K, V> {
    /// Creates a map that keeps at least the `size` entries that were used last.
    pub const fn new(size: usize) -> Self {
        Self { size, weight: 0, young: BTreeMap::new(), old: BTreeMap::new() }
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        if let Some((key, (value, weight))) = self.old.remove_entry(key) {
            self.insert_of(key, value, weight);
        }
        self.young.get_mut(key).map(|(value, _)| value)
    }

    pub fn insert(&mut self, key: K, value: V) {
        self.insert_of(key, value, 1);
    }

    /// Inserts an entry of a weight. One that is heavier than a generation may be is not kept.
    pub fn insert_of(&mut self, key: K, value: V, weight: usize) {
        self.remove(&key);
        if weight > self.size {
            return;
        }
        if self.weight + weight > self.size {
            self.old = core::mem::take(&mut self.young);
            self.weight = 0;
        }
        self.weight += weight;
        self.young.insert(key, (value, weight));
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q)
    where
        K: Borrow<Q>,
    {
        if let Some((_, weight)) = self.young.remove(key) {
            self.weight -= weight;
        }
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

    /// Checks that the entries that were inserted last are kept up to that weight, and not many more.
    fn check_weights(size: usize, keys: &[usize]) {
        let mut map = Generations::new(size);
        let mut used: Vec<usize> = Vec::new();
        for key in keys {
            map.insert_of(*key, (), 1 + key % 8);
            used.retain(|one| one != key);
            used.push(*key);
            let mut left = size;
            for one in used.iter().rev() {
                let Some(rest) = left.checked_sub(1 + one % 8) else { break };
                left = rest;
                assert!(map.young.contains_key(one) || map.old.contains_key(one), "{one} in {used:?}");
            }
            let kept: usize = map.young.values().chain(map.old.values()).map(|((), weight)| weight).sum();
            assert!(kept <= 2 * size, "{used:?}");
        }
    }

    proptest! {
        #[test]
        fn what_was_inserted_last_is_kept_up_to_a_weight(
            size in 1..20_usize,
            keys in prop::collection::vec(0..12_usize, 0..80),
        ) {
            check_weights(size, &keys);
        }

        #[test]
        fn what_was_used_last_is_kept(size in 1..6_usize, keys in prop::collection::vec(0..12_u8, 0..80)) {
            check(size, &keys);
        }
    }
}
