//! Generated runs that drive a server's host: worlds that are put back, forked, kept as snapshots and dropped, settings,
//! permissions, webhooks, fault rules and sockets, with a partner's ordinary work between them.
//!
//! Owns: the laws that bind a host. What must be so is not read from the server, but for the settings that a new world begins
//! with: a copy of the reference world is kept at every step, with the settings of that moment, so that a world that is put
//! back must be the copy, to the digest. Invariant: the same seed gives the same run. Absent on purpose: outages, which the network level has.

mod clock;
mod draw;
mod history;
mod model;
mod rights;
mod run;
mod step;

pub use draw::HostSteps;
pub use step::HostStep;

use super::batch::{RunKind, made};
use super::failure::{Failure, Level, shrunk_on_a_stage};
use super::run::RunOutcome;
use super::run_setup::{Prepared, RunSetup};
use crate::shrink::Patience;
use oracle::check::Violation;
use std::io;
use std::time::Duration;

/// Most tries of a shrinking: each is a simulation.
const MOST_TRIES: usize = 1_500;

/// Runs that drive a server's host, each on a stage of its own.
pub struct OnHosts<F>(pub F);

impl<F: Fn(u64) -> RunSetup + Send + Sync + 'static> RunKind for OnHosts<F> {
    type Step = HostStep;
    const LEVEL: Level = Level::Host;

    fn run(&self, seed: u64, steps: usize) -> io::Result<(RunOutcome, Vec<HostStep>)> {
        let stage = (self.0)(seed);
        let steps: Vec<HostStep> = HostSteps::new(seed, stage.profile).take(steps).collect();
        let prepared = stage.prepare();
        made(seed, stage.start, steps, |steps| Ok(run::run(&prepared, steps)?.0))
    }

    fn shrunk(&self, seed: u64, steps: Vec<HostStep>, violation: &Violation, within: Duration) -> io::Result<Failure> {
        let stage = (self.0)(seed);
        let found_after = steps.len();
        let broken = |prepared: &Prepared, steps: &[HostStep]| {
            let (outcome, story) = run::run(prepared, steps).ok()?;
            let first = outcome.violations.into_iter().next()?;
            (first.invariant == violation.invariant).then_some((first, story))
        };
        let patience = Patience::of(MOST_TRIES, within);
        let fails = |prepared: &Prepared, steps: &[HostStep]| broken(prepared, steps).is_some();
        let (prepared, least) = shrunk_on_a_stage(&stage, steps, patience, fails);
        let (violation, story) = broken(&prepared, &least.steps).unwrap_or_else(|| (violation.clone(), None));
        Ok(Failure::as_found(Self::LEVEL, seed, violation, found_after).shrunk_to(&least, story))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{Options, Watching, batch};

    #[test]
    fn runs_on_hosts_break_no_law_and_meet_every_act() {
        let batch = batch(OnHosts(RunSetup::generated), &Options::of_seeds(0..12, 80, 2), &Watching::NOBODY);
        let batch = batch.expect("a batch");
        assert_eq!(batch.failed, 0, "{:#?}", batch.findings);
        let met = &batch.coverage.network;
        for act in draw::ACTS {
            assert!(met.get(act).is_some_and(|&count| count > 0), "{act}: {met:?}");
        }
    }
}
