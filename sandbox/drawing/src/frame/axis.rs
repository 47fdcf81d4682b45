//! Axes: the lines of a scale with their figures, and the names of days, months or years below a panel.
//!
//! Invariant: a line is where its panel has the value of its figure. Absent on purpose: which values a scale has (`numbers`), and which
//! days have names (`time_axis`).

use super::canvas::{Across, Canvas, Down, Panel, UNIT, Words, width_of};
use super::ink;
use super::numbers::{Scale, grouped};
use super::time_axis::{begins, next, stretches};
use jiff::civil::Date;
use sim::time::Instant;
use std::ops::Range;

/// Lines of a scale from side to side, with their figures to the left of them; `sides` are in pixels.
pub(crate) fn scale(canvas: &Canvas<'_>, panel: &Panel<'_>, scale: Scale, first: Date, sides: &Range<i32>) {
    for ore in scale.lines() {
        let (_, y) = panel.place(begins(first), ore);
        let ink = if ore == 0 { &ink::RULE } else { &ink::GRID };
        canvas.stroke([(sides.start * UNIT, y), (sides.end * UNIT, y)], ink, 10);
        let words = Words::new(&ink::QUIET, 12).to(Across::End).at(Down::Middle);
        canvas.exact_text((sides.start * UNIT - 9 * UNIT, y), &grouped(ore), words);
    }
}

/// Marks and names below a panel whose foot is at `foot`, in tenths of a pixel; fewer of them where the panel is narrow.
pub(crate) fn days(canvas: &Canvas<'_>, panel: &Panel<'_>, (first, last): (Date, Date), foot: i32, is_narrow: bool) {
    let x = |day: Date| panel.place(begins(day), 0).0;
    for stretch in stretches(first, last, is_narrow) {
        let (from, to) = (x(stretch.from), x(stretch.to));
        canvas.stroke([(from, foot), (from, foot + 5 * UNIT)], &ink::RULE, 10);
        // A stretch that is cut off has no room for its name.
        if to - from >= 20 * UNIT {
            let middle = (i32::midpoint(from, to), foot + 20 * UNIT);
            canvas.exact_text(middle, &stretch.name, Words::new(&ink::QUIET, 12).to(Across::Middle));
        }
        if let Some(year) = stretch.year {
            let words = Words::new(&ink::TEXT, 12).bold();
            canvas.exact_text((from, foot + 38 * UNIT), &year.to_string(), words);
        }
    }
}

/// Whole days from left to right, without a panel.
pub(crate) struct Timeline {
    days: (Date, Date),
    /// In pixels.
    sides: Range<i32>,
}

impl Timeline {
    /// The days of two instants and all between them.
    pub(crate) fn of(first: Instant, last: Instant, sides: Range<i32>) -> Self {
        Self { days: (first.local_date(), last.local_date()), sides }
    }

    /// Where an instant is, in tenths of a pixel.
    pub(crate) fn x(&self, at: Instant) -> i32 {
        let (from, to) = (begins(self.days.0).ms(), begins(next(self.days.1)).ms());
        let room = i128::from((self.sides.end - self.sides.start) * UNIT);
        let share = i128::from(at.ms().clamp(from, to) - from) * room / i128::from((to - from).max(1));
        self.sides.start * UNIT + i32::try_from(share).unwrap_or(0)
    }

    /// Lines from `down.start` to `down.end`, with the names of days, months or years above them, as far as `most`: all in pixels.
    pub(crate) fn draw(&self, canvas: &Canvas<'_>, down: Range<i32>, most: i32) {
        let (top, bottom) = (down.start, down.end);
        let mut free = 0;
        for stretch in stretches(self.days.0, self.days.1, false) {
            let x = self.x(begins(stretch.from));
            canvas.stroke([(x, (top - 4) * UNIT), (x, bottom * UNIT)], &ink::GRID, 10);
            let name = stretch.year.map_or_else(|| stretch.name.clone(), |year| format!("{} {year}", stretch.name));
            let room = width_of(&name, 12);
            if x >= free && x + room <= most * UNIT {
                canvas.exact_text((x + 2 * UNIT, (top - 8) * UNIT), &name, Words::new(&ink::QUIET, 12));
                free = x + room + 8 * UNIT;
            }
        }
    }
}
