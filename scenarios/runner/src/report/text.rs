//! Results for people: a line a file, and all that helps where one failed.

use super::{opening, printable, repeat_command, tally, totals, why};
use crate::foreign::{Count, Tally};
use crate::run::Failure;
use crate::suite::{Fault, FileResult, StoryOutcome};
use language::matching::Mismatch;
use serde_json::Value as Json;
use std::fmt::Write as _;

/// How much is shown of why what a failed step names is as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whys {
    /// A dozen lines of the latest changes.
    Short,
    /// Every change that is known.
    Full,
}

/// Lines of all whys of a failure, where they are short.
const MOST_LINES: usize = 12;

/// Resources that a short one shows.
const MOST_SHORT: usize = 2;

/// Widest text that has a column of its own.
const COLUMN: usize = 48;

/// The line of one file, and its failure where it has one.
#[must_use]
pub fn file(result: &FileResult, url: Option<&str>, whys: Whys) -> String {
    let mut out = String::new();
    let path = result.path.display();
    let took = result.took.as_millis();
    match &result.outcome {
        StoryOutcome::Passed => {
            let how = match result.tally.as_ref().map(Tally::total) {
                Some(Count { held, broken, skipped }) => format!("{held} of {} steps asked", held + broken + skipped),
                None => format!("{} simulated", span(result.simulated_ms)),
            };
            let word = if result.incomplete.is_some() { "part" } else { "ok  " };
            add(&mut out, format_args!("{word}  {path}  {} ({took} ms, {how})\n", result.title));
        }
        StoryOutcome::Skipped(why) => add(&mut out, format_args!("skip  {path}  {}: {why}\n", result.title)),
        StoryOutcome::Failed(faults) => {
            add(&mut out, format_args!("FAIL  {path}  {}\n", result.title));
            for fault in faults {
                out.push_str(&self::fault(fault, whys));
            }
            add(&mut out, format_args!("\n    {}again: {}\n", seed(result, "    "), repeat_command(result, url)));
            opening(result).for_each(|command| add(&mut out, format_args!("    open:  {command}\n")));
            out.push('\n');
        }
    }
    if let Some(missing) = &result.incomplete {
        add(&mut out, format_args!("      incomplete: {missing}\n"));
    }
    printable(&out)
}

/// The line of the seed; none where the world is not the story's own.
pub(super) fn seed(result: &FileResult, indent: &str) -> String {
    if result.application.is_some() { String::new() } else { format!("seed {}\n{indent}", result.seed) }
}

/// The last line.
#[must_use]
pub fn summary(results: &[FileResult]) -> String {
    let totals = totals(results);
    let simulated: i64 = results.iter().map(|result| result.simulated_ms).sum();
    let tally = tally(results);
    let mut out = tally.as_ref().map(by_chapter).unwrap_or_default();
    add(&mut out, format_args!("{} passed, {} failed", totals.passed, totals.failed));
    if totals.skipped > 0 {
        let whom = if tally.is_some() { "server" } else { "driver" };
        add(&mut out, format_args!(", {} not for this {whom}", totals.skipped));
    }
    match results.iter().filter(|result| result.incomplete.is_some()).count() {
        0 => {}
        1 => out.push_str(", 1 of them incomplete"),
        many => add(&mut out, format_args!(", {many} of them incomplete")),
    }
    match tally.as_ref().map(Tally::total) {
        Some(Count { held, broken, skipped }) => {
            add(&mut out, format_args!("; {held} steps held, {broken} did not, {skipped} could not be asked\n"));
        }
        None => add(&mut out, format_args!("; {} simulated\n", span(simulated))),
    }
    out
}

/// What was asked, by chapter of the API, and why the rest was not.
#[must_use]
pub fn by_chapter(tally: &Tally) -> String {
    let width = tally.chapters().map(|(chapter, _)| chapter.len()).max().unwrap_or(0).max("chapter".len());
    let mut out = format!("\n{:width$}   held  broken  skipped\n", "chapter");
    for (chapter, Count { held, broken, skipped }) in tally.chapters() {
        add(&mut out, format_args!("{chapter:width$} {held:6}  {broken:6}  {skipped:7}\n"));
    }
    if tally.reasons().next().is_some() {
        out.push_str("\nskipped, since the step\n");
    }
    for (reason, count) in tally.reasons() {
        add(&mut out, format_args!("{count:6}  {}\n", reason.words()));
    }
    out.push('\n');
    out
}

