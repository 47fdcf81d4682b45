//! A list that keeps its own fingerprint, so that a world with years of prices is compared without reading them all.
//!
//! Invariant: the fingerprint is the sum of the digests of all items with their places. It follows from the items alone,
//! however they got there, so it is not written down. Absent on purpose: removal.

use crate::digest::digest_of;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::hash::{Hash, Hasher};
use std::ops::Deref;

/// Room for how many more items is made at once, at the least; an eighth of what is there where that is more. Most of what an
/// idle world keeps are prices, and room that doubles would be half of it.
const ROOM: usize = 16;

/// Items in order, with their fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Series<T> {
    items: Vec<T>,
    sum: u128,
}

impl<T: Hash> Series<T> {
    /// Makes room for `more` items at once.
    pub(super) fn make_room(&mut self, more: usize) {
        if self.items.capacity() - self.items.len() < more {
            self.items.reserve_exact(more.max(ROOM).max(self.items.len() / 8));
        }
    }

    /// Puts `item` at the end.
    pub(super) fn push(&mut self, item: T) {
        self.sum = self.sum.wrapping_add(placed(self.items.len(), &item));
        self.make_room(1);
        self.items.push(item);
    }

    /// Changes the item at `at`.
    ///
    /// # Panics
    /// When there is none: a bug.
    pub(super) fn change(&mut self, at: usize, f: impl FnOnce(&mut T)) {
        let item = &mut self.items[at];
        self.sum = self.sum.wrapping_sub(placed(at, item));
        f(item);
        self.sum = self.sum.wrapping_add(placed(at, item));
    }
}

/// What an item adds to the fingerprint.
fn placed<T: Hash>(at: usize, item: &T) -> u128 {
    digest_of(&(at, item)).0
}

impl<T: Hash> From<Vec<T>> for Series<T> {
    fn from(mut grown: Vec<T>) -> Self {
        // Not shrunk: an allocator may leave what is half full where it is.
        let mut items = Vec::with_capacity(grown.len());
        items.append(&mut grown);
        let sum = items.iter().enumerate().fold(0, |sum: u128, (at, item)| sum.wrapping_add(placed(at, item)));
        Self { items, sum }
    }
}

impl<T> Deref for Series<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> Hash for Series<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { items, sum } = self;
        (items.len(), sum).hash(state);
    }
}

impl<T: Serialize> Serialize for Series<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.items.serialize(to)
    }
}

impl<'de, T: Hash + Deserialize<'de>> Deserialize<'de> for Series<T> {
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
        laws::quick(|(items, corrected): (Vec<u32>, Vec<(usize, u32)>)| {
            let mut grown = Series::from(Vec::new());
            let mut plain = items.clone();
            items.into_iter().for_each(|item| grown.push(item));
            for (at, item) in corrected {
                let Some(at) = at.checked_rem(plain.len()) else { continue };
                plain[at] = item;
                grown.change(at, |old| *old = item);
            }
            let mut written = Vec::new();
            ciborium::into_writer(&grown, &mut written).expect("a series can be written");
            let read: Series<u32> = ciborium::from_reader(&written[..]).expect("what was written can be read");
            grown == Series::from(plain) && read == grown
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
