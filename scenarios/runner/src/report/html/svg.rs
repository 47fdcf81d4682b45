//! A run as SVG: rows of marks, lanes of states, and the line of time above them.
//!
//! Invariant: whatever is drawn says what it is in words (a title, a label) and leads to its line of the transcript; colour
//! is never the only sign. Absent on purpose: the places of things (`timeline`), and the colours themselves (`page.css`).

use super::timeline::{Lane, Leap, Mark, NEAREST, Timeline, Tone, Track};
use crate::report::text::span;
use maud::{Markup, html};
use sim::time::Instant;

/// Height of a row.
const ROW: i64 = 24;
/// Height of the line of time, and of what the steps say.
const AXIS: i64 = 40;
const STEPS: i64 = 66;
/// Most steps whose words have room.
const MOST_WORDS: usize = 60;
/// Least distance of two labels of time.
const BETWEEN_LABELS: i64 = 66;
/// A letter of a label in a lane.
const LETTER: i64 = 7;

/// What a row is called.
const TRACKS: &[(Track, &str)] = &[
    (Track::Requests, "requests"),
    (Track::Checks, "checks"),
    (Track::Events, "events"),
    (Track::Posts, "callbacks, webhooks"),
    (Track::Due, "came due"),
];

/// The picture of a run; `anchor` is what the ids of its transcript's lines begin with.
pub(super) fn picture(line: &Timeline, anchor: &str, words: &str) -> Markup {
    let steps = if line.steps.len() <= MOST_WORDS { STEPS } else { 0 };
    let rows: Vec<_> =
        TRACKS.iter().filter_map(|(track, name)| Some((*name, line.tracks.get(track)?, *track))).collect();
    let top = AXIS + steps;
    let below = top + ROW * (1 + count(rows.len()));
    let height = below + ROW * count(line.lanes.len()) + 4;
    html! {
        div.time {
            ul.names aria-hidden="true" style={ "padding-top:" (top) "px" } {
                li { "clock" }
                @for (name, ..) in &rows { li { (name) } }
                @for lane in &line.lanes { li { (lane.label) } }
            }
            div.line tabindex="0" role="group" aria-label={ "On a line of simulated time: " (words) } {
                svg viewBox={ "0 0 " (line.width) " " (height) } width=(line.width) height=(height) {
                    (axis(line, height))
                    @if steps > 0 { (self::steps(line, anchor, top)) }
                    @for leap in &line.leaps { (self::leap(leap, anchor, top)) }
                    @for (row, (_, marks, track)) in rows.iter().enumerate() {
                        @let y = top + ROW * (1 + count(row)) + ROW / 2;
                        @for mark in *marks { (self::mark(mark, *track, anchor, y)) }
                    }
                    @for (row, lane) in line.lanes.iter().enumerate() {
                        (self::lane(lane, anchor, below + ROW * count(row), line.width))
                    }
                    @for (x, at) in &line.failed {
                        a href={ "#" (anchor) (at) } {
                            title { "it failed here" }
                            path.stop d={ "M" (x) " " (AXIS) "V" (height) } {}
                        }
                    }
                }
            }
        }
        @if line.more > 0 { p.more { "and " (line.more) " more orders and journeys, which the transcript tells" } }
    }
}

fn count(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(0)
}

/// Instants from left to right; a date where it is another one than before.
fn axis(line: &Timeline, height: i64) -> Markup {
    let mut last = -BETWEEN_LABELS;
    let mut date = String::new();
    let mut labels = Vec::new();
    for &(x, at) in &line.ticks {
        if x - last < BETWEEN_LABELS {
            continue;
        }
        let text = clock_text(at);
        let (day, time) = text.split_once('T').unwrap_or((&text, ""));
        let shown = if day == date { None } else { Some(day.to_owned()) };
        date = day.to_owned();
        labels.push((x, shown, time_of_day(time).to_owned()));
        last = x;
    }
    let grid: String = line.ticks.iter().map(|(x, _)| format!("M{x} {AXIS}V{height}")).collect();
    html! {
        path.grid d=(grid) {}
        @for (x, day, time) in labels {
            @if let Some(day) = day { text.day x=(x - 4) y="14" { (day) } }
            text.clock x=(x - 4) y="30" { (time) }
        }
    }
}

/// Hours and minutes; seconds where there are some.
fn time_of_day(time: &str) -> &str {
    let time = time.get(..8).unwrap_or(time);
    time.strip_suffix(":00").unwrap_or(time)
}

