//! The drawing: a lane for each party, a band for each change, an arrow for each step.
//!
//! Owns: the layout. Invariant: a kind is recognised by its line and its mark, not by colour alone; words are never drawn over
//! words. Absent on purpose: instants to scale: what happens at one instant needs as much room as what days lie between.

use super::facts::{Change, Facts, Lane, Step, StepKind};
use super::words::{NOTHING, spoken, subtitle, title};
use crate::frame::canvas::{Across, Canvas, Down, UNIT, Words, fitted, width_of};
use crate::frame::document::{Drawn, Spot};
use crate::frame::heading::Heading;
use crate::frame::time_axis::{clock, in_words};
use crate::frame::{Width, ink};
use std::cmp::Ordering;

const EDGE: i32 = 12;
/// A band above the steps of a change.
const BAND: i32 = 24;
const STEP: i32 = 32;
/// Between changes.
const GAP: i32 = 8;

/// Draws the sequence.
pub(super) fn draw(facts: &Facts, width: Width) -> Drawn {
    let layout = Layout::of(facts, width);
    Drawn::of((layout.width, layout.height), |canvas, spots| {
        let mut chart = Chart { canvas, layout: &layout, spots };
        chart.head();
        if facts.changes.is_empty() {
            canvas.text((EDGE, layout.top + 20), NOTHING, Words::new(&ink::TEXT, layout.small));
        } else {
            chart.lanes();
            let mut y = layout.top + BAND;
            for change in &facts.changes {
                y = chart.change(change, y);
            }
        }
    })
}

/// Where everything is.
struct Layout {
    width: i32,
    height: i32,
    heading: Heading,
    /// Size of what is written at arrows.
    small: i32,
    /// Where the names of lanes are.
    top: i32,
    is_narrow: bool,
}

impl Layout {
    fn of(facts: &Facts, width: Width) -> Self {
        let is_narrow = width.is_narrow();
        let heading = Heading::on_one_line(&title(facts), &subtitle(facts), EDGE, width);
        let small = if is_narrow { 11 } else { 12 };
        let legend = legend(width.pixels(), small).into_iter().map(|(_, (_, down))| down).max().unwrap_or(0);
        let top = heading.foot() + legend + 16;
        let of_change = |change: &Change| BAND + i32::try_from(change.steps.len()).unwrap_or(0) * STEP + GAP;
        let below = if facts.changes.is_empty() { 40 } else { BAND + facts.changes.iter().map(of_change).sum::<i32>() };
        Self { width: width.pixels(), height: top + below + EDGE, heading, small, top, is_narrow }
    }

    /// The middle of a lane, in pixels.
    const fn lane(&self, lane: Lane) -> i32 {
        let side = if self.is_narrow { 40 } else { 130 };
        side + (self.width - 2 * side) * lane.number() / Lane::Fund.number()
    }
}

/// Where each kind is named below the heading, on as many lines as they need.
fn legend(width: i32, small: i32) -> Vec<(StepKind, (i32, i32))> {
    // The mark at the beginning of a line is wider than the line.
    let (mut x, mut y) = (EDGE + 5, 22);
    let mut places = Vec::new();
    for kind in StepKind::ALL {
        let wide = 34 + width_of(kind.name(), small) / UNIT + 12;
        if x + wide > width - EDGE {
            (x, y) = (EDGE + 5, y + 20);
        }
        places.push((kind, (x, y)));
        x += wide;
    }
    places
}

/// What draws.
struct Chart<'c, 's> {
    canvas: &'c Canvas<'s>,
    layout: &'c Layout,
    spots: &'c mut Vec<Spot>,
}

impl Chart<'_, '_> {
    fn head(&self) {
        let Layout { ref heading, small, width, .. } = *self.layout;
        heading.draw(self.canvas);
        for (kind, (x, down)) in legend(width, small) {
            let y = heading.foot() + down;
            self.line(kind, false, (x, x + 26), y - 4);
            self.canvas.text((x + 32, y), kind.name(), Words::new(&ink::QUIET, small));
        }
    }

    fn lanes(&self) {
        let Layout { top, height, small, .. } = *self.layout;
        for lane in Lane::ALL {
            let x = self.layout.lane(lane);
            let words = Words::new(&ink::TEXT, small + 1).bold().to(Across::Middle);
            let name = if self.layout.is_narrow && lane == Lane::Fund { "fund" } else { lane.name() };
            self.canvas.text((x, top + 12), name, words);
            self.canvas.stroke([(x * UNIT, (top + 20) * UNIT), (x * UNIT, (height - EDGE) * UNIT)], &ink::GRID, 15);
        }
    }

