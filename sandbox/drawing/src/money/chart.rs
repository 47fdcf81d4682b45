//! The drawing of money: nodes in columns, and ribbons between them as wide as their amounts.
//!
//! Owns: the layout. Invariant: a ribbon and a node are as high as their amount by one scale for the whole picture, in tenths of a
//! pixel; none is made larger to be seen. Absent on purpose: what flows.

use super::facts::{Facts, Flow, Node};
use super::kinds::MoneyKind;
use super::words;
use crate::frame::Width;
use crate::frame::canvas::{Across, Canvas, Down, UNIT, Words, fitted, wrapped};
use crate::frame::document::{Drawn, Spot};
use crate::frame::heading::Heading;
use crate::frame::ink::{self, Ink};
use crate::frame::numbers::grouped;
use std::collections::BTreeMap;

/// How high the column with the most money is, in pixels.
const HIGH: i32 = 380;
const BAR: i32 = 10;
/// Between a bar and its words.
const GAP: i32 = 5;
/// How far from a bar its flows say what they are when they are pointed at, in pixels.
const REACH: i32 = 36;

/// A layout: margins and sizes in pixels.
struct Layout {
    width: i32,
    edge: i32,
    columns: usize,
    /// What a node needs at least for its words.
    slot: i32,
    size: i32,
    is_narrow: bool,
}

impl Layout {
    const fn of(width: Width) -> Self {
        if width.is_narrow() {
            Self { width: width.pixels(), edge: 10, columns: 3, slot: 34, size: 12, is_narrow: true }
        } else {
            Self { width: width.pixels(), edge: 24, columns: 5, slot: 20, size: 12, is_narrow: false }
        }
    }

    /// The left side of a column's bars.
    fn left(&self, column: usize) -> i32 {
        let room = self.width - 2 * self.edge - BAR;
        self.edge + room * i32::try_from(column).unwrap_or(0) / i32::try_from(self.columns - 1).unwrap_or(1)
    }

    fn is_last(&self, column: usize) -> bool {
        column + 1 == self.columns
    }
}

/// Where a node is, in tenths of a pixel.
#[derive(Clone, Copy)]
struct Place {
    x: i32,
    top: i32,
    high: i32,
    /// Where its words are.
    middle: i32,
}

/// Heights of amounts.
#[derive(Clone, Copy)]
struct Scale {
    most: i64,
}

impl Scale {
    fn high(self, ore: i64) -> i32 {
        let tenths = i128::from(ore) * i128::from(HIGH * UNIT) / i128::from(self.most.max(1));
        i32::try_from(tenths).unwrap_or(0)
    }
}

/// Draws the picture.
pub(super) fn draw(facts: &Facts, width: Width) -> Drawn {
    let layout = Layout::of(width);
    let merged = layout.is_narrow.then(|| facts.without_outsiders());
    let facts = merged.as_ref().unwrap_or(facts);
    let heading = Heading::wrapping(&words::title(facts), &words::subtitle(facts), layout.edge, width);
    let head = heading.foot() + 12;
    let in_column = |column: usize| facts.column(column).count();
    let nodes = (0..layout.columns).map(in_column).max().unwrap_or(0);
    let room = if facts.nodes.is_empty() { 30 } else { HIGH + i32::try_from(nodes).unwrap_or(0) * layout.slot };
    let size = (layout.width, head + 40 + room + 16);
    Drawn::of(size, |canvas, spots| {
        heading.draw(canvas);
        if facts.nodes.is_empty() {
            wrapped(words::NOTHING, 14, layout.width - 2 * layout.edge).iter().zip(1..).for_each(|(line, at)| {
                canvas.text((layout.edge, head + 20 * at), line, Words::new(&ink::TEXT, 14));
            });
        } else {
            Chart { facts, layout: &layout, canvas, spots }.draw(head + 40, room);
        }
    })
}

struct Chart<'a, 's> {
    facts: &'a Facts,
    layout: &'a Layout,
    canvas: &'a Canvas<'s>,
    spots: &'a mut Vec<Spot>,
}

