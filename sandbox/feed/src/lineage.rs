//! Where the present of a world came from: the branches of its log.
//!
//! A reset, a rewind, a restore and a fork each begin a branch: the world continues from a point that it has passed, and what
//! came after that point is left behind. Owns: which inputs lead to a point, and which do not. Invariant: along the inputs
//! that lead to a point the clock never goes back. Absent on purpose: carrying inputs out, which is `replay`'s; what others
//! keep by position (events, requests, settings), who ask here whether a position leads to theirs.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use sim::time::Instant;

use super::input_log::Position;

/// A moment that a caller asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// After this input.
    Input(Position),
    /// When the clock showed this, everything of that instant included.
    Instant(Instant),
}

/// A point in a world's past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// The last input that was carried out.
    pub input: Position,
    /// Until when time passed after it.
    pub at: Option<Instant>,
}

impl Point {
    /// Right after an input.
    #[must_use]
    pub const fn after(input: Position) -> Self {
        Self { input, at: None }
    }
}

/// What a world is put back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoreTarget {
    /// Its start.
    Start,
    /// A point that it has passed.
    Point(Point),
    /// A world that was made elsewhere, whose past is not known here.
    Imported,
}

impl RestoreTarget {
    /// The point, where it is one that the world has passed.
    #[must_use]
    pub const fn point(self) -> Option<Point> {
        match self {
            Self::Point(point) => Some(point),
            Self::Start | Self::Imported => None,
        }
    }
}

/// The world as it was put back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restored {
    /// What it was put back to.
    pub to: RestoreTarget,
    /// What its clock shows there.
    pub now: Instant,
    /// How many events had happened in it by then.
    pub events: u64,
}

/// A part of the log that begins with a reset, a rewind, a restore or a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The input that began it; those after it belong to it, up to the next branch.
    pub at: Position,
    /// How the world was put back.
    pub restored: Restored,
    /// Whether that point lies on a branch that the world had left before.
    pub is_abandoned: bool,
    /// What leads to its beginning: as `restored`, with branches skipped in which nothing was carried out.
    parent: Parent,
}

/// Where a branch continues from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parent {
    to: RestoreTarget,
    events: u64,
}

/// The branches of one world's log.
#[derive(Clone, Debug, Default)]
pub struct Lineage {
    /// In order. What comes before the first one continues from the world's start.
    branches: Vec<Branch>,
    /// The inputs that let time pass and ended before the instant they name, in order, and what the clock showed then.
    stops: Vec<(Position, Instant)>,
}

/// Why the world never showed an instant on the way to its present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotReachable {
    /// It is before the start.
    BeforeStart,
    /// It is before the world was imported, when its clock showed this.
    BeforeImport(Instant),
}

/// Inputs that are carried out one after the other, and time that passes after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogRange {
    /// Those after this one.
    pub after: Position,
    /// Up to this one.
    pub to: Position,
    /// Until when time passes after them.
    pub until: Option<Instant>,
}

/// How a point is reached: where to begin, and what to carry out from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayPlan {
    /// The input after which a snapshot is kept that it begins with; none where it begins with the world's start.
    pub begin: Option<Position>,
    /// In order.
    pub ranges: Vec<LogRange>,
}

impl ReplayPlan {
    /// How many inputs it carries out.
    #[must_use]
    pub fn inputs(&self) -> u64 {
        self.ranges.iter().map(|range| range.to.0 - range.after.0).sum()
    }
}

/// The inputs and events that lead to a point, as far as its lineage is known.
#[derive(Debug)]
pub struct Path(Vec<PathPart>);

/// The part of a branch that leads on.
#[derive(Debug)]
struct PathPart {
    inputs: RangeInclusive<u64>,
    /// How many events had happened in the world where the path leaves the branch.
    events: u64,
}

impl Path {
    /// Whether an input leads there.
    #[must_use]
    pub fn holds(&self, input: Position) -> bool {
        self.0.iter().any(|part| part.inputs.contains(&input.0))
    }

