//! Laws of whole worlds: moves of the clock compose, refusals leave the digest, a recorded run can be repeated.
//!
//! These clone worlds and take digests, so they are tried now and then, not at every step.

use super::Violation;
use serde::{Deserialize, Serialize};
use sim::rng::{Seed, Stream};
use sim::setup::Setup;
use sim::time::{Instant, Millis};
use sim::{Command, World};

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
    let what = || format!("moving the clock to {to} by way of {stops:?} ends in another world");
    (!same).then(|| Violation { invariant: 48, at: world.now(), what: what(), claim: None })
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
    impure.then(|| Violation { invariant: 49, at: now, what: what(), claim: None })
}

/// A run as the world saw it: what is needed to repeat it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Every command with its instant, refused ones too.
    pub commands: Vec<(Instant, Command)>,
    /// Where the clock stood at the end.
    pub end: Option<Instant>,
}

/// Law 47: the record, written out and read back, makes the same world again.
#[must_use]
pub fn replays(record: &Record, setup: &Setup, seed: Seed, start: Instant, world: &World) -> Option<Violation> {
    let fail = |what: String| Some(Violation { invariant: 47, at: world.now(), what, claim: None });
    let text = match serde_json::to_string(record) {
        Ok(text) => text,
        Err(fault) => return fail(format!("the run cannot be written down: {fault}")),
    };
    let read: Record = match serde_json::from_str(&text) {
        Ok(read) => read,
        Err(fault) => return fail(format!("the run cannot be read back: {fault}")),
    };
    if read != *record {
        return fail("the run reads back as another run".to_owned());
    }
    let mut again = match World::new(setup, seed, start) {
        Ok(again) => again,
        Err(fault) => return fail(format!("the world does not open again: {fault}")),
    };
    for (at, command) in read.commands {
        let _outcome = again.apply(at, command);
        again.forget_events();
    }
    again.advance(read.end.unwrap_or(start));
    let same = again.digest() == world.digest();
    (!same).then(|| fail("the run, repeated from its record, ends in another world".to_owned())).flatten()
}
