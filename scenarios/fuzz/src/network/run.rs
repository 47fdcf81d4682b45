//! A whole run over the network, and its shrinking.
//!
//! Invariant: the same stage and steps give the same outcome, to the last byte that was exchanged.

use super::draw::NetworkSteps;
use super::network_run::{Comparison, NetworkRun};
use super::step::NetworkStep;
use crate::batch::{RunKind, made, on_a_fresh_thread};
use crate::failure::{Failure, Level, shrunk_on_a_stage};
use crate::run::RunOutcome;
use crate::run_setup::{Prepared, RunSetup};
use crate::shrink::Patience;
use crate::story::{Story, by, found};
use language::ast::{Act as StoryAct, Scenario, StoryStep};
use oracle::check::Violation;
use runner::drivers::receiver::Behaviour;
use runner::remote::Remote;
use sim::digest::digest_of;
use sim::rng::Seed;
use std::io;
use std::time::Duration;

/// One run in so many ends with a server that has lost its worlds.
const EMPTY_EVERY: u64 = 4;

/// One run in so many has its events posted to a server that fails at first.
const WEBHOOKS_EVERY: u64 = 4;

/// Seconds of transport time between attempts of a delivery: few, since every second of a simulation takes real time, and such that
/// each of the first is known by its length.
pub(super) const DELIVERY_WAITS: &[u64] = &[1, 2, 3, 1, 1, 1];

/// Most tries of a shrinking: each is a simulation.
const MOST_TRIES: usize = 1_500;

/// Runs over the network, each on a stage of its own.
pub struct OverNetwork<F>(pub F);

/// The result of a run, and the run as a story.
#[derive(Clone, Debug)]
pub struct NetworkOutcome {
    /// Its result.
    pub outcome: RunOutcome,
    /// What was sent, and what should have followed, where some law did not hold.
    pub story: Option<Story>,
}

impl<F: Fn(u64) -> RunSetup + Send + Sync + 'static> RunKind for OverNetwork<F> {
    type Step = NetworkStep;
    const LEVEL: Level = Level::Network;

    fn run(&self, seed: u64, steps: usize) -> io::Result<(RunOutcome, Vec<NetworkStep>)> {
        let stage = (self.0)(seed);
        let steps: Vec<NetworkStep> = NetworkSteps::new(seed, stage.profile).take(steps).collect();
        made(seed, stage.start, steps, |steps| Ok(run(&stage, steps)?.outcome))
    }

    fn shrunk(
        &self,
        seed: u64,
        steps: Vec<NetworkStep>,
        violation: &Violation,
        within: Duration,
    ) -> io::Result<Failure> {
        shrunk(&(self.0)(seed), steps, violation, within)
    }
}

/// Makes the run and judges it; one that broke a law is made again and its worlds compared after every step, which shows the
/// one at fault.
///
/// # Errors
/// When the system gives no thread, or the simulation itself fails.
pub fn run(stage: &RunSetup, steps: &[NetworkStep]) -> io::Result<NetworkOutcome> {
    let prepared = stage.prepare();
    let log = run_prepared(&prepared, steps, Comparison::Sampled)?;
    if log.outcome.violations.is_empty() {
        return Ok(log);
    }
    let again = run_prepared(&prepared, &steps[..log.outcome.used], Comparison::EveryStep)?;
    Ok(if again.outcome.violations.is_empty() { log } else { again })
}

/// As `run`, once, with a stage that is set.
fn run_prepared(prepared: &Prepared, steps: &[NetworkStep], comparison: Comparison) -> io::Result<NetworkOutcome> {
    match on_a_fresh_thread(|| simulated(prepared, steps.to_vec(), comparison))? {
        Ok(outcome) => outcome.map_err(io::Error::other),
        Err(error) => Err(error),
    }
}

fn simulated(
    prepared: &Prepared,
    steps: Vec<NetworkStep>,
    comparison: Comparison,
) -> io::Result<Result<NetworkOutcome, String>> {
    let (prepared, seed) = (prepared.clone(), prepared.stage.seed);
    let everybody = crate::story::StoryWriter::new(&prepared).clients().into_iter();
    let sockets = everybody.map(|(_, actor)| by(StoryStep::from(StoryAct::ForgetEvents), actor)).collect();
    let mut scenario = Scenario::new("Over the network", seed, sockets);
    scenario.world = prepared.stage.block();
    scenario.world.settings.push(("deliveryWaitsSeconds".to_owned(), DELIVERY_WAITS.into()));
    Remote::run(scenario, seed, move |remote| async move {
        let mut network_run = NetworkRun::new(remote, &prepared, comparison);
        network_run.open_second_socket().await;
        network_run.open_narrow_socket().await;
        if seed % WEBHOOKS_EVERY == 2 {
            network_run.register_webhooks(&behaviours(seed)).await;
        }
        let mut used = 0;
        for step in &steps {
            used += 1;
            if !network_run.step(step).await {
                break;
            }
        }
        if network_run.found.is_empty() {
            network_run.send_at_once().await;
        }
        if network_run.found.is_empty() {
            network_run.heal().await;
        }
        if network_run.found.is_empty() {
            network_run.look_everywhere().await;
        }
        if network_run.found.is_empty() {
            network_run.ask_for_everything_unauthorised().await;
        }
        if network_run.found.is_empty() {
            network_run.judge_posts().await;
        }
        if network_run.found.is_empty() && seed % WEBHOOKS_EVERY == 2 {
            network_run.drill(seed / WEBHOOKS_EVERY).await;
        }
        if network_run.found.is_empty() && seed % WEBHOOKS_EVERY == 3 {
            network_run.close_sockets().await;
        }
        if network_run.found.is_empty() && seed % EMPTY_EVERY == 1 {
            network_run.lose_everything().await;
        }
        log(network_run, &prepared, used).await
    })
}

