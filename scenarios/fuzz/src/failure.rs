//! A failure: found, shrunk to the few steps that matter, and written as a story.

use super::run::{Watch, judged, record_of, run_prepared};
use super::run_setup::{Prepared, RunSetup};
use super::story::{self, Story};
use crate::generate::Step;
use crate::shrink::{Patience, Shrink, Shrunk, shrink};
use oracle::check::clock::Record;
use oracle::check::{Checked, Law, Violation};
use std::fmt::Debug;
use std::time::Duration;

/// At which level a run was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Commands on a world.
    World,
    /// Requests over a simulated network.
    Network,
    /// Outages around a partner that keeps a copy.
    Consumer,
    /// Acts of a server's host: going back, forks, settings, rules, webhooks.
    Host,
}

impl Level {
    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::World => "world",
            Self::Network => "network",
            Self::Consumer => "consumer",
            Self::Host => "host",
        }
    }

    /// Every level.
    pub const ALL: [Self; 4] = [Self::World, Self::Network, Self::Host, Self::Consumer];

    /// The level of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Whether a law is checked at this level.
    #[must_use]
    pub fn judges(self, law: Law) -> bool {
        law.checked().iter().any(|checked| self == Self::of(*checked))
    }

    const fn of(checked: Checked) -> Self {
        match checked {
            Checked::Network => Self::Network,
            Checked::Host => Self::Host,
            Checked::Consumer => Self::Consumer,
            Checked::Event | Checked::EveryStep | Checked::Sweep | Checked::Sample | Checked::EndOfRun => Self::World,
        }
    }
}

/// A failing run, shrunk.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The level at which it was found.
    pub level: Level,
    /// The seed that found it.
    pub seed: u64,
    /// The law that did not hold, as the shrunk run breaks it.
    pub violation: Violation,
    /// The steps that are left, each as its debug form: where no story can be written, nothing else says what they were.
    pub steps: Vec<String>,
    /// How many steps the run had when it failed.
    pub found_after: usize,
    /// How often it was run to shrink it.
    pub tries: usize,
    /// The same as a scenario file's story.
    pub story: Option<Story>,
    /// What went into its world, where the run was made on one.
    pub record: Option<Record>,
}

impl Failure {
    /// A failure as it was found: known by its seed alone.
    #[must_use]
    pub const fn as_found(level: Level, seed: u64, violation: Violation, found_after: usize) -> Self {
        Self { level, seed, violation, steps: Vec::new(), found_after, tries: 0, story: None, record: None }
    }

    /// The same, shrunk, as a story where there is one.
    #[must_use]
    pub fn shrunk_to<S: Debug>(self, least: &Shrunk<S>, story: Option<Story>) -> Self {
        let steps = least.steps.iter().map(|step| format!("{step:?}")).collect();
        Self { steps, tries: least.tries, story, ..self }
    }
}

/// Shrinks steps on the plainest stage on which they still fail, or on their own.
pub(super) fn shrunk_on_a_stage<S: Shrink>(
    stage: &RunSetup,
    steps: Vec<S>,
    patience: Patience,
    fails: impl Fn(&Prepared, &[S]) -> bool,
) -> (Prepared, Shrunk<S>) {
    let mut candidates = stage.candidates().into_iter().map(|stage| stage.prepare());
    let prepared = candidates.find(|prepared| fails(prepared, &steps)).unwrap_or_else(|| stage.prepare());
    let least = shrink(steps, patience, |steps| fails(&prepared, steps));
    (prepared, least)
}

/// Shrinks a run that broke `violation`, its stage too, and writes it as a story.
#[must_use]
pub fn shrunk(stage: &RunSetup, steps: Vec<Step>, violation: &Violation, within: Duration) -> Failure {
    let watch = watch_for(violation.invariant);
    let found_after = steps.len();
    let fails = |prepared: &Prepared, candidate: &[Step]| {
        first_violation(prepared, candidate, watch).is_some_and(|found| found.invariant == violation.invariant)
    };
    let own = stage.prepare();
    if !fails(&own, &steps) {
        // It takes the whole run, checks included, to break the law: nothing can be taken away.
        return failure_of(&own, &Shrunk { steps, tries: 0 }, violation.clone(), found_after);
    }
    let (prepared, least) = shrunk_on_a_stage(stage, steps, Patience::on_worlds(within), fails);
    let violation = first_violation(&prepared, &least.steps, watch).unwrap_or_else(|| violation.clone());
    failure_of(&prepared, &least, violation, found_after)
}

fn failure_of(prepared: &Prepared, least: &Shrunk<Step>, violation: Violation, found_after: usize) -> Failure {
    let story = Some(story::story(prepared, &least.steps, &violation));
    let record = record_of(prepared.clone(), least.steps.iter().copied());
    // What takes a law of whole worlds to break may not be broken again by its inputs alone.
    let breaks =
        |record: &Record| judged(record).ok().flatten().is_some_and(|again| again.invariant == violation.invariant);
    let record = Some(record).filter(breaks);
    let found = Failure::as_found(Level::World, prepared.stage.seed, violation, found_after);
    Failure { record, ..found.shrunk_to(least, story) }
}

fn first_violation(prepared: &Prepared, steps: &[Step], watch: Watch) -> Option<Violation> {
    run_prepared(prepared.clone(), steps.iter().copied(), watch).violations.into_iter().next()
}

/// As much watching as the law needs, and no more: shrinking runs a list many times.
const fn watch_for(invariant: Law) -> Watch {
    match invariant {
        Law::Determinism => Watch::Twice,
        Law::ClockComposition | Law::RefusalsChangeNothing => Watch::Full,
        _ => Watch::Steps,
    }
}
