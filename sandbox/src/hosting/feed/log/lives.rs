//! The lives of a world: each begins where the world was put back to, and goes on from there.
//!
//! Owns: which events led to a place. Invariant: an event belongs to the life in which it was told, and counts for a later one only
//! where that goes on after it. Absent on purpose: the events themselves.

use std::ops::{Range, RangeInclusive};

/// Where a world goes on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Return {
    /// The input that put it there; those after it belong to the new life.
    pub at: u64,
    /// The last input that led there; none where it begins anew.
    pub to: Option<u64>,
    /// How many events had happened by then.
    pub events: u64,
}

/// One life.
#[derive(Clone, Copy, Debug)]
struct Life {
    /// Number of its first event in the log.
    born: u64,
    from: Return,
}

/// All of them, oldest first; never none.
#[derive(Debug)]
pub(super) struct Lives(Vec<Life>);

/// What led to a place, the latest life first.
#[derive(Debug)]
pub(super) struct Way(Vec<Part>);

/// The part of a life that led on.
#[derive(Debug)]
struct Part {
    /// Its inputs.
    inputs: RangeInclusive<u64>,
    /// The numbers that its events have in the log.
    numbers: Range<u64>,
    /// How many events had happened in the world where the way leaves it.
    events: u64,
}

impl Way {
    /// Whether the event with this number in the log, and that number in its world, is on the way.
    pub(super) fn has(&self, number: u64, in_world: u64) -> bool {
        self.0.iter().any(|part| part.numbers.contains(&number) && in_world < part.events)
    }

    /// The inputs on the way.
    pub(super) fn inputs(self) -> impl Iterator<Item = RangeInclusive<u64>> {
        self.0.into_iter().map(|part| part.inputs)
    }
}

impl Lives {
    /// One life, before which so many events had happened that somebody else's log has.
    pub(super) fn after(events: u64) -> Self {
        Self(vec![Life { born: 0, from: Return { at: 0, to: None, events } }])
    }

    /// How many events had happened when the present life began.
    pub(super) fn before(&self) -> u64 {
        self.0.last().map_or(0, |life| life.from.events)
    }

    /// Begins another life, whose first event will have the number `born`; none of `oldest` or an earlier number is kept.
    pub(super) fn begin(&mut self, born: u64, from: Return, oldest: u64) {
        self.0.push(Life { born, from });
        let gone = self.0.partition_point(|life| life.born <= oldest).saturating_sub(1);
        self.0.drain(..gone);
    }

    /// What led to where a world would go on.
    pub(super) fn way_to(&self, from: Return) -> Way {
        let mut way = Vec::new();
        let (mut to, mut events) = (from.to, from.events);
        while let Some(last) = to {
            let Some(place) = self.0.partition_point(|life| life.from.at <= last).checked_sub(1) else { break };
            let Life { born, from } = self.0[place];
            let end = self.0.get(place + 1).map_or(u64::MAX, |next| next.born);
            way.push(Part { inputs: from.at..=last, numbers: born..end, events });
            (to, events) = (from.to.filter(|to| *to < from.at), from.events);
        }
        Way(way)
    }
}
