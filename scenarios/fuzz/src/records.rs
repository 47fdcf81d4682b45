//! Runs kept as files, to be repeated by another process or another build.
//!
//! Owns: the file of a run that broke no law: its record, the world half-way, and the digest it ends in; and of one that did:
//! the law, and its record or its seed. Invariant: a file of the first kind ends in its digest, from its beginning and from the
//! world half-way, or something is wrong; one of the second kind is wrong as long as it breaks its law.

use super::batch::{OnWorlds, RunKind, looked_at, on_a_fresh_thread};
use super::consumer::AroundConsumer;
use super::failure::{Failure, Level};
use super::host::OnHosts;
use super::network::OverNetwork;
use super::run::{RunOutcome, Watch, judged, play, run};
use super::run_setup::RunSetup;
use crate::generate::{Generator, Step};
use oracle::check::clock::Record;
use oracle::check::{Law, Violation};
use serde::{Deserialize, Serialize};
use sim::World;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A run as it is kept.
#[derive(Debug, Serialize, Deserialize)]
pub struct Kept {
    /// What makes the run.
    pub record: Record,
    /// The world after half of its inputs.
    #[serde(with = "written")]
    pub half_way: World,
    /// Fingerprint of the world it ends in.
    pub digest: String,
}

impl Kept {
    /// Repeats the run from its beginning, and from the world half-way.
    ///
    /// # Errors
    /// Which of the two did not end in the digest.
    pub fn repeat(self) -> Result<(), NotRepeated> {
        let again = self.record.replay().map_err(NotRepeated::unusable)?.digest().to_string();
        let on = self.record.go_on(self.half_way).digest().to_string();
        for (from, digest) in [("its beginning", again), ("the world half-way", on)] {
            if digest != self.digest {
                return Err(NotRepeated::Failed(format!("from {from} it ends in {digest} instead of {}", self.digest)));
            }
        }
        Ok(())
    }
}

/// Why a file is not repeated as it was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotRepeated {
    /// It cannot be read as a kept run: nothing was repeated.
    Unusable(String),
    /// It was repeated, and broke a law, ended in another digest, or did not end.
    Failed(String),
}

impl fmt::Display for NotRepeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Unusable(why) | Self::Failed(why)) = self;
        f.write_str(why)
    }
}

impl NotRepeated {
    fn unusable(why: impl ToString) -> Self {
        Self::Unusable(why.to_string())
    }
}

/// A run that broke a law, and whose story does not show it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundRun {
    /// The law that it broke, by its number.
    pub broke_law: Law,
    /// What was wrong.
    pub what: String,
    /// The level.
    pub level: String,
    /// The share of journeys in a thousand steps, where one was asked for.
    pub journeys: Option<u16>,
    /// The seed.
    pub seed: u64,
    /// Steps drawn for it.
    pub steps: usize,
    /// What is left of them, for people.
    pub shrunk_to: Vec<String>,
    /// The inputs of its world, where they alone break the law.
    pub record: Option<Record>,
}

impl FoundRun {
    /// A finding as it is kept; `journeys` and `steps` are those of its batch.
    #[must_use]
    pub fn of(failure: &Failure, journeys: Option<u16>, steps: usize) -> Self {
        Self {
            broke_law: failure.violation.invariant,
            what: failure.violation.what.clone(),
            level: failure.level.name().to_owned(),
            journeys,
            seed: failure.seed,
            steps,
            shrunk_to: failure.steps.clone(),
            record: failure.record.clone(),
        }
    }

    /// Makes the run again.
    ///
    /// # Errors
    /// The law that it still breaks, or why it cannot be made.
    fn repeat(&self) -> Result<(), NotRepeated> {
        let broken = match (&self.record, Level::named(&self.level)) {
            (Some(record), _) => judged(record).map_err(NotRepeated::unusable)?,
            (None, Some(level)) => self.again(level).map_err(|error| NotRepeated::Failed(error.to_string()))?,
            (None, None) => return Err(NotRepeated::Unusable(format!("there is no level `{}`", self.level))),
        };
        broken.map_or(Ok(()), |violation| {
            let law = violation.invariant;
            let (number, at) = (law.number(), violation.at);
            Err(NotRepeated::Failed(format!("it breaks law {number}, {law}, at {at}: {}", violation.what)))
        })
    }

