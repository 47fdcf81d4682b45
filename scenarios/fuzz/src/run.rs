//! One generated run: a world, its steps, its judge.
//!
//! Invariant: the same plan gives the same outcome, to the digest; a panic in the world is a violation like any other.
//! Absent on purpose: where the steps come from; they may be drawn, shrunk or read.

use super::coverage::Coverage;
use super::coverage::pairs::{Passed, Scene};
use super::run_setup::{Prepared, RunSetup};
use crate::generate::{Act, Bindings, Step};
use oracle::check::{Judge, Law, Violation, clock, name_of};
use oracle::model::Expected;
use sim::digest::{Digest, DigestHasher};
use sim::input::Act as InputAct;
use sim::rng::{Seed, Stream};
use sim::time::{Instant, Millis};
use sim::{Command, Input, World};
use std::hash::Hasher;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Fewest steps between two full sweeps.
const SWEEP_EVERY: u64 = 1_000;
/// Fewest steps between two refusals whose digest is taken before and after.
const PURITY_EVERY: u64 = 100;
/// Fewest steps between two moves of the clock that are tried in parts.
const COMPOSITION_EVERY: u64 = 1_000;

/// The result of a run.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    /// Fingerprint of the world at the end, and of every outcome on the way.
    pub digest: Digest,
    /// Steps carried out, those that did nothing aside.
    pub steps: u64,
    /// Time that passed in the world.
    pub simulated: Millis,
    /// What was met.
    pub coverage: Coverage,
    /// The first laws that did not hold; the run ended there.
    pub violations: Vec<Violation>,
    /// How many of the given steps were looked at.
    pub used: usize,
}

/// How closely a run is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Not at all.
    Blind,
    /// Every step, and sweeps.
    Steps,
    /// As `Steps`, and now and then the laws of whole worlds.
    Full,
    /// As `Full`, and the whole run is repeated from its written record.
    Twice,
}

impl Watch {
    const fn steps(self) -> bool {
        !matches!(self, Self::Blind)
    }

    const fn whole_worlds(self) -> bool {
        matches!(self, Self::Full | Self::Twice)
    }
}

/// A run under way.
struct Run {
    world: World,
    bindings: Bindings,
    judge: Judge,
    coverage: Coverage,
    passed: Passed,
    trail: DigestHasher,
    chance: Stream,
    record: Option<clock::Record>,
    steps: u64,
    sweep: EveryN,
    purity: EveryN,
    composition: EveryN,
}

/// Something that looks at every record: the larger the world, the rarer it is done.
struct EveryN {
    /// Fewest steps from one time to the next.
    every: u64,
    next: u64,
}

impl EveryN {
    /// Whether it is due after `steps`; if so, it is due again `every` or `records` steps later, whichever is more.
    fn is_due(&mut self, steps: u64, records: u64) -> bool {
        let due = steps >= self.next;
        if due {
            self.next = steps + self.every.max(records);
        }
        due
    }
}

/// Makes the run and judges it.
#[must_use]
pub fn run(stage: &RunSetup, steps: impl IntoIterator<Item = Step>, watch: Watch) -> RunOutcome {
    run_prepared(stage.prepare(), steps, watch)
}

/// As `run`, with a stage that is set.
#[must_use]
pub fn run_prepared(prepared: Prepared, steps: impl IntoIterator<Item = Step>, watch: Watch) -> RunOutcome {
    play(prepared, steps, watch).outcome()
}

/// A run that has been made and judged, with its world not yet put away.
pub struct Played {
    run: Run,
    stage: RunSetup,
    violations: Vec<Violation>,
    used: usize,
}

/// Makes the run and judges it, up to its last step and the sweep after it.
#[must_use]
pub fn play(prepared: Prepared, steps: impl IntoIterator<Item = Step>, watch: Watch) -> Played {
    let stage = prepared.stage.clone();
    let record = (watch == Watch::Twice).then(|| new_record(&stage));
    let mut run = Run::new(prepared, record);
    let mut used = 0;
    let mut violations = Vec::new();
    for step in steps {
        used += 1;
        violations = guarded(&mut run, |run| run.step(&step, watch));
        if !violations.is_empty() {
            break;
        }
    }
    if violations.is_empty() {
        violations = guarded(&mut run, |run| run.end(watch));
    }
    Played { run, stage, violations, used }
}

/// The record of a run on a stage, before its first input.
fn new_record(stage: &RunSetup) -> clock::Record {
    clock::Record { setup: stage.setup.clone(), seed: Seed(stage.seed), start: stage.start, inputs: Vec::new() }
}

/// What goes into the world of these steps, up to the one that breaks a law.
#[must_use]
pub fn record_of(prepared: Prepared, steps: impl IntoIterator<Item = Step>) -> clock::Record {
    let record = new_record(&prepared.stage);
    let mut run = Run::new(prepared, Some(record));
    for step in steps {
        if !guarded(&mut run, |run| run.step(&step, Watch::Steps)).is_empty() {
            break;
        }
    }
    run.record.unwrap_or_else(|| unreachable!("it was given one"))
}

