//! A failure: found, shrunk to the few steps that matter, and told as a story.

use super::run::{Watch, run_prepared};
use super::stage::{Prepared, Stage};
use super::story;
use crate::ast::Scenario;
use crate::check::Violation;
use crate::generate::Step;
use crate::shrink::shrink;

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

/// Shrinks a run that broke `violation` and tells it as a story.
#[must_use]
pub fn shrunk(stage: &Stage, mut steps: Vec<Step>, violation: &Violation) -> Failure {
    let (prepared, watch) = (stage.prepare(), watch_for(violation.invariant));
    let found_after = steps.len();
    if first_violation(&prepared, &steps, watch).is_none_or(|found| found.invariant != violation.invariant) {
        // It takes the whole run, checks included, to break the law: nothing can be taken away.
        return told(&prepared, steps, violation.clone(), found_after, 0);
    }
    let fails = |candidate: &[Step]| {
        first_violation(&prepared, candidate, watch).is_some_and(|found| found.invariant == violation.invariant)
    };
    let least = shrink(std::mem::take(&mut steps), fails);
    let violation = first_violation(&prepared, &least.steps, watch).unwrap_or_else(|| violation.clone());
    told(&prepared, least.steps, violation, found_after, least.tries)
}

fn told(prepared: &Prepared, steps: Vec<Step>, violation: Violation, found_after: usize, tries: usize) -> Failure {
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
