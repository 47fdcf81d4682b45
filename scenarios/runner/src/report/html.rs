//! Results on one page that can be mailed: nothing is fetched, and a small script does no more than filter.
//!
//! Owns: the page and its order, failures first. Invariant: all of it can be read without the script, which is the only one
//! that the page's own policy lets run. Absent on purpose: how a run is drawn (`timeline`, `svg`), and how much of pictures is in it
//! (`pictures`).

mod pictures;
mod svg;
mod timeline;

use super::frame::framed;
use super::text::Whys;
use super::{capsules, opening_of, picture, printable, repeat_command, tally, text, totals, word};
use crate::foreign::{Count, Tally};
use crate::run::Failure;
use crate::suite::{Fault, FileResult, StoryOutcome, StoryRun};
use crate::transcript::{Moment, What};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maud::{Markup, PreEscaped, html};
use pictures::Pictures;
use sha2::{Digest as _, Sha256};
use sim::time::Instant;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use timeline::Timeline;

const STYLE: &str = include_str!("html/page.css");
const FILTER: &str = include_str!("html/filter.js");
/// Longest line of a transcript, in characters: one that nobody has to search stays light, its golden has it all.
const SHORT: usize = 120;
const LONG: usize = 8_000;

/// Failed stories that are open from the start, and failures of one story that are: more would hide what comes after them.
const OPEN: usize = 5;

/// What ran the stories, when, and how long it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About<'a> {
    /// Version of the program.
    pub version: &'a str,
    /// When the run began, by the clock of the machine.
    pub began: Instant,
    /// Real time that the run took.
    pub took: Duration,
    /// The file that the page becomes, which links to files beside it begin at; none where it becomes no file.
    pub file: Option<&'a Path>,
}

/// The page.
#[must_use]
pub fn page(results: &[FileResult], url: Option<&str>, about: &About<'_>) -> String {
    let totals = totals(results);
    let head = format!("{} passed, {} failed", totals.passed, totals.failed);
    let (failed, others): (Vec<_>, Vec<_>) = results
        .iter()
        .enumerate()
        .partition::<Vec<_>, _>(|(_, result)| matches!(result.outcome, StoryOutcome::Failed(_)));
    let pictures = Pictures::new(about.file);
    let story = |at: usize, result: &FileResult, is_open: bool| file(at, result, url, is_open, &pictures);
    let body = html! {
        main {
            (top(results, &head, about))
            (index(&failed, &others))
            @if let Some(tally) = tally(results) { (conformance(&tally)) }
            (filter())
            ul { @for (rank, (at, result)) in failed.iter().enumerate() { (story(*at, result, rank < OPEN)) } }
            @if !others.is_empty() {
                details.rest open[totals.failed == 0] {
                    summary { (totals.passed) " passed" (skipped(totals.skipped)) }
                    ul { @for (at, result) in &others { (story(*at, result, false)) } }
                }
            }
        }
        script { (PreEscaped(FILTER)) }
    };
    printable(&framed(&format!("fundsim run: {head}"), &policy(), &[STYLE, picture::STYLE], &body))
}

/// Nothing is fetched, and no script runs but this page's own.
fn policy() -> String {
    let script = BASE64_STANDARD.encode(Sha256::digest(FILTER));
    format!("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{script}'; form-action 'none'")
}

fn skipped(count: usize) -> String {
    if count == 0 { String::new() } else { format!(", {count} not for this driver") }
}

/// Where to find what: each failed story, and the others by folder.
fn index(failed: &[(usize, &FileResult)], others: &[(usize, &FileResult)]) -> Markup {
    let mut folders: Vec<(String, usize, usize)> = Vec::new();
    for (at, result) in others {
        let folder = result.path.parent().map_or_else(String::new, |folder| folder.display().to_string());
        let folder = if folder.is_empty() { "here".to_owned() } else { folder };
        match folders.iter_mut().find(|(known, ..)| *known == folder) {
            Some((_, _, count)) => *count += 1,
            None => folders.push((folder, *at, 1)),
        }
    }
    html! {
        @if failed.len() + folders.len() > 1 {
            nav aria-label="Index" {
                ul {
                    @for (at, result) in failed { li.failed { a href={ "#s" (at) } { (result.title) } } }
                    @for (folder, at, count) in &folders { li { a href={ "#s" (at) } { (folder) } " " (count) } }
                }
            }
        }
    }
}

