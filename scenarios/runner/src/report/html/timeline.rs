//! Where the moments of a run are on a line of simulated time.
//!
//! Owns: columns, ticks, marks and lanes, in pixels. Invariant: what is later is further to the right; the width of a gap
//! grows with the time in it, but slower, so that a second and a year have room on one line; marks too close to each other
//! become one that counts them. Absent on purpose: colours and SVG (`svg`).

use crate::transcript::{Moment, What};
use std::collections::BTreeMap;

/// Widest line; longer ones are pressed together.
const WIDEST: i64 = 1_800;
/// Short ones are drawn apart, up to this width or three times their own.
const WIDE: i64 = 960;
/// From one step to the next at the same instant.
const STEP: i64 = 20;
/// Least distance of two marks of a row.
pub(super) const NEAREST: i64 = 13;
/// Orders and journeys that have a lane of their own.
const MOST_LANES: usize = 12;
/// Titles of a mark, at most.
const MOST_TITLES: usize = 4;

/// A row of marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Track {
    Requests,
    Checks,
    Events,
    Posts,
    Due,
}

/// How a mark looks, worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tone {
    Plain,
    Good,
    Refused,
    Bad,
}

/// One moment, or several side by side.
#[derive(Debug)]
pub(super) struct Mark {
    pub(super) x: i64,
    pub(super) line: usize,
    pub(super) tone: Tone,
    pub(super) count: usize,
    pub(super) titles: Vec<String>,
}

/// A move of the clock.
#[derive(Debug)]
pub(super) struct Leap {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) line: usize,
    pub(super) ms: i64,
}

/// The states of one order or journey, each from where it begins.
#[derive(Debug)]
pub(super) struct Lane {
    pub(super) label: String,
    pub(super) states: Vec<(i64, String, usize)>,
}

/// A run, laid out.
#[derive(Debug)]
pub(super) struct Timeline {
    pub(super) width: i64,
    /// Instants, with their places.
    pub(super) ticks: Vec<(i64, i64)>,
    /// First words of steps.
    pub(super) steps: Vec<(i64, String, usize)>,
    pub(super) leaps: Vec<Leap>,
    pub(super) tracks: BTreeMap<Track, Vec<Mark>>,
    pub(super) lanes: Vec<Lane>,
    /// Orders and journeys without a lane.
    pub(super) more: usize,
    /// Where it failed; a run continues after a soft expectation.
    pub(super) failed: Vec<(i64, usize)>,
}

impl Timeline {
    /// Lays out `moments`, which are in order of time; `failed` are the lines of the steps that failed.
    pub(super) fn of(moments: &[Moment], names: &BTreeMap<String, String>, failed: &[usize]) -> Self {
        let columns = Columns::of(moments);
        let mut line = Self {
            width: columns.width,
            ticks: columns.ticks.clone(),
            steps: Vec::new(),
            leaps: Vec::new(),
            tracks: BTreeMap::new(),
            lanes: Vec::new(),
            more: 0,
            failed: Vec::new(),
        };
        for (moment, &x) in moments.iter().zip(&columns.places) {
            line.put(moment, x, &columns);
        }
        for (moment, &x) in moments.iter().zip(&columns.places) {
            if failed.contains(&moment.line) && matches!(moment.what, What::Step(_)) {
                line.fail(moment, x);
            }
        }
        line.lanes(moments, &columns.places, names);
        line
    }

    fn put(&mut self, moment: &Moment, x: i64, columns: &Columns) {
        match &moment.what {
            What::Step(word) if is_check(word) => self.mark(Track::Checks, moment, x, Tone::Good, word.clone()),
            // What moves the clock is an arrow of its own.
            What::Step(word) if word == "advance" || word == "let" => {}
            What::Step(word) => self.steps.push((x, word.clone(), moment.line)),
            What::Request { asked, status } => {
                let (tone, status) = answer(*status);
                self.mark(Track::Requests, moment, x, tone, format!("{asked}: {status}"));
            }
            What::Event(kind) => self.mark(Track::Events, moment, x, Tone::Plain, kind.clone()),
            What::Post(what) => self.mark(Track::Posts, moment, x, Tone::Plain, what.clone()),
            What::Due(what) => self.mark(Track::Due, moment, x, Tone::Plain, what.clone()),
            What::Clock { from } if *from < moment.at => {
                let leap = Leap {
                    from: columns.at(*from).min(x),
                    to: x,
                    line: moment.line,
                    ms: moment.at.saturating_sub(*from),
                };
                self.leaps.push(leap);
            }
            What::Clock { .. } | What::State { .. } => {}
        }
    }

