//! Laws of whole worlds: moves of the clock compose, refusals leave the digest, a recorded run can be repeated.
//!
//! These clone worlds and take digests, so they are tried now and then, not at every step.

use super::{Law, Violation};
use crate::model::words::listed;
use serde::{Deserialize, Serialize};
use sim::rng::{Seed, Stream};
use sim::setup::{Setup, SetupError};
use sim::time::{Instant, Millis};
use sim::{Command, Input, World};
use written::Written;

/// Law 48: from here to `to` in one move, or in a few.
#[must_use]
pub fn moves_compose(world: &World, to: Instant, stream: &mut Stream) -> Option<Violation> {
    let mut once = world.clone();
    once.advance(to);
    let mut split = world.clone();
    let span = u64::try_from(to.since(world.now()).0).unwrap_or(0);
    let mut stops: Vec<Instant> = (0..1 + stream.below(4))
        .map(|_| world.now().plus(Millis(i64::try_from(stream.below(span + 1)).unwrap_or(0))))
        .collect();
    stops.sort_unstable();
    for stop in &stops {
        split.advance(*stop);
    }
    let mut sliced = Vec::new();
    while !split.advance_slice(to, 7, &mut sliced) {}
    let same = once.digest() == split.digest();
    let what = || format!("moving the clock to {to} by way of {} ends in another world", listed(&stops));
    (!same).then(|| Violation { invariant: Law::ClockComposition, at: world.now(), what: what(), claim: None })
}

/// Law 49 to the letter: a command that is refused leaves the digest as it was. `world` is spent.
#[must_use]
pub fn refusal_is_pure(mut world: World, command: &Command) -> Option<Violation> {
    let now = world.now();
    world.advance(now);
    let before = world.digest();
    let refused = world.apply(now, command.clone()).is_err();
    let impure = refused && world.digest() != before;
    let what = || format!("{} was refused and changed the digest", super::name_of(command));
    impure.then(|| Violation { invariant: Law::RefusalsChangeNothing, at: now, what: what(), claim: None })
}

/// A run as the world saw it, refused commands too: what is needed to repeat it, in this process or another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// What the world was made from.
    #[serde(with = "written")]
    pub setup: Setup,
    /// Its seed.
    pub seed: Seed,
    /// Its start.
    pub start: Instant,
    /// Everything that went in, in order.
    #[serde(with = "written")]
    pub inputs: Vec<Input>,
}

impl Record {
    /// The world that the run ends in.
    ///
    /// # Errors
    /// What is wrong with the setup.
    pub fn replay(&self) -> Result<World, SetupError> {
        let mut world = World::new(&self.setup, self.seed, self.start)?;
        world.replay((1..).zip(&self.inputs));
        Ok(world)
    }

    /// The world after half of the inputs.
    ///
    /// # Errors
    /// What is wrong with the setup.
    pub fn half_way(&self) -> Result<World, SetupError> {
        let mut world = World::new(&self.setup, self.seed, self.start)?;
        world.replay((1..).zip(&self.inputs[..self.inputs.len() / 2]));
        Ok(world)
    }

    /// The world that the run ends in, from the one half-way.
    #[must_use]
    pub fn go_on(&self, mut half_way: World) -> World {
        half_way.replay((half_way.last_input() + 1..).zip(&self.inputs[self.inputs.len() / 2..]));
        half_way
    }

    /// As `replay`, with the world written down half-way and read back.
    fn replay_by_halves(&self) -> Result<World, String> {
        let world = self.half_way().map_err(|fault| fault.to_string())?;
        let again = twice(&world, World::write, |json| World::read(&json))?;
        if again.digest() != world.digest() {
            return Err("another digest half-way".to_owned());
        }
        Ok(self.go_on(again))
    }
}

/// `value`, written down and read back.
fn twice<T, J>(
    value: &T,
    write: impl FnOnce(&T) -> serde_json::Result<J>,
    read: impl FnOnce(J) -> serde_json::Result<T>,
) -> Result<T, String> {
    let json = write(value).map_err(|fault| format!("it cannot be written down: {fault}"))?;
    read(json).map_err(|fault| format!("it cannot be read back: {fault}"))
}

/// Law 47: the record, written out and read back, makes the same world again; so does a world that was written down
/// half-way.
#[must_use]
pub fn replays(record: &Record, world: &World) -> Option<Violation> {
    let fail = |what: String| Some(Violation { invariant: Law::Determinism, at: world.now(), what, claim: None });
    let read = match twice(record, serde_json::to_string, |json| serde_json::from_str(&json)) {
        Ok(read) => read,
        Err(fault) => return fail(format!("the run: {fault}")),
    };
    if read != *record {
        return fail("the run reads back as another run".to_owned());
    }
    let again = match read.replay() {
        Ok(again) => again,
        Err(fault) => return fail(format!("the world does not open again: {fault}")),
    };
    if again.digest() != world.digest() {
        return fail("the run, repeated from its record, ends in another world".to_owned());
    }
    match read.replay_by_halves() {
        Ok(again) if again.digest() == world.digest() => None,
        Ok(_) => fail("the world, written down half-way and read back, ends as another".to_owned()),
        Err(fault) => fail(format!("the world, half-way: {fault}")),
    }
}
