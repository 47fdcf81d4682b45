//! The drawing of a difference: a lane for each kind of resource, a mark for each that differs, at its instant.
//!
//! Owns: the layout. Invariant: kinds of marks differ by shape and place, not by colour alone; marks that would cover each other are
//! one with their number. Absent on purpose: values of fields.

use super::facts::{DifferenceFact, DifferenceKind, Facts, LISTED, TopicCount, difference_in_words, when};
use crate::frame::Width;
use crate::frame::axis::Timeline;
use crate::frame::canvas::{Across, Canvas, Down, Legend, UNIT, Words, fitted};
use crate::frame::document::{Drawn, Spot};
use crate::frame::heading::Heading;
use crate::frame::ink;
use sim::time::Instant;
use std::collections::BTreeMap;

const EDGE: i32 = 16;
/// A line of marks, three of which are a lane, and what is between lanes.
const LINE: i32 = 16;
const GAP: i32 = 10;
/// Marks of one line that are nearer are one.
const NEAR: i32 = 26;

/// Where everything is, in pixels.
struct Layout {
    wide: i32,
    is_narrow: bool,
    left: i32,
    right: i32,
    top: i32,
    times: Timeline,
}

impl Layout {
    /// In whole pixels.
    fn x(&self, at: Instant) -> i32 {
        self.times.x(at) / UNIT
    }

    /// Height of a lane with the name above it on a phone.
    const fn lane(&self) -> i32 {
        3 * LINE + GAP + if self.is_narrow { 18 } else { 0 }
    }
}

/// Draws the picture.
pub(super) fn draw(facts: &Facts, width: Width) -> Drawn {
    let (wide, is_narrow) = (width.pixels(), width.is_narrow());
    let heading = Heading::wrapping(&facts.title(), &facts.subtitle(), EDGE, width);
    let head = heading.foot();
    let (first, last) = facts.span();
    let (left, right) = if is_narrow { (EDGE, wide - EDGE - 90) } else { (150, wide - 140) };
    let times = Timeline::of(first, last, left..right);
    let layout = Layout { wide, is_narrow, left, right, top: head + 60, times };
    let lanes = i32::try_from(facts.differing().count()).unwrap_or(0);
    let listed = i32::try_from(facts.differences.len().min(LISTED)).unwrap_or(0) + 2;
    let list = layout.top + lanes * layout.lane() + 12;
    let step = if is_narrow { 34 } else { 18 };
    let size = (wide, list + listed * step + EDGE);
    Drawn::of(size, |canvas, spots| {
        heading.draw(canvas);
        if lanes == 0 {
            canvas.text((EDGE, list), "No resource differs.", Words::new(&ink::TEXT, 14));
            return;
        }
        Legend::new(canvas, EDGE, head + 24)
            .triangle(DifferenceKind::OnlyHere.name(), true, &ink::GOOD)
            .triangle(DifferenceKind::OnlyThere.name(), false, &ink::BAD)
            .ring(DifferenceKind::Changed.name(), &ink::VALUE);
        layout.times.draw(canvas, layout.top..list - 12, right + 20);
        let mut chart = Chart { facts, layout: &layout, canvas, spots };
        facts.differing().zip(0..).for_each(|(topic, lane)| chart.lane(topic, layout.top + lane * layout.lane()));
        chart.list(list, step);
    })
}

struct Chart<'a, 's> {
    facts: &'a Facts,
    layout: &'a Layout,
    canvas: &'a Canvas<'s>,
    spots: &'a mut Vec<Spot>,
}

impl Chart<'_, '_> {
    fn lane(&mut self, topic: &TopicCount, top: i32) {
        let Layout { wide, is_narrow, left, right, .. } = *self.layout;
        let name = Words::new(&ink::TEXT, 12).bold().at(Down::Middle);
        let first = if is_narrow { top + 18 } else { top };
        let middle = if is_narrow { top + 10 } else { first + 3 * LINE / 2 };
        self.canvas.exact_text((EDGE * UNIT, middle * UNIT), &fitted(topic.resource, 13, 130), name);
        self.canvas.fill([(left * UNIT, first * UNIT), (right * UNIT, (first + 3 * LINE) * UNIT)], &ink::BAND);
        for (kind, line) in DifferenceKind::ALL.into_iter().zip(0..) {
            let y = first + line * LINE + LINE / 2;
            let count = topic.of(kind);
            if count > 0 {
                let words = format!("{count} {}", kind.name());
                let look = Words::new(&ink::TEXT, 12).to(Across::End).at(Down::Middle);
                self.canvas.exact_text(((wide - EDGE) * UNIT, y * UNIT), &words, look);
            }
            self.marks(topic.resource, kind, y);
        }
    }

    /// The marks of a line.
    fn marks(&mut self, resource: &str, kind: DifferenceKind, y: i32) {
        let own = self.facts.differences.iter().filter(|it| it.resource == resource && it.kind == kind);
        let mut places: BTreeMap<i32, Vec<&DifferenceFact>> = BTreeMap::new();
        for difference in own {
            let Some(at) = difference.at else { continue };
            let x = self.layout.x(at);
            let near = places.range(x - NEAR..).next().map(|(x, _)| *x).filter(|near| *near <= x);
            places.entry(near.unwrap_or(x)).or_default().push(difference);
        }
        for (x, all) in places {
            let place = (x * UNIT, y * UNIT);
            match kind {
                DifferenceKind::OnlyHere => self.canvas.triangle(place, true, &ink::GOOD),
                DifferenceKind::OnlyThere => self.canvas.triangle(place, false, &ink::BAD),
                DifferenceKind::Changed => self.canvas.ring(place, 4, &ink::VALUE),
            }
            if all.len() > 1 {
                // At the right side there are the sums of the lane.
                let is_last = x + NEAR > self.layout.right;
                let (beside, across) = if is_last { (-70, Across::End) } else { (70, Across::Start) };
                let look = Words::new(&ink::QUIET, 11).at(Down::Middle).to(across);
                self.canvas.exact_text((place.0 + beside, place.1), &all.len().to_string(), look);
            }
            let words = all.iter().take(3).map(|it| difference_in_words(it)).collect::<Vec<_>>().join("; ");
            let more = if all.len() > 3 { format!("; {} more", all.len() - 3) } else { String::new() };
            let since = all.iter().filter_map(|it| it.at).min().map(when).unwrap_or_default();
            let says = format!("{since}: {words}{more}");
            self.spots.push(Spot { left: place.0 - 70, top: place.1 - 70, width: 200, height: 140, says });
        }
    }

    /// The earliest in words.
    fn list(&self, top: i32, step: i32) {
        let Layout { wide, is_narrow, .. } = *self.layout;
        self.canvas.text((EDGE, top + 16), "The first differences", Words::new(&ink::TEXT, 13).bold());
        for (difference, at) in self.facts.differences.iter().take(LISTED).zip(1..) {
            let y = top + 18 + at * step;
            let since = difference.at.map_or_else(|| "not known when".to_owned(), when);
            self.canvas.text((EDGE, y), &since, Words::new(&ink::TEXT, 12));
            let words = difference_in_words(difference);
            let place = if is_narrow { (EDGE, y + 14) } else { (EDGE + 150, y) };
            let room = wide - EDGE - place.0;
            self.canvas.text(place, &fitted(&words, 12, room), Words::new(&ink::QUIET, 12));
        }
    }
}
