//! A list that keeps its own fingerprint, so that a world with years of prices is compared without reading them all.
//!
//! Invariant: the fingerprint is the sum of the digests of all items with their places. It follows from the items alone,
//! however they got there, so it is not written down. It is computed when somebody asks for it, each item once: a world that
//! nobody compares computes none. Absent on purpose: removal.

use crate::digest::digest_of;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard};

/// Room for how many more items is made at once, at the least; an eighth of what is there where that is more. Most of what an
/// idle world keeps are prices, and room that doubles would be half of it.
const ROOM: usize = 16;

/// Items in order, with their fingerprint.
#[derive(Debug)]
pub(super) struct Series<T> {
    items: Vec<T>,
    /// Behind a lock: who asks for a fingerprint has no other right to change the list.
    summed: Mutex<Summed>,
}

/// The sum over the first items.
#[derive(Clone, Copy, Debug, Default)]
struct Summed {
    count: usize,
    sum: u128,
}

impl<T> Series<T> {
    fn summed(&self) -> MutexGuard<'_, Summed> {
        self.summed.lock().expect("no reader breaks")
    }

    /// Makes room for `more` items at once.
    pub(super) fn make_room(&mut self, more: usize) {
        if self.items.capacity() - self.items.len() < more {
            self.items.reserve_exact(more.max(ROOM).max(self.items.len() / 8));
        }
    }

    /// Puts `item` at the end.
    pub(super) fn push(&mut self, item: T) {
        self.make_room(1);
        self.items.push(item);
    }
}

impl<T: Hash> Series<T> {
    /// Changes the item at `at`.
    ///
    /// # Panics
    /// When there is none: a bug.
    pub(super) fn change(&mut self, at: usize, f: impl FnOnce(&mut T)) {
        let item = &mut self.items[at];
        let summed = self.summed.get_mut().expect("no reader breaks");
        if at >= summed.count {
            return f(item);
        }
        summed.sum = summed.sum.wrapping_sub(placed(at, item));
        f(item);
        summed.sum = summed.sum.wrapping_add(placed(at, item));
    }

    fn fingerprint(&self) -> u128 {
        let mut summed = self.summed();
        for (at, item) in self.items.iter().enumerate().skip(summed.count) {
            summed.sum = summed.sum.wrapping_add(placed(at, item));
        }
        summed.count = self.items.len();
        summed.sum
    }
}

/// What an item adds to the fingerprint.
fn placed<T: Hash>(at: usize, item: &T) -> u128 {
    digest_of(&(at, item)).0
}

impl<T: Clone> Clone for Series<T> {
    fn clone(&self) -> Self {
        Self { items: self.items.clone(), summed: Mutex::new(*self.summed()) }
    }
}

impl<T: PartialEq> PartialEq for Series<T> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

impl<T: Eq> Eq for Series<T> {}

impl<T> From<Vec<T>> for Series<T> {
    fn from(mut grown: Vec<T>) -> Self {
        // Not shrunk: an allocator may leave what is half full where it is.
        let mut items = Vec::with_capacity(grown.len());
        items.append(&mut grown);
        Self { items, summed: Mutex::default() }
    }
}

impl<T> Deref for Series<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T: Hash> Hash for Series<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.items.len(), self.fingerprint()).hash(state);
    }
}

impl<T: Serialize> Serialize for Series<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.items.serialize(to)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Series<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::deserialize(from).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws;

    #[test]
    fn the_fingerprint_follows_from_the_items_however_they_got_there() {
        laws::quick(|(items, asked, corrected): (Vec<u32>, usize, Vec<(usize, u32)>)| {
            let mut grown = Series::from(Vec::new());
            let mut plain = items.clone();
            for (at, item) in items.into_iter().enumerate() {
                grown.push(item);
                if at == asked % plain.len() {
                    digest_of(&grown);
                }
            }
            for (at, item) in corrected {
                let Some(at) = at.checked_rem(plain.len()) else { continue };
                plain[at] = item;
                grown.change(at, |old| *old = item);
            }
            let written = serde_json::to_vec(&grown).expect("a series can be written");
            let read: Series<u32> = serde_json::from_slice(&written).expect("what was written can be read");
            let fresh = Series::from(plain);
            grown == fresh && read == grown && digest_of(&grown) == digest_of(&fresh)
        });
    }

    #[test]
    fn other_items_and_other_places_have_other_fingerprints() {
        laws::quick(|(a, b): (Vec<u8>, Vec<u8>)| {
            (a == b) == (digest_of(&Series::from(a)) == digest_of(&Series::from(b)))
        });
        let swapped = [vec![1_u8, 2], vec![2, 1]].map(|items| digest_of(&Series::from(items)));
        assert_ne!(swapped[0], swapped[1]);
    }
}
