//! Copies of a world at moments of its past, from which the way to the moments after them is short.
//!
//! Invariant: bounded in number, the fewer the larger the world; about as much has happened between one and the next. Of a small
//! world they reach back to its start, of a large one they are the last few. They lead to the present, and hold what has changed
//! since; the rest they share with it. Absent on purpose: what must not be lost, which
//! is the log's and the snapshots'.

use std::sync::Arc;

use rare::Point;
use sim::World;

use feed::input_log::Position;

/// Inputs and events from one to the next, at the least: a few milliseconds of work.
const EVERY: u64 = 4_096;
/// The most of one world.
const MOST: u64 = 16;
/// The fewest that may be kept of a large world.
const FEWEST: u64 = 2;
/// Records that all of them may have together, where that is more than the fewest have.
const MOST_RECORDS: u64 = 4_000_000;

/// Records with which a world's start is kept, since it takes long to open it again.
const LARGE_START: u64 = 10_000;

/// The copies of one world, in order.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    /// The world as it was opened, where that is large.
    start: Option<Arc<World>>,
    kept: Vec<(Position, Arc<World>)>,
    every: u64,
    /// How much has happened when the next one is kept.
    due: u64,
}

/// How much has happened in a world.
const fn progress(position: Position, world: &World) -> u64 {
    position.0.saturating_add(world.events_so_far())
}

impl Checkpoints {
    /// Of a world that was just opened.
    #[must_use]
    pub fn of_start(world: &World) -> Self {
        let start = (world.records() >= LARGE_START).then(|| Arc::new(world.clone()));
        Self { start, ..Self::new(Position(0), world) }
    }

    /// None yet, of a world that is at `position` now.
    #[must_use]
    pub const fn new(position: Position, world: &World) -> Self {
        Self { start: None, kept: Vec::new(), every: EVERY, due: progress(position, world).saturating_add(EVERY) }
    }

    /// The world as it was opened, where that is kept.
    #[must_use]
    pub const fn start(&self) -> Option<&Arc<World>> {
        self.start.as_ref()
    }

    /// The world was put back and continues from `position` as `world`. Keeps the copies that lead there, up to `last`, where
    /// there are any, and returns the others, which hold what the world has left behind.
    #[must_use]
    pub fn restarted(&mut self, last: Option<Position>, position: Position, world: &World) -> Vec<Arc<World>> {
        let leads = last.map_or(0, |last| self.kept.partition_point(|(at, _)| *at <= last));
        self.due = progress(position, world).saturating_add(self.every);
        self.kept.drain(leads..).map(|(_, left)| left).collect()
    }

    /// Keeps a copy of the world as it is after the input at `position`, if enough has happened since the last one.
    pub fn note(&mut self, position: Position, world: &World) {
        if !self.kept.is_empty() && rare::happens(Point::CheckpointDropped) {
            drop(self.kept.pop());
        }
        let now = progress(position, world);
        if now < self.due && !rare::happens(Point::EarlyCheckpoint) {
            return;
        }
        let most = MOST_RECORDS.checked_div(world.records()).unwrap_or(MOST).clamp(FEWEST, MOST);
        while self.kept.len() as u64 >= most {
            if most == MOST { self.thin() } else { drop(self.kept.remove(0)) }
        }
        let mut copy = world.clone();
        copy.forget_events();
        drop(copy.take_callbacks());
        self.kept.push((position, Arc::new(copy)));
        self.due = now.saturating_add(self.every);
    }

    /// Lets every second one go, the first included.
    fn thin(&mut self) {
        let mut places = 0..;
        self.kept.retain(|_| places.next().is_some_and(|place| place % 2 == 1));
        self.every = self.every.saturating_mul(2);
    }

    /// The latest at `position` or before it.
    #[must_use]
    pub fn latest(&self, position: Position) -> Option<(Position, Arc<World>)> {
        let later = self.kept.partition_point(|(at, _)| *at <= position);
        later.checked_sub(1).map(|last| self.kept[last].clone())
    }

    /// Lets those before `begin` go, which nobody can ask for any more.
    pub fn forget(&mut self, begin: Position) {
        self.kept.retain(|(at, _)| *at >= begin);
    }

    /// Those that lead to `position`, for a fork that leaves the world there and continues at `at` as `world`.
    #[must_use]
    pub fn fork(&self, position: Position, at: Position, world: &World) -> Self {
        let mut fork = self.clone();
        drop(fork.restarted(Some(position), at, world));
        fork
    }

    /// How many records they hold and `present`, which came after them, no longer has, at the most: no more records change
    /// than events happen.
    #[must_use]
    pub fn records(&self, present: &World) -> u64 {
        let copies = self.start.iter().chain(self.kept.iter().map(|(_, copy)| copy));
        let later = copies.clone().skip(1).map(|copy| &**copy).chain([present]);
        let changed = |(copy, later): (&Arc<World>, &World)| {
            copy.records().min(later.events_so_far().saturating_sub(copy.events_so_far()))
        };
        copies.zip(later).map(changed).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::demo;
    use sim::rng::Seed;
    use sim::time::Instant;

    fn world() -> World {
        let start = Instant::parse("2026-03-02T08:00:00+01:00").expect("an instant");
        World::new(&demo(), Seed(1), start).expect("the demo setup opens")
    }

    fn after(checkpoints: &Checkpoints, position: u64) -> Option<u64> {
        checkpoints.latest(Position(position)).map(|(at, _)| at.0)
    }

    #[test]
    fn copies_are_about_equally_far_apart_and_never_more_than_the_most() {
        let world = world();
        let mut checkpoints = Checkpoints::new(Position(0), &world);
        for position in 1..=EVERY * 200 {
            checkpoints.note(Position(position), &world);
            assert!(checkpoints.kept.len() as u64 <= MOST);
        }
        let places: Vec<u64> = checkpoints.kept.iter().map(|(at, _)| at.0).collect();
        let gaps = std::iter::once(&0).chain(&places).zip(&places).map(|(before, after)| after - before);
        let widest = gaps.max().expect("some");
        assert!(widest <= EVERY * 200 / 6, "{places:?}");
        assert!(EVERY * 200 - places.last().expect("some") <= widest, "{places:?}");
    }

    #[test]
    fn the_latest_before_a_position_is_found_and_those_before_the_log_begins_are_not() {
        let world = world();
        let mut checkpoints = Checkpoints::new(Position(0), &world);
        (1..=EVERY * 3).for_each(|position| checkpoints.note(Position(position), &world));
        assert_eq!(after(&checkpoints, EVERY - 1), None);
        assert_eq!(after(&checkpoints, EVERY), Some(EVERY));
        assert_eq!(after(&checkpoints, EVERY * 2 - 1), Some(EVERY));
        let fork = checkpoints.fork(Position(EVERY * 2), Position(EVERY * 2 + 1), &world);
        assert_eq!(after(&fork, u64::MAX), Some(EVERY * 2));
        checkpoints.forget(Position(EVERY * 2));
        assert_eq!((after(&checkpoints, EVERY * 2 - 1), after(&checkpoints, u64::MAX)), (None, Some(EVERY * 3)));
    }
}
