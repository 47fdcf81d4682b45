//! Generated runs that drive a server's host: worlds that are put back, forked, kept as snapshots and dropped, settings,
//! permissions, webhooks, fault rules and sockets, with a partner's ordinary work between them.
//!
//! Owns: the laws that bind a host. What must be so is not read from the server, but for the settings that a new world begins with: a copy of the reference world is kept at every
//! step, with the settings of that moment, so that a world that is put back must be the copy, to the digest. Invariant: the
//! same seed gives the same run. Absent on purpose: outages, which the network level has.

mod draw;
mod model;
mod rights;
mod run;
mod step;

pub use draw::HostSteps;
pub use step::HostStep;

use super::batch::{RunKind, is_repeated};
use super::failure::{Failure, Level};
use super::run::RunOutcome;
use super::run_setup::RunSetup;
use crate::shrink::{Patience, shrink};
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
        let mut outcome = run::run(&prepared, &steps)?.0;
        if is_repeated(seed) && outcome.violations.is_empty() {
            let again = run::run(&prepared, &steps)?.0;
            if again.digest != outcome.digest {
                let what = "the same steps got different answers the second time".to_owned();
                outcome.violations = vec![Violation { invariant: 47, at: stage.start, what, claim: None }];
            }
        }
        let looked_at = if outcome.violations.is_empty() { 0 } else { outcome.used };
        Ok((outcome, steps.into_iter().take(looked_at).collect()))
    }

    fn shrunk(&self, seed: u64, steps: Vec<HostStep>, violation: &Violation, within: Duration) -> io::Result<Failure> {
        let stage = (self.0)(seed);
        let found_after = steps.len();
        let broken = |prepared: &_, steps: &[HostStep]| {
            let (outcome, story) = run::run(prepared, steps).ok()?;
            let first = outcome.violations.into_iter().next()?;
            (first.invariant == violation.invariant).then_some((first, story))
        };
        let candidates = stage.candidates().into_iter().map(|stage| stage.prepare());
        let prepared = candidates.into_iter().find(|prepared| broken(prepared, &steps).is_some());
        let prepared = prepared.unwrap_or_else(|| stage.prepare());
        let least = shrink(steps, Patience::of(MOST_TRIES, within), |steps| broken(&prepared, steps).is_some());
        let (violation, story) = broken(&prepared, &least.steps).unwrap_or_else(|| (violation.clone(), None));
        let found = Failure::as_found(Self::LEVEL, seed, violation, found_after);
        let steps = least.steps.iter().map(|step| format!("{step:?}")).collect();
        Ok(Failure { steps, tries: least.tries, story, ..found })
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