fn add(out: &mut String, text: std::fmt::Arguments<'_>) {
    // A string takes everything.
    out.write_fmt(text).unwrap_or_default();
}

/// A fault with its details, indented.
#[must_use]
pub fn fault(fault: &Fault, whys: Whys) -> String {
    match fault {
        Fault::Step { example, failure } => step(example.as_deref(), failure, whys),
        Fault::Twice(difference) => {
            format!("\n    two runs of one seed differ (- first, + second):\n{difference}")
        }
        Fault::Golden { path, difference } => format!(
            "\n    the transcript is not the one in {} (- expected, + got):\n{difference}    \
             if this is as it should be now: run again with --bless\n",
            path.display()
        ),
        Fault::Unreadable(faults) => faults.iter().map(|fault| format!("\n{}", fault.render(false))).collect(),
        Fault::Broken(why) => format!("\n    the run could not be carried out: {why}\n"),
    }
}

/// What was not as expected, with what was expected and what came before it.
#[must_use]
pub fn step(example: Option<&str>, failure: &Failure, whys: Whys) -> String {
    let mut out = String::from("\n");
    if let Some(place) = &failure.place {
        add(&mut out, format_args!("    {place}\n    {:>5} | {}\n", place.line, place.written));
    } else {
        add(&mut out, format_args!("    {}\n", failure.step));
    }
    if let Some(example) = example {
        add(&mut out, format_args!("    with {example}\n"));
    }
    add(&mut out, format_args!("    {}\n", failure.what));
    if !failure.mismatches.is_empty() {
        out.push('\n');
        out.push_str(&side_by_side(&failure.mismatches));
    }
    if !failure.history.is_empty() {
        out.push_str("\n    before it:\n");
        for line in &failure.history {
            add(&mut out, format_args!("      {line}\n"));
        }
    }
    for (heading, lines) in &failure.application {
        add(&mut out, format_args!("\n    {heading}:\n"));
        for line in lines {
            add(&mut out, format_args!("      {line}\n"));
        }
    }
    out.push_str(&why(&failure.why, whys));
    out
}

/// How the resources that a failed step names came to be as they are.
fn why(all: &[(String, Json)], whys: Whys) -> String {
    let mut out = String::new();
    let shown = if whys == Whys::Short { all.len().min(MOST_SHORT) } else { all.len() };
    let mut room = MOST_LINES - usize::from(shown < all.len());
    for (at, (name, rendered)) in all.iter().enumerate().take(shown) {
        let whole = why::text(rendered, false);
        let count = whole.lines().count();
        let mut lines: Vec<&str> = whole.lines().collect();
        if whys == Whys::Short {
            // Those that follow have as much room each; a line each is for the name, and one for what is left out.
            lines = latest(&whole, (room / (shown - at)).saturating_sub(2));
            room = room.saturating_sub(lines.len() + 2);
        }
        add(&mut out, format_args!("\n    why {name} is as it is:\n"));
        for line in &lines {
            let indented = if line.is_empty() { "" } else { "      " };
            add(&mut out, format_args!("{indented}{line}\n"));
        }
        let left_out = count - lines.len();
        if whys == Whys::Short && left_out > 0 {
            add(&mut out, format_args!("      ... {left_out} more lines: --why full shows them\n"));
        }
    }
    let others: Vec<&str> = all.iter().skip(shown).map(|(name, _)| name.as_str()).collect();
    if !others.is_empty() {
        add(&mut out, format_args!("      ... --why full also explains the state of {}\n", others.join(", ")));
    }
    out
}

/// The first line and the last blocks that fit into so many lines; of a block that does not fit, its first lines.
fn latest(whole: &str, most: usize) -> Vec<&str> {
    let mut blocks: Vec<Vec<&str>> = whole.split("\n\n").map(|block| block.lines().collect()).collect();
    if whole.lines().count() <= most {
        return whole.lines().collect();
    }
    let mut kept = blocks.remove(0);
    kept.truncate(1);
    let mut last = Vec::new();
    for mut block in blocks.into_iter().rev() {
        let room = most.saturating_sub(kept.len() + last.len());
        if block.len() > room {
            if last.is_empty() {
                block.truncate(room);
                last = block;
            }
            break;
        }
        block.append(&mut last);
        last = block;
    }
    kept.append(&mut last);
    kept
}