/// The first law that a run breaks which is repeated from its record.
///
/// # Errors
/// When the record's setup makes no world, or an input is none of a generated run.
pub fn judged(record: &clock::Record) -> Result<Option<Violation>, String> {
    let world = World::new(&record.setup, record.seed, record.start).map_err(|fault| fault.to_string())?;
    if !record.inputs.iter().all(|input| matches!(input.act, InputAct::Advance | InputAct::Apply(_))) {
        return Err("it holds an input that no generated run has".to_owned());
    }
    let (bindings, judge) = (Bindings::new(&world, record.seed.0), Judge::new(&world));
    let mut run = Run::of(world, bindings, judge, record.seed.0, None);
    for input in &record.inputs {
        let found = guarded(&mut run, |run| run.repeat(input));
        if !found.is_empty() {
            return Ok(found.into_iter().next());
        }
    }
    Ok(guarded(&mut run, |run| run.end(Watch::Full)).into_iter().next())
}

impl Played {
    /// The record of the run, with the fingerprint of the world it ends in, when it was watched twice and broke no law.
    #[must_use]
    pub fn record(&self) -> Option<(&clock::Record, Digest)> {
        let record = self.run.record.as_ref().filter(|_| self.violations.is_empty())?;
        Some((record, self.run.world.digest()))
    }

    /// The result of the run, with the fingerprint of its world.
    #[must_use]
    pub fn outcome(self) -> RunOutcome {
        let Self { run, stage, violations, used } = self;
        run.outcome(&stage, violations, used)
    }
}

/// Turns a panic into a violation.
fn guarded(run: &mut Run, f: impl FnOnce(&mut Run) -> Vec<Violation>) -> Vec<Violation> {
    let now = run.world.now();
    catch_unwind(AssertUnwindSafe(|| f(run))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a text");
        vec![Violation { invariant: Law::NoPanic, at: now, what: format!("panicked: {text}"), claim: None }]
    })
}

impl Run {
    fn new(prepared: Prepared, record: Option<clock::Record>) -> Self {
        let Prepared { stage, world, bindings, judge } = prepared;
        Self::of(world, bindings, judge, stage.seed, record)
    }

    fn of(world: World, bindings: Bindings, judge: Judge, seed: u64, record: Option<clock::Record>) -> Self {
        Self {
            world,
            bindings,
            judge,
            coverage: Coverage::default(),
            passed: Passed::default(),
            trail: DigestHasher::new(),
            chance: Seed(seed).stream("samples of checks"),
            record,
            steps: 0,
            sweep: EveryN { every: SWEEP_EVERY, next: SWEEP_EVERY },
            purity: EveryN { every: PURITY_EVERY, next: 0 },
            composition: EveryN { every: COMPOSITION_EVERY, next: COMPOSITION_EVERY },
        }
    }

    /// Does what a record says, and looks at everything after it.
    fn repeat(&mut self, input: &Input) -> Vec<Violation> {
        match &input.act {
            InputAct::Advance => self.wait(input.at, Watch::Steps),
            InputAct::Apply(command) => {
                if self.world.now() < input.at {
                    self.wait(input.at, Watch::Steps);
                }
                self.carry_out(None, Command::clone(command), Watch::Steps);
            }
            _ => unreachable!("it was looked at before"),
        }
        self.judge.take()
    }

    fn step(&mut self, step: &Step, watch: Watch) -> Vec<Violation> {
        match self.bindings.act(&self.world, step) {
            None => return Vec::new(),
            Some(Act::Wait(to)) => {
                self.steps += 1;
                self.wait(to, watch);
            }
            Some(Act::Do(command)) => {
                self.steps += 1;
                self.carry_out(Some(step), command, watch);
            }
        }
        if watch.steps() && self.sweep.is_due(self.steps, self.judge.records() / 2) {
            self.judge.sweep(&self.world);
        }
        if watch.whole_worlds() && self.composition.is_due(self.steps, 2 * self.judge.records()) {
            self.compose(5);
        }
        self.judge.take()
    }

    fn compose(&mut self, days: i64) {
        let to = self.world.now().plus(Millis::days(days));
        let is_due = self.world.next_timer().is_some_and(|(at, _)| at < to);
        self.judge.met.note_if(Law::ClockComposition, is_due);
        self.judge.add(clock::moves_compose(&self.world, to, &mut self.chance));
    }

    fn wait(&mut self, to: Instant, watch: Watch) {
        if let Some(record) = &mut self.record {
            record.inputs.push(Input::new(to, InputAct::Advance));
        }
        if watch.steps() {
            self.passed.note(&self.world, to);
        }
        self.world.advance_unreported(to);
        if watch.steps() {
            self.judge.after_wait(&self.world, self.world.events(), self.world.callbacks());
        }
        self.bindings.observe(&self.world, self.world.events());
        self.world.forget_events();
        self.world.take_callbacks();
    }

