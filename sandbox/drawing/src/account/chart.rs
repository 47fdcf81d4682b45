//! The drawing: two panels and the orders between them, over one time axis.
//!
//! Owns: the layout. Invariant: what shows a number is drawn through the coordinates of its panel, in tenths
//! of a pixel; what is too small for a bar gets a dot beside its figure, never a larger bar.

use super::facts::{CashKind, Facts, Move, OrderState, Placed};
use super::words::{NOTHING, subtitle, title};
use crate::frame::canvas::{Across, Canvas, Down, Legend, Panel, UNIT, Words};
use crate::frame::document::{Drawn, Spot};
use crate::frame::labels::Labels;
use crate::frame::numbers::{Scale, grouped};
use crate::frame::time_axis::{begins, in_words, next, quarter_ends};
use crate::frame::{axis, ink};
use jiff::civil::Date;
use sim::records::Side;
use std::collections::BTreeMap;
use std::ops::Range;

/// In pixels.
const WIDTH: i32 = 1200;
const HEIGHT: i32 = 764;
/// Width and height where there is nothing to draw, so that its words can be read on a phone, too.
const EMPTY: (i32, i32) = (480, 120);
const EDGE: i32 = 16;

const LEFT: i32 = 96;
const RIGHT: i32 = 1104;
/// What it is worth.
const WORTH: Range<i32> = 122..408;
/// Orders that buy, and that sell.
const BUYS: i32 = 440;
const SELLS: i32 = 466;
/// What came and went.
const FLOWS: Range<i32> = 526..684;

/// A bar is never wider than this, nor narrower than that.
const WIDEST: i32 = 22;
const NARROWEST: i32 = 5;
/// A bar lower than this cannot be seen well.
const LOWEST: i32 = 2 * UNIT;

/// Draws the chart.
pub(super) fn draw(facts: &Facts) -> Drawn {
    let Some(span) = facts.span else {
        return Drawn::of(EMPTY, |canvas, _| {
            canvas.text((EDGE, 34), &title(facts), Words::new(&ink::TEXT, 20).bold());
            canvas.text((EDGE, 60), &subtitle(facts), Words::new(&ink::QUIET, 16));
            canvas.text((EDGE, 96), NOTHING, Words::new(&ink::TEXT, 16));
        });
    };
    Drawn::of((WIDTH, HEIGHT), |canvas, spots| {
        canvas.text((LEFT, 34), &title(facts), Words::new(&ink::TEXT, 20).bold());
        canvas.text((LEFT, 58), &subtitle(facts), Words::new(&ink::QUIET, 13));
        Chart { facts, canvas, span, spots }.draw();
    })
}

struct Chart<'a, 's> {
    facts: &'a Facts,
    canvas: &'a Canvas<'s>,
    span: (Date, Date),
    spots: &'a mut Vec<Spot>,
}