fn top(results: &[FileResult], head: &str, about: &About<'_>) -> Markup {
    let totals = totals(results);
    let driver = results.first().map_or("", |result| result.driver);
    let simulated: i64 = results.iter().map(|result| result.simulated_ms).sum();
    html! {
        h1 { (head) (skipped(totals.skipped)) }
        div.bar aria-hidden="true" {
            @for (class, count) in [("failed", totals.failed), ("passed", totals.passed), ("skipped", totals.skipped)] {
                @if count > 0 { i class=(class) style={ "flex-grow:" (count) } {} }
            }
        }
        p.about { "fundsim " (about.version) ", " (date(about.began)) ", took " (took(about.took)) "." }
        p.about {
            "Driver " (driver) @if tally(results).is_some() { ". " } @else { "; " }
            @if tally(results).is_none() {
                (text::span(simulated)) " simulated. "
                @if results.iter().all(|result| result.application.is_none()) {
                    "Every story was played twice and compared with itself. "
                }
            }
            "Times are UTC."
        }
        details.about {
            summary { "How to read a line of time" }
            p {
                "Time goes to the right, longer waits by wider gaps; arrows are moves of the clock. A request is a circle, one that was "
                "refused a square on its corner, filled where the server failed or nobody answered; a number counts those side by side. "
                "Events and due things stand at the instant at which they happened, also within a move of the clock. Orders and journeys "
                "have a bar for each state. Each mark says more when pointed at, and leads to its line of the transcript."
            }
        }
    }
}

/// An instant to the minute.
fn date(at: Instant) -> String {
    let mut text = String::new();
    at.write_to(&mut text);
    let (day, time) = text.split_once('T').unwrap_or((&text, ""));
    format!("{day} {} UTC", time.get(..5).unwrap_or(time))
}

/// Real time: milliseconds below a second, tenths of seconds below a minute.
fn took(time: Duration) -> String {
    match time.as_millis() {
        ms @ ..1_000 => format!("{ms} ms"),
        ms @ ..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        ms => text::span(i64::try_from(ms / 1_000 * 1_000).unwrap_or(i64::MAX)),
    }
}

/// What a server that is no fundsim was asked, by chapter of the API.
fn conformance(tally: &Tally) -> Markup {
    html! {
        table.chapters {
            caption { "Steps by chapter of the API" }
            thead { tr { th scope="col" { "Chapter" } th scope="col" { "Held" } th scope="col" { "Broken" } th scope="col" { "Skipped" } } }
            tbody {
                @for (chapter, Count { held, broken, skipped }) in tally.chapters() {
                    tr.broken[broken > 0] { th scope="row" { (chapter) } td { (held) } td { (broken) } td { (skipped) } }
                }
            }
        }
        details.about {
            summary { "Why steps were skipped" }
            ul { @for (reason, count) in tally.reasons() { li { (count) ": the step " (reason.words()) } } }
        }
    }
}

/// Hidden until its script shows it.
fn filter() -> Markup {
    html! {
        form hidden role="search" aria-label="Filter the stories" {
            input type="search" name="text" placeholder="Words of a title, a file or a failure" aria-label="Words";
            @for (value, label) in [("", "all"), ("failed", "failed"), ("passed", "passed"), ("skipped", "skipped")] {
                label { input type="radio" name="outcome" value=(value) checked[value.is_empty()]; " " (label) }
            }
            output aria-live="polite" {}
        }
    }
}

fn file(at: usize, result: &FileResult, url: Option<&str>, is_open: bool, pictures: &Pictures<'_>) -> Markup {
    let word = word(&result.outcome);
    let anchor = format!("s{at}-");
    let seed = format!("seed {} · {} simulated", result.seed, text::span(result.simulated_ms));
    html! {
        li id={ "s" (at) } class={ "story " (word) } data-text=[searched(result)] {
            details open[is_open] {
                summary {
                    span.word { (word) } span.title { (result.title) }
                    span.meta { (result.path.display()) " · " (seed) }
                }
                div.inside {
                    @match &result.outcome {
                        StoryOutcome::Passed => {},
                        StoryOutcome::Skipped(why) => p { (why) },
                        StoryOutcome::Failed(faults) => {
                            (self::faults(faults.get(..OPEN).unwrap_or(faults)))
                            @if let Some(more @ [_, ..]) = faults.get(OPEN..) {
                                details { summary { "and " (more.len()) " more" } (self::faults(more)) }
                            }
                            p { "Again: " code { (repeat_command(result, url)) } }
                            @for file in capsules(result) {
                                p { "Open its world: " code { (opening_of(file)) } ", which is " (pictures.link(file)) }
                            }
                        },
                    }
                    @for (number, row) in result.rows.iter().enumerate().filter(|_| word != "skipped") {
                        (run(row, &result.transcript, &anchor))
                        @if word == "failed" { (pictures.of(row, &format!("{anchor}{number}-sequence"))) }
                    }
                    @if !result.transcript.is_empty() { (transcript(result, &anchor)) }
                }
            }
        }
    }
}