    fn mark(&mut self, track: Track, moment: &Moment, x: i64, tone: Tone, title: String) {
        let marks = self.tracks.entry(track).or_default();
        match marks.last_mut() {
            Some(last) if x - last.x < NEAREST => {
                last.count += 1;
                last.tone = last.tone.max(tone);
                if last.titles.len() < MOST_TITLES {
                    last.titles.push(title);
                }
            }
            _ => marks.push(Mark { x, line: moment.line, tone, count: 1, titles: vec![title] }),
        }
    }

    fn fail(&mut self, step: &Moment, x: i64) {
        self.failed.push((x, step.line));
        let marks = self.tracks.entry(Track::Checks).or_default();
        if let Some(mark) = marks.iter_mut().rev().find(|mark| (0..NEAREST).contains(&(x - mark.x))) {
            mark.tone = Tone::Bad;
            mark.line = step.line;
        }
    }

    fn lanes(&mut self, moments: &[Moment], places: &[i64], names: &BTreeMap<String, String>) {
        let mut all: Vec<(&str, Lane)> = Vec::new();
        for (moment, &x) in moments.iter().zip(places) {
            let What::State { id, noun, state } = &moment.what else { continue };
            let at = all.iter().position(|(known, _)| known == id).unwrap_or_else(|| {
                let label =
                    names.get(id).map_or_else(|| format!("{noun} {}", beginning(id)), |name| format!("{noun} {name}"));
                all.push((id, Lane { label, states: Vec::new() }));
                all.len() - 1
            });
            let states = &mut all[at].1.states;
            match states.last() {
                Some((_, known, _)) if known == state => {}
                Some(&(before, ..)) => states.push((x.max(before + NEAREST), state.clone(), moment.line)),
                None => states.push((x, state.clone(), moment.line)),
            }
        }
        self.more = all.len().saturating_sub(MOST_LANES);
        self.lanes = all.into_iter().take(MOST_LANES).map(|(_, lane)| lane).collect();
        // What begins shortly before the end shall be seen.
        let last = self.lanes.iter().filter_map(|lane| lane.states.last()).map(|(x, ..)| *x).max().unwrap_or(0);
        self.width = self.width.max(last + 4 * STEP);
    }
}

/// The place of each moment, and of each instant.
struct Columns {
    places: Vec<i64>,
    ticks: Vec<(i64, i64)>,
    width: i64,
}

impl Columns {
    fn of(moments: &[Moment]) -> Self {
        let mut columns = Self { places: Vec::with_capacity(moments.len()), ticks: Vec::new(), width: 0 };
        let mut x = STEP;
        let mut is_taken = false;
        let mut before = None;
        for moment in moments {
            if before != Some(moment.at) {
                x += before.map_or(0, |before| gap(moment.at.saturating_sub(before)));
                before = Some(moment.at);
                is_taken = false;
                columns.ticks.push((x, moment.at));
            } else if is_taken && matches!(moment.what, What::Step(_)) {
                x += STEP;
                is_taken = false;
            }
            is_taken |= match &moment.what {
                What::Step(word) => is_check(word),
                What::Clock { .. } | What::State { .. } => false,
                What::Request { .. } | What::Event(_) | What::Post(_) | What::Due(_) => true,
            };
            columns.places.push(x);
        }
        columns.fit(x + 3 * STEP);
        columns
    }

    /// Makes the line fit.
    fn fit(&mut self, width: i64) {
        self.width = width.clamp(WIDE.min(width * 3), WIDEST);
        let wide = self.width;
        self.places.iter_mut().chain(self.ticks.iter_mut().map(|(x, _)| x)).for_each(|x| *x = *x * wide / width);
    }

    /// The place of an instant, or of the one before it.
    fn at(&self, at: i64) -> i64 {
        let next = self.ticks.partition_point(|(_, tick)| *tick <= at);
        let places = self.places.first().copied().unwrap_or(0);
        next.checked_sub(1).map_or(places, |known| self.ticks[known].0)
    }
}