impl<'s> Chart<'_, 's> {
    fn draw(&mut self) {
        let values = || self.facts.midnights.iter().flat_map(|it| [it.value, it.balance]);
        let worth = Scale::over(values().min().unwrap_or(0), values().max().unwrap_or(0), 5);
        let stacks = stacks(&self.facts.moves);
        let ends = || stacks.values().flat_map(|(came, went)| [*came, *went]);
        // Figures are drawn beyond the heads of bars.
        let roomy = |ore: i64| ore.saturating_mul(6) / 5;
        let flows = Scale::over(roomy(ends().min().unwrap_or(0)), roomy(ends().max().unwrap_or(0)), 4);
        let (upper, lower) = (self.panel(worth, WORTH), self.panel(flows, FLOWS));

        self.fill_below_worth(&upper);
        for (panel, scale) in [(&upper, worth), (&lower, flows)] {
            axis::scale(self.canvas, panel, scale, self.span.0, &(LEFT..RIGHT));
        }
        self.times(&upper);
        self.draw_worth(&upper);
        self.orders(&upper);
        self.flows(&lower);
        self.headings();
    }

    fn panel(&self, scale: Scale, rows: Range<i32>) -> Panel<'s> {
        let (first, last) = self.span;
        self.canvas.panel(begins(first)..begins(next(last)), scale.from..scale.to, LEFT..RIGHT, rows)
    }

    fn fill_below_worth(&self, panel: &Panel<'s>) {
        let midnights = &self.facts.midnights;
        let outline = midnights.iter().map(|it| (it.at, it.value));
        let ground = [midnights.last(), midnights.first()].into_iter().flatten().map(|it| (it.at, 0));
        panel.area(outline.chain(ground).collect(), &ink::VALUE_BELOW);
    }

    fn draw_worth(&mut self, panel: &Panel<'s>) {
        let midnights = &self.facts.midnights;
        panel.line(midnights.iter().map(|it| (it.at, it.value)).collect(), &ink::VALUE, 18);
        panel.line(midnights.iter().map(|it| (it.at, it.balance)).collect(), &ink::BALANCE, 13);
        let Some(end) = midnights.last() else { return };
        let mut rows = [(end.value, &ink::VALUE), (end.balance, &ink::BALANCE)].map(|(ore, ink)| {
            let (_, y) = panel.place(end.at, ore);
            (y, grouped(ore), ink)
        });
        // Two figures at one height would cover each other.
        let least = 15 * UNIT;
        if rows[1].0 - rows[0].0 < least {
            let middle = i32::midpoint(rows[0].0, rows[1].0);
            (rows[0].0, rows[1].0) = (middle - least / 2, middle + least / 2);
        }
        for (y, figure, ink) in rows {
            self.canvas.exact_text((RIGHT * UNIT + 7 * UNIT, y), &figure, Words::new(ink, 12).bold().at(Down::Middle));
        }
    }

    /// The marks of time: months below, ends of quarters and corporate actions through both panels.
    fn times(&self, panel: &Panel<'s>) {
        let (first, last) = self.span;
        let x = |day: Date| panel.place(begins(day), 0).0;
        // Headings stay clear.
        let through =
            |x: i32| [WORTH.start..SELLS + 14, FLOWS].map(|rows| [(x, rows.start * UNIT), (x, rows.end * UNIT)]);
        for (day, name) in quarter_ends(first, last) {
            through(x(day)).into_iter().for_each(|ends| self.canvas.stroke(ends, &ink::RULE, 10));
            let words = Words::new(&ink::QUIET, 11).to(Across::End);
            self.canvas.exact_text((x(day) - 4 * UNIT, (WORTH.start - 5) * UNIT), &name, words);
        }
        let foot = FLOWS.end * UNIT;
        axis::days(self.canvas, panel, self.span, foot);
        for (row, (at, what)) in (0i32..).zip(&self.facts.actions) {
            let (x, _) = panel.place(*at, 0);
            through(x).into_iter().for_each(|ends| self.canvas.dashes(ends, &ink::ACTION));
            let words = Words::new(&ink::ACTION, 11);
            let top = (WORTH.start + 14 + 14 * (row % 4)) * UNIT;
            let room = (RIGHT * UNIT - x) / UNIT;
            let (x, words) = if room < 200 { (x - 5 * UNIT, words.to(Across::End)) } else { (x + 5 * UNIT, words) };
            self.canvas.exact_text((x, top), what, words);
        }
    }

    /// Orders from their placing to their end.
    fn orders(&mut self, panel: &Panel<'s>) {
        for (row, name, ink) in [(BUYS, "buys", &ink::BUY), (SELLS, "sells", &ink::SELL)] {
            let y = row * UNIT;
            self.canvas.stroke([(LEFT * UNIT, y), (RIGHT * UNIT, y)], &ink::GRID, 10);
            let words = Words::new(ink, 12).to(Across::End).at(Down::Middle);
            self.canvas.exact_text((LEFT * UNIT - 9 * UNIT, y), name, words);
        }
        let mut together: BTreeMap<_, Vec<&Placed>> = BTreeMap::new();
        for order in &self.facts.orders {
            together.entry((order.at, order.until, order.side, order.standing)).or_default().push(order);
        }
        for ((at, until, side, standing), orders) in together {
            let (row, ink) = if side == Side::Subscription { (BUYS, &ink::BUY) } else { (SELLS, &ink::SELL) };
            let y = row * UNIT;
            let [(from, _), (to, _)] = [at, until].map(|at| panel.place(at, 0));
            self.canvas.stroke([(from, y), (to, y)], ink, 14);
            self.canvas.ring((from, y), 3, ink);
            match standing {
                OrderState::Settled => self.canvas.triangle((to, y), side == Side::Subscription, ink),
                OrderState::Canceled => self.canvas.cross((to, y), ink),
                OrderState::UnderWay => {}
            }
            let says: Vec<_> = orders.iter().map(|order| order.about.as_str()).collect();
            let [placed, ended] = [at, until].map(|at| in_words(at.local_date()));
            let until = if standing == OrderState::UnderWay { String::new() } else { format!(" to {ended}") };
            self.spots.push(Spot {
                left: from - 5 * UNIT,
                top: y - 8 * UNIT,
                width: to - from + 10 * UNIT,
                height: 16 * UNIT,
                says: format!("{placed}{until}: {}", says.join("; ")),
            });
        }
    }

    /// Bars of what came and went, stacked where several fall on one day.
    fn flows(&mut self, panel: &Panel<'s>) {
        let (first, last) = self.span;
        let days = (last - first).get_days() + 1;
        let half = ((RIGHT - LEFT) * UNIT / days).clamp(NARROWEST * UNIT, WIDEST * UNIT) / 2;
        let mut stacked: BTreeMap<(Date, bool), i64> = BTreeMap::new();
        let mut bars = Vec::new();
        for it in &self.facts.moves {
            let base = stacked.entry((it.day, it.ore < 0)).or_default();
            let (x, foot) = panel.place(noon(it.day), *base);
            *base += it.ore;
            let (_, head) = panel.place(noon(it.day), *base);
            bars.push((it, [(x - half, foot.min(head)), (x + half, foot.max(head))]));
        }
        let mut labels = Labels::default();
        for (it, [from, to]) in &bars {
            self.canvas.fill([*from, *to], it.kind.ink());
            labels.keep_clear(*from, *to);
            self.spots.push(Spot {
                left: from.0,
                top: from.1.min(to.1 - 6 * UNIT),
                width: to.0 - from.0,
                height: (to.1 - from.1).max(6 * UNIT),
                says: format!("{}: {} SEK, {}", in_words(it.day), grouped(it.ore), it.kind.name()),
            });
        }
        // The rarest first: what comes once a quarter is what one looks for.
        bars.sort_by_key(|(it, _)| (self.facts.sum(it.kind).1, it.day));
        for (it, [from, to]) in &bars {
            let x = i32::midpoint(from.0, to.0);
            let head = if it.ore < 0 { to.1 } else { from.1 };
            if to.1 - from.1 < LOWEST {
                self.canvas.dot((x, head), 2, it.kind.ink());
            }
            let figure = grouped(it.ore.abs());
            if let Some(place) = labels.place(&figure, (x, head), it.ore < 0, (LEFT * UNIT, RIGHT * UNIT)) {
                let words = Words::new(&ink::TEXT, 11).to(Across::Middle).at(Down::Middle);
                self.canvas.exact_text(place, &figure, words);
            }
        }
    }

    /// What each part is, with the kinds that are in it.
    fn headings(&self) {
        let legend = |y: i32, from: i32| Legend::new(self.canvas, from, y);
        let heading = |y: i32, text: &str| self.canvas.text((LEFT, y), text, Words::new(&ink::TEXT, 13).bold());
        heading(96, "What it is worth, SEK");
        legend(96, 300).area("value at midnight").line("balance, in cash");
        heading(506, "What came and went, SEK");
        let mut kinds = legend(506, 318);
        for kind in CashKind::ALL.into_iter().filter(|kind| self.facts.sum(*kind).1 > 0) {
            kinds = kinds.square(kind.name(), kind.ink());
        }
        legend(746, LEFT)
            .ring("order placed", &ink::BUY)
            .triangle("bought", true, &ink::BUY)
            .triangle("sold", false, &ink::SELL)
            .cross("canceled", &ink::SELL)
            .dot("too small for a bar", &ink::QUIET);
    }
}

fn noon(day: Date) -> sim::time::Instant {
    sim::time::stockholm(day, 12, 0)
}

/// How high the bars of each day reach, up and down.
fn stacks(moves: &[Move]) -> BTreeMap<Date, (i64, i64)> {
    let mut stacks: BTreeMap<Date, (i64, i64)> = BTreeMap::new();
    for it in moves {
        let (came, went) = stacks.entry(it.day).or_default();
        *(if it.ore < 0 { went } else { came }) += it.ore;
    }
    stacks
}
