//! The drawing of state tables: a map of states and what moves them, or a list of rows where there is no room for a map.
//!
//! Owns: the layout. Invariant: each count is written on its shade; what was never taken has a 0 and a hatch, and what no row allows
//! has neither. Absent on purpose: the counts.

use super::facts::{Facts, MachineTable, RowCount, row_in_words};
use super::shades::shade;
use crate::frame::Width;
use crate::frame::canvas::{Across, Canvas, Down, UNIT, Words, fitted};
use crate::frame::document::{Drawn, Spot};
use crate::frame::heading::Heading;
use crate::frame::ink;

const EDGE: i32 = 16;
/// Room for the names of states, and for a column.
const STATES: i32 = 138;
const CELL: i32 = 84;
const HIGH: i32 = 24;
/// Above a table: its name, and what moves it.
const HEAD: i32 = 50;
/// Between tables.
const GAP: i32 = 28;

/// Draws the picture.
pub(super) fn draw(facts: &Facts, width: Width) -> Drawn {
    let wide = width.pixels();
    let heading = Heading::wrapping(&facts.title(), &facts.subtitle(), EDGE, width);
    let head = heading.foot() + 12;
    let places = if width.is_narrow() { listed(facts, head) } else { packed(facts, head, wide) };
    let bottom = places.iter().map(|(_, at, high)| at.1 + high).max().unwrap_or(head);
    let size = (wide, bottom + EDGE);
    Drawn::of(size, |canvas, spots| {
        heading.draw(canvas);
        let mut chart = Chart { canvas, spots, wide };
        for (table, at, _) in places {
            if width.is_narrow() { chart.list(table, at) } else { chart.map(table, at) }
        }
    })
}

/// Where a table begins, and how high it is, in pixels.
type Placed<'f> = (&'f MachineTable, (i32, i32), i32);

fn pixels(count: usize, each: i32) -> i32 {
    i32::try_from(count).unwrap_or(0) * each
}

/// Tables one below the other.
fn listed(facts: &Facts, head: i32) -> Vec<Placed<'_>> {
    let mut y = head;
    let mut places = Vec::new();
    for table in &facts.machines {
        let high = 30 + pixels(table.rows.len(), HIGH);
        places.push((table, (EDGE, y), high));
        y += high + GAP / 2;
    }
    places
}

/// Tables beside each other, as many as there is room for: the next one goes where it fits first.
fn packed(facts: &Facts, head: i32, wide: i32) -> Vec<Placed<'_>> {
    let mut places: Vec<Placed<'_>> = Vec::new();
    // Of each line of tables: where it begins, how high it is, and how far it is taken.
    let mut shelves: Vec<(i32, i32, i32)> = Vec::new();
    for table in &facts.machines {
        let (states, inputs) = table.sides();
        let (across, high) = (STATES + pixels(inputs.len(), CELL), HEAD + pixels(states.len(), HIGH));
        let found =
            shelves.iter_mut().find(|(_, room, taken)| high <= *room && taken.saturating_add(across) <= wide - EDGE);
        match found {
            Some((y, _, taken)) => {
                places.push((table, (*taken, *y), high));
                *taken += across + GAP;
            }
            None => {
                let y = shelves.last().map_or(head, |(y, room, _)| y + room + GAP / 2);
                places.push((table, (EDGE, y), high));
                shelves.push((y, high, EDGE + across + GAP));
            }
        }
    }
    places
}

struct Chart<'a, 's> {
    canvas: &'a Canvas<'s>,
    spots: &'a mut Vec<Spot>,
    wide: i32,
}

impl Chart<'_, '_> {
    fn heading(&self, table: &MachineTable, (x, y): (i32, i32)) {
        let words = format!("{}  {} of {}", table.machine, table.met, table.rows.len());
        self.canvas.text((x, y + 18), &words, Words::new(&ink::TEXT, 14).bold());
    }

    fn map(&mut self, table: &MachineTable, (x, y): (i32, i32)) {
        self.heading(table, (x, y));
        let (states, inputs) = table.sides();
        let quiet = Words::new(&ink::QUIET, 12);
        for (on, column) in inputs.iter().zip(0..) {
            let middle = x + STATES + column * CELL + CELL / 2;
            self.canvas.text((middle, y + HEAD - 8), &fitted(on, 12, CELL - 6), quiet.to(Across::Middle));
        }
        for (from, line) in states.iter().zip(0..) {
            let top = y + HEAD + line * HIGH;
            let place = ((x + STATES - 8) * UNIT, (top + HIGH / 2) * UNIT);
            self.canvas.exact_text(
                place,
                &fitted(&table.counted_state(from), 12, STATES - 12),
                Words::new(&ink::TEXT, 12).to(Across::End).at(Down::Middle),
            );
            for (on, column) in inputs.iter().zip(0..) {
                let corners = corners(x + STATES + column * CELL, top, CELL);
                match table.rows.iter().find(|row| row.from == *from && row.on == *on) {
                    Some(row) => self.cell(row, corners),
                    None => self.canvas.outline(corners, &ink::GRID, 6),
                }
            }
        }
    }

    fn list(&mut self, table: &MachineTable, (x, y): (i32, i32)) {
        self.heading(table, (x, y));
        let count = 64;
        for (row, line) in table.rows.iter().zip(0..) {
            let top = y + 30 + line * HIGH;
            let words = format!("{} · {} → {}", row.from, row.on, row.to);
            let room = self.wide - 2 * EDGE - count - 8;
            let place = (x * UNIT, (top + HIGH / 2) * UNIT);
            self.canvas.exact_text(place, &fitted(&words, 12, room), Words::new(&ink::TEXT, 12).at(Down::Middle));
            self.cell(row, corners(self.wide - EDGE - count, top, count));
        }
    }

    /// A row with its count.
    fn cell(&mut self, row: &RowCount, [(left, top), (right, bottom)]: [(i32, i32); 2]) {
        let corners = [(left, top), (right, bottom)];
        let look = match shade(row.taken) {
            Some(ink) => {
                self.canvas.fill(corners, ink);
                Words::new(&ink::TEXT, 12)
            }
            None => {
                self.canvas.hatch(corners, &ink::RULE);
                self.canvas.outline(corners, &ink::BAD, 10);
                // The figure is read on plain paper.
                let (x, y) = (i32::midpoint(left, right), i32::midpoint(top, bottom));
                self.canvas.fill([(x - 80, y - 80), (x + 80, y + 80)], &ink::PAPER);
                Words::new(&ink::BAD, 12).bold()
            }
        };
        let middle = (i32::midpoint(left, right), i32::midpoint(top, bottom));
        self.canvas.exact_text(middle, &row.taken.to_string(), look.to(Across::Middle).at(Down::Middle));
        let says = row_in_words(row);
        self.spots.push(Spot { left, top, width: right - left, height: bottom - top, says });
    }
}

/// A cell with a little room around it, in tenths of a pixel.
fn corners(left: i32, top: i32, across: i32) -> [(i32, i32); 2] {
    [(left * UNIT + 10, top * UNIT + 10), ((left + across) * UNIT - 10, (top + HIGH) * UNIT - 10)]
}
