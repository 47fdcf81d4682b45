//! The drawing: two panels and the orders between them, over one time axis.
//!
//! Owns: where everything is drawn, on a desk and on a phone (`layout`). Invariant: what shows a number is drawn through the coordinates of its panel, in tenths
//! of a pixel; what is too small for a bar gets a dot beside its figure, never a larger bar.

use super::facts::{CashKind, Facts, Move, OrderState, Placed};
use super::layout::Layout;
use super::words::{NOTHING, subtitle, title};
use crate::frame::canvas::{Across, Canvas, Down, Legend, Panel, UNIT, Words, fitted, width_of};
use crate::frame::document::{Drawn, Spot};
use crate::frame::heading::Heading;
use crate::frame::labels::Labels;
use crate::frame::numbers::{Scale, grouped};
use crate::frame::time_axis::{begins, in_words, next, quarter_ends};
use crate::frame::{Width, axis, ink};
use jiff::civil::Date;
use sim::records::Side;
use std::collections::BTreeMap;
use std::ops::Range;

/// Width and height where there is nothing to draw, so that its words can be read on a phone, too.
const EMPTY: (i32, i32) = (480, 120);
const EDGE: i32 = 16;

/// A bar is never wider than this, nor narrower than that.
const WIDEST: i32 = 22;
const NARROWEST: i32 = 5;
/// A bar lower than this cannot be seen well.
const LOWEST: i32 = 2 * UNIT;

/// Draws the chart.
pub(super) fn draw(facts: &Facts, width: Width) -> Drawn {
    let heading = width.is_narrow().then(|| Heading::on_one_line(&title(facts), &subtitle(facts), EDGE, width));
    let Some(span) = facts.span else {
        let size = heading.as_ref().map_or(EMPTY, |heading| (width.pixels(), heading.foot() + 60));
        return Drawn::of(size, |canvas, _| match &heading {
            Some(heading) => {
                heading.draw(canvas);
                canvas.text((EDGE, heading.foot() + 36), NOTHING, Words::new(&ink::TEXT, 13));
            }
            None => {
                canvas.text((EDGE, 34), &title(facts), Words::new(&ink::TEXT, 20).bold());
                canvas.text((EDGE, 60), &subtitle(facts), Words::new(&ink::QUIET, 16));
                canvas.text((EDGE, 96), NOTHING, Words::new(&ink::TEXT, 16));
            }
        });
    };
    let scales = Scales::of(facts);
    let layout = match &heading {
        Some(heading) => Layout::of_phone(width.pixels(), heading.foot(), scales.widest_figure()),
        None => Layout::DESK,
    };
    Drawn::of(layout.size, |canvas, spots| {
        match &heading {
            Some(heading) => heading.draw(canvas),
            None => {
                canvas.text((layout.left, 34), &title(facts), Words::new(&ink::TEXT, 20).bold());
                canvas.text((layout.left, 58), &subtitle(facts), Words::new(&ink::QUIET, 13));
            }
        }
        Chart { facts, canvas, layout: &layout, span, spots }.draw(&scales);
    })
}

/// The scales of both panels.
struct Scales {
    worth: Scale,
    flows: Scale,
}

impl Scales {
    fn of(facts: &Facts) -> Self {
        let values = || facts.midnights.iter().flat_map(|it| [it.value, it.balance]);
        let stacks = stacks(&facts.moves);
        let ends = || stacks.values().flat_map(|(came, went)| [*came, *went]);
        // Figures are drawn beyond the heads of bars.
        let roomy = |ore: i64| ore.saturating_mul(6) / 5;
        Self {
            worth: Scale::over(values().min().unwrap_or(0), values().max().unwrap_or(0), 5),
            flows: Scale::over(roomy(ends().min().unwrap_or(0)), roomy(ends().max().unwrap_or(0)), 4),
        }
    }

    /// In pixels.
    fn widest_figure(&self) -> i32 {
        let figures = self.worth.lines().chain(self.flows.lines()).map(|ore| width_of(&grouped(ore), 12) / UNIT);
        figures.max().unwrap_or(0)
    }
}

struct Chart<'a, 's> {
    facts: &'a Facts,
    canvas: &'a Canvas<'s>,
    layout: &'a Layout,
    span: (Date, Date),
    spots: &'a mut Vec<Spot>,
}

