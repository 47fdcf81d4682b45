//! A map in order of its keys, of which a copy shares what neither copy has changed.
//!
//! Invariant: in chunks of at most [`SIZE`], none of them empty, each before the next. A copy counts one more holder for each chunk;
//! the first change of a chunk after that copies this chunk alone. Absent on purpose: what a key or a
//! value means.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How many entries share one allocation.
const SIZE: usize = 128;

/// Values in order of their keys.
#[derive(Clone, Debug)]
pub(super) struct SortedMap<K, V> {
    chunks: Vec<Arc<Vec<(K, V)>>>,
    len: usize,
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<K: Copy + Ord, V: Copy> SortedMap<K, V> {
    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// The first one.
    pub(super) fn first(&self) -> Option<&(K, V)> {
        self.chunks.first()?.first()
    }

    /// All in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &(K, V)> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// Those from `key` on.
    pub(super) fn from(&self, key: K) -> impl Iterator<Item = &(K, V)> {
        self.chunks[self.chunk_of(key)..].iter().flat_map(|chunk| chunk.iter()).skip_while(move |entry| entry.0 < key)
    }

    /// The chunk in which `key` is, or belongs.
    fn chunk_of(&self, key: K) -> usize {
        self.chunks.partition_point(|chunk| chunk[0].0 <= key).saturating_sub(1)
    }

    /// Adds an entry, in the place of one with its key.
    pub(super) fn insert(&mut self, key: K, value: V) {
        let at = self.chunk_of(key);
        let Some(chunk) = self.chunks.get_mut(at) else {
            (self.chunks, self.len) = (vec![Arc::new(vec![(key, value)])], 1);
            return;
        };
        let chunk = Arc::make_mut(chunk);
        let place = match chunk.binary_search_by_key(&key, |entry| entry.0) {
            Ok(place) => {
                chunk[place].1 = value;
                return;
            }
            Err(place) => place,
        };
        self.len += 1;
        match place {
            _ if chunk.len() < SIZE => chunk.insert(place, (key, value)),
            // Keys mostly come in order: what is full stays full.
            SIZE => match self.chunks.get_mut(at + 1) {
                Some(next) if next.len() < SIZE => Arc::make_mut(next).insert(0, (key, value)),
                _ => self.chunks.insert(at + 1, Arc::new(vec![(key, value)])),
            },
            _ => {
                let mut later = chunk.split_off(SIZE / 2);
                match place.checked_sub(SIZE / 2) {
                    Some(place) => later.insert(place, (key, value)),
                    None => chunk.insert(place, (key, value)),
                }
                self.chunks.insert(at + 1, Arc::new(later));
            }
        }
    }

    /// Removes an entry.
    pub(super) fn remove(&mut self, key: K) -> Option<V> {
        let at = self.chunk_of(key);
        let chunk = self.chunks.get_mut(at)?;
        let place = chunk.binary_search_by_key(&key, |entry| entry.0).ok()?;
        let chunk = Arc::make_mut(chunk);
        let (_, value) = chunk.remove(place);
        if chunk.is_empty() {
            self.chunks.remove(at);
        }
        self.len -= 1;
        Some(value)
    }
}

impl<K: Copy + Ord, V: Copy + PartialEq> PartialEq for SortedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<K: Copy + Ord, V: Copy + Eq> Eq for SortedMap<K, V> {}

impl<K: Copy + Hash + Ord, V: Copy + Hash> Hash for SortedMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len);
        self.iter().for_each(|entry| entry.hash(state));
    }
}

/// As a list of pairs, since the keys are no texts.
impl<K: Copy + Ord + Serialize, V: Copy + Serialize> Serialize for SortedMap<K, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'de, K: Copy + Deserialize<'de> + Ord, V: Copy + Deserialize<'de>> Deserialize<'de> for SortedMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut map = Self::default();
        Vec::<(K, V)>::deserialize(from)?.into_iter().for_each(|(key, value)| map.insert(key, value));
        Ok(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Seed;
    use std::collections::BTreeMap;

    type Key = (u64, u64);

    fn agree(sorted: &SortedMap<Key, u64>, plain: &BTreeMap<Key, u64>, context: &str) {
        assert!(sorted.iter().copied().eq(plain.iter().map(|(key, value)| (*key, *value))), "{context}");
        assert_eq!((sorted.len(), sorted.first().map(|entry| entry.0)), (plain.len(), plain.keys().next().copied()));
        for key in plain.keys().step_by(37) {
            assert!(sorted.from(*key).map(|entry| &entry.0).eq(plain.range(*key..).map(|entry| entry.0)), "{context}");
        }
        assert!(sorted.chunks.iter().all(|chunk| (1..=SIZE).contains(&chunk.len())), "{context}");
    }

    #[test]
    fn chunks_are_full_whether_keys_rise_or_fall() {
        for falls in [false, true] {
            let mut sorted = SortedMap::default();
            let keys = (0..10_000_u64).map(|key| if falls { 10_000 - key } else { key });
            keys.for_each(|key| sorted.insert(key, key));
            assert!(sorted.chunks.len() <= 2 * 10_000 / SIZE + 2, "{} chunks, falling: {falls}", sorted.chunks.len());
        }
    }

    #[test]
    fn it_is_a_map_in_order_and_a_copy_keeps_what_it_had() {
        for seed in 1..=4 {
            let mut stream = Seed(seed).stream("timers");
            let (mut sorted, mut plain) = (SortedMap::default(), BTreeMap::new());
            let mut copies = Vec::new();
            for step in 0..4_000 {
                let key = (stream.below(900), stream.below(if seed == 1 { 3 } else { 4_000 }));
                let grows = stream.chance(if step < 2_500 { 3 } else { 1 }, 4);
                if grows {
                    sorted.insert(key, step);
                    plain.insert(key, step);
                } else {
                    let first = plain.keys().next().copied().filter(|_| step % 2 == 0).unwrap_or(key);
                    assert_eq!(sorted.remove(first), plain.remove(&first), "seed {seed}");
                }
                if step % 1_000 == 500 {
                    copies.push((sorted.clone(), plain.clone()));
                }
            }
            copies.push((sorted, plain));
            copies.iter().for_each(|(sorted, plain)| agree(sorted, plain, &format!("seed {seed}")));
        }
    }
}