    /// Whether an event leads there: the input that caused it, and its number in its world. A path may leave a branch in the
    /// middle of an advance, which comes right after the last input that is whole.
    #[must_use]
    pub fn holds_event(&self, input: u64, number: u64) -> bool {
        self.0.iter().any(|part| {
            let (first, last) = (*part.inputs.start(), *part.inputs.end());
            first <= input && input <= last.saturating_add(1) && number < part.events
        })
    }
}

impl Lineage {
    /// Of a world that was imported after the input at `at`, when the clock showed `now` and so many events had happened.
    #[must_use]
    pub fn of_import(at: Position, now: Instant, events: u64) -> Self {
        let mut lineage = Self::default();
        lineage.branch(at, Restored { to: RestoreTarget::Imported, now, events });
        lineage
    }

    /// The input at `at` put the world back.
    pub fn branch(&mut self, at: Position, restored: Restored) {
        let parent = self.parent_of(restored.to, restored.events);
        let is_abandoned = !self.leads_to_present(parent);
        self.branches.push(Branch { at, restored, is_abandoned, parent });
    }

    /// Whether a point lies on a branch that the world has left.
    #[must_use]
    pub fn has_left(&self, point: Point) -> bool {
        !self.leads_to_present(self.parent_of(RestoreTarget::Point(point), 0))
    }

    fn leads_to_present(&self, parent: Parent) -> bool {
        parent.to.point().is_none_or(|point| self.path_to_present().holds(point.input))
    }

    /// What leads to where a world is put back: a branch in which nothing was carried out is skipped, so that a world that is put
    /// back again and again has no longer way.
    fn parent_of(&self, to: RestoreTarget, events: u64) -> Parent {
        let left = to.point().and_then(|point| {
            let left = up_to(&self.branches, point.input).last().copied()?;
            let is_same_time = point.at.is_none() || left.parent.to.point().is_some_and(|before| before.at == point.at);
            (left.at == point.input && is_same_time && left.parent.to != RestoreTarget::Imported).then_some(left)
        });
        left.map_or(Parent { to, events }, |left| left.parent)
    }

    /// The lineage of a fork that leaves this one at `point` and continues with its own input at `at`, when the clock shows
    /// `now` and so many events have happened.
    #[must_use]
    pub fn fork(&self, point: Point, at: Position, now: Instant, events: u64) -> Self {
        let branches = up_to(&self.branches, point.input).to_vec();
        let stops = self.stops.iter().filter(|(at, _)| *at <= point.input).copied().collect();
        let mut fork = Self { branches, stops };
        fork.branch(at, Restored { to: RestoreTarget::Point(point), now, events });
        fork
    }

    /// The branch that the world is on; none since its start.
    #[must_use]
    pub fn present(&self) -> Option<&Branch> {
        self.branches.last()
    }

    /// The branches that began after an input.
    #[must_use]
    pub fn begun_after(&self, input: Position) -> &[Branch] {
        &self.branches[up_to(&self.branches, input).len()..]
    }

    /// How many branches are remembered.
    #[must_use]
    pub const fn branches(&self) -> usize {
        self.branches.len()
    }

    /// The input at `at` let time pass, and ended when the clock showed `now`, before the instant that it names.
    pub fn stopped(&mut self, at: Position, now: Instant) {
        self.stops.push((at, now));
    }

    /// What the clock showed after the input at `at`, which names `wanted`.
    #[must_use]
    pub fn reached(&self, at: Position, wanted: Instant) -> Instant {
        let place = self.stops.binary_search_by_key(&at, |(at, _)| *at);
        place.map_or(wanted, |place| self.stops[place].1)
    }

    /// Nobody asks any more for points before `begin`, but for those in `pinned`: forgets the branches that lead to no other.
    pub fn forget(&mut self, begin: Position, pinned: impl IntoIterator<Item = Position>) {
        self.stops.retain(|(at, _)| *at >= begin);
        let mut is_needed: Vec<bool> = self.branches.iter().map(|branch| branch.at >= begin).collect();
        for position in pinned.into_iter().chain([begin]) {
            if let Some(last) = up_to(&self.branches, position).len().checked_sub(1) {
                is_needed[last] = true;
            }
        }
        for place in (0..self.branches.len()).rev() {
            if is_needed[place]
                && let Some(point) = self.branches[place].parent.to.point()
                && let Some(before) = up_to(&self.branches[..place], point.input).len().checked_sub(1)
            {
                is_needed[before] = true;
            }
        }
        let mut needed = is_needed.into_iter();
        self.branches.retain(|_| needed.next().unwrap_or(true));
    }

