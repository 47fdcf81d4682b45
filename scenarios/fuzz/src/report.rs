//! What a batch of runs says of itself: as data that parts of a batch add up to, in words, as a page, and where its findings are
//! kept.
//!
//! Invariant: the reports of all parts of a batch, merged, say what one process would have said, durations aside. Absent on
//! purpose: how a batch is made.

mod html;
mod laws;
mod pairs;
mod text;

pub use html::html;
pub use pairs::{PairReport, PairTable};
pub use text::{finding, named, text};

use crate::batch::{Batch, MOST_FAILURES, MOST_OF_A_LAW, Options, Shard};
use crate::coverage::Coverage;
use crate::failure::{Failure, Level};
use crate::finding::Finding;
use crate::records::FoundRun;
use language::write;
use oracle::check::Law;
use serde::{Deserialize, Serialize};
use sim::digest::digest_of;
use sim::machines::MACHINES;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// What is the same for all parts of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Asked {
    /// The version of the program.
    pub version: String,
    /// The level.
    pub level: String,
    /// The machine that runs visit.
    pub machine: String,
    /// Steps drawn for each run.
    pub steps_of_a_run: u64,
    /// The first seed of the whole batch.
    pub first_seed: u64,
    /// The seed past the last, where seeds bound the batch.
    pub end_seed: Option<u64>,
}

/// A part of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Which part, from 0.
    pub index: u64,
    /// How many parts there are.
    pub of: u64,
    /// Seeds that it has run.
    pub seeds: u64,
    /// Whether it has run all that it was to run.
    pub is_whole: bool,
}

/// A row of a state table, and how often it was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The state before.
    pub from: String,
    /// What happened.
    pub on: String,
    /// The state after.
    pub to: String,
    /// How often.
    pub count: u64,
}

/// A state table, and how much of it was visited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableReport {
    /// How many rows it has.
    pub rows: usize,
    /// How many were taken.
    pub visited: usize,
    /// The others, as `from --on--> to`.
    pub unvisited: Vec<String>,
    /// Every row.
    pub counts: Vec<Row>,
}

/// How often a command was accepted, and refused in which class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ends {
    /// Accepted.
    pub accepted: u64,
    /// Refused, by class.
    pub refused: BTreeMap<String, u64>,
    /// Either, where the judge did not know which it had to be.
    #[serde(default)]
    pub unjudged: u64,
}

/// What another build makes of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Baseline {
    /// It does not fail there: what broke has come since.
    Passes,
    /// It fails there, too.
    Fails,
    /// That build cannot play it.
    Unplayable,
}

/// Where a finding is kept, and what the baseline makes of it, where there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFinding {
    /// The file.
    pub file: PathBuf,
    /// What another build makes of it.
    pub baseline: Option<Baseline>,
}

/// A finding as a report names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The seed.
    pub seed: u64,
    /// The law that did not hold.
    pub invariant: String,
    /// What was wrong.
    pub what: String,
    /// Where it is kept.
    pub file: String,
    /// Whether that is a story, which fails where the law expects something; else it is a kept run.
    pub story: bool,
    /// What another build makes of it, where one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
}

