//! A world made again from its log.
//!
//! Invariant: a log gives the same world here as where it was written, to the last bit; inputs that resets, restores
//! and rewinds have left behind are not carried out. Absent on purpose: what a decision changes beside the world, and
//! reading the log.

use std::collections::VecDeque;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use sim::input::{Act, InputOutcome};
use sim::time::Instant;
use sim::{Input, World};

use super::decision::HostDecision;
use super::origin::WorldOrigin;
use crate::snapshot_name::SnapshotName;
use feed::input_log::{LoggedInput, Position};
use feed::lineage::{Lineage, LogRange, Point, RestoreTarget, Restored};
use wire::error::ApiError;

/// One range of a log with its inputs.
#[derive(Debug)]
pub struct Leg {
    /// The inputs, in order.
    pub entries: Vec<LoggedInput>,
    /// Which range it is.
    pub range: LogRange,
}

/// A world on its way.
#[derive(Debug)]
pub struct Replay {
    world: World,
    legs: VecDeque<Leg>,
    /// The next input of the first leg.
    next: usize,
    inputs: u64,
}

impl Replay {
    /// At `begin`, with these before it.
    #[must_use]
    pub fn new(begin: World, legs: Vec<Leg>) -> Self {
        Self { world: begin, legs: legs.into(), next: 0, inputs: 0 }
    }

    /// Carries out so much more work, of which an input takes one, and a timer that fires; `false` when there is none left.
    pub fn go_on(&mut self, work: usize) -> bool {
        let mut left = work;
        while left > 0
            && let Some(leg) = self.legs.front()
        {
            let done = match (leg.entries.get(self.next).cloned(), leg.range) {
                (Some((position, input)), _) => {
                    self.next += 1;
                    self.inputs += 1;
                    self.carry_out(position.0, &input)
                }
                (None, LogRange { to, until: Some(until), .. }) if !self.has_reached(until) => {
                    let most = u32::try_from(left).unwrap_or(u32::MAX);
                    self.carry_out(to.0 + 1, &Input::new(until, Act::AdvanceBy(most)))
                }
                (None, _) => {
                    self.legs.pop_front();
                    self.next = 0;
                    continue;
                }
            };
            left = left.saturating_sub(done.max(1));
        }
        !self.legs.is_empty()
    }

    /// The world as it is.
    #[must_use]
    pub fn world(self) -> World {
        self.world
    }

    /// How many inputs were carried out.
    #[must_use]
    pub const fn inputs(&self) -> u64 {
        self.inputs
    }

    /// How much work it was: all that a slice may do, where it ended before its goal.
    fn carry_out(&mut self, number: u64, input: &Input) -> usize {
        let outcome = self.world.submit(number, input);
        self.world.forget_events();
        let InputOutcome::Advanced(fired) = outcome else { return 0 };
        match input.act {
            Act::AdvanceBy(most) if !self.has_reached(input.at) => usize::try_from(most).unwrap_or(usize::MAX),
            _ => fired.len(),
        }
    }

    fn has_reached(&self, at: Instant) -> bool {
        let at = at.min(World::END);
        self.world.now() > at || (self.world.now() == at && !self.world.is_within_instant())
    }
}

/// The world that `entries` lead to, from the snapshot that their log begins with, or from its start: for those who have a log
/// and nothing else.
///
/// # Errors
/// 400 when the world does not open; 404 when the log goes back to what was before it begins; 503 when it holds a decision that
/// this build does not know.
pub fn replay(origin: &WorldOrigin, begin: Option<&World>, entries: &[LoggedInput]) -> Result<World, ApiError> {
    let first = entries.first().map_or(Position(0), |(position, _)| Position(position.0 - 1));
    let head = entries.last().map_or(first, |(position, _)| *position);
    let Decisions { lineage, imported } = Decisions::of(entries)?;
    let kept = |most: Position| {
        let imported = imported.keys().rev().find(|at| **at <= most).copied();
        imported.or_else(|| begin.filter(|_| most >= first).map(|_| first))
    };
    let plan = lineage.plan(Point::after(head), kept);
    let legs = plan.ranges.iter().map(|range| leg(entries, first, *range)).collect::<Result<Vec<_>, _>>()?;
    let world = match plan.begin {
        None => origin.world()?,
        Some(at) => {
            let imported = imported.get(&at).map(|world| World::clone(world));
            let world = imported.or_else(|| begin.filter(|_| at == first).cloned());
            world.ok_or_else(|| ApiError::not_found("what was brought is not in the log"))?
        }
    };
    let mut replay = Replay::new(world, legs);
    while replay.go_on(usize::MAX) {}
    Ok(replay.world())
}

/// The inputs of `range`, of a log that begins after `first`.
fn leg(entries: &[LoggedInput], first: Position, range: LogRange) -> Result<Leg, ApiError> {
    let place = |position: Position| position.0.checked_sub(first.0).and_then(|place| usize::try_from(place).ok());
    let inputs = place(range.after).zip(place(range.to)).and_then(|(from, to)| entries.get(from..to));
    let inputs = inputs.ok_or_else(|| ApiError::not_found("the log begins after what it was put back to"))?;
    Ok(Leg { entries: inputs.to_vec(), range })
}

/// What the decisions in a log say.
#[derive(Default)]
struct Decisions {
    lineage: Lineage,
    /// The worlds that were imported and restored, by where they were.
    imported: IndexMap<Position, Arc<World>, FxBuildHasher>,
}

impl Decisions {
    fn of(entries: &[LoggedInput]) -> Result<Self, ApiError> {
        let mut read = Self::default();
        let mut kept = IndexMap::<SnapshotName, Result<Position, Arc<World>>, FxBuildHasher>::default();
        for (position, input) in entries {
            // A lookup by input asks neither for instants nor for events.
            let mut restored = |to| read.lineage.branch(*position, Restored { to, now: Instant::MIN, events: 0 });
            match HostDecision::of(input).map_err(|fault| ApiError::unavailable(fault.to_string()))? {
                Some(HostDecision::Reset) => restored(RestoreTarget::Start),
                Some(HostDecision::Rewind(point)) => restored(RestoreTarget::Point(point)),
                Some(HostDecision::Keep(name)) => drop(kept.insert(name, Ok(*position))),
                Some(HostDecision::Bring(name, world)) => drop(kept.insert(name, Err(world))),
                Some(HostDecision::Restore(name)) => match kept.get(&name) {
                    Some(Ok(place)) => restored(RestoreTarget::Point(Point::after(*place))),
                    Some(Err(world)) => {
                        restored(RestoreTarget::Imported);
                        read.imported.insert(*position, Arc::clone(world));
                    }
                    None => return Err(ApiError::not_found(format!("{name} was never kept"))),
                },
                _ => {}
            }
        }
        Ok(read)
    }
}