    /// Whether the world was imported after the input at `at`.
    #[must_use]
    pub fn is_import(&self, at: Position) -> bool {
        let branch = up_to(&self.branches, at).last();
        branch.is_some_and(|branch| branch.at == at && branch.restored.to == RestoreTarget::Imported)
    }

    /// What leads to the present.
    #[must_use]
    pub fn path_to_present(&self) -> Path {
        self.path_to(Position(u64::MAX), u64::MAX)
    }

    /// What leads to where the input at `last` was carried out, or to the middle of the one after it, and so many events had
    /// happened.
    #[must_use]
    pub fn path_to(&self, last: Position, events: u64) -> Path {
        let mut events = events;
        let part = |(branch, point): (Option<&Branch>, Point)| {
            let inputs = began(branch).0..=point.input.0;
            let part = PathPart { inputs, events };
            events = branch.map_or(0, |branch| branch.parent.events);
            part
        };
        Path(self.back_from(Point::after(last)).map(part).collect())
    }

    /// The range of inputs on which the clock came to show `at`: after the first position, up to the second.
    ///
    /// # Errors
    /// Why it never did on the way to the input at `head`.
    pub fn range_at(&self, at: Instant, head: Position, start: Instant) -> Result<(Position, Position), NotReachable> {
        if at < start {
            return Err(NotReachable::BeforeStart);
        }
        for (branch, point) in self.back_from(Point::after(head)) {
            match branch.filter(|branch| branch.restored.now > at) {
                None => return Ok((began(branch), point.input)),
                Some(later) if later.parent.to == RestoreTarget::Imported => {
                    return Err(NotReachable::BeforeImport(later.restored.now));
                }
                Some(_) => {}
            }
        }
        Err(NotReachable::BeforeStart)
    }

    /// How `point` is reached: from the latest snapshot that leads there, or from the world's start. `snapshot` finds the latest
    /// that is kept at a position or before it.
    #[must_use]
    pub fn plan(&self, point: Point, snapshot: impl Fn(Position) -> Option<Position>) -> ReplayPlan {
        let mut ranges = Vec::new();
        let mut begin = None;
        for (branch, point) in self.back_from(point) {
            let after = began(branch);
            begin = snapshot(point.input).filter(|begin| *begin >= after);
            ranges.push(LogRange { after: begin.unwrap_or(after), to: point.input, until: point.at });
            if branch.is_some_and(|branch| branch.parent.to == RestoreTarget::Imported) {
                // A world that was imported is kept where it was.
                begin = begin.or(Some(after));
            }
            if begin.is_some() {
                break;
            }
        }
        ranges.retain(|range| range.after < range.to || range.until.is_some());
        ranges.reverse();
        ReplayPlan { begin, ranges }
    }

    /// The branches that lead to `point`, the latest first, each with the point at which the way leaves it. The last one is none
    /// where it goes back to the world's start.
    fn back_from(&self, point: Point) -> impl Iterator<Item = (Option<&Branch>, Point)> {
        let mut branches = &self.branches[..];
        let mut next = Some(point);
        std::iter::from_fn(move || {
            let point = next?;
            branches = up_to(branches, point.input);
            let branch = branches.split_last().map(|(last, before)| {
                branches = before;
                last
            });
            next = branch.and_then(|branch| branch.parent.to.point());
            Some((branch, point))
        })
    }
}

/// The branches that began with the input at `last` or before it.
fn up_to(branches: &[Branch], last: Position) -> &[Branch] {
    &branches[..branches.partition_point(|branch| branch.at <= last)]
}

/// Where a branch began; without one it is the world's start.
fn began(branch: Option<&Branch>) -> Position {
    branch.map_or(Position(0), |branch| branch.at)
}

#[cfg(test)]
mod tests;
