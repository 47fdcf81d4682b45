//! A whole run of journeys, and its shrinking.
//!
//! Invariant: the same stage and steps give the same outcome, to the digest; a panic in the world is a violation.

use super::cast::{Cast, Deed};
use super::draw::Walks;
use super::step::Walk;
use super::story::story;
use crate::check::{Judge, Violation, clock};
use crate::fuzz::batch::{Kind, TWICE_EVERY, on_a_fresh_thread};
use crate::fuzz::coverage::Coverage;
use crate::fuzz::failure::Failure;
use crate::fuzz::run::Outcome;
use crate::fuzz::stage::Stage;
use crate::shrink::shrink;
use sim::digest::{Digest, DigestHasher};
use sim::rng::{Seed, Stream};
use sim::time::{Instant, Millis};
use sim::{Command, World};
use std::hash::Hasher;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A journey's step costs about as much as so many of an order.
const ORDERS_A_WALK: usize = 8;
/// Steps between two looks at everything.
const ALL_EVERY: usize = 50;
/// One refusal in so many is looked at with a digest before and after.
const PURITY_EVERY: u32 = 10;

/// Runs of journeys on the worlds of a stage.
pub struct OnJourneys<F>(pub F);

impl<F: Fn(u64) -> Stage + Sync> Kind for OnJourneys<F> {
    type Step = Walk;

    fn run(&self, seed: u64, steps: usize) -> io::Result<(Outcome, Vec<Walk>)> {
        let stage = (self.0)(seed);
        let walks: Vec<Walk> = Walks::new(seed).take(steps.div_ceil(ORDERS_A_WALK)).collect();
        let mut outcome = on_a_fresh_thread(|| run(&stage, &walks))?;
        if seed.is_multiple_of(TWICE_EVERY) && outcome.violations.is_empty() {
            let again = on_a_fresh_thread(|| run(&stage, &walks))?;
            if again.digest != outcome.digest {
                let what = "the same steps led elsewhere the second time".to_owned();
                outcome.violations = vec![Violation { invariant: 47, at: stage.start, what, claim: None }];
            }
        }
        let looked_at = if outcome.violations.is_empty() { 0 } else { outcome.used };
        Ok((outcome, walks.into_iter().take(looked_at).collect()))
    }

    fn shrunk(&self, seed: u64, steps: Vec<Walk>, violation: &Violation) -> io::Result<Failure> {
        let stage = (self.0)(seed);
        on_a_fresh_thread(|| shrunk(&stage, steps, violation))
    }
}

/// A run under way.
struct Run {
    world: World,
    cast: Cast,
    judge: Judge,
    coverage: Coverage,
    trail: DigestHasher,
    chance: Stream,
    steps: u64,
}

/// Makes the run and judges it.
#[must_use]
pub fn run(stage: &Stage, walks: &[Walk]) -> Outcome {
    run_in(stage, stage.world(), walks)
}

fn run_in(stage: &Stage, world: World, walks: &[Walk]) -> Outcome {
    let mut run = Run {
        cast: Cast::new(&world),
        judge: Judge::new(&world),
        coverage: Coverage::default(),
        trail: DigestHasher::new(),
        chance: Seed(stage.seed).stream("samples of checks"),
        steps: 0,
        world,
    };
    let (mut used, mut violations) = (0, Vec::new());
    for walk in walks {
        used += 1;
        violations = guarded(&mut run, |run| run.step(walk, used));
        if !violations.is_empty() {
            break;
        }
    }
    if violations.is_empty() {
        violations = guarded(&mut run, Run::end);
    }
    run.outcome(stage, violations, used)
}

/// Turns a panic into a violation.
fn guarded(run: &mut Run, f: impl FnOnce(&mut Run) -> Vec<Violation>) -> Vec<Violation> {
    let now = run.world.now();
    catch_unwind(AssertUnwindSafe(|| f(run))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a text");
        vec![Violation { invariant: 0, at: now, what: format!("panicked: {text}"), claim: None }]
    })
}

impl Run {
    fn step(&mut self, walk: &Walk, number: usize) -> Vec<Violation> {
        match self.cast.act(&self.world, walk) {
            None => return Vec::new(),
            Some(Deed::Wait(to)) => self.wait(to),
            Some(Deed::Do(command)) => self.carry_out(walk, command),
        }
        self.steps += 1;
        if number.is_multiple_of(ALL_EVERY) {
            self.judge.sweep(&self.world);
        }
        self.judge.take()
    }

    fn wait(&mut self, to: Instant) {
        self.world.advance(to);
        let (events, callbacks) = (self.world.take_events(), self.world.take_callbacks());
        self.judge.after_wait(&self.world, &events, &callbacks);
    }

    fn carry_out(&mut self, walk: &Walk, command: Command) {
        let now = self.world.now();
        if self.world.next_timer().is_some_and(|(at, _)| at <= now) {
            self.wait(now);
        }
        let plan = self.judge.plan(&self.world, &command);
        let before = self.chance.chance(1, PURITY_EVERY).then(|| self.world.digest());
        let result = self.world.apply(now, command.clone());
        let class = result.as_ref().err().map(|refusal| refusal.class);
        self.coverage.note(class);
        self.trail.write_u8(class.map_or(0, |class| 1 + class as u8));
        if class.is_some() && before.is_some_and(|before| before != self.world.digest()) {
            let what = "a refused command changed the world".to_owned();
            self.judge.add(Some(Violation { invariant: 49, at: now, what, claim: None }));
        }
        let (events, callbacks) = (self.world.take_events(), self.world.take_callbacks());
        self.judge.after_command(&self.world, &command, plan, result.as_ref(), &events, &callbacks);
        if let Ok(reply) = &result {
            self.cast.note(walk, reply);
        }
    }

    fn end(&mut self) -> Vec<Violation> {
        self.judge.sweep(&self.world);
        let mut found = self.judge.take();
        let to = self.world.now().plus(Millis::days(20));
        found.extend(clock::moves_compose(&self.world, to, &mut self.chance));
        found
    }

    fn outcome(mut self, stage: &Stage, violations: Vec<Violation>, used: usize) -> Outcome {
        self.coverage.note_journey_rows(&self.world);
        self.trail.write_u128(self.world.digest().0);
        let digest: Digest = self.trail.digest();
        let simulated = self.world.now().since(stage.start);
        Outcome { digest, steps: self.steps, simulated, coverage: self.coverage, violations, used }
    }
}

/// Shrinks a run that broke `violation` and tells it as a story.
#[must_use]
pub fn shrunk(stage: &Stage, walks: Vec<Walk>, violation: &Violation) -> Failure {
    let (found_after, world) = (walks.len(), stage.world());
    let first = |walks: &[Walk]| {
        let found = run_in(stage, world.clone(), walks).violations.into_iter().next();
        found.filter(|found| found.invariant == violation.invariant)
    };
    let least = shrink(walks, |walks| first(walks).is_some());
    let violation = first(&least.steps).unwrap_or_else(|| violation.clone());
    let story = story(stage, &least.steps, &violation);
    let steps = least.steps.iter().map(|walk| format!("{walk:?}")).collect();
    Failure { seed: stage.seed, violation, steps, found_after, tries: least.tries, story }
}
