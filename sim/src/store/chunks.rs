//! A list whose copy shares what neither copy has changed.
//!
//! Invariant: the items are in chunks of [`SIZE`], of which only the last may have room. A copy counts one more holder for
//! each chunk; the first change of a chunk after that copies this chunk alone. Absent on purpose: removal, but for whole chunks
//! at the front.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::hash::{Hash, Hasher};
use std::ops::Index;
use std::sync::Arc;

/// How many items share one allocation: a copy of a million items counts 4,000 holders, and the first change after it
/// copies so many items.
pub(super) const SIZE: usize = 256;

/// Items in order.
#[derive(Clone, Debug)]
pub struct Chunks<T> {
    chunks: Vec<Arc<Vec<T>>>,
    len: usize,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<T> Chunks<T> {
    /// How many items there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The item at `at`.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<&T> {
        self.chunks.get(at / SIZE)?.get(at % SIZE)
    }

    /// All items in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        self.from(0)
    }

    /// The items from `at` on.
    pub fn from(&self, at: usize) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        (at.min(self.len)..self.len).map(|at| &self[at])
    }

    /// Lets as many of the first `count` items go as fill whole chunks, and gives how many.
    pub fn drop_whole(&mut self, count: usize) -> usize {
        let whole = count.min(self.len) / SIZE;
        self.chunks.drain(..whole);
        self.len -= whole * SIZE;
        whole * SIZE
    }

    /// The place of the first item at or after `at` that is not `before`, in a list where all that are come first.
    pub(super) fn partition_point(&self, at: usize, before: impl Fn(&T) -> bool) -> usize {
        let (mut low, mut high) = (at, self.len);
        while low < high {
            let middle = usize::midpoint(low, high);
            if before(&self[middle]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

impl<T: Clone> Chunks<T> {
    /// Puts `item` at the end.
    pub fn push(&mut self, item: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < SIZE => Arc::make_mut(last).push(item),
            _ => self.chunks.push(Arc::new(vec![item])),
        }
        self.len += 1;
    }

    /// The first `len` items, or all where there are fewer.
    #[must_use]
    pub fn first(&self, len: usize) -> Self {
        let len = len.min(self.len);
        let mut chunks = self.chunks[..len.div_ceil(SIZE)].to_vec();
        if let Some(last) = chunks.last_mut() {
            let rest = len - (len - 1) / SIZE * SIZE;
            if rest < last.len() {
                *last = Arc::new(last[..rest].to_vec());
            }
        }
        Self { chunks, len }
    }

    /// The item at `at`, to be changed.
    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        Arc::make_mut(self.chunks.get_mut(at / SIZE)?).get_mut(at % SIZE)
    }
}

impl<T: Clone> FromIterator<T> for Chunks<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut chunks = Self::default();
        items.into_iter().for_each(|item| chunks.push(item));
        chunks
    }
}

impl<T: PartialEq> PartialEq for Chunks<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: Eq> Eq for Chunks<T> {}

/// As a plain list.
impl<T: Hash> Hash for Chunks<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len);
        self.iter().for_each(|item| item.hash(state));
    }
}

impl<T: Serialize> Serialize for Chunks<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'de, T: Clone + Deserialize<'de>> Deserialize<'de> for Chunks<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Vec::deserialize(from)?.into_iter().collect())
    }
}

impl<T> Index<usize> for Chunks<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        &self.chunks[at / SIZE][at % SIZE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws;

    fn grown(items: &[u32]) -> Chunks<u32> {
        items.iter().copied().collect()
    }

    #[test]
    fn a_list_of_chunks_is_a_list() {
        laws::quick(|(few, many, changes): (Vec<u32>, u16, Vec<(u16, u32)>)| {
            let mut plain: Vec<u32> = few.into_iter().chain(0..u32::from(many % 1_000)).collect();
            let mut chunks = grown(&plain);
            for (at, item) in changes {
                let at = usize::from(at % 1_100);
                match (plain.get_mut(at), chunks.get_mut(at)) {
                    (Some(old), Some(changed)) => (*old, *changed) = (item, item),
                    (None, None) => {}
                    _ => return false,
                }
            }
            chunks.len() == plain.len()
                && chunks.iter().eq(&plain)
                && chunks.iter().rev().eq(plain.iter().rev())
                && chunks.from(300).eq(plain.iter().skip(300))
                && chunks.get(plain.len()).is_none()
        });
    }

    #[test]
    fn a_copy_shares_all_chunks_but_those_that_were_changed_since() {
        let original = grown(&(0..2_000).collect::<Vec<_>>());
        let mut copy = original.clone();
        copy.push(2_000);
        *copy.get_mut(600).expect("there are 2,000") = 7;
        let shared = original.chunks.iter().zip(&copy.chunks).map(|(a, b)| Arc::ptr_eq(a, b));
        assert_eq!(shared.collect::<Vec<_>>(), [true, true, false, true, true, true, true, false]);
        assert_eq!((original[600], copy[600], original.len(), copy.len()), (600, 7, 2_000, 2_001));
    }

    #[test]
    fn the_first_items_are_those_of_a_plain_list_and_whole_chunks_of_them_can_go() {
        for (len, some) in [(0, 0), (1, 1), (700, 0), (700, 256), (700, 257), (700, 700), (700, 900), (1_024, 1_024)] {
            let plain: Vec<u32> = (0..len).collect();
            let whole = grown(&plain);
            let mut first = whole.first(some as usize);
            assert!(first.iter().eq(plain.iter().take(some as usize)), "{some} of {len}");
            first.push(7);
            assert!(first.iter().eq(plain.iter().take(some as usize).chain([&7])), "{some} of {len}");
            let mut rest = whole.clone();
            let gone = rest.drop_whole(some as usize);
            assert_eq!(gone, some.min(len) as usize / SIZE * SIZE);
            assert!(rest.iter().eq(&plain[gone..]), "{some} of {len}");
            assert!(whole.iter().eq(&plain), "the original keeps all");
        }
    }

    #[test]
    fn a_place_is_found_as_a_plain_list_finds_it() {
        laws::quick(|(mut items, from, bound): (Vec<u32>, usize, u32)| {
            items.sort_unstable();
            let from = from % (items.len() + 1);
            let expected = from + items[from..].partition_point(|&item| item < bound);
            grown(&items).partition_point(from, |&item| item < bound) == expected
        });
    }
}