fn faults(faults: &[Fault]) -> Markup {
    html! { @for fault in faults { pre.fault tabindex="0" { (flush(&text::fault(fault, Whys::Full))) } } }
}

/// Without the indentation that sets it off on a terminal.
fn flush(rendered: &str) -> String {
    rendered
        .trim_matches('\n')
        .lines()
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .collect::<Vec<_>>()
        .join("\n")
}

/// What the filter looks at where that is more than the story's first line.
fn searched(result: &FileResult) -> Option<String> {
    let StoryOutcome::Failed(faults) = &result.outcome else { return None };
    let rendered: String = faults.iter().map(|fault| text::fault(fault, Whys::Full)).collect();
    Some(format!("{} {} {rendered}", result.title, result.path.display()).to_lowercase())
}

/// One run: in words, and drawn.
fn run(row: &StoryRun, transcript: &str, anchor: &str) -> Markup {
    let line = Timeline::of(&row.moments, &row.names, &failed(row, transcript));
    let words = words(&row.moments);
    let states = line.lanes.iter().map(|lane| {
        let states: Vec<_> = lane.states.iter().map(|(_, state, _)| state.as_str()).collect();
        format!("; {}: {}", lane.label, states.join(", "))
    });
    let alternative = format!("{words}{}", states.collect::<String>());
    html! {
        @if let Some(example) = &row.example { h2 { (cut(example, SHORT)) } }
        p.words { (words) }
        @if !row.moments.is_empty() { (svg::picture(&line, anchor, &alternative)) }
    }
}

/// The lines of the steps that failed: those that say so; the last one where none does, since what it says may be masked.
fn failed(row: &StoryRun, transcript: &str) -> Vec<usize> {
    let lines: Vec<_> = transcript.lines().collect();
    let steps = || row.moments.iter().filter(|moment| matches!(moment.what, What::Step(_))).map(|moment| moment.line);
    let says = |line: usize, step: &str| lines.get(line).is_some_and(|line| line.ends_with(step));
    let line = |failure: Failure| steps().filter(|line| says(*line, &failure.step)).max().or_else(|| steps().max());
    row.failure.iter().flat_map(Failure::each).filter_map(line).collect()
}

/// A run counted.
fn words(moments: &[Moment]) -> String {
    let count = |is: &dyn Fn(&What) -> bool| moments.iter().filter(|moment| is(&moment.what)).count();
    let plural = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let refused = count(&|what| matches!(what, What::Request { status: Some(400..), .. }));
    let lost = count(&|what| matches!(what, What::Request { status: None, .. }));
    let mut parts = vec![plural(count(&|what| matches!(what, What::Request { .. })), "request")];
    for (count, what) in [(refused, "refused"), (lost, "without an answer")] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    for (count, noun) in [
        (count(&|what| matches!(what, What::Event(_))), "event"),
        (count(&|what| matches!(what, What::Post(_))), "post"),
        (count(&|what| matches!(what, What::Clock { .. })), "move"),
    ] {
        if count > 0 {
            parts.push(plural(count, noun) + if noun == "move" { " of the clock" } else { "" });
        }
    }
    parts.join(", ")
}

/// The transcript, with an anchor wherever a mark leads to.
fn transcript(result: &FileResult, anchor: &str) -> Markup {
    let is_failed = matches!(result.outcome, StoryOutcome::Failed(_));
    let most = if is_failed { LONG } else { SHORT };
    let anchors: BTreeSet<usize> = result.rows.iter().flat_map(|row| &row.moments).map(|moment| moment.line).collect();
    html! {
        details {
            summary { "Transcript" }
            pre.transcript tabindex="0" {
                @for (at, line) in result.transcript.lines().enumerate() {
                    @if anchors.contains(&at) { span id={ (anchor) (at) } { (cut(line, most)) } } @else { (cut(line, most)) }
                    "\n"
                }
            }
        }
    }
}

fn cut(line: &str, most: usize) -> Cow<'_, str> {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}… and {} more", &line[..end], line[end..].chars().count()).into(),
        None => line.into(),
    }
}

#[cfg(test)]
mod tests;
