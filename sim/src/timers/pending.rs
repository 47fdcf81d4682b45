//! Pending timers in order, of which a copy shares what neither copy has changed.
//!
//! Invariant: in chunks of at most [`SIZE`], none of them empty, each before the next. A copy counts one more holder for each chunk;
//! the first change of a chunk after that copies this chunk alone. Absent on purpose: what timers do.

use super::{Timer, TimerKey};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How many timers share one allocation.
const SIZE: usize = 128;

type Entry = (TimerKey, Timer);

/// Timers by key.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    chunks: Vec<Arc<Vec<Entry>>>,
    len: usize,
}

impl Pending {
    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// The first one.
    pub(super) fn first(&self) -> Option<&Entry> {
        self.chunks.first()?.first()
    }

    /// All in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// Those from `key` on.
    pub(super) fn from(&self, key: TimerKey) -> impl Iterator<Item = &Entry> {
        self.chunks[self.chunk_of(key)..].iter().flat_map(|chunk| chunk.iter()).skip_while(move |entry| entry.0 < key)
    }

    /// The chunk in which `key` is, or belongs.
    fn chunk_of(&self, key: TimerKey) -> usize {
        self.chunks.partition_point(|chunk| chunk[0].0 <= key).saturating_sub(1)
    }

    /// Adds a timer, in the place of one with its key.
    pub(super) fn insert(&mut self, key: TimerKey, timer: Timer) {
        let at = self.chunk_of(key);
        let Some(chunk) = self.chunks.get_mut(at) else {
            (self.chunks, self.len) = (vec![Arc::new(vec![(key, timer)])], 1);
            return;
        };
        let chunk = Arc::make_mut(chunk);
        match chunk.binary_search_by_key(&key, |entry| entry.0) {
            Ok(place) => chunk[place].1 = timer,
            Err(place) => {
                chunk.insert(place, (key, timer));
                self.len += 1;
            }
        }
        if chunk.len() > SIZE {
            let later = chunk.split_off(SIZE / 2);
            self.chunks.insert(at + 1, Arc::new(later));
        }
    }

    /// Removes a timer.
    pub(super) fn remove(&mut self, key: TimerKey) -> Option<Timer> {
        let at = self.chunk_of(key);
        let chunk = self.chunks.get_mut(at)?;
        let place = chunk.binary_search_by_key(&key, |entry| entry.0).ok()?;
        let chunk = Arc::make_mut(chunk);
        let (_, timer) = chunk.remove(place);
        if chunk.is_empty() {
            self.chunks.remove(at);
        }
        self.len -= 1;
        Some(timer)
    }
}

impl PartialEq for Pending {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Pending {}

impl Hash for Pending {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len);
        self.iter().for_each(|entry| entry.hash(state));
    }
}

/// As a list of pairs, since the keys are no texts.
impl Serialize for Pending {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Pending {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut pending = Self::default();
        Vec::<Entry>::deserialize(from)?.into_iter().for_each(|(key, timer)| pending.insert(key, timer));
        Ok(pending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{Drawn as _, OrderId};
    use crate::rng::Seed;
    use crate::time::Instant;
    use std::collections::BTreeMap;

    fn agree(pending: &Pending, plain: &BTreeMap<TimerKey, Timer>, context: &str) {
        assert!(pending.iter().copied().eq(plain.iter().map(|(key, timer)| (*key, *timer))), "{context}");
        assert_eq!((pending.len(), pending.first().map(|entry| entry.0)), (plain.len(), plain.keys().next().copied()));
        for key in plain.keys().step_by(37) {
            assert!(pending.from(*key).map(|entry| &entry.0).eq(plain.range(*key..).map(|entry| entry.0)), "{context}");
        }
        assert!(pending.chunks.iter().all(|chunk| (1..=SIZE).contains(&chunk.len())), "{context}");
    }

    #[test]
    fn pending_timers_are_a_map_in_order_and_a_copy_keeps_what_it_had() {
        for seed in 1..=4 {
            let mut stream = Seed(seed).stream("timers");
            let (mut pending, mut plain) = (Pending::default(), BTreeMap::new());
            let mut copies = Vec::new();
            for step in 0..4_000 {
                let key = TimerKey {
                    at: Instant::from_ms(stream.between(0, 900)),
                    sequence: stream.below(if seed == 1 { 3 } else { 4_000 }),
                };
                let grows = stream.chance(if step < 2_500 { 3 } else { 1 }, 4);
                if grows {
                    let timer = Timer::AcceptOrder(OrderId::draw(&mut stream));
                    pending.insert(key, timer);
                    plain.insert(key, timer);
                } else {
                    let first = plain.keys().next().copied().filter(|_| step % 2 == 0).unwrap_or(key);
                    assert_eq!(pending.remove(first), plain.remove(&first), "seed {seed}");
                }
                if step % 1_000 == 500 {
                    copies.push((pending.clone(), plain.clone()));
                }
            }
            copies.push((pending, plain));
            copies.iter().for_each(|(pending, plain)| agree(pending, plain, &format!("seed {seed}")));
        }
    }
}
