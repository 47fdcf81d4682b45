//! Generated outages around the reference consumer: when they are over, the consumer's copy equals the service's state.
//!
//! Owns: the level `consumer` of generated runs: what is drawn, how it is made, and its shrinking. Invariant: the consumer
//! knows nothing of outages, and the judge reads the service by itself. Absent on purpose: other laws, which the other
//! levels hold.

mod ending;
mod judge;
mod lines;
mod posts;
mod recorder;
mod run;
mod service;
#[cfg(test)]
mod several;
mod step;

pub use step::{ConsumerStep, ConsumerSteps};

use super::batch::{RunKind, made};
use super::failure::{Failure, Level};
use super::run::RunOutcome;
use crate::shrink::{Patience, shrink};
use crate::story::Story;
use oracle::check::Violation;
use sim::time::Instant;
use std::io;
use std::time::Duration;

/// Most tries of a shrinking: each is a simulation.
const MOST_TRIES: usize = 300;

/// Runs around a consumer.
#[derive(Clone, Copy, Debug)]
pub struct AroundConsumer;

impl RunKind for AroundConsumer {
    type Step = ConsumerStep;
    const LEVEL: Level = Level::Consumer;

    fn run(&self, seed: u64, steps: usize) -> io::Result<(RunOutcome, Vec<ConsumerStep>)> {
        let steps: Vec<ConsumerStep> = ConsumerSteps::new(seed).take(steps).collect();
        made(seed, Instant::MIN, steps, |steps| run::run(seed, steps))
    }

    fn shrunk(
        &self,
        seed: u64,
        steps: Vec<ConsumerStep>,
        violation: &Violation,
        within: Duration,
    ) -> io::Result<Failure> {
        let broken = |steps: &[ConsumerStep]| {
            let outcome = run::run(seed, steps).ok()?;
            outcome.violations.into_iter().find(|found| found.invariant == violation.invariant)
        };
        let found_after = steps.len();
        let least = shrink(steps, Patience::of(MOST_TRIES, within), |steps| broken(steps).is_some());
        let violation = broken(&least.steps).unwrap_or_else(|| violation.clone());
        let law = violation.invariant;
        let scenario = run::story(seed, &least.steps, &format!("{law} did not hold: {}", violation.what));
        let story = Some(Story { claims_from: scenario.steps.len(), scenario });
        Ok(Failure::as_found(Self::LEVEL, seed, violation, found_after).shrunk_to(&least, story))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{Options, Watching, batch};

    /// Most steps that a planted fault may need once it is shrunk.
    #[cfg(feature = "canaries")]
    const FEW: usize = 12;

    /// Where runs with planted faults begin; no other test makes worlds of these seeds.
    #[cfg(feature = "canaries")]
    const PLANTED_FROM: u64 = 57_000_000;

    /// The first of forty runs that notices `canary`, shrunk.
    #[cfg(feature = "canaries")]
    fn caught(canary: sim::canary::Canary, by_webhooks: bool, thousands: u64) -> Failure {
        let seeds = PLANTED_FROM + 1_000 * thousands + u64::from(by_webhooks)..;
        for seed in seeds.step_by(2).take(40) {
            let planted = sim::canary::plant_in_worlds_of(sim::rng::Seed(seed), canary);
            // Rare points would change what the judge says first.
            let _never = rare::never_in(seed);
            let (outcome, steps) = AroundConsumer.run(seed, 40).expect("a run");
            if let Some(violation) = outcome.violations.first() {
                let failure = AroundConsumer.shrunk(seed, steps, violation, Duration::MAX).expect("a shrunk run");
                drop(planted);
                return failure;
            }
        }
        panic!("{canary:?} was not found by forty runs");
    }

    /// What is planted, whether webhooks or sockets show it, and what the judge says of it.
    #[cfg(feature = "canaries")]
    #[test]
    fn whatever_is_lost_forged_or_renamed_is_caught_and_shrunk() {
        use sim::canary::Canary;
        let rows = [
            (Canary::EventDroppedAtReconnect, false, "the copy has no record, the service has"),
            (Canary::EventIdByConnection, false, "an event has two ids"),
            (Canary::EventBeforeCommit, false, "the copy has no record, the service has"),
            (Canary::PostLostAtRestart, true, "after changes with no outage"),
            (Canary::ReplaySignedWithOldSecret, true, "signed by none of the secrets that are good"),
        ];
        let prove = |(number, (canary, by_webhooks, says))| {
            let Failure { violation, steps, .. } = caught(canary, by_webhooks, number);
            assert!(violation.what.contains(says), "{canary:?}: {}", violation.what);
            assert!(steps.len() <= FEW, "{canary:?}: {steps:?}");
        };
        // Every try is a simulation: side by side they take half as long.
        std::thread::scope(|scope| (0..).zip(rows).for_each(|row| drop(scope.spawn(move || prove(row)))));
    }

    /// (rule: events/consumer-pattern)
    #[test]
    fn after_any_outages_the_copy_equals_the_state() {
        let batch = batch(AroundConsumer, &Options::of_seeds(0..24, 40, 2), &Watching::NOBODY).expect("a batch");
        assert_eq!(batch.failed, 0, "{:#?}", batch.findings);
        let met = &batch.coverage.network;
        for kind in [
            "cuts",
            "holds",
            "crashes",
            "fault bundles",
            "sockets ended",
            "events delivered",
            "events delivered again",
            "records read",
            "orders purged",
            "posts refused",
            "secrets rotated",
            "webhooks replayed",
            "requests sent together",
        ] {
            assert!(met.get(kind).is_some_and(|&count| count > 0), "{kind}: {met:?}");
        }
    }
}
