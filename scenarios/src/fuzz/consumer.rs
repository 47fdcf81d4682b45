//! Generated weather around the reference consumer: when it has cleared, the consumer's copy equals the service's state.
//!
//! Owns: the level `consumer` of generated runs: what is drawn, how it is made, and its shrinking. Invariant: the consumer
//! knows nothing of the weather, and the judge reads the service by itself. Absent on purpose: other laws, which the other
//! levels hold.

mod run;
mod service;
mod step;

#[cfg(feature = "canaries")]
pub mod planted;

pub use run::LAW;
pub use step::{ConsumerStep, ConsumerSteps};

use super::batch::{Kind, TWICE_EVERY};
use super::failure::Failure;
use super::run::Outcome;
use crate::check::{Violation, invariant};
use crate::shrink::shrink_within;
use std::io;

/// Most tries of a shrinking: each is a simulation.
const MOST_TRIES: usize = 300;

/// Runs around a consumer.
#[derive(Clone, Copy, Debug)]
pub struct AroundConsumer;

impl Kind for AroundConsumer {
    type Step = ConsumerStep;

    fn run(&self, seed: u64, steps: usize) -> io::Result<(Outcome, Vec<ConsumerStep>)> {
        let steps: Vec<ConsumerStep> = ConsumerSteps::new(seed).take(steps).collect();
        let mut outcome = run::run(seed, &steps)?;
        if seed.is_multiple_of(TWICE_EVERY) && outcome.violations.is_empty() {
            let again = run::run(seed, &steps)?;
            if again.digest != outcome.digest {
                let what = "the same steps were answered otherwise the second time".to_owned();
                let at = sim::time::Instant::MIN;
                outcome.violations = vec![Violation { invariant: 47, at, what, claim: None }];
            }
        }
        let looked_at = if outcome.violations.is_empty() { 0 } else { outcome.used };
        Ok((outcome, steps.into_iter().take(looked_at).collect()))
    }

    fn shrunk(&self, seed: u64, steps: Vec<ConsumerStep>, violation: &Violation) -> io::Result<Failure> {
        let broken = |steps: &[ConsumerStep]| {
            let outcome = run::run(seed, steps).ok()?;
            outcome.violations.into_iter().find(|found| found.invariant == violation.invariant)
        };
        let found_after = steps.len();
        let least = shrink_within(steps, MOST_TRIES, |steps| broken(steps).is_some());
        let violation = broken(&least.steps).unwrap_or_else(|| violation.clone());
        let law = invariant(violation.invariant).map_or("a law", |law| law.name);
        let story = run::story(seed, &least.steps, &format!("{law} did not hold: {}", violation.what));
        let steps = least.steps.iter().map(|step| format!("{step:?}")).collect();
        Ok(Failure { seed, violation, steps, found_after, tries: least.tries, story })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::batch::{Bound, Options, batch_of};

    /// What is planted, and what the judge says of it.
    #[cfg(feature = "canaries")]
    #[test]
    fn whatever_is_lost_forged_or_renamed_for_good_is_caught_and_shrunk() {
        use planted::{Planted, plant_in_runs_of};
        let rows = [
            (Planted::FirstTransactionOfASocketLost, 0, "after changes in calm weather"),
            (Planted::IdDiffersByConnection, 0, "an event has two ids"),
            (Planted::ToldBeforeItIsKept, 0, "the service nothing"),
            (Planted::PostLost, 1, "after changes in calm weather"),
            (Planted::ReplaySignedWithTheOldSecret, 1, "signed by none of the secrets"),
        ];
        for (fault, odd, says) in rows {
            let caught = (100..160).filter(|seed| seed % 2 == odd).find_map(|seed| {
                let planted = plant_in_runs_of(seed, fault);
                let (outcome, steps) = AroundConsumer.run(seed, 40).expect("a run");
                let violation = outcome.violations.into_iter().next().filter(|found| found.what.contains(says))?;
                let failure = AroundConsumer.shrunk(seed, steps, &violation).expect("a shrunk run");
                drop(planted);
                Some(failure)
            });
            let failure = caught.unwrap_or_else(|| panic!("{fault:?} is not caught"));
            assert!(failure.steps.len() < 20, "{fault:?}: {:?}", failure.steps);
        }
    }

    /// (rule: events/consumer-pattern)
    #[test]
    fn after_any_weather_the_copy_equals_the_state() {
        let options = Options { bound: Bound::Seeds(0..24), steps: 40, jobs: 2 };
        let batch = batch_of(&AroundConsumer, &options, |_| {}).expect("a batch");
        assert!(batch.failures.is_empty(), "{:#?}", batch.failures);
        let met = &batch.coverage.network;
        for kind in [
            "cuts",
            "holds",
            "crashes",
            "fault bundles",
            "sockets ended",
            "events told",
            "events told again",
            "records read",
            "secrets rotated",
            "webhooks replayed",
            "requests sent at once",
        ] {
            assert!(met.get(kind).is_some_and(|&count| count > 0), "{kind}: {met:?}");
        }
    }
}
