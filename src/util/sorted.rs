//! A small map: pairs sorted by their keys. The standard library's maps add about seven kilobytes to the upload for
//! each kind of key and value.

use core::borrow::Borrow;

/// A map for some thousands of entries. Adding one moves those after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(other, _)| other.borrow().cmp(key))
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.0.get(self.place(key).ok()?).map(|(_, value)| value)
    }

    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at = self.place(key).ok()?;
        self.0.get_mut(at).map(|(_, value)| value)
    }

    /// Returns the value of the key, to change it. A key that is new gets the value that `make` returns. It is never
    /// `None`.
    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> Option<&mut V> {
        let at = self.place(&key).unwrap_or_else(|at| {
            self.0.insert(at, (key, make()));
            at
        });
        self.0.get_mut(at).map(|(_, value)| value)
    }

    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(at) => self.0.get_mut(at).map(|(_, old)| core::mem::replace(old, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Removes the key. Returns the key as the map stored it, and the value that it had.
    pub fn remove_entry<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| self.0.remove(at))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn it_behaves_as_the_standard_map(steps in prop::collection::vec((0..6_u8, 0..8_u8, 0..100_u8), 0..60)) {
            let (mut map, mut standard) = (SortedMap::default(), BTreeMap::new());
            for (step, key, value) in steps {
                match step {
                    0 => prop_assert_eq!(map.insert(key, value), standard.insert(key, value)),
                    1 => prop_assert_eq!(map.remove(&key), standard.remove(&key)),
                    2 => prop_assert_eq!(map.get_or_insert_with(key, || value), Some(standard.entry(key).or_insert(value))),
                    3 => prop_assert_eq!(map.get_mut(&key), standard.get_mut(&key)),
                    4 => prop_assert!(map.values_mut().eq(standard.values_mut())),
                    _ => prop_assert_eq!(map.get(&key), standard.get(&key)),
                }
                prop_assert_eq!(map.contains_key(&key), standard.contains_key(&key));
                prop_assert!(map.keys().eq(standard.keys()) && map.values().eq(standard.values()));
                prop_assert_eq!(map.len(), standard.len());
                prop_assert_eq!(map.is_empty(), standard.is_empty());
            }
        }
    }
}