    fn carry_out(&mut self, step: Option<&Step>, command: Command, watch: Watch) {
        let now = self.world.now();
        self.catch_up(watch);
        if let Some(record) = &mut self.record {
            record.inputs.push(Input::new(now, InputAct::Apply(Box::new(command.clone()))));
        }
        if watch == Watch::Blind {
            let name = name_of(&command);
            let result = self.world.apply(now, command);
            self.coverage.note(name, result.as_ref().err().map(|refusal| refusal.class));
            if let (Ok(reply), Some(step)) = (result, step) {
                self.bindings.note(step, &reply);
            }
            self.bindings.observe(&self.world, self.world.events());
            self.world.take_callbacks();
            return self.world.forget_events();
        }
        let plan = self.judge.plan(&self.world, &command);
        let scene = Scene::of(&self.world, &self.passed, &self.judge.model, &command);
        self.judge.tried_by_others(&mut self.world, &command);
        if watch.whole_worlds()
            && matches!(plan.expected, Expected::Refused(_))
            && self.purity.is_due(self.steps, self.judge.records() / 2)
        {
            self.judge.add(clock::refusal_is_pure(self.world.clone(), &command));
        }
        let result = self.world.apply(now, command.clone());
        let class = result.as_ref().err().map(|refusal| refusal.class);
        self.coverage.note(name_of(&command), class);
        if plan.expected == Expected::Unsure {
            self.coverage.note_unjudged(name_of(&command));
        }
        self.coverage.pairs.note(&scene, class.is_none());
        self.trail.write_u8(class.map_or(0, |class| 1 + class as u8));
        let (events, callbacks) = (self.world.events(), self.world.callbacks());
        self.judge.after_command(&self.world, &command, plan, result.as_ref(), events, callbacks);
        if let (Ok(reply), Some(step)) = (&result, step) {
            self.bindings.note(step, reply);
        }
        self.bindings.observe(&self.world, self.world.events());
        self.world.forget_events();
        self.world.take_callbacks();
    }

    /// What is due by now happens before anything else.
    fn catch_up(&mut self, watch: Watch) {
        let now = self.world.now();
        if self.world.next_timer().is_some_and(|(at, _)| at <= now) {
            self.wait(now, watch);
        }
    }

    fn end(&mut self, watch: Watch) -> Vec<Violation> {
        self.catch_up(watch);
        if !watch.steps() {
            return Vec::new();
        }
        self.judge.sweep(&self.world);
        if watch.whole_worlds() {
            self.compose(20);
        }
        if let Some(record) = &self.record {
            self.judge.met.note(Law::Determinism);
            self.judge.add(clock::replays(record, &self.world));
        }
        self.judge.take()
    }

    fn outcome(mut self, stage: &RunSetup, violations: Vec<Violation>, used: usize) -> RunOutcome {
        self.coverage.note_rows(&self.world);
        self.judge.model.fees.met.iter().for_each(|(what, count)| {
            *self.coverage.fees.entry(what).or_default() += count;
        });
        self.judge.model.money_in.met.iter().for_each(|(what, count)| {
            *self.coverage.charges.entry(*what).or_default() += count;
        });
        self.coverage.laws.add(&self.judge.met);
        self.trail.write_u128(self.world.digest().0);
        RunOutcome {
            digest: self.trail.digest(),
            steps: self.steps,
            simulated: self.world.now().since(stage.start),
            coverage: self.coverage,
            violations,
            used,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Generator, Profile};

    #[test]
    fn generated_runs_break_no_law() {
        for seed in 0..12 {
            let outcome =
                run(&RunSetup::generated(seed), Generator::new(seed, Profile::of_seed(seed)).take(700), Watch::Twice);
            assert!(outcome.violations.is_empty(), "seed {seed}, step {}: {:#?}", outcome.used, outcome.violations);
        }
    }

    /// Commands of which the judge does not always know whether they are accepted: what a price or a form decides.
    const SOMETIMES_UNJUDGED: [&str; 7] = [
        "a liquidation",
        "a new journey",
        "a price",
        "a split",
        "a use of the electronic identity",
        "the answers of a step",
        "the rest of a journey",
    ];

    #[test]
    fn whether_a_command_is_accepted_is_judged_but_for_named_ones() {
        let mut coverage = Coverage::default();
        for seed in 0..12 {
            let steps = Generator::new(seed, Profile::of_seed(seed)).take(700);
            coverage.add(&run(&RunSetup::generated(seed), steps, Watch::Steps).coverage);
        }
        let others: Vec<_> = coverage.unjudged.keys().filter(|name| !SOMETIMES_UNJUDGED.contains(name)).collect();
        assert!(others.is_empty(), "{others:?}");
        let journeys: u64 = coverage.commands["a new journey"].values().sum();
        let unjudged = coverage.unjudged.get("a new journey").copied().unwrap_or_default();
        assert!(journeys > 100 && unjudged * 20 < journeys, "{unjudged} of {journeys} new journeys");
    }

    #[test]
    fn a_run_repeated_has_the_same_digest() {
        let digest = |seed| {
            run(&RunSetup::generated(seed), Generator::new(seed, Profile::of_seed(seed)).take(300), Watch::Full).digest
        };
        assert_eq!(digest(5), digest(5));
        assert_ne!(digest(5), digest(6));
    }
}
