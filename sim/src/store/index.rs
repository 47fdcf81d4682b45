//! Positions by the hash of a key or by its hint, in parts of which a copy shares those that neither copy has changed.
//!
//! Invariant: a position is in the part that its hash names. There is one part more whenever there are [`FULL`] positions for
//! each, and only the part from which it takes positions is read for that (linear hashing), so no insertion costs more
//! than some hundred others. Absent on purpose: the keys, which the records at those positions know; removal.

use crate::ids::LookupKey;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher as _, Hash};
use std::sync::Arc;

/// No position.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A place in a collection, as indexes keep it.
pub(super) fn position(at: usize) -> u32 {
    u32::try_from(at).ok().filter(|&at| at != NOWHERE).expect("a collection holds fewer than 2^32 - 1 entries")
}

/// The hash by which a key is found.
pub(super) fn hash_of(key: impl Hash) -> u64 {
    FxBuildHasher.hash_one(key)
}

/// How many positions a part holds, on average, when another is made: what the first change of a part after a copy copies.
const FULL: usize = 512;

/// The bits of a hash from here on name the part; those below it, the place in the part.
const PART_BITS: u32 = 11;

/// Positions by hash.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    parts: Vec<Arc<HashTable<u32>>>,
    len: usize,
}

impl Index {
    /// The part of `hash` among `parts`: by as many bits as number all of them, or by one less where there is no such part yet.
    const fn part(hash: u64, parts: usize) -> usize {
        let bits = (hash >> PART_BITS) as usize;
        let all = parts.next_power_of_two();
        let part = bits & (all - 1);
        if part < parts { part } else { part - all / 2 }
    }

    /// The position of `key`: at the place of its hint, or where its hash leads; `is_sought` says whether it is at a position.
    #[inline]
    pub(super) fn find(&self, key: &impl LookupKey, is_sought: impl Fn(u32) -> bool) -> Option<u32> {
        let hint = key.place_hint();
        if (hint as usize) < self.len && is_sought(hint) {
            return Some(hint);
        }
        self.find_by_hash(hash_of(key), is_sought)
    }

    fn find_by_hash(&self, hash: u64, is_sought: impl Fn(u32) -> bool) -> Option<u32> {
        if self.parts.is_empty() {
            return None;
        }
        self.parts[Self::part(hash, self.parts.len())].find(hash, |&at| is_sought(at)).copied()
    }

    /// Adds `at`, which is not there yet; `hash_at` gives the hash of any position that is.
    pub(super) fn insert(&mut self, hash: u64, at: u32, hash_at: impl Fn(u32) -> u64) {
        if self.len == self.parts.len() * FULL {
            self.add_part(&hash_at);
        }
        let part = Self::part(hash, self.parts.len());
        Arc::make_mut(&mut self.parts[part]).insert_unique(hash, at, |&at| hash_at(at));
        self.len += 1;
    }

    /// Makes one more part, with what belongs there of the part that had it.
    fn add_part(&mut self, hash_at: impl Fn(u32) -> u64) {
        let parts = self.parts.len() + 1;
        self.parts.push(Arc::default());
        if parts == 1 {
            return;
        }
        let halved = parts - 1 - parts.next_power_of_two() / 2;
        // Room for a half and some more, so that neither table grows while it is filled.
        let room = self.parts[halved].len() * 5 / 8;
        let mut halves = [HashTable::with_capacity(room), HashTable::with_capacity(room)];
        for &at in self.parts[halved].iter() {
            let hash = hash_at(at);
            let half = usize::from(Self::part(hash, parts) != halved);
            halves[half].insert_unique(hash, at, |&at| hash_at(at));
        }
        let [stays, goes] = halves.map(Arc::new);
        (self.parts[halved], self.parts[parts - 1]) = (stays, goes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Seed;

    impl LookupKey for u64 {}

    fn indexed(keys: &[u64]) -> Index {
        let mut index = Index::default();
        for (at, key) in keys.iter().enumerate() {
            index.insert(hash_of(key), u32::try_from(at).expect("few"), |at| hash_of(keys[at as usize]));
        }
        index
    }

    #[test]
    fn each_key_is_found_at_its_position_and_no_other_is_found() {
        let mut stream = Seed(5).stream("keys");
        for count in [0, 1, 511, 512, 513, 5_000, 40_000] {
            let keys: Vec<u64> = (0..count).map(|_| stream.below(u64::MAX / 2)).collect();
            let index = indexed(&keys);
            let find = |key: u64| index.find(&key, |at| keys[at as usize] == key);
            assert!(keys.iter().all(|&key| find(key).is_some_and(|at| keys[at as usize] == key)), "of {count}");
            assert!((0..count).all(|other| find(u64::MAX - other).is_none()), "of {count}");
        }
    }

    #[test]
    fn parts_are_about_as_full_as_each_other_and_none_holds_many_more_than_when_it_is_halved() {
        let mut stream = Seed(6).stream("keys");
        let keys: Vec<u64> = (0..100_000).map(|_| stream.below(u64::MAX / 2)).collect();
        let index = indexed(&keys);
        assert_eq!(index.parts.len(), 100_000_usize.div_ceil(FULL));
        let fullest = index.parts.iter().map(|part| part.len()).max();
        assert!(fullest.is_some_and(|most| most < FULL * 5 / 2), "{fullest:?}");
    }
}