impl<'s> Chart<'_, 's> {
    fn draw(&mut self, scales: &Scales) {
        let upper = self.panel(scales.worth, &self.layout.worth);
        let lower = self.panel(scales.flows, &self.layout.flows);

        self.fill_below_worth(&upper);
        for (panel, scale) in [(&upper, scales.worth), (&lower, scales.flows)] {
            axis::scale(self.canvas, panel, scale, self.span.0, &(self.layout.left..self.layout.right));
        }
        self.times(&upper);
        self.draw_worth(&upper);
        self.orders(&upper);
        self.flows(&lower);
        self.headings();
    }

    fn panel(&self, scale: Scale, rows: &Range<i32>) -> Panel<'s> {
        let (first, last) = self.span;
        let sides = self.layout.left..self.layout.right;
        self.canvas.panel(begins(first)..begins(next(last)), scale.from..scale.to, sides, rows.clone())
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
        // On a phone the legend has the last figures.
        let Some(end) = midnights.last().filter(|_| !self.layout.is_narrow) else { return };
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
            self.canvas.exact_text(
                ((self.layout.right + 7) * UNIT, y),
                &figure,
                Words::new(ink, 12).bold().at(Down::Middle),
            );
        }
    }

    /// The marks of time: months below, ends of quarters and corporate actions through both panels.
    fn times(&self, panel: &Panel<'s>) {
        let (first, last) = self.span;
        let Layout { ref worth, ref flows, left, right, sells, is_narrow, .. } = *self.layout;
        let x = |day: Date| panel.place(begins(day), 0).0;
        // Headings stay clear.
        let through = |x: i32| {
            [worth.start..sells + 14, flows.clone()].map(|rows| [(x, rows.start * UNIT), (x, rows.end * UNIT)])
        };
        let mut free = 0;
        for (day, name) in quarter_ends(first, last) {
            through(x(day)).into_iter().for_each(|ends| self.canvas.stroke(ends, &ink::RULE, 10));
            let end = x(day) - 4 * UNIT;
            if end - width_of(&name, 11) >= free {
                let words = Words::new(&ink::QUIET, 11).to(Across::End);
                self.canvas.exact_text((end, (worth.start - 5) * UNIT), &name, words);
                free = end;
            }
        }
        axis::days(self.canvas, panel, self.span, flows.end * UNIT, is_narrow);
        for (row, (at, what)) in (0i32..).zip(&self.facts.actions) {
            let (x, _) = panel.place(*at, 0);
            through(x).into_iter().for_each(|ends| self.canvas.dashes(ends, &ink::ACTION));
            let words = Words::new(&ink::ACTION, 11);
            let top = (worth.start + 14 + 14 * (row % 4)) * UNIT;
            let [before, after] = [x / UNIT - left, right - x / UNIT];
            let is_before = after < 200 && before > after;
            let what = fitted(what, 11, if is_before { before } else { after });
            let (x, words) = if is_before { (x - 5 * UNIT, words.to(Across::End)) } else { (x + 5 * UNIT, words) };
            self.canvas.exact_text((x, top), &what, words);
        }
    }

    /// Orders from their placing to their end.
    fn orders(&mut self, panel: &Panel<'s>) {
        let Layout { left, right, buys, sells, .. } = *self.layout;
        for (row, name, ink) in [(buys, "buys", &ink::BUY), (sells, "sells", &ink::SELL)] {
            let y = row * UNIT;
            self.canvas.stroke([(left * UNIT, y), (right * UNIT, y)], &ink::GRID, 10);
            let words = Words::new(ink, 12).to(Across::End).at(Down::Middle);
            self.canvas.exact_text(((left - 9) * UNIT, y), name, words);
        }
        let mut together: BTreeMap<_, Vec<&Placed>> = BTreeMap::new();
        for order in &self.facts.orders {
            together.entry((order.at, order.until, order.side, order.standing)).or_default().push(order);
        }
        for ((at, until, side, standing), orders) in together {
            let (row, ink) = if side == Side::Subscription { (buys, &ink::BUY) } else { (sells, &ink::SELL) };
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
        let Layout { left, right, .. } = *self.layout;
        let days = (last - first).get_days() + 1;
        let half = ((right - left) * UNIT / days).clamp(NARROWEST * UNIT, WIDEST * UNIT) / 2;
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
            if let Some(place) = labels.place(&figure, (x, head), it.ore < 0, (left * UNIT, right * UNIT)) {
                let words = Words::new(&ink::TEXT, 11).to(Across::Middle).at(Down::Middle);
                self.canvas.exact_text(place, &figure, words);
            }
        }
    }

    /// What each part is, with the kinds that are in it.
    fn headings(&self) {
        let Layout { left, is_narrow, headings: [worth, flows, foot], .. } = *self.layout;
        let end = self.facts.midnights.last().filter(|_| is_narrow);
        let with_end = |name: &str, ore: Option<i64>| match ore {
            Some(ore) => format!("{name}; at the end {}", grouped(ore)),
            None => name.to_owned(),
        };
        // On a phone a legend has lines of its own below its heading.
        let legend = |y: i32, from: i32| {
            let (x, y) = if is_narrow { (EDGE, y + 20) } else { (from, y) };
            Legend::new(self.canvas, x, y).up_to(self.layout.size.0 - if is_narrow { EDGE } else { 0 })
        };
        let heading = |y: i32, text: &str| {
            self.canvas.text((if is_narrow { EDGE } else { left }, y), text, Words::new(&ink::TEXT, 13).bold());
        };
        heading(worth, "What it is worth, SEK");
        legend(worth, 300)
            .area(&with_end("value at midnight", end.map(|end| end.value)))
            .line(&with_end("balance, in cash", end.map(|end| end.balance)));
        heading(flows, "What came and went, SEK");
        let mut kinds = legend(flows, 318);
        for kind in CashKind::ALL.into_iter().filter(|kind| self.facts.sum(*kind).1 > 0) {
            kinds = kinds.square(kind.name(), kind.ink());
        }
        legend(foot, left)
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