/// How the partner's own server answers the first posts.
fn behaviours(seed: u64) -> Vec<Behaviour> {
    let mut stream = Seed(seed).stream("receiver");
    (0..stream.below(6))
        .map(|_| *stream.pick(&[Behaviour::Status(503), Behaviour::Close, Behaviour::Redirect, Behaviour::Down]))
        .collect()
}

async fn log(mut network_run: NetworkRun, prepared: &Prepared, used: usize) -> NetworkOutcome {
    let violations = std::mem::take(&mut network_run.found);
    let led = network_run.writer.steps.len();
    if let Some(violation) = violations.first() {
        if network_run.ending.is_empty() {
            network_run.writer.claim(violation.claim.as_ref());
        }
        if network_run.ending.is_empty() && violation.claim.is_none() {
            network_run.ending = network_run.writer.journeys_as_expected();
        }
        network_run.writer.steps.append(&mut network_run.ending);
    }
    let NetworkRun { remote, writer, mut coverage, .. } = network_run;
    let ending = remote.finish().await;
    coverage.note_rows(&writer.world);
    coverage.rare.add(&rare::tally());
    let story = violations.first().map(|violation| {
        // What is wrong may be the answer to the last step itself.
        let claims_from = led.saturating_sub(1);
        Story { scenario: found(&prepared.stage, writer.steps, violation), claims_from }
    });
    let outcome = RunOutcome {
        digest: digest_of(&(ending.digest, writer.world.digest().0)),
        steps: used as u64,
        simulated: writer.world.now().since(prepared.stage.start),
        coverage,
        violations,
        used,
    };
    NetworkOutcome { outcome, story }
}

/// Shrinks a run that broke `violation`; the story is that of the shrunk run.
///
/// # Errors
/// When the system gives no thread.
pub fn shrunk(
    stage: &RunSetup,
    steps: Vec<NetworkStep>,
    violation: &Violation,
    within: Duration,
) -> io::Result<Failure> {
    let found_after = steps.len();
    let broken = |prepared: &Prepared, steps: &[NetworkStep], comparison| {
        let log = run_prepared(prepared, steps, comparison).ok()?;
        let first = log.outcome.violations.first()?;
        (first.invariant == violation.invariant).then(|| (first.clone(), log.story))
    };
    let fails = |prepared: &Prepared, steps: &[NetworkStep]| broken(prepared, steps, Comparison::Sampled).is_some();
    let (prepared, least) = shrunk_on_a_stage(stage, steps, Patience::of(MOST_TRIES, within), fails);
    // The worlds are compared at the end of every try; only the report needs to know the step.
    let least_failure = broken(&prepared, &least.steps, Comparison::EveryStep)
        .or_else(|| broken(&prepared, &least.steps, Comparison::Sampled));
    let (violation, story) = least_failure.unwrap_or_else(|| (violation.clone(), None));
    Ok(Failure::as_found(Level::Network, stage.seed, violation, found_after).shrunk_to(&least, story))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{Options, Watching, batch};

    #[test]
    fn runs_over_the_network_break_no_law_and_meet_every_kind_of_outage() {
        let batch = batch(OverNetwork(RunSetup::generated), &Options::of_seeds(0..12, 60, 2), &Watching::NOBODY);
        let batch = batch.expect("a batch");
        assert_eq!(batch.failed, 0, "{:#?}", batch.findings);
        let met = &batch.coverage.network;
        let kinds = [
            "cuts",
            "holds",
            "crashes",
            "restarts",
            "restarts without a world",
            "fault rules",
            "pages read",
            "requests sent together",
            "requests struck on their way",
            "requests answered with 503",
            "drills of webhooks",
            "sockets closed by a stop",
        ];
        let judged = [
            "events received",
            "filters read",
            "filters read beside a value",
            "other resources read",
            "instructions read",
            "unauthorised refused",
            "posts received",
        ];
        for kind in kinds.into_iter().chain(judged) {
            assert!(met.get(kind).is_some_and(|&count| count > 0), "{kind}: {met:?}");
        }
        for kind in ["of these, had happened", "of these, had not happened"] {
            assert!(met.get(kind).is_some_and(|&count| count > 0), "{kind}: {met:?}");
        }
    }

    #[test]
    fn a_run_repeated_says_the_same() {
        let steps: Vec<NetworkStep> = NetworkSteps::new(3, RunSetup::generated(3).profile).take(50).collect();
        let digest = |seed| run(&RunSetup::generated(seed), &steps).expect("a run").outcome.digest;
        assert_eq!(digest(3), digest(3));
        assert_ne!(digest(3), digest(4));
    }
}
