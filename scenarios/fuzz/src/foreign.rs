//! Generated conversations with a server that is no fundsim: what a partner can ask it, right and wrong, and what the rules say
//! it must answer.
//!
//! Owns: a batch of them, and the shrinking of what was not as it must be. Invariant: a run is a scenario file, and is played
//! as `fundsim run --foreign` plays it; what it asks for does not depend on what other runs have left behind. Absent on
//! purpose: everything that takes a clock that can be moved.

mod server_facts;
mod step;
mod story;

pub use server_facts::ServerFacts;
pub use step::{ForeignStep, ForeignSteps};

use super::batch::Bound;
use crate::shrink::{Patience, shrink, started};
use language::ast::Scenario;
use runner::drivers::Choice;
use runner::foreign::Tally;
use runner::{Extras, Failure, Run, play};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most tries of a shrinking: each is a conversation over a network.
const MOST_TRIES: usize = 40;

/// Steps of a run, on average, without which it was no conversation: beside the first word, something was asked of an order or an
/// account.
const FEWEST_STEPS: usize = 3;

/// What a batch has found.
#[derive(Clone, Debug, Default)]
pub struct ForeignBatch {
    /// Seeds that ran.
    pub seeds: u64,
    /// Seeds whose run was not as it must be.
    pub failed: u64,
    /// Steps by chapter of the API.
    pub tally: Tally,
    /// What was found, shrunk; of each kind the first.
    pub found: Vec<Found>,
}

impl ForeignBatch {
    /// Whether so little could be asked that nothing was judged.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let total = self.tally.total();
        self.seeds > 0 && ((total.held + total.broken) as u64) < self.seeds * FEWEST_STEPS as u64
    }
}

/// A run that was not as it must be.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its seed.
    pub seed: u64,
    /// What was not as it must be.
    pub failure: Failure,
    /// The run as a scenario file.
    pub text: String,
    /// Steps drawn before it was shrunk, and after.
    pub steps: (usize, usize),
}

/// Runs seeds against the server, one after the other, until the bound or until `is_over`.
///
/// # Errors
/// When the server cannot be asked at all.
pub fn batch(
    server: &Choice,
    bound: &Bound,
    steps: usize,
    is_over: impl Fn() -> bool,
    mut progress: impl FnMut(&ForeignBatch),
) -> io::Result<ForeignBatch> {
    let (first, end) = match bound {
        Bound::Seeds(seeds) => (seeds.start, seeds.end),
        Bound::Time { first, .. } => (*first, u64::MAX),
    };
    let begun = started();
    let is_late = || matches!(bound, Bound::Time { time, .. } if begun.elapsed() >= *time);
    let mut batch = ForeignBatch::default();
    for seed in first..end {
        if is_over() || is_late() {
            break;
        }
        let drawn: Vec<ForeignStep> = ForeignSteps::new(seed).take(steps).collect();
        let (run, _) = played(server, seed, &drawn)?;
        batch.seeds += 1;
        batch.tally.add(&run.tally.unwrap_or_default());
        if let Some(failure) = run.failure {
            batch.failed += 1;
            let is_known = batch.found.iter().any(|found| kind(&found.failure) == kind(&failure));
            if !is_known {
                batch.found.push(shrunk(server, seed, drawn, &failure)?);
            }
        }
        progress(&batch);
    }
    Ok(batch)
}

/// What makes two failures the same: what went wrong and where, values aside.
fn kind(failure: &Failure) -> (String, Vec<String>) {
    let word = failure.step.split(':').next().unwrap_or_default().to_owned();
    (word, failure.mismatches.iter().map(|mismatch| mismatch.path.clone()).collect())
}

/// Plays what was drawn; the run, and its file.
fn played(server: &Choice, seed: u64, drawn: &[ForeignStep]) -> io::Result<(Run, String)> {
    let ground = ServerFacts::of(server).map_err(io::Error::other)?;
    let text = story::written(seed, &ground, drawn);
    let scenario: Scenario = story::read(&text).map_err(io::Error::other)?;
    let run = play(&scenario, server, seed, Extras::default())?.into_iter().next();
    Ok((run.ok_or_else(|| io::Error::other("nothing was run"))?, text))
}

fn shrunk(server: &Choice, seed: u64, drawn: Vec<ForeignStep>, first: &Failure) -> io::Result<Found> {
    let again = |drawn: &[ForeignStep]| {
        let (run, text) = played(server, seed, drawn).ok()?;
        run.failure.filter(|failure| kind(failure) == kind(first)).map(|failure| (failure, text))
    };
    let before = drawn.len();
    let least = shrink(drawn.clone(), Patience::of(MOST_TRIES, Duration::MAX), |drawn| again(drawn).is_some());
    let (failure, text) = match again(&least.steps) {
        Some(found) => found,
        // It does not come again: the first run is reported.
        None => (first.clone(), played(server, seed, &drawn)?.1),
    };
    Ok(Found { seed, failure, text, steps: (before, least.steps.len()) })
}

impl Found {
    /// Keeps the run as a scenario file.
    ///
    /// # Errors
    /// When the folder or the file cannot be written.
    pub fn save(&self, folder: &Path) -> io::Result<PathBuf> {
        fs::create_dir_all(folder)?;
        let word: String = kind(&self.failure).0.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        let path = folder.join(format!("foreign-{}-{word}.yaml", self.seed));
        fs::write(&path, &self.text)?;
        Ok(path)
    }

    /// What was found, in words; its file comes last.
    #[must_use]
    pub fn text(&self, file: &Path, repeat: &str) -> String {
        let (before, after) = self.steps;
        let mut text = format!("the answers to seed {} break the rules\n", self.seed);
        text.push_str(&runner::report::text::step(None, &self.failure, runner::report::text::Whys::Full));
        // A string takes everything.
        writeln!(text, "\n  shrunk from {before} steps to {after}\n  repeat with: {repeat} {}", file.display())
            .unwrap_or_default();
        text.push_str(&format!("{}\n", file.display()));
        text
    }
}

/// How long one of its requests may take.
pub const PATIENCE: Duration = Duration::from_secs(10);
