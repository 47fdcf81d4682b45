//! What a batch of runs says of itself, for people and for scripts, and where its failures are kept.

use super::batch::Batch;
use super::failure::Failure;
use language::write;
use oracle::check::invariant;
use serde_json::{Map, Value as Json, json};
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

/// Keeps a failure's story as a scenario file.
///
/// # Errors
/// When the folder or the file cannot be written.
pub fn save(folder: &Path, failure: &Failure) -> io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let law = invariant(failure.violation.invariant).map_or("a law", |law| law.name).replace(' ', "-");
    let path = folder.join(format!("seed-{}-{law}.yaml", failure.seed));
    std::fs::write(&path, write::write(&failure.story))?;
    Ok(path)
}

/// Steps a second of real time.
#[must_use]
pub fn steps_per_second(batch: &Batch) -> u64 {
    let millis = batch.took.as_millis().max(1);
    u64::try_from(u128::from(batch.steps) * 1_000 / millis).unwrap_or(u64::MAX)
}

/// The whole batch in words.
#[must_use]
pub fn text(batch: &Batch) -> String {
    let mut text = String::new();
    let mut line = |name: &str, what: String| {
        // A string takes everything.
        writeln!(text, "{name:<12}{what}").unwrap_or_default();
    };
    let days = batch.simulated.0 / 86_400_000;
    line("seeds", format!("{}, from {}", batch.seeds, batch.first));
    line("steps", format!("{}, {} a second", batch.steps, steps_per_second(batch)));
    line("simulated", format!("{days} days"));
    let coverage = &batch.coverage;
    let share = (coverage.accepted() * 1_000).checked_div(coverage.commands()).unwrap_or(0);
    // Around a consumer nobody looks into the world.
    if coverage.commands() > 0 {
        line("commands", format!("{}, {}.{} % accepted", coverage.commands(), share / 10, share % 10));
        for table in coverage.tables() {
            line(table.machine, format!("{} of {} rows visited", table.visited, table.rows));
            for row in table.unvisited {
                line("", format!("not visited: {row}"));
            }
        }
        for (name, (accepted, refused)) in &coverage.by_name {
            line("command", format!("{accepted:>8}  {refused:>8} refused  {name}"));
        }
        for (class, count) in &coverage.refusals {
            line("refused", format!("{count:>8}  {class:?}"));
        }
    }
    if coverage.fees.values().any(|&count| count > 0) {
        for (what, count) in &coverage.fees {
            line("fees", format!("{count:>8}  {what}"));
        }
    }
    if coverage.charges.values().any(|&count| count > 0) {
        for (what, count) in &coverage.charges {
            line("charges", format!("{count:>8}  {}", what.name()));
        }
    }
    for (what, count) in &coverage.network {
        line("network", format!("{count:>8}  {what}"));
    }
    line("digest", batch.digest.to_string());
    text
}

/// One failure in words; its file comes last.
#[must_use]
pub fn failure(failure: &Failure, file: &Path) -> String {
    let law = invariant(failure.violation.invariant);
    let mut text = String::new();
    let story = write::write(&failure.story);
    let steps = story.lines().skip_while(|line| !line.starts_with("steps:")).skip(1);
    let mut line = |what: String| writeln!(text, "{what}").unwrap_or_default();
    line(format!(
        "seed {} broke law {}, {}",
        failure.seed,
        failure.violation.invariant,
        law.map_or("", |law| law.name)
    ));
    line(format!("  {}", law.map_or("", |law| law.statement)));
    line(format!("  at {}: {}", failure.violation.at, failure.violation.what));
    line(format!("  shrunk from {} steps to {} in {} tries:", failure.found_after, failure.steps.len(), failure.tries));
    steps.for_each(|step| line(format!("  {step}")));
    if failure.violation.invariant == super::consumer::LAW {
        // The story has no consumer in it.
        let (seed, end) = (failure.seed, failure.seed + 1);
        line(format!("  repeat with: fundsim fuzz --level consumer --seeds {seed}..{end}"));
    } else {
        line(format!("  repeat with: fundsim run {}", file.display()));
    }
    line(file.display().to_string());
    text
}

/// The batch for scripts.
#[must_use]
pub fn json(batch: &Batch, files: &[PathBuf]) -> Json {
    let tables = batch.coverage.tables().into_iter().map(|table| {
        let what = json!({ "rows": table.rows, "visited": table.visited, "unvisited": table.unvisited });
        (table.machine.to_owned(), what)
    });
    let refusals = batch.coverage.refusals.iter().map(|(class, count)| (format!("{class:?}"), json!(count)));
    let failures = batch.failures.iter().zip(files).map(|(failure, file)| {
        let invariant = invariant(failure.violation.invariant).map_or("", |law| law.name);
        json!({ "seed": failure.seed, "invariant": invariant, "file": file.display().to_string() })
    });
    json!({
        "seeds": batch.seeds,
        "firstSeed": batch.first,
        "steps": batch.steps,
        "stepsPerSecond": steps_per_second(batch),
        "simulatedSeconds": batch.simulated.0 / 1_000,
        "coverage": tables.collect::<Map<_, _>>(),
        "refusals": refusals.collect::<Map<_, _>>(),
        "digest": batch.digest.to_string(),
        "failures": failures.collect::<Vec<_>>(),
    })
}