fn clock_text(ms: i64) -> String {
    let mut text = String::new();
    Instant::from_ms(ms).write_to(&mut text);
    text
}

/// The first words of steps, aslant, so that they have room side by side.
fn steps(line: &Timeline, anchor: &str, y: i64) -> Markup {
    let mut shown: Vec<&(i64, String, usize)> = Vec::new();
    for step in &line.steps {
        if shown.last().is_none_or(|last| step.0 - last.0 >= NEAREST) {
            shown.push(step);
        }
    }
    html! {
        @for (x, word, at) in shown {
            a href={ "#" (anchor) (at) } {
                text.step transform={ "translate(" (x) " " (y - 2) ")rotate(-45)" } { (cut(word, 14)) }
            }
        }
    }
}

fn cut(word: &str, most: usize) -> String {
    if word.chars().count() <= most { word.to_owned() } else { word.chars().take(most - 1).chain(['…']).collect() }
}

fn leap(leap: &Leap, anchor: &str, top: i64) -> Markup {
    let (from, to, y) = (leap.from + 4, leap.to - 2, top + ROW / 2);
    let text = span(leap.ms);
    let room = (to - from) / 6;
    html! {
        a.leap href={ "#" (anchor) (leap.line) } {
            title { "the clock moved by " (text) }
            path d={ "M" (from) " " (y) "H" (to) "m-5-4 5 4-5 4" } {}
            @if room > count(text.len()) { text x=((from + to) / 2) y=(y - 4) { (text) } }
        }
    }
}

fn mark(mark: &Mark, track: Track, anchor: &str, y: i64) -> Markup {
    let x = mark.x;
    let class = match mark.tone {
        Tone::Plain => "n",
        Tone::Good => "g",
        Tone::Refused => "r",
        Tone::Bad => "b",
    };
    let more = mark.count - mark.titles.len();
    let shape = match (track, mark.tone) {
        (Track::Checks, Tone::Bad) => format!("M{} {}l8 8m0-8l-8 8", x - 4, y - 4),
        (Track::Checks, _) => format!("M{} {}l3 4 6-8", x - 4, y),
        (Track::Requests, Tone::Good) => format!("M{} {y}a6 6 0 1 0 12 0a6 6 0 1 0-12 0z", x - 6),
        // A refusal is a square on its corner: it differs without its colour.
        (Track::Requests, _) => format!("M{x} {}l7 7-7 7-7-7z", y - 7),
        (Track::Events, _) => format!("M{} {}h9l3 5-3 5h-9z", x - 6, y - 5),
        (Track::Posts, _) => format!("M{} {}h12v9h-12zl6 5 6-5", x - 6, y - 5),
        (Track::Due, _) => format!("M{x} {}v10", y - 5),
    };
    html! {
        a class={ (class) " " (name(track)) } href={ "#" (anchor) (mark.line) } {
            title { (mark.titles.join("\n")) @if more > 0 { "\nand " (more) " more" } }
            path d=(shape) {}
            @if mark.count > 1 && matches!(track, Track::Requests | Track::Events) { text x=(x) y=(y + 3) { (mark.count.min(99)) } }
        }
    }
}

const fn name(track: Track) -> &'static str {
    match track {
        Track::Requests => "q",
        Track::Checks => "c",
        Track::Events => "e",
        Track::Posts => "p",
        Track::Due => "d",
    }
}

/// Bars from one state to the next; the last one lasts.
fn lane(lane: &Lane, anchor: &str, y: i64, end: i64) -> Markup {
    let ends = lane.states.iter().skip(1).map(|(x, ..)| *x).chain([end]);
    html! {
        @for ((x, state, at), end) in lane.states.iter().zip(ends) {
            @let width = (end - x - 2).max(3);
            a class={ "s " (sort(state)) } href={ "#" (anchor) (at) } {
                title { (lane.label) ": " (state) }
                rect x=(x) y=(y + 3) width=(width) height=(ROW - 6) rx="4" {}
                @if width >= count(state.len()) * LETTER + 4 { text x=(x + 5) y=(y + 16) { (state) } }
            }
        }
    }
}

/// What kind of state it is.
fn sort(state: &str) -> &'static str {
    match state {
        "settled" | "complete" => "done",
        "canceled" | "rejected" | "error" | "expired" => "off",
        "hold" => "wait",
        "sent" => "near",
        _ => "way",
    }
}
