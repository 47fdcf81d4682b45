//! How results are shown: text for people, JSON for scripts, JUnit for continuous integration, HTML for sharing.
//!
//! Invariant: all four show the same outcome of the same files; a failure always carries its place, what was expected beside
//! what was got, what happened last, the seed, and the command that repeats it.

pub mod capsule;
pub mod frame;
pub mod html;
pub mod json;
pub mod junit;
pub mod picture;
pub mod readiness;
pub mod text;
pub mod transcript;
pub mod why;

pub use language::diagnostic::printable;

use crate::foreign::Tally;
use crate::suite::{Capsule, FileResult, StoryOutcome};
use std::path::Path;

/// Counts over many files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Files that passed.
    pub passed: usize,
    /// Files that failed.
    pub failed: usize,
    /// Files that this driver cannot play.
    pub skipped: usize,
}

/// The counts of all files by chapter; `None` where every server was a fundsim.
#[must_use]
pub fn tally(results: &[FileResult]) -> Option<Tally> {
    Tally::sum(results.iter().filter_map(|result| result.tally.as_ref()))
}

/// Counts outcomes.
#[must_use]
pub fn totals(results: &[FileResult]) -> Totals {
    let mut totals = Totals::default();
    for result in results {
        match result.outcome {
            StoryOutcome::Passed => totals.passed += 1,
            StoryOutcome::Failed(_) => totals.failed += 1,
            StoryOutcome::Skipped(_) => totals.skipped += 1,
        }
    }
    totals
}

/// The word for an outcome.
#[must_use]
pub const fn word(outcome: &StoryOutcome) -> &'static str {
    match outcome {
        StoryOutcome::Passed => "passed",
        StoryOutcome::Failed(_) => "failed",
        StoryOutcome::Skipped(_) => "skipped",
    }
}

/// The command that plays a file again in the same way.
#[must_use]
pub fn repeat_command(result: &FileResult, url: Option<&str>) -> String {
    let url = url.map(|url| format!(" --url {url}")).unwrap_or_default();
    let path = quoted(&result.path);
    if let Some(application) = &result.application {
        return format!("fundsim run {path} {application}{url}");
    }
    let rest = match &result.foreign {
        Some(file) => format!("--foreign {}", quoted(file)),
        None => format!("--seed {}", result.seed),
    };
    format!("fundsim run {path} --driver {}{url} {rest}", result.driver)
}

/// The commands that open the worlds of its runs.
pub fn opening(result: &FileResult) -> impl Iterator<Item = String> {
    capsules(result).map(opening_of)
}

/// The command that opens the world in a file.
pub(crate) fn opening_of(file: &Path) -> String {
    format!("fundsim open {}", quoted(file))
}

/// The files of the worlds of its runs.
pub(crate) fn capsules(result: &FileResult) -> impl Iterator<Item = &Path> {
    result.rows.iter().filter_map(|row| match &row.capsule {
        Capsule::Kept(file) => Some(file.as_path()),
        Capsule::None | Capsule::Written(_) | Capsule::Refused(_) => None,
    })
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let plain = path.chars().all(|c| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | '='));
    if plain { path } else { format!("'{}'", path.replace('\'', "'\\''")) }
}
