//! Records that only their id finds.
//!
//! Invariant: in order of creation; ids are drawn from a stream that nothing else draws from. Absent on purpose: removal.

use super::SharedMap;
use super::index::position;
use crate::ids::Drawn;
use crate::rng::{Seed, Stream};
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Records that only their id finds; new ones get the next id of a stream of their own.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "K: Serialize, T: Serialize", deserialize = "K: Deserialize<'de>, T: Deserialize<'de>"))]
pub struct Register<K: Drawn, T> {
    ids: Stream,
    records: SharedMap<K, Arc<T>>,
}

impl<K: Drawn, T: Clone> Register<K, T> {
    /// An empty register that draws its ids from the stream of `seed` for `noun`.
    #[must_use]
    pub fn new(seed: Seed, noun: &str) -> Self {
        Self { ids: seed.stream(&format!("{noun} ids")), records: SharedMap::default() }
    }

    /// Makes a new record with the next id, and keeps it.
    pub fn insert_new(&mut self, make: impl FnOnce(K) -> T) -> K {
        let id = K::draw(&mut self.ids).with_place_hint(position(self.records.len()));
        self.records.insert(id, Arc::new(make(id)));
        id
    }

    /// The record with `id`, if it exists.
    #[must_use]
    pub fn get(&self, id: K) -> Option<&Arc<T>> {
        self.records.get(&id)
    }

    /// The record with `id`, which is known to exist.
    ///
    /// # Panics
    /// When it does not exist: a bug.
    #[must_use]
    pub fn known(&self, id: K) -> &Arc<T> {
        self.get(id).expect("a record that others refer to exists")
    }

    /// All records in order of creation.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<T>> {
        self.records.values()
    }

    /// The record with `id`, to be changed.
    ///
    /// # Panics
    /// When it does not exist: a bug.
    pub fn change(&mut self, id: K) -> &mut T {
        Arc::make_mut(self.records.get_mut(&id).expect("a record that others refer to exists"))
    }
}

impl<K: Drawn, T: Hash> Hash for Register<K, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { ids, records } = self;
        (ids, records).hash(state);
    }
}
