//! A map in order of insertion whose copy shares what neither copy has changed.
//!
//! Invariant: a key has one entry, and the entries are in the order in which their keys came. Absent on purpose: removal.

use super::chunks::Chunks;
use super::index::{Index, hash_of, position};
use crate::ids::LookupKey;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::hash::{Hash, Hasher};

/// Values by key.
#[derive(Clone, Debug)]
pub struct SharedMap<K, V> {
    entries: Chunks<(K, V)>,
    index: Index,
}

impl<K, V> Default for SharedMap<K, V> {
    fn default() -> Self {
        Self { entries: Chunks::default(), index: Index::default() }
    }
}

impl<K, V> SharedMap<K, V> {
    /// How many entries there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All entries in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + ExactSizeIterator {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// All keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.iter().map(|(key, _)| key)
    }

    /// All values in order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.iter().map(|(_, value)| value)
    }
}

impl<K: LookupKey, V: Clone> SharedMap<K, V> {
    /// Where the entry of `key` is. A map by account that has an entry for each account, in order, has it at the account's place.
    fn position(&self, key: &K) -> Option<usize> {
        self.index.find(key, |at| self.entries[at as usize].0 == *key).map(|at| at as usize)
    }

    /// The value of `key`.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&V> {
        self.position(key).map(|at| &self.entries[at].1)
    }

    /// Whether `key` has a value.
    #[must_use]
    pub fn contains_key(&self, key: &K) -> bool {
        self.position(key).is_some()
    }

    /// The value of `key`, to be changed.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let at = self.position(key)?;
        self.entries.get_mut(at).map(|(_, value)| value)
    }

    /// Sets the value of `key`, which keeps its place where it has one.
    pub fn insert(&mut self, key: K, value: V) {
        match self.get_mut(&key) {
            Some(old) => *old = value,
            None => {
                self.add(key, value);
            }
        }
    }

    /// The value of `key`, to be changed; the value that `make` makes where it has none.
    pub fn or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let at = self.position(&key).unwrap_or_else(|| self.add(key, make()));
        &mut self.entries.get_mut(at).expect("found or added").1
    }

    /// The value of `key`, to be changed; an empty one where it has none.
    pub fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.or_insert_with(key, V::default)
    }

    fn add(&mut self, key: K, value: V) -> usize {
        let (at, hash) = (self.entries.len(), hash_of(&key));
        self.entries.push((key, value));
        let Self { entries, index } = self;
        index.insert(hash, position(at), |at| hash_of(&entries[at as usize].0));
        at
    }
}

impl<K: LookupKey, V: Clone> std::ops::Index<&K> for SharedMap<K, V> {
    type Output = V;

    fn index(&self, key: &K) -> &V {
        self.get(key).expect("a key that is known to have a value")
    }
}

impl<K: LookupKey, V: Clone> FromIterator<(K, V)> for SharedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::default();
        entries.into_iter().for_each(|(key, value)| map.insert(key, value));
        map
    }
}

impl<K: Hash, V: Hash> Hash for SharedMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        self.iter().for_each(|entry| entry.hash(state));
    }
}

impl<K: Serialize, V: Serialize> Serialize for SharedMap<K, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'de, K, V> Deserialize<'de> for SharedMap<K, V>
where
    K: LookupKey + Deserialize<'de>,
    V: Clone + Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Vec::deserialize(from)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::digest_of;
    use crate::ids::{AccountId, Drawn as _};
    use crate::laws;
    use crate::store::{Map, hash_map};

    impl LookupKey for u16 {}

    struct Hashed<'a>(&'a Map<u16, u32>);

    impl Hash for Hashed<'_> {
        fn hash<H: Hasher>(&self, state: &mut H) {
            hash_map(self.0, state);
        }
    }

    #[test]
    fn a_shared_map_is_a_map_in_order_of_insertion_also_when_written_and_read() {
        laws::quick(|entries: Vec<(u16, u32)>| {
            let mut plain = Map::default();
            let mut shared = SharedMap::default();
            for (key, value) in entries {
                let copy = shared.clone();
                if value % 3 == 0 {
                    *plain.entry(key).or_default() ^= value;
                    *shared.or_default(key) ^= value;
                } else {
                    plain.insert(key, value);
                    shared.insert(key, value);
                }
                assert!(copy.get(&key).is_none_or(|old| copy[&key] == *old), "a copy keeps what it had");
            }
            let written = serde_json::to_vec(&shared).expect("a map can be written");
            let read: SharedMap<u16, u32> = serde_json::from_slice(&written).expect("what was written can be read");
            [&shared, &read].iter().all(|map| {
                map.iter().eq(plain.iter())
                    && digest_of(*map) == digest_of(&Hashed(&plain))
                    && (0..u16::MAX).step_by(7).all(|key| map.get(&key) == plain.get(&key))
            })
        });
    }

    #[test]
    fn an_entry_is_found_and_kept_once_whatever_place_its_key_remembers() {
        laws::quick(|entries: Vec<(u8, u32, u32)>| {
            let mut plain = Map::default();
            let mut shared = SharedMap::default();
            for (name, place, value) in entries {
                // Places of this map, of another one, and beyond both.
                let place = if value % 2 == 0 { place % 300 } else { place };
                let key = AccountId::from_u128(name.into()).with_place_hint(place);
                *plain.entry(key).or_insert(value) ^= place;
                *shared.or_insert_with(key, || value) ^= place;
                if value % 5 == 0 {
                    shared.insert(key, value);
                    plain.insert(key, value);
                }
            }
            let every = || (0..u128::from(u8::MAX)).map(AccountId::from_u128);
            shared.iter().eq(plain.iter())
                && [0, 1, 7, 299, u32::MAX].into_iter().all(|place| {
                    every().map(|key| key.with_place_hint(place)).all(|key| shared.get(&key) == plain.get(&key))
                })
        });
    }
}
