//! A failure: found, shrunk to the few steps that matter, and written as a story.

use super::run::{Watch, run_prepared};
use super::run_setup::{Prepared, RunSetup};
use super::story;
use crate::generate::Step;
use crate::shrink::shrink;
use language::ast::Scenario;
use oracle::check::Violation;

/// A failing run, shrunk.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The seed that found it.
    pub seed: u64,
    /// The law that did not hold, as the shrunk run breaks it.
    pub violation: Violation,
    /// The steps that are left, for developers.
    pub steps: Vec<String>,
    /// How many steps the run had when it failed.
    pub found_after: usize,
    /// How often it was run to shrink it.
    pub tries: usize,
    /// The same as a scenario file's story.
    pub story: Scenario,
}

/// Shrinks a run that broke `violation`, its stage too, and writes it as a story.
#[must_use]
pub fn shrunk(stage: &RunSetup, steps: Vec<Step>, violation: &Violation) -> Failure {
    let watch = watch_for(violation.invariant);
    let found_after = steps.len();
    let fails = |prepared: &Prepared, candidate: &[Step]| {
        first_violation(prepared, candidate, watch).filter(|found| found.invariant == violation.invariant)
    };
    let own = stage.prepare();
    if fails(&own, &steps).is_none() {
        // It takes the whole run, checks included, to break the law: nothing can be taken away.
        return failure_of(&own, steps, violation.clone(), found_after, 0);
    }
    let candidates = stage.candidates().into_iter().map(|stage| stage.prepare());
    let prepared = candidates.into_iter().find(|candidates| fails(candidates, &steps).is_some()).unwrap_or(own);
    let least = shrink(steps, |candidate| fails(&prepared, candidate).is_some());
    let violation = first_violation(&prepared, &least.steps, watch).unwrap_or_else(|| violation.clone());
    failure_of(&prepared, least.steps, violation, found_after, least.tries)
}

fn failure_of(
    prepared: &Prepared,
    steps: Vec<Step>,
    violation: Violation,
    found_after: usize,
    tries: usize,
) -> Failure {
    let story = story::story(prepared, &steps, &violation);
    let steps = steps.iter().map(|step| format!("{step:?}")).collect();
    Failure { seed: prepared.stage.seed, violation, steps, found_after, tries, story }
}

fn first_violation(prepared: &Prepared, steps: &[Step], watch: Watch) -> Option<Violation> {
    run_prepared(prepared.clone(), steps.iter().copied(), watch).violations.into_iter().next()
}

/// As much watching as the law needs, and no more: shrinking runs a list many times.
const fn watch_for(invariant: u8) -> Watch {
    match invariant {
        47 => Watch::Twice,
        48 | 49 => Watch::Full,
        _ => Watch::Steps,
    }
}
