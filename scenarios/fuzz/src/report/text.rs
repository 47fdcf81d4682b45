//! A report and a finding in words, for a terminal.

use super::{Found, KeptFinding, Report, laws};
use crate::finding::Finding;
use language::ast::Scenario;
use language::write;
use std::fmt::Write as _;

/// The whole batch in words.
#[must_use]
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    let mut line = |name: &str, what: String| {
        // A string takes everything.
        writeln!(text, "{name:<12}{what}").unwrap_or_default();
    };
    line("seeds", format!("{}, from {}", report.seeds, report.asked.first_seed));
    if report.is_part() {
        report.parts.iter().for_each(|part| line("part", format!("{} of {}, from 0", part.index, part.of)));
    }
    let each = if report.parts.len() > 1 { " of each process" } else { "" };
    line("steps", format!("{}, {} a second{each}", report.steps, report.steps_per_second));
    line("simulated", format!("{} days", report.simulated_seconds / 86_400));
    let accepted: u64 = report.commands.values().map(|ends| ends.accepted).sum();
    let refused: u64 = report.commands.values().flat_map(|ends| ends.refused.values()).sum();
    let share = (accepted * 1_000).checked_div(accepted + refused).unwrap_or(0);
    // Around a consumer nobody looks into the world.
    if report.looked_into_worlds() {
        line("commands", format!("{}, {}.{} % accepted", accepted + refused, share / 10, share % 10));
        for (machine, table) in &report.coverage {
            line(machine, format!("{} of {} rows visited", table.visited, table.rows));
            table
                .counts
                .iter()
                .filter(|row| row.count == 0)
                .for_each(|row| line("", format!("not visited: {}", row.shown())));
        }
        for (name, ends) in &report.commands {
            let refused: u64 = ends.refused.values().sum();
            let unjudged = match ends.unjudged {
                0 => String::new(),
                count => format!(", whose outcome was not judged {count} times"),
            };
            line("command", format!("{:>8}  {refused:>8} refused  {name}{unjudged}", ends.accepted));
        }
        report.refusals.iter().for_each(|(class, count)| line("refused", format!("{count:>8}  {class}")));
    }
    for (name, counts) in [("fees", &report.fees), ("charges", &report.charges)] {
        if counts.values().any(|&count| count > 0) {
            counts.iter().for_each(|(what, count)| line(name, format!("{count:>8}  {what}")));
        }
    }
    report.network.iter().for_each(|(what, count)| line("network", format!("{count:>8}  {what}")));
    if !report.pairs.is_empty() {
        report.pairs.lines().into_iter().for_each(|what| line("pairs", what));
    }
    laws::never(&report.laws).for_each(|law| line("law", format!("never met: {law}, when {}", law.case())));
    report.broken.iter().for_each(|(law, seeds)| line("broken", format!("{seeds:>8} seeds: {law}")));
    report.unfinished.iter().for_each(|(seed, why)| line("no end", format!("seed {seed}: {why}")));
    line("digest", report.digest.clone());
    text
}

/// One finding in words; its file comes last. `repeat` makes the whole run again.
#[must_use]
pub fn finding(found: &Finding, kept: &KeptFinding, repeat: &str) -> String {
    let KeptFinding { file, baseline } = kept;
    let failure = &found.failure;
    let law = failure.violation.invariant;
    let mut text = String::new();
    let mut line = |what: String| writeln!(text, "{what}").unwrap_or_default();
    line(format!("seed {} broke law {}, {law}", failure.seed, law.number()));
    line(format!("  {}", law.statement()));
    line(format!("  at {}: {}", failure.violation.at, failure.violation.what));
    let shrunk =
        format!("shrunk from {} steps to {} in {} tries", failure.found_after, failure.steps.len(), failure.tries);
    match &found.story {
        Ok(story) => {
            line(format!("  {shrunk}; played here, the story fails at what the law expects:"));
            steps_of(story).iter().for_each(|step| line(format!("  {step}")));
            line(format!("  repeat with: fundsim run {}", file.display()));
        }
        Err(why) => {
            line(format!("  {shrunk}; kept as a run and not as a story, because {why}:"));
            match &failure.story {
                Some(story) => steps_of(&story.scenario).iter().for_each(|step| line(format!("  {step}"))),
                None => failure.steps.iter().for_each(|step| line(format!("  - {step}"))),
            }
            line(format!("  repeat with: fundsim replay {}", file.display()));
        }
    }
    if let Some(baseline) = baseline {
        line(format!("  {}", baseline.words()));
    }
    line(format!("  the whole run: {repeat}"));
    line(file.display().to_string());
    text
}

/// The steps of a story, as its file has them.
fn steps_of(story: &Scenario) -> Vec<String> {
    let text = write::write(story);
    text.lines().skip_while(|line| !line.starts_with("steps:")).skip(1).map(str::to_owned).collect()
}

/// The findings of a report that only names them.
#[must_use]
pub fn named(failures: &[Found]) -> String {
    let mut text = String::new();
    for Found { seed, invariant, what, file, story, baseline } in failures {
        let kind = if *story { "story" } else { "kept run" };
        let baseline = baseline.map_or_else(String::new, |baseline| format!("; {}", baseline.words()));
        writeln!(text, "seed {seed} broke {invariant}: {what}\n  {kind}: {file}{baseline}").unwrap_or_default();
    }
    text
}
