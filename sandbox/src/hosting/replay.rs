//! A world made again from its log.
//!
//! Invariant: what comes of a log here is what came of it where it was written, to the last bit. Absent on purpose: what a
//! decision changes beside the world, and reading the log.

use std::sync::Arc;

use sim::World;

use super::decision::HostDecision;
use super::history::Point;
use super::input_log::{Entry, Position};
use super::worlds::WorldOrigin;
use crate::wire::error::ApiError;

/// A world on its way through `entries`.
pub struct Replay<'a> {
    origin: &'a WorldOrigin,
    begin: Option<&'a World>,
    entries: &'a [Entry],
    next: usize,
    world: World,
    kept: Vec<(String, Arc<World>)>,
}

impl<'a> Replay<'a> {
    /// At the snapshot that `entries` begin with, or at the start.
    ///
    /// # Errors
    /// 400 when the world does not open.
    pub fn new(origin: &'a WorldOrigin, begin: Option<&'a World>, entries: &'a [Entry]) -> Result<Self, ApiError> {
        let world = begin.map_or_else(|| origin.world(), |begin| Ok(begin.clone()))?;
        Ok(Self { origin, begin, entries, next: 0, world, kept: Vec::new() })
    }

    /// Carries out the next inputs, `most` at the most; `false` when none is left.
    ///
    /// # Errors
    /// 404 when the log goes back to what was before it begins; 503 when it holds a decision that this build does not know.
    pub fn go_on(&mut self, most: usize) -> Result<bool, ApiError> {
        let entries = self.entries;
        for entry in entries.iter().skip(self.next).take(most) {
            self.carry_out(entry)?;
            self.next += 1;
        }
        Ok(self.next < entries.len())
    }

    /// The world as it stands.
    #[must_use]
    pub fn world(self) -> World {
        self.world
    }

    fn carry_out(&mut self, (position, input): &Entry) -> Result<(), ApiError> {
        match HostDecision::of(input).map_err(|fault| ApiError::unavailable(fault.to_string()))? {
            Some(HostDecision::Reset) => self.world = self.origin.world()?,
            Some(HostDecision::Keep(name)) => self.keep(name, Arc::new(self.world.clone())),
            Some(HostDecision::Bring(name, world)) => self.keep(name, world),
            Some(HostDecision::Restore(name)) => {
                let found = self.kept.iter().find(|(known, _)| *known == name).map(|(_, world)| World::clone(world));
                self.world = found.ok_or_else(|| ApiError::not_found(format!("{name} was never kept")))?;
            }
            Some(HostDecision::Rewind(point)) => self.world = self.stood_at(point)?,
            _ => self.world.replay([(position.0, &**input)]),
        }
        Ok(())
    }

    fn keep(&mut self, name: String, world: Arc<World>) {
        self.kept.retain(|(earlier, _)| *earlier != name);
        self.kept.push((name, world));
    }

    /// The world at a place that was passed before.
    fn stood_at(&self, point: Point) -> Result<World, ApiError> {
        let first = self.entries.first().map_or(Position(0), |(position, _)| *position);
        let count = (point.input.0 + 1).checked_sub(first.0);
        let count = count.ok_or_else(|| ApiError::not_found("the log begins after what it was put back to"))?;
        let before = &self.entries[..usize::try_from(count).unwrap_or(usize::MAX).min(self.next)];
        replay(self.origin, self.begin, before).map(|world| passed(world, point))
    }
}

/// The world at `point`, after its input.
#[must_use]
pub fn passed(mut world: World, point: Point) -> World {
    if let Some(at) = point.at.filter(|at| *at > world.now()) {
        world.advance(at);
        world.forget_events();
    }
    world
}

/// The world that `entries` lead to, from the snapshot that their log begins with, or from its start.
///
/// # Errors
/// As `Replay`'s.
pub fn replay(origin: &WorldOrigin, begin: Option<&World>, entries: &[Entry]) -> Result<World, ApiError> {
    let mut replay = Replay::new(origin, begin, entries)?;
    replay.go_on(usize::MAX)?;
    Ok(replay.world())
}
