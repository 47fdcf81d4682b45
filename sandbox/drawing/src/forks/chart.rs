//! The drawing of forks: a line for each branch over the time of the worlds, joined to the branch that it continues from.
//!
//! Owns: the layout. Invariant: a line begins and ends at the instants of its facts; the branch that a world is on differs by
//! its line and its mark, not by colour alone. Absent on purpose: how much happened, which words say.

use super::facts::{BranchFact, Facts, WorldFact, branch_in_words, when};
use crate::frame::Width;
use crate::frame::axis::Timeline;
use crate::frame::canvas::{Across, Canvas, Down, Legend, UNIT, Words, fitted};
use crate::frame::document::{Drawn, Spot};
use crate::frame::heading::Heading;
use crate::frame::ink;
use sim::time::Instant;

const EDGE: i32 = 16;
/// Room for words on the left, where there is room.
const WORDS: i32 = 330;

/// Where everything is, in pixels.
struct Layout {
    wide: i32,
    is_narrow: bool,
    /// Of a branch.
    row: i32,
    /// Where the first branch begins.
    top: i32,
    times: Timeline,
}

impl Layout {
    /// The height of a branch's line.
    fn y(&self, lane: usize) -> i32 {
        let line = if self.is_narrow { self.row - 14 } else { self.row / 2 };
        (self.top + i32::try_from(lane).unwrap_or(0) * self.row + line) * UNIT
    }
}

/// Draws the picture.
pub(super) fn draw(facts: &Facts, width: Width) -> Drawn {
    let (wide, is_narrow) = (width.pixels(), width.is_narrow());
    let heading = Heading::wrapping(&facts.title(), &facts.subtitle(), EDGE, width);
    let head = heading.foot();
    let instants = || facts.lanes().flat_map(|(_, branch)| [branch.from, branch.to]);
    let (first, last) = (instants().min().unwrap_or(Instant::MIN), instants().max().unwrap_or(Instant::MIN));
    let left = if is_narrow { EDGE } else { WORDS };
    let times = Timeline::of(first, last, left..wide - EDGE - 8);
    let legend = if is_narrow { 56 } else { 34 };
    let row = if is_narrow { 62 } else { 44 };
    let layout = Layout { wide, is_narrow, row, top: head + legend + 26, times };
    let count = facts.lanes().count();
    let size = (wide, layout.top + i32::try_from(count).unwrap_or(0) * row + EDGE);
    Drawn::of(size, |canvas, spots| {
        heading.draw(canvas);
        let mut chart = Chart { facts, layout: &layout, canvas, spots };
        chart.legend(head + 22);
        layout.times.draw(canvas, layout.top..size.1 - EDGE, wide);
        for (lane, (world, branch)) in facts.lanes().enumerate() {
            chart.branch(lane, world, branch);
        }
    })
}

struct Chart<'a, 's> {
    facts: &'a Facts,
    layout: &'a Layout,
    canvas: &'a Canvas<'s>,
    spots: &'a mut Vec<Spot>,
}

impl Chart<'_, '_> {
    fn legend(&self, y: i32) {
        let first =
            Legend::new(self.canvas, EDGE, y).line("a branch that was left").ring("where it was left", &ink::BALANCE);
        if self.layout.is_narrow {
            Legend::new(self.canvas, EDGE, y + 20).dot("where a world is now", &ink::VALUE).triangle(
                "snapshot",
                false,
                &ink::DEPOSIT,
            );
        } else {
            first.dot("where a world is now", &ink::VALUE).triangle("snapshot", false, &ink::DEPOSIT);
        }
    }

    fn branch(&mut self, lane: usize, world: &WorldFact, branch: &BranchFact) {
        let (y, from, to) = (self.layout.y(lane), self.layout.times.x(branch.from), self.layout.times.x(branch.to));
        if let Some(before) = self.facts.continued(world, branch) {
            self.canvas.dashes([(from, self.layout.y(before)), (from, y)], &ink::RULE);
        }
        if branch.present {
            self.canvas.stroke([(from, y), (to.max(from + UNIT), y)], &ink::VALUE, 35);
            self.canvas.dot((to, y), 5, &ink::VALUE);
        } else {
            self.canvas.level_dashes([(from, y), (to, y)], &ink::BALANCE);
            self.canvas.ring((to, y), 4, &ink::BALANCE);
        }
        self.words(lane, world, branch);
        let own = world
            .snapshots
            .iter()
            .filter(|kept| self.facts.branch_of(world, kept).is_some_and(|on| on.input == branch.input));
        for snapshot in own {
            let x = self.layout.times.x(snapshot.at);
            self.canvas.triangle((x, y - 60), false, &ink::DEPOSIT);
            let says = format!("snapshot {}, {}", snapshot.name, when(snapshot.at));
            self.spots.push(Spot { left: x - 60, top: y - 120, width: 120, height: 110, says });
        }
        let (left, right) = (from.min(to) - 20, to.max(from) + 60);
        let says = format!("{}: {}", world.name, branch_in_words(branch));
        self.spots.push(Spot { left, top: y - 30, width: right - left, height: 60, says });
    }

    fn words(&self, lane: usize, world: &WorldFact, branch: &BranchFact) {
        let is_first = world.branches.first().is_some_and(|first| first.input == branch.input);
        let top = self.layout.top + i32::try_from(lane).unwrap_or(0) * self.layout.row;
        let inputs = if branch.inputs == 1 { "1 input".to_owned() } else { format!("{} inputs", branch.inputs) };
        let from = branch.continues.map(|input| format!(" from input {input}")).unwrap_or_default();
        let (name, about) = (
            if is_first { world.name.clone() } else { format!("{}, {}", world.name, branch.begin) },
            format!("{}{from}, {}, {inputs}", branch.begin, to_the_minute(branch.from)),
        );
        let room = if self.layout.is_narrow { self.layout.wide - 2 * EDGE } else { WORDS - EDGE - 14 };
        let head = Words::new(&ink::TEXT, 12).at(Down::Middle).to(Across::Start);
        let head = if is_first { head.bold() } else { head };
        self.canvas.exact_text((EDGE * UNIT, (top + 14) * UNIT), &fitted(&name, 13, room), head);
        let look = Words::new(&ink::QUIET, 11).at(Down::Middle);
        self.canvas.exact_text((EDGE * UNIT, (top + 30) * UNIT), &fitted(&about, 11, room), look);
    }
}

/// An instant in as few letters as tell it from its neighbours.
fn to_the_minute(at: Instant) -> String {
    let words = when(at);
    words.rsplit_once(':').map_or(words.clone(), |(minute, _)| minute.to_owned())
}