/// All that a batch says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// What was asked for.
    #[serde(flatten)]
    pub asked: Asked,
    /// The parts that are in it.
    pub parts: Vec<Part>,
    /// Seeds that were run.
    pub seeds: u64,
    /// Seeds that broke a law or did not end.
    pub failed: u64,
    /// Steps carried out.
    pub steps: u64,
    /// The same a second of real time.
    pub steps_per_second: u64,
    /// Time that passed in all worlds.
    pub simulated_ms: i64,
    /// The same in whole seconds.
    pub simulated_seconds: i64,
    /// Time that passed in the world where most has.
    pub longest_seconds: i64,
    /// Real time, of all parts together.
    pub took_ms: u64,
    /// State tables by machine.
    pub coverage: BTreeMap<String, TableReport>,
    /// Refusals by class.
    pub refusals: BTreeMap<String, u64>,
    /// Commands by name.
    pub commands: BTreeMap<String, Ends>,
    /// What fees and closings have met.
    pub fees: BTreeMap<String, u64>,
    /// How charges of payments have ended.
    pub charges: BTreeMap<String, u64>,
    /// What runs over the network have met besides.
    pub network: BTreeMap<String, u64>,
    /// What has come together.
    #[serde(default)]
    pub pairs: PairReport,
    /// How often the case of each law was met that is checked at this level.
    #[serde(default)]
    pub laws: BTreeMap<String, u64>,
    /// How many seeds broke which law first.
    pub broken: BTreeMap<String, u64>,
    /// Seeds whose run came to no end, and why.
    pub unfinished: BTreeMap<u64, String>,
    /// What the digest is made of: the parts of a batch add up to it.
    pub digest_sum: String,
    /// Fingerprint over all runs.
    pub digest: String,
    /// The first findings of each law.
    pub failures: Vec<Found>,
}

fn counts<K: ToString>(counts: impl IntoIterator<Item = (K, u64)>) -> BTreeMap<String, u64> {
    counts.into_iter().map(|(what, count)| (what.to_string(), count)).collect()
}

impl Report {
    /// The report of a batch, whose findings are kept like this, by their seeds.
    #[must_use]
    pub fn of(
        batch: &Batch,
        level: Level,
        machine: &str,
        options: &Options,
        kept: &BTreeMap<u64, KeptFinding>,
    ) -> Self {
        let (first_seed, end_seed) = options.bound.ends();
        let Shard { index, of } = options.shard;
        let coverage = &batch.coverage;
        // Builds without rare points ask none.
        let asked = coverage.rare.counts().filter(|(_, count)| count.asked > 0);
        let rare = asked.map(|(row, count)| (format!("rare point {}", row.name), count.happened));
        let mut report = Self {
            asked: Asked {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                level: level.name().to_owned(),
                machine: machine.to_owned(),
                steps_of_a_run: options.steps as u64,
                first_seed,
                end_seed,
            },
            parts: vec![Part { index, of, seeds: batch.seeds, is_whole: batch.is_whole || end_seed.is_none() }],
            seeds: batch.seeds,
            failed: batch.failed,
            steps: batch.steps,
            steps_per_second: 0,
            simulated_ms: batch.simulated.0,
            simulated_seconds: 0,
            longest_seconds: batch.longest.0 / 1_000,
            took_ms: u64::try_from(batch.took.as_millis()).unwrap_or(u64::MAX),
            coverage: tables(coverage),
            refusals: BTreeMap::new(),
            commands: commands(coverage),
            fees: counts(coverage.fees.iter().map(|(what, count)| (*what, *count))),
            charges: counts(coverage.charges.iter().map(|(what, count)| (what.name(), *count))),
            network: counts(coverage.network.iter().map(|(what, count)| (*what, *count)))
                .into_iter()
                .chain(rare)
                .collect(),
            pairs: PairReport::of(&coverage.pairs),
            laws: laws::met(&coverage.laws, level),
            broken: counts(batch.broken.iter().map(|(law, seeds)| (*law, *seeds))),
            unfinished: batch.unfinished.clone(),
            digest_sum: format!("{:032x}", batch.digest_sum),
            digest: String::new(),
            failures: batch.findings.iter().map(|finding| found(finding, kept)).collect(),
        };
        report.refusals = counts(coverage.refusals().into_iter().map(|(class, count)| (format!("{class:?}"), count)));
        report.conclude();
        report
    }