/// Expected and got, in two columns where both are short.
#[must_use]
pub fn side_by_side(mismatches: &[Mismatch]) -> String {
    let left = |mismatch: &Mismatch| match mismatch.path.as_str() {
        "" => mismatch.expected.clone(),
        path => format!("{path}: {}", mismatch.expected),
    };
    let is_short = |text: &str| text.chars().count() <= COLUMN && !text.contains('\n');
    let mut out = String::new();
    if mismatches.iter().all(|it| is_short(&left(it)) && is_short(&it.got)) {
        let width = mismatches.iter().map(|it| left(it).chars().count()).max().unwrap_or(0).max("expected".len()) + 4;
        add(&mut out, format_args!("    {:width$}{}\n", "expected", "got"));
        for mismatch in mismatches {
            add(&mut out, format_args!("    {:width$}{}\n", left(mismatch), mismatch.got));
        }
        return out;
    }
    for mismatch in mismatches {
        let got = mismatch.got.replace('\n', "\n              ");
        add(&mut out, format_args!("    expected  {}\n    got       {got}\n", left(mismatch)));
    }
    out
}

/// A span of business time in its two largest units.
#[must_use]
pub fn span(ms: i64) -> String {
    let units = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s"), (1, "ms")];
    let mut rest = ms;
    let mut parts = Vec::new();
    for (length, unit) in units {
        let count = rest / length;
        if count > 0 {
            parts.push(format!("{count} {unit}"));
            rest %= length;
        }
    }
    parts.truncate(2);
    if parts.is_empty() { "0 s".to_owned() } else { parts.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drivers::Choice;
    use crate::suite::{Options, StoryFile, play_file};
    use language::diagnostic::Source;
    use language::parse::{NoFiles, parse};

    #[test]
    fn short_values_stand_side_by_side_and_long_ones_below_each_other() {
        let mismatch = |expected: &str, got: &str| Mismatch {
            path: "body.status".to_owned(),
            expected: expected.to_owned(),
            got: got.to_owned(),
        };
        assert_eq!(
            side_by_side(&[mismatch("settled", "sent")]),
            "    expected                got\n    body.status: settled    sent\n"
        );
        let long = "x".repeat(60);
        assert_eq!(
            side_by_side(&[mismatch("settled", &long)]),
            format!("    expected  body.status: settled\n    got       {long}\n")
        );
    }

    #[test]
    fn a_short_why_has_a_dozen_lines_of_the_latest_changes_and_says_how_many_more_there_are() {
        let change =
            |n: u64| serde_json::json!({ "at": format!("at {n}"), "input": n, "timer": "a timer", "events": [] });
        let rendered = |changes: u64| {
            let all: Vec<_> = (1..=changes).map(change).collect();
            serde_json::json!({ "id": "o", "what": "order", "resource": "o", "total": changes, "changes": all })
        };
        for (first, second) in [(1, 0), (9, 0), (9, 9), (1, 9), (9, 1), (40, 40)] {
            let all = [("one".to_owned(), rendered(first)), ("other".to_owned(), rendered(second))];
            let all = if second == 0 { &all[..1] } else { &all[..] };
            let (short, full) = (why(all, Whys::Short), why(all, Whys::Full));
            let lines = short.lines().filter(|line| !line.is_empty()).count();
            assert!(lines <= MOST_LINES && short.contains(&format!("at {first}  a timer")), "{short}");
            assert!(second == 0 || short.contains(&format!("at {second}  a timer")), "{short}");
            assert_eq!(short.contains("more lines: --why full"), short.len() < full.len(), "{short}");
        }
    }

    #[test]
    fn a_recording_of_which_something_is_missing_is_reported_as_a_part_with_what_is_missing() {
        let text = "fundsim: 1\nscenario: A part\nincomplete: 7 requests are missing at the end\nsteps:\n  - expect clock: any\n";
        let scenario = parse(&Source::new("part.yaml", text), &NoFiles).expect("a story");
        let story = StoryFile { path: "part.yaml".into(), scenario };
        let result = play_file(&story, &Options::new(Choice::InProcess));
        let rendered = file(&result, None, Whys::Short);
        assert!(rendered.starts_with("part  part.yaml  A part (") && !rendered.contains("ok  "), "{rendered}");
        assert!(rendered.ends_with("\n      incomplete: 7 requests are missing at the end\n"), "{rendered}");
        assert!(summary(&[result]).starts_with("1 passed, 0 failed, 1 of them incomplete; "));
    }

    #[test]
    fn spans_are_written_in_two_units() {
        for (ms, text) in [(0, "0 s"), (1, "1 ms"), (61_000, "1 min 1 s"), (90_061_000, "1 d 1 h")] {
            assert_eq!(span(ms), text);
        }
    }
}