    /// The whole run of its seed.
    fn again(&self, level: Level) -> io::Result<Option<Violation>> {
        let share = self.journeys;
        let stage = move |seed| RunSetup::generated(seed).with_journeys(share);
        let (seed, steps) = (self.seed, self.steps);
        let outcome = on_a_fresh_thread(|| match level {
            // Its record breaks it, which a run of its seed writes only where that is repeated.
            Level::World if self.broke_law == Law::Determinism => {
                let stage = stage(seed);
                let steps = Generator::new(seed, stage.profile).take(steps);
                Ok(run(&stage, steps, Watch::Twice))
            }
            Level::World => OnWorlds(stage).run(seed, steps).map(|(outcome, _)| outcome),
            Level::Network => OverNetwork(stage).run(seed, steps).map(|(outcome, _)| outcome),
            Level::Consumer => AroundConsumer.run(seed, steps).map(|(outcome, _)| outcome),
            Level::Host => OnHosts(stage).run(seed, steps).map(|(outcome, _)| outcome),
        })??;
        Ok(outcome.violations.into_iter().next())
    }
}

/// What tells the kinds of files apart.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Probe {
    broke_law: Option<u8>,
}

/// Runs on the worlds of a stage that are kept in a folder.
pub struct Keeping<F> {
    /// The runs.
    pub runs: OnWorlds<F>,
    /// Where they are kept.
    pub folder: PathBuf,
}

impl<F: Fn(u64) -> RunSetup + Send + Sync + 'static> RunKind for Keeping<F> {
    type Step = Step;
    const LEVEL: Level = Level::World;

    fn run(&self, seed: u64, steps: usize) -> io::Result<(RunOutcome, Vec<Step>)> {
        let stage = (self.runs.0)(seed);
        let steps: Vec<Step> = Generator::new(seed, stage.profile).take(steps).collect();
        let outcome = on_a_fresh_thread(|| {
            let played = play(stage.prepare(), steps.iter().copied(), Watch::Twice);
            if let Some((record, digest)) = played.record() {
                let half_way = record.half_way().map_err(io::Error::other)?;
                let kept = Kept { record: record.clone(), half_way, digest: digest.to_string() };
                std::fs::create_dir_all(&self.folder)?;
                let text = serde_json::to_vec(&kept)?;
                std::fs::write(self.folder.join(format!("seed-{seed}.json")), text)?;
            }
            io::Result::Ok(played.outcome())
        })??;
        Ok(looked_at(outcome, steps))
    }

    fn shrunk(&self, seed: u64, steps: Vec<Step>, violation: &Violation, within: Duration) -> io::Result<Failure> {
        self.runs.shrunk(seed, steps, violation, within)
    }
}

/// Larger files are no kept runs.
const LARGEST_RECORD: usize = 256 << 20;

/// Repeats a kept run.
///
/// # Errors
/// When the file cannot be read, is no kept run, or does not end in its digest.
pub fn repeat(file: &Path) -> Result<(), NotRepeated> {
    let text = language::parse::text_of(file, LARGEST_RECORD).map_err(NotRepeated::unusable)?;
    repeat_text(&text)
}

/// Repeats a run that was kept as this text.
///
/// # Errors
/// When it is no kept run, does not end in its digest, or holds what no world has an answer to.
pub fn repeat_text(text: &str) -> Result<(), NotRepeated> {
    // Only one kind says which law was broken.
    let is_found = serde_json::from_str::<Probe>(text).is_ok_and(|probe| probe.broke_law.is_some());
    let no_run = |error: serde_json::Error| NotRepeated::Unusable(format!("it is not a kept run: {error}"));
    let repeated = catch_unwind(AssertUnwindSafe(|| match is_found {
        true => serde_json::from_str::<FoundRun>(text).map_err(no_run)?.repeat(),
        false => serde_json::from_str::<Kept>(text).map_err(no_run)?.repeat(),
    }));
    let panicked = || NotRepeated::Failed("it breaks on its way: it holds what no run has had".to_owned());
    repeated.unwrap_or_else(|_| Err(panicked()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_run_is_repeated_and_a_changed_one_is_reported() {
        let folder = std::env::temp_dir().join(format!("fundsim-kept-{}", std::process::id()));
        let keeping = Keeping { runs: OnWorlds(RunSetup::generated), folder: folder.clone() };
        for seed in [3, 5] {
            let (outcome, _) = keeping.run(seed, 200).expect("a run");
            assert_eq!(outcome.violations, []);
            let file = folder.join(format!("seed-{seed}.json"));
            assert_eq!(repeat(&file), Ok(()), "seed {seed}");
            let mut kept: Kept = serde_json::from_slice(&std::fs::read(&file).expect("a file")).expect("a kept run");
            kept.record.inputs.remove(2);
            let is_named = matches!(kept.repeat(), Err(NotRepeated::Failed(why)) if why.contains("from its beginning"));
            assert!(is_named, "seed {seed}");
        }
        let no_file = NotRepeated::Unusable("it is not a file".to_owned());
        assert_eq!(repeat(&folder), Err(no_file), "nor is what never ends");
        std::fs::remove_dir_all(folder).expect("the folder goes");
    }
}