/// Room for a time that passes.
const fn gap(ms: i64) -> i64 {
    match ms {
        ..60_000 => 30,
        60_000..3_600_000 => 38,
        3_600_000..86_400_000 => 48,
        86_400_000..2_592_000_000 => 60,
        _ => 76,
    }
}

fn is_check(word: &str) -> bool {
    ["expect", "nothing else", "no "].iter().any(|begin| word.starts_with(begin))
}

fn answer(status: Option<u16>) -> (Tone, String) {
    match status {
        None => (Tone::Bad, "no answer".to_owned()),
        Some(status @ ..400) => (Tone::Good, status.to_string()),
        Some(status @ 400..500) => (Tone::Refused, status.to_string()),
        Some(status) => (Tone::Bad, status.to_string()),
    }
}

fn beginning(id: &str) -> String {
    id.chars().take(6).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(at: i64, line: usize, what: What) -> Moment {
        Moment { at, line, what }
    }

    fn asked(status: u16) -> What {
        What::Request { asked: "GET /".to_owned(), status: Some(status) }
    }

    #[test]
    fn later_marks_are_further_right_and_no_line_is_wider_than_allowed() {
        for (count, span) in [(1, 1), (10, 1_000), (100, 3_600_000), (5_000, 90_000_000), (500, i64::MAX / 1_000)] {
            let moments: Vec<_> = (0..count)
                .flat_map(|at| [moment(at * span, 0, What::Step("wait".into())), moment(at * span, 0, asked(200))])
                .collect();
            let line = Timeline::of(&moments, &BTreeMap::new(), &[]);
            assert!(line.width <= WIDEST, "{count} moments are {} wide", line.width);
            assert!(line.ticks.is_sorted() && line.ticks.iter().all(|(x, _)| *x < line.width), "{count}");
            let marks = &line.tracks[&Track::Requests];
            assert!(marks.windows(2).all(|pair| pair[1].x - pair[0].x >= NEAREST), "{count}");
            assert_eq!(marks.iter().map(|mark| mark.count).sum::<usize>(), usize::try_from(count).expect("a count"));
        }
    }

    #[test]
    fn marks_side_by_side_are_one_that_shows_the_worst_of_them() {
        let moments = [200, 404, 201, 503, 200].map(|status| moment(0, 0, asked(status)));
        let line = Timeline::of(&moments, &BTreeMap::new(), &[]);
        let [mark] = &line.tracks[&Track::Requests][..] else { panic!("{line:?}") };
        assert_eq!((mark.count, mark.tone, mark.titles.len()), (5, Tone::Bad, MOST_TITLES));
    }

    #[test]
    fn an_order_has_a_lane_by_its_name_with_each_state_once() {
        let state =
            |id: &str, state: &str| What::State { id: id.into(), noun: "subscription".into(), state: state.into() };
        let moments = [
            moment(0, 1, state("o-1", "received")),
            moment(0, 2, state("o-1", "received")),
            moment(1_000, 3, state("o-1", "pending")),
            moment(1_000, 4, state("o-2-is-long", "received")),
        ];
        let names = BTreeMap::from([("o-1".to_owned(), "mine".to_owned())]);
        let line = Timeline::of(&moments, &names, &[]);
        let labels: Vec<_> = line.lanes.iter().map(|lane| lane.label.as_str()).collect();
        assert_eq!(labels, ["subscription mine", "subscription o-2-is"]);
        let states: Vec<_> = line.lanes[0].states.iter().map(|(_, state, at)| (state.as_str(), *at)).collect();
        assert_eq!(states, [("received", 1), ("pending", 3)]);
    }

    #[test]
    fn a_run_that_failed_shows_where() {
        let moments = [
            moment(0, 1, What::Step("subscribe".into())),
            moment(0, 2, asked(200)),
            moment(0, 3, What::Step("expect cash of {a}".into())),
        ];
        let line = Timeline::of(&moments, &BTreeMap::new(), &[3]);
        let mark = &line.tracks[&Track::Checks][0];
        assert_eq!((mark.tone, mark.line, line.failed), (Tone::Bad, 3, vec![(mark.x, 3)]));
    }
}
