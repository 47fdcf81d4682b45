//! The drawing: a grid for each month, three beside each other on a desk, one on a phone, and the days on which something is due.
//!
//! Owns: the layout. Invariant: a kind of day and a kind of what is due differ by shape, not by colour alone.

use super::facts::{Day, DayKind, DueKind, Facts};
use super::words::{due, spoken, subtitle, title};
use crate::frame::canvas::{Across, Canvas, UNIT, Words, fitted, width_of};
use crate::frame::document::{Drawn, Spot};
use crate::frame::heading::Heading;
use crate::frame::time_axis::{month, month_name, weekday};
use crate::frame::{Width, ink, time_axis};
use jiff::civil::Date;

const EDGE: i32 = 12;
/// Between months.
const GAP: i32 = 24;
/// A month is at least so wide.
const MONTH: i32 = 350;
const CELL: i32 = 64;
/// Above the days of a month: its name and those of weekdays.
const HEAD: i32 = 46;
/// Lines of the list below.
const LINE: i32 = 20;
const MOST_LINES: usize = 24;

/// Draws the calendar.
pub(super) fn draw(facts: &Facts, width: Width) -> Drawn {
    let layout = Layout::of(facts, width);
    Drawn::of((layout.width, layout.height), |canvas, spots| {
        let mut chart = Chart { canvas, layout: &layout, facts, spots };
        chart.head();
        for (days, corner) in layout.months.iter().zip(&layout.corners) {
            chart.month(days, *corner);
        }
        chart.list();
    })
}

struct Layout<'f> {
    width: i32,
    height: i32,
    heading: Heading,
    small: i32,
    months: Vec<&'f [Day]>,
    /// The upper left corner of each month.
    corners: Vec<(i32, i32)>,
    /// The width of a month.
    month: i32,
    /// Where the list begins.
    list: i32,
    special: Vec<&'f Day>,
}

impl<'f> Layout<'f> {
    fn of(facts: &'f Facts, width: Width) -> Self {
        let wide = width.pixels();
        let heading = Heading::on_one_line(&title(facts), &subtitle(facts), EDGE, width);
        let small = if width.is_narrow() { 11 } else { 12 };
        let months: Vec<_> = facts.days.chunk_by(|one, other| one.date.month() == other.date.month()).collect();
        let columns = ((wide - 2 * EDGE + GAP) / (MONTH + GAP)).clamp(1, 3);
        let month = (wide - 2 * EDGE - (columns - 1) * GAP) / columns;
        let rows_of_legend = if width.is_narrow() { 3 } else { 1 };
        let top = heading.foot() + rows_of_legend * 20 + 20;
        // A row of months is as high as the one with the most weeks.
        let mut corners = Vec::new();
        let mut list = top;
        for row in months.chunks(usize::try_from(columns).unwrap_or(1)) {
            corners.extend((0..).zip(row).map(|(column, _)| (EDGE + column * (month + GAP), list)));
            list += HEAD + row.iter().map(|days| weeks(days)).max().unwrap_or(0) * CELL + GAP;
        }
        let today = facts.now.local_date();
        let special: Vec<_> = facts.days.iter().filter(|day| day.date >= today && day.is_special()).collect();
        let lines = i32::try_from(special.len().clamp(1, MOST_LINES + 1)).unwrap_or(1);
        let height = list + 30 + lines * LINE + EDGE;
        Self { width: wide, height, heading, small, months, corners, month, list, special }
    }
}

/// How many rows of seven days a month has.
fn weeks(days: &[Day]) -> i32 {
    let Some(first) = days.first() else { return 0 };
    let lead = i32::from(first.date.first_of_month().weekday().to_monday_zero_offset());
    (lead + i32::from(first.date.days_in_month()) + 6) / 7
}

struct Chart<'c, 's> {
    canvas: &'c Canvas<'s>,
    layout: &'c Layout<'c>,
    facts: &'c Facts,
    spots: &'c mut Vec<Spot>,
}

impl Chart<'_, '_> {
    fn head(&self) {
        let Layout { ref heading, small, width, .. } = *self.layout;
        heading.draw(self.canvas);
        let (mut x, mut y) = (EDGE, heading.foot() + 24);
        let mut named = |name: &str, mark: &dyn Fn(i32, i32)| {
            let wide = 18 + width_of(name, small) / UNIT + 16;
            if x + wide > width - EDGE {
                (x, y) = (EDGE, y + 20);
            }
            mark(x + 7, y - 4);
            self.canvas.text((x + 18, y), name, Words::new(&ink::QUIET, small));
            x += wide;
        };
        for kind in DueKind::ALL {
            named(kind.name(), &|x, y| self.mark(kind, (x, y)));
        }
        let box_of = |x: i32, y: i32| [((x - 7) * UNIT, (y - 7) * UNIT), ((x + 7) * UNIT, (y + 7) * UNIT)];
        named("holiday", &|x, y| self.holiday(box_of(x, y)));
        named("weekend", &|x, y| self.canvas.fill(box_of(x, y), &ink::SHADE));
        named("half-day", &|x, y| {
            self.canvas.text((x, y + 4), "½", Words::new(&ink::WAIT, 13).bold().to(Across::Middle));
        });
        named("today", &|x, y| self.canvas.outline(box_of(x, y), &ink::VALUE, 20));
    }