impl<'a> Chart<'a, '_> {
    fn draw(&mut self, top: i32, room: i32) {
        let sum = |column| self.facts.column(column).map(|node| node.ore).sum();
        let scale = Scale { most: (0..self.layout.columns).map(sum).max().unwrap_or(0) };
        let places = self.places(scale, top, room);
        self.headings(top);
        self.ribbons(scale, &places);
        for node in &self.facts.nodes {
            self.node(node, places[node.id.as_str()]);
        }
    }

    /// Where each node is: one below the other in its column, around the middle of the picture.
    fn places(&self, scale: Scale, top: i32, room: i32) -> BTreeMap<&'a str, Place> {
        let facts = self.facts;
        let slot = self.layout.slot * UNIT;
        let mut places = BTreeMap::new();
        for column in 0..self.layout.columns {
            let needs = |node: &Node| scale.high(node.ore).max(slot) + 4 * UNIT;
            let all: i32 = facts.column(column).map(needs).sum();
            let mut y = top * UNIT + (room * UNIT - all).max(0) / 2;
            for node in facts.column(column) {
                let (high, needed) = (scale.high(node.ore), needs(node));
                let middle = y + needed / 2;
                let x = self.layout.left(column) * UNIT;
                places.insert(node.id.as_str(), Place { x, top: middle - high / 2, high, middle });
                y += needed;
            }
        }
        places
    }

    fn headings(&self, top: i32) {
        let names: &[&str] = if self.layout.is_narrow {
            &["comes in", "accounts", "goes out"]
        } else {
            &["from", "comes in as", "accounts", "goes out as", "to"]
        };
        for (column, name) in names.iter().enumerate() {
            let x = self.layout.left(column);
            let (x, across) = match column {
                0 => (x, Across::Start),
                _ if self.layout.is_last(column) => (x + BAR, Across::End),
                _ => (x + BAR / 2, Across::Middle),
            };
            self.canvas.text((x, top - 14), name, Words::new(&ink::QUIET, 12).to(across));
        }
    }

    /// The flows in the order of the nodes at their ends, so that those of one node do not cross.
    fn ribbons(&mut self, scale: Scale, places: &BTreeMap<&str, Place>) {
        let order: BTreeMap<&str, usize> =
            self.facts.nodes.iter().enumerate().map(|(at, node)| (node.id.as_str(), at)).collect();
        let mut flows: Vec<&Flow> = self.facts.flows.iter().collect();
        flows.sort_by_key(|flow| (order[flow.from.as_str()], order[flow.to.as_str()]));
        let mut left: BTreeMap<&str, i64> = BTreeMap::new();
        let mut right: BTreeMap<&str, i64> = BTreeMap::new();
        let mut starts = Vec::new();
        for flow in &flows {
            starts.push(span(scale, places[flow.from.as_str()], right.entry(&flow.from).or_default(), flow.ore));
        }
        let mut by_end: Vec<(usize, &Flow)> = flows.iter().copied().enumerate().collect();
        by_end.sort_by_key(|(_, flow)| (order[flow.to.as_str()], order[flow.from.as_str()]));
        for (at, flow) in by_end {
            let end = span(scale, places[flow.to.as_str()], left.entry(&flow.to).or_default(), flow.ore);
            let (from, to) = (places[flow.from.as_str()], places[flow.to.as_str()]);
            let begin = (from.x + BAR * UNIT, starts[at]);
            self.ribbon(flow, begin, (to.x, end));
        }
    }

    fn ribbon(&mut self, flow: &Flow, begin: (i32, [i32; 2]), end: (i32, [i32; 2])) {
        let ink = flow.kind.ink();
        self.canvas.ribbon(begin, end, ink);
        let says = words::flow(self.facts, flow);
        for (x, [top, bottom]) in [begin, (end.0 - REACH * UNIT, end.1)] {
            self.spots.push(Spot { left: x, top, width: REACH * UNIT, height: bottom - top, says: says.clone() });
        }
    }

    fn node(&mut self, node: &Node, place: Place) {
        let ink = node.kind.map_or(&ink::QUIET as &Ink, MoneyKind::ink);
        self.canvas.fill([(place.x, place.top), (place.x + BAR * UNIT, place.top + place.high)], ink);
        let is_last = self.layout.is_last(node.column);
        let (x, across) =
            if is_last { (place.x - GAP * UNIT, Across::End) } else { (place.x + (BAR + GAP) * UNIT, Across::Start) };
        let look = Words::new(&ink::TEXT, self.layout.size).to(across).at(Down::Middle);
        let figure = grouped(node.ore);
        let room = self.layout.left(1) - self.layout.left(0) - BAR - 2 * GAP;
        if self.layout.is_narrow {
            let room = if node.column == 1 { room } else { room + 20 };
            self.canvas.exact_text((x, place.middle - 75), &fitted(&node.name, self.layout.size, room), look);
            self.canvas.exact_text((x, place.middle + 75), &figure, look.bold());
        } else {
            let own = crate::frame::canvas::width_of(&figure, self.layout.size) / UNIT + 14;
            let name = fitted(&node.name, self.layout.size, room - own);
            self.canvas.exact_text((x, place.middle), &format!("{name}  {figure}"), look);
        }
        let says = format!("{}: {figure} SEK", node.name);
        self.spots.push(Spot { left: place.x, top: place.top, width: BAR * UNIT, height: place.high.max(1), says });
    }
}

/// The next part of a node's side for an amount: so rounded that the parts fill the node.
fn span(scale: Scale, place: Place, taken: &mut i64, ore: i64) -> [i32; 2] {
    let begin = place.top + scale.high(*taken);
    *taken += ore;
    [begin, place.top + scale.high(*taken)]
}