    /// A change whose band begins at `y`; what follows begins at the answer.
    fn change(&mut self, change: &Change, y: i32) -> i32 {
        let Layout { width, small, .. } = *self.layout;
        self.canvas.fill([(0, y * UNIT), (width * UNIT, (y + BAND - 4) * UNIT)], &ink::BAND);
        let when = format!("{} {}", in_words(change.at.local_date()), clock(change.at));
        let base = y + 15;
        self.canvas.text((EDGE, base), &when, Words::new(&ink::TEXT, small).bold());
        let taken = width_of(&when, small + 2) / UNIT + 8;
        let cause = fitted(&change.cause, small, width - 2 * EDGE - taken);
        self.canvas.text((EDGE + taken, base), &cause, Words::new(&ink::QUIET, small));
        let mut y = y + BAND;
        for step in &change.steps {
            self.step(step, y);
            self.spots.push(Spot {
                left: 0,
                top: y * UNIT,
                width: width * UNIT,
                height: STEP * UNIT,
                says: format!("{when}, {}", spoken(step)),
            });
            y += STEP;
        }
        y + GAP
    }

    /// The arrow of a step, with its words above it.
    fn step(&self, step: &Step, y: i32) {
        let Layout { width, small, .. } = *self.layout;
        let (from, to) = (self.layout.lane(step.from), self.layout.lane(step.to));
        let words = fitted(&step.label(), small, width - 2 * EDGE);
        let half = width_of(&words, small) / UNIT / 2;
        let middle = i32::midpoint(from, to).clamp(EDGE + half, (width - EDGE - half).max(EDGE + half));
        // Lines of lanes do not run through words.
        let back = [((middle - half - 2) * UNIT, y * UNIT), ((middle + half + 2) * UNIT, (y + 18) * UNIT)];
        self.canvas.fill(back, &ink::PAPER);
        let ink = if step.failed() { &ink::BAD } else { &ink::TEXT };
        let look = Words::new(ink, small).to(Across::Middle).at(Down::Middle);
        self.canvas.text((middle, y + 10), &words, look);
        self.line(step.kind, step.failed(), (from, to), y + 23);
    }

    /// A line of a kind from one place to another, or the mark of the kind where they are the same.
    fn line(&self, kind: StepKind, failed: bool, (from, to): (i32, i32), y: i32) {
        let ink = if failed { &ink::BAD } else { kind.ink() };
        let (from, to, y) = (from * UNIT, to * UNIT, y * UNIT);
        if from != to {
            // The line ends where the head of the arrow begins; what is refused has none.
            let end = if from < to { to - 60 } else { to + 60 };
            match kind {
                StepKind::Answer => self.canvas.level_dashes([(from, y), (end, y)], ink),
                StepKind::Money | StepKind::Units => self.canvas.stroke([(from, y), (end, y)], ink, 32),
                _ => self.canvas.stroke([(from, y), (end, y)], ink, 16),
            }
            if kind != StepKind::Refused {
                self.canvas.arrow_head((to, y), from < to, ink);
            }
        }
        match kind {
            StepKind::Money => self.canvas.fill([(from - 40, y - 40), (from + 40, y + 40)], ink),
            StepKind::Units => self.canvas.triangle((from, y), true, ink),
            StepKind::Delivery => self.canvas.ring((from, y), 4, ink),
            StepKind::Timer => self.canvas.cross((from, y), ink),
            StepKind::Event => self.canvas.dot((from, y), 4, ink),
            StepKind::Refused => {
                let end = match from.cmp(&to) {
                    Ordering::Less => to - 60,
                    Ordering::Greater => to + 60,
                    Ordering::Equal => to,
                };
                if from == to {
                    self.canvas.stroke([(from - 120, y), (to, y)], ink, 16);
                }
                // It ends at a bar.
                self.canvas.stroke([(end, y - 60), (end, y + 60)], ink, 28);
            }
            StepKind::Request if from == to => self.canvas.dot((from, y), 4, ink),
            StepKind::Request | StepKind::Answer => {}
        }
    }
}