    fn holiday(&self, corners: [(i32, i32); 2]) {
        self.canvas.fill(corners, &ink::SHADE);
        self.canvas.hatch(corners, &ink::RULE);
    }

    fn month(&mut self, days: &[Day], (left, top): (i32, i32)) {
        let Some(first) = days.first() else { return };
        let cell = self.layout.month / 7;
        let name = format!("{} {}", month_name(first.date), first.date.year());
        self.canvas.text((left, top + 16), &name, Words::new(&ink::TEXT, 14).bold());
        let monday = Date::constant(2026, 3, 2);
        for (column, day) in (0..7).zip(time_axis::all(monday, sim::calendar::days_later(monday, 6))) {
            let middle = left + column * cell + cell / 2;
            self.canvas.text((middle, top + HEAD - 8), &weekday(day), Words::new(&ink::QUIET, 11).to(Across::Middle));
        }
        let lead = i32::from(first.date.first_of_month().weekday().to_monday_zero_offset());
        for day in days {
            let at = lead + i32::from(day.date.day()) - 1;
            self.day(day, (left + at % 7 * cell, top + HEAD + at / 7 * CELL), cell);
        }
    }

    fn day(&mut self, day: &Day, (x, y): (i32, i32), cell: i32) {
        let corners = [(x * UNIT, y * UNIT), ((x + cell - 2) * UNIT, (y + CELL - 2) * UNIT)];
        match day.kind {
            DayKind::Holiday => self.holiday(corners),
            DayKind::Weekend => self.canvas.fill(corners, &ink::SHADE),
            DayKind::HalfDay | DayKind::BankDay => self.canvas.fill(corners, &ink::BAND),
        }
        if day.date == self.facts.now.local_date() {
            self.canvas.outline(corners, &ink::VALUE, 20);
        }
        self.canvas.text((x + 4, y + 14), &day.date.day().to_string(), Words::new(&ink::TEXT, 12).bold());
        if day.kind == DayKind::HalfDay {
            let look = Words::new(&ink::WAIT, 13).bold().to(Across::End);
            self.canvas.text((x + cell - 6, y + 14), "½", look);
        }
        let due = DueKind::ALL.into_iter().filter(|kind| day.count(*kind) > 0);
        for (at, kind) in (0..).zip(due) {
            let (x, y) = (x + 7 + at % 2 * (cell / 2 - 1), y + 27 + at / 2 * 14);
            self.mark(kind, (x, y));
            self.canvas.text((x + 6, y + 4), &compact(day.count(kind)), Words::new(&ink::TEXT, 11));
        }
        self.spots.push(Spot {
            left: corners[0].0,
            top: corners[0].1,
            width: corners[1].0 - corners[0].0,
            height: corners[1].1 - corners[0].1,
            says: spoken(day),
        });
    }

    /// The mark of a kind with its middle there.
    fn mark(&self, kind: DueKind, (x, y): (i32, i32)) {
        let (place, ink) = ((x * UNIT, y * UNIT), kind.ink());
        let square = [(place.0 - 35, place.1 - 35), (place.0 + 35, place.1 + 35)];
        match kind {
            DueKind::CutOffs => self.canvas.triangle(place, false, ink),
            DueKind::Prices => self.canvas.dot(place, 3, ink),
            DueKind::Settlements => self.canvas.fill(square, ink),
            DueKind::Payments => self.canvas.triangle(place, true, ink),
            DueKind::Fees => self.canvas.cross(place, ink),
            DueKind::Other => self.canvas.outline(square, ink, 14),
        }
    }

    /// The next days on which something is due that does not come every day.
    fn list(&self) {
        let Layout { list, small, width, ref special, .. } = *self.layout;
        self.canvas.text((EDGE, list + 10), "What is due", Words::new(&ink::TEXT, 14).bold());
        let mut y = list + 14;
        let kinds = [DueKind::Settlements, DueKind::Payments, DueKind::Fees, DueKind::Other];
        let column = 92;
        for day in special.iter().take(MOST_LINES) {
            y += LINE;
            let date = format!("{} {} {}", weekday(day.date), day.date.day(), month(day.date));
            self.canvas.text((EDGE, y), &date, Words::new(&ink::TEXT, small).bold());
            let name = day.holiday.or((day.kind == DayKind::HalfDay).then_some("half-day"));
            let due = due(day, &kinds);
            let words =
                name.into_iter().chain((!due.is_empty()).then_some(due.as_str())).collect::<Vec<_>>().join(", ");
            let words = fitted(&words, small, width - 2 * EDGE - column);
            self.canvas.text((EDGE + column, y), &words, Words::new(&ink::TEXT, small));
        }
        let more = special.len().saturating_sub(MOST_LINES);
        let closing = match (special.is_empty(), more) {
            (true, _) => "Nothing is due from today on.".to_owned(),
            (false, 0) => return,
            (false, more) => format!("{more} more days are left out here."),
        };
        self.canvas.text((EDGE, y + LINE), &closing, Words::new(&ink::QUIET, small));
    }
}

/// A count in at most three letters, so that it has room on a day.
fn compact(count: usize) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..100_000 => format!("{}k", count / 1_000),
        _ => "…".to_owned(),
    }
}