    /// What is missing of a whole batch: parts that are not in it, and such as did not run all of their seeds.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let of = self.parts.first().map_or(0, |part| part.of);
        let part = |index: u64| self.parts.iter().find(|part| part.index == index);
        let missing = (0..of).filter_map(|index| match part(index) {
            None => Some(format!("part {index}")),
            Some(part) if !part.is_whole => Some(format!("seeds of part {index}, which has run {}", part.seeds)),
            Some(_) => None,
        });
        missing.collect()
    }

    /// Whether it is about one part of several.
    #[must_use]
    pub fn is_part(&self) -> bool {
        matches!(self.parts[..], [part] if part.of > 1)
    }

    /// Whether its runs have looked into worlds; those around a consumer have not.
    #[must_use]
    pub fn looked_into_worlds(&self) -> bool {
        self.commands.values().any(|ends| ends.accepted > 0 || !ends.refused.is_empty())
    }

    /// What follows from the other fields.
    fn conclude(&mut self) {
        self.simulated_seconds = self.simulated_ms / 1_000;
        self.steps_per_second = self.steps.saturating_mul(1_000) / self.took_ms.max(1);
        self.digest = digest_of(&u128::from_str_radix(&self.digest_sum, 16).unwrap_or_default()).to_string();
        for table in self.coverage.values_mut() {
            let never = |row: &&Row| row.count == 0;
            table.unvisited = table.counts.iter().filter(never).map(Row::shown).collect();
            table.visited = table.rows - table.unvisited.len();
        }
    }

    /// What the reports of parts say together, and of which equal findings are left out.
    ///
    /// # Errors
    /// When there is none, they are of different batches, or one part is there twice.
    pub fn merged(reports: Vec<Self>) -> Result<Self, String> {
        let mut reports = reports.into_iter();
        let mut whole = reports.next().ok_or("there is no report")?;
        for report in reports {
            whole.add(report)?;
        }
        whole.parts.sort_by_key(|part| part.index);
        whole.failures.sort_by_key(|found| found.seed);
        let mut of_law = BTreeMap::new();
        whole.failures.retain(|found| {
            let met: &mut BTreeSet<String> = of_law.entry(found.invariant.clone()).or_default();
            met.len() < MOST_OF_A_LAW && met.insert(found.what.clone())
        });
        whole.failures.truncate(MOST_FAILURES);
        whole.conclude();
        Ok(whole)
    }

    fn add(&mut self, other: Self) -> Result<(), String> {
        if other.asked != self.asked {
            return Err(format!(
                "they are of different batches: {} and {}",
                self.asked.in_words(),
                other.asked.in_words()
            ));
        }
        for part in other.parts {
            if self.parts.iter().any(|own| own.index == part.index) {
                return Err(format!("part {} is there twice", part.index));
            }
            if self.parts.iter().any(|own| own.of != part.of) {
                return Err(format!("part {} is one of {}, others are not", part.index, part.of));
            }
            self.parts.push(part);
        }
        self.seeds += other.seeds;
        self.failed += other.failed;
        self.steps += other.steps;
        self.simulated_ms += other.simulated_ms;
        self.longest_seconds = self.longest_seconds.max(other.longest_seconds);
        self.took_ms += other.took_ms;
        for (machine, table) in other.coverage {
            let Some(own) = self.coverage.get_mut(&machine).filter(|own| own.counts.len() == table.counts.len()) else {
                return Err(format!("they know different rows of {machine}"));
            };
            own.counts.iter_mut().zip(&table.counts).for_each(|(own, row)| own.count += row.count);
        }
        for (name, ends) in other.commands {
            let own = self.commands.entry(name).or_default();
            own.accepted += ends.accepted;
            sum(&mut own.refused, ends.refused);
            own.unjudged += ends.unjudged;
        }
        for (own, more) in [
            (&mut self.refusals, other.refusals),
            (&mut self.fees, other.fees),
            (&mut self.charges, other.charges),
            (&mut self.network, other.network),
            (&mut self.laws, other.laws),
            (&mut self.broken, other.broken),
        ] {
            sum(own, more);
        }
        self.pairs.add(&other.pairs);
        self.unfinished.extend(other.unfinished);
        self.failures.extend(other.failures);
        let parts = |text: &str| u128::from_str_radix(text, 16).map_err(|_| format!("`{text}` is no sum of digests"));
        self.digest_sum = format!("{:032x}", parts(&self.digest_sum)?.wrapping_add(parts(&other.digest_sum)?));
        Ok(())
    }
}

