//! Carrying a story out.
//!
//! Owns: a run from its world's making to its drop, on any driver. Invariant: every run has an operating-system thread of
//! its own, since threads keep state between runs; a run ends, whatever the server does; a failing step ends the story unless it is soft.
//! Absent on purpose: files and goldens (`suite`), and any knowledge of the service's rules.

mod application;
mod awaited;
mod blocks;
mod browser;
mod callbacks;
mod caller;
mod clock;
mod events;
mod expect;
pub(crate) mod foreign;
mod foreign_run;
mod frames;
mod joined_world;
mod judge;
pub(crate) mod outcome;
mod pages;
mod posts;
mod received_frames;
mod received_posts;
mod references;
pub mod remote;
mod requests;
mod session;
pub mod visit;
mod webhooks;

pub use outcome::{Failure, Run};

use crate::drivers::application::Application;
use crate::drivers::{Choice, Driver, in_process, live, turmoil};
use crate::foreign::Foreign;
use language::ast::{Example, Scenario};
use outcome::{Progress, StepResult, Trouble, in_words};
use session::Session;
use std::io;

/// What a run has beside its outcome.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extras {
    /// Pictures of the accounts that the story has named, and of the sequence of what happened.
    pub pictures: bool,
    /// The sequence of what happened last, of a run that fails, to be drawn where it is reported.
    pub sequence: bool,
    /// The world at the end, with all that led to it.
    pub capsule: bool,
}

/// Plays a story, once for each of its examples.
///
/// # Errors
/// When a run could not even be set up: no thread, no runtime, a server that cannot make a world.
pub fn play(scenario: &Scenario, driver: &Choice, seed: u64, extras: Extras) -> io::Result<Vec<Run>> {
    if scenario.examples.is_empty() {
        return Ok(vec![play_row(scenario, None, driver, seed, extras)?]);
    }
    scenario.examples.iter().map(|row| play_row(scenario, Some(row), driver, seed, extras)).collect()
}

fn play_row(scenario: &Scenario, row: Option<&Example>, driver: &Choice, seed: u64, extras: Extras) -> io::Result<Run> {
    let mut scenario = scenario.clone();
    if let Some(row) = row {
        scenario.world = scenario.world.filled(row).map_err(|error| io::Error::other(format!("`world`: {error}")))?;
    }
    let (row, driver) = (row.cloned(), driver.clone());
    let thread = std::thread::Builder::new().name("story".to_owned()).stack_size(16 << 20);
    let handle = thread.spawn(move || match &driver {
        Choice::InProcess => in_process::run(|driver| run_session(Box::new(driver), scenario, row, seed, extras, None)),
        Choice::Turmoil => turmoil::run(seed, turmoil::TICK, move |driver| {
            run_session(Box::new(driver), scenario, row, seed, extras, None)
        }),
        Choice::Live { server, operator_token, timeout, foreign, application } => {
            // A story that does not speak with the application has a world of its own.
            let application = application.as_deref().filter(|_| scenario.application_step().is_some());
            let application = application.map(Application::of);
            live::run(server, operator_token.as_deref(), *timeout, |driver| {
                run_session(Box::new(driver.beside(application)), scenario, row, seed, extras, foreign.as_ref())
            })
        }
    })?;
    match handle.join() {
        Ok(outcome) => outcome?.map_err(io::Error::other),
        Err(panic) => Err(io::Error::other(format!("the run panicked: {}", words(&*panic)))),
    }
}

fn words(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without words")
}

/// Plays a story in a session of its own.
async fn run_session(
    driver: Box<dyn Driver>,
    scenario: Scenario,
    row: Option<Example>,
    seed: u64,
    extras: Extras,
    foreign: Option<&Foreign>,
) -> Result<Run, String> {
    let mut session = Session::open(driver, &scenario, row.as_ref(), seed, foreign).await?;
    let steps = scenario.given.iter().chain(&scenario.steps).collect();
    let mut progress = Progress::default();
    let mut stopped = session.play(steps, None, &mut progress).await.err();
    if stopped.is_none() {
        stopped = session.check_events_of_both_sockets().await.err();
    }
    let mut failures = progress.soft.into_iter().chain(stopped.map(|failure| *failure));
    let failure = failures.next().map(|first| Failure { others: failures.collect(), ..first });
    let pictures = if extras.pictures { session.pictures().await } else { Ok(Vec::new()) };
    let sequence = if extras.sequence && failure.is_some() { session.sequence().await } else { None };
    let capsule = if extras.capsule { session.capsule().await } else { None };
    let mut run = session.close().await;
    run.pictures = pictures?;
    run.sequence = sequence;
    run.capsule = capsule;
    run.example = row.map(|row| in_words(&row));
    run.steps = progress.steps;
    run.failure = failure;
    Ok(run)
}