impl Baseline {
    /// What it says of the build that is looked at.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Passes => "it passes with the baseline",
            Self::Fails => "it fails with the baseline, too",
            Self::Unplayable => "the baseline cannot play it",
        }
    }
}

impl Row {
    fn shown(&self) -> String {
        format!("{} --{}--> {}", self.from, self.on, self.to)
    }
}

impl Asked {
    fn in_words(&self) -> String {
        let Self { version, level, machine, steps_of_a_run, first_seed, end_seed } = self;
        let end = end_seed.map_or(String::new(), |end| end.to_string());
        format!(
            "level {level}, machine {machine}, seeds {first_seed}..{end}, {steps_of_a_run} steps, version {version}"
        )
    }
}

fn sum(own: &mut BTreeMap<String, u64>, more: BTreeMap<String, u64>) {
    more.into_iter().for_each(|(what, count)| *own.entry(what).or_default() += count);
}

fn tables(coverage: &Coverage) -> BTreeMap<String, TableReport> {
    let tables = MACHINES.iter().map(|machine| {
        let rows = machine.rows().into_iter().zip(coverage.visits.of(*machine));
        let counts: Vec<Row> = rows.map(|([from, on, to, _], count)| Row { from, on, to, count }).collect();
        (machine.name().to_owned(), TableReport { rows: counts.len(), visited: 0, unvisited: Vec::new(), counts })
    });
    tables.collect()
}

fn commands(coverage: &Coverage) -> BTreeMap<String, Ends> {
    let ends = |name: &str, ends: &BTreeMap<Option<sim::refusal::Class>, u64>| Ends {
        accepted: ends.get(&None).copied().unwrap_or_default(),
        refused: ends.iter().filter_map(|(class, count)| Some((format!("{:?}", (*class)?), *count))).collect(),
        unjudged: coverage.unjudged.get(name).copied().unwrap_or_default(),
    };
    coverage.commands.iter().map(|(name, all)| ((*name).to_owned(), ends(name, all))).collect()
}

fn found(found: &Finding, kept: &BTreeMap<u64, KeptFinding>) -> Found {
    let Failure { seed, violation, .. } = &found.failure;
    let kept = kept.get(seed);
    Found {
        seed: *seed,
        invariant: violation.invariant.to_string(),
        what: violation.what.clone(),
        file: kept.map(|kept| kept.file.display().to_string()).unwrap_or_default(),
        story: found.story.is_ok(),
        baseline: kept.and_then(|kept| kept.baseline),
    }
}

/// The command that makes a seed's run again, also where the variables of a scheduler would make it one of several parts.
#[must_use]
pub fn repeat_seed(level: Level, machine: &str, seed: u64, steps: u64, is_part: bool) -> String {
    let level = if level == Level::World { String::new() } else { format!("--level {} ", level.name()) };
    let machine = if machine == "all" { String::new() } else { format!("--machine {machine} ") };
    let whole = if is_part { " --shard 0/1" } else { "" };
    format!("fundsim fuzz {level}{machine}--seeds {seed}..{} --steps {steps}{whole}", seed + 1)
}

/// Keeps a finding: as a scenario file where its story shows it, else as a run.
///
/// # Errors
/// When the folder or the file cannot be written.
pub fn save(folder: &Path, found: &Finding, run: &FoundRun) -> io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let failure = &found.failure;
    let name = match failure.violation.invariant {
        Law::NoPanic => "panic".to_owned(),
        law => law.name().replace(' ', "-"),
    };
    let path = |ending: &str| folder.join(format!("seed-{}-{name}.{ending}", failure.seed));
    let (path, text) = match &found.story {
        Ok(story) => (path("yaml"), write::write(story)),
        Err(_) => (path("json"), serde_json::to_string(run)?),
    };
    std::fs::write(&path, text)?;
    Ok(path)
}
