//! One fund on the market: its next cut-off, its prices on their way to the public, the orders that wait for them.
//!
//! Invariant: what the public has learned only grows, with instants; a dealing day's price is struck at its cut-off, in
//! order of dealing days, whatever happens to its publication. Absent on purpose: what prices do to orders and accounts.

use super::books::{DayBook, DayBooks};
use super::dealing_days::{days_before, history};
use super::nav::{Close, Nav, bears, divided};
use super::series::Series;
use super::splits::Splits;
use crate::identity::InstrumentId;
use crate::ids::{CorporateActionId, OrderId};
use crate::money::{Price, Ratio, Units, round_down, round_half_up, round_up};
use crate::records::Instrument;
use crate::rng::{Seed, Stream};
use crate::time::{Date, Instant};
use crate::timers::TimerKey;
use crate::walk;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a fund has ended (rule: securities/ended-funds).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ended {
    /// When.
    pub at: Instant,
    /// The fund that its units became units of; none when it was liquidated.
    pub into: Option<InstrumentId>,
}

/// One fund on the market.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Quote {
    /// The fund.
    pub instrument: Arc<Instrument>,
    /// Last change of the fund's own fields or price.
    pub modified: Instant,
    /// The next cut-off: its dealing day and instant.
    pub next_cut_off: (Date, Instant),
    /// Struck prices by dealing day, ascending.
    navs: Series<Nav>,
    /// What the public learned, in order.
    closes: Series<Close>,
    /// Prices set in advance by lever.
    preset: Vec<(Date, Price)>,
    /// Pending publications by dealing day, ascending.
    pub publications: Vec<(Date, TimerKey)>,
    /// Bank days by which the next struck price will be late.
    pub delay: u32,
    /// Orders on their way to the next cut-off; some may have left meanwhile.
    pub waiting: Vec<OrderId>,
    /// Sent orders by dealing day.
    books: DayBooks,
    /// The corporate action that is announced and concerns it.
    pub action: Option<CorporateActionId>,
    /// How it ended.
    pub ended: Option<Ended>,
    /// Until when it takes no new orders, after a fund was merged into it (rule: securities/merger).
    pub refuses_until: Option<Instant>,
    /// Its splits, in order.
    splits: Splits,
    stream: Stream,
}

impl Quote {
    pub(super) fn new(instrument: Arc<Instrument>, seed: Seed, start: Instant) -> Self {
        let mut back = seed.stream(&format!("prices before the start: {}", instrument.id));
        let mut price = instrument.first_price;
        let (mut navs, mut closes) = (Vec::new(), Vec::new());
        for day in history(start).filter(|&day| instrument.is_dealing_day(day)) {
            let at = instrument.publication(day, 0);
            if at <= start {
                navs.push(Nav { day, price, published: Some(at) });
                closes.push(Close { at, day, price });
                price = walk::previous_price(&mut back, price, instrument.volatility_bp);
            }
        }
        navs.reverse();
        closes.reverse();
        Self {
            modified: start,
            next_cut_off: instrument.next_cut_off(start),
            navs: navs.into(),
            closes: closes.into(),
            preset: Vec::new(),
            publications: Vec::new(),
            delay: 0,
            waiting: Vec::new(),
            books: DayBooks::default(),
            action: None,
            ended: None,
            refuses_until: None,
            splits: Splits::default(),
            stream: seed.stream(&format!("prices: {}", instrument.id)),
            instrument,
        }
    }

    /// Dealing days whose cut-off has passed at `start` and whose price is still to be published.
    #[must_use]
    pub fn unpublished_before(&self, start: Instant) -> Vec<Date> {
        let today = start.local_date();
        (0..30)
            .rev()
            .map(|ago| days_before(today, ago))
            .filter(|&day| self.instrument.is_dealing_day(day))
            .filter(|&day| self.instrument.cut_off(day) <= start && self.instrument.publication(day, 0) > start)
            .collect()
    }

    /// Strikes the price of `day`: the one set in advance, within its bounds by then, or the next step of the walk.
    pub fn strike(&mut self, day: Date) {
        let last = self.navs.last().map_or(self.instrument.first_price, |nav| self.splits.of_price(nav));
        let walked = walk::next_price(&mut self.stream, last, self.instrument.volatility_bp);
        let preset = self.preset.iter().position(|&(at, _)| at == day).map(|at| self.preset.remove(at).1);
        let price = preset.map_or(walked, |set| {
            let (low, high) = self.bounds(day);
            set.clamp(low, high)
        });
        self.navs.push(Nav { day, price, published: None });
    }

    /// Publishes the struck price of `day`.
    ///
    /// # Panics
    /// When the day has no struck price: a bug.
    pub fn publish(&mut self, day: Date, now: Instant) {
        let at = self.nav_at(day).expect("a price is struck before it is published");
        self.navs.change(at, |nav| nav.published = Some(now));
        let price = self.navs[at].price;
        self.publications.retain(|&(pending, _)| pending != day);
        self.note_close(day, price, now);
    }

    fn note_close(&mut self, day: Date, price: Price, now: Instant) {
        if self.closes.last().is_none_or(|close| close.day <= day) {
            self.closes.push(Close { at: now, day, price });
            self.modified = now;
        }
    }

    fn nav_at(&self, day: Date) -> Option<usize> {
        self.navs.binary_search_by(|nav| nav.day.cmp(&day)).ok()
    }

    /// The price of `day`, published or not.
    #[must_use]
    pub fn nav(&self, day: Date) -> Option<&Nav> {
        self.nav_at(day).map(|at| &self.navs[at])
    }

    /// Published prices, ascending by day.
    pub fn published(&self) -> impl Iterator<Item = &Nav> {
        self.navs.iter().filter(|nav| nav.published.is_some())
    }

    /// The latest close known now.
    #[must_use]
    pub fn close(&self) -> Option<&Close> {
        self.closes.last()
    }

    /// The close before the latest: the one that a split has just divided.
    pub(super) fn undivided(&self) -> Option<&Close> {
        self.closes.len().checked_sub(2).map(|before| &self.closes[before])
    }

    /// The latest close known at `at`.
    #[must_use]
    pub fn close_at(&self, at: Instant) -> Option<&Close> {
        let known = self.closes.partition_point(|close| close.at <= at);
        known.checked_sub(1).map(|last| &self.closes[last])
    }

    /// Percent that the latest close is above, or below, the last price that was known for a day a year before it, with one
    /// decimal. Both are for one of today's units.
    #[must_use]
    pub fn year_return(&self) -> Option<Decimal> {
        let close = self.close()?;
        let before = close.day.checked_sub(jiff::Span::new().years(1)).ok()?;
        let known = self.navs.partition_point(|nav| nav.day <= before);
        let first = self.navs[..known].iter().rev().find(|nav| nav.published.is_some())?;
        let gained = close.price.get().checked_div(self.splits.of_price(first).get())?.checked_sub(Decimal::ONE)?;
        Some(round_half_up(gained.checked_mul(Decimal::ONE_HUNDRED)?, 1))
    }

    /// All that the public has learned, in order.
    #[must_use]
    pub fn closes(&self) -> &[Close] {
        &self.closes
    }

    /// Half to double of the struck prices beside `day`, for one of today's units: before it, and after it where there is one
    /// (rule: securities/price-bounds).
    #[must_use]
    pub fn bounds(&self, day: Date) -> (Price, Price) {
        let at = self.navs.partition_point(|nav| nav.day < day);
        let before = at.checked_sub(1).map(|last| self.splits.of_price(&self.navs[last]));
        let before = before.unwrap_or(self.instrument.first_price).get();
        let after = self.navs[at..].iter().find(|nav| nav.day > day);
        let after = after.map_or(before, |nav| self.splits.of_price(nav).get());
        let price = |value| Price::from_decimal_exact(value).expect("rounded to 6 decimals");
        (price(round_up(before.max(after) / Decimal::TWO, 6)), price(round_down(before.min(after) * Decimal::TWO, 6)))
    }

    /// Sets the price of `day`: corrects it when it is struck, keeps it for the strike otherwise.
    pub fn set_price(&mut self, day: Date, price: Price, now: Instant) {
        match self.nav_at(day) {
            Some(at) => {
                self.navs.change(at, |nav| nav.price = price);
                if self.navs[at].published.is_some() {
                    self.note_close(day, price, now);
                }
            }
            None => {
                self.preset.retain(|&(at, _)| at != day);
                self.preset.push((day, price));
            }
        }
    }

    /// Whether a split leaves all that it divides within the bounds of prices (rule: securities/split).
    #[must_use]
    pub fn bears(&self, factor: Ratio) -> bool {
        let struck = self.navs.iter().filter(|nav| nav.published.is_none()).map(|nav| nav.price);
        let divided = self.close().map(|close| close.price).into_iter().chain(struck);
        divided.chain(self.preset.iter().map(|&(_, price)| price)).all(|price| bears(price, factor))
    }

    /// Whether the price of `day` was published before a split: it stays as it is.
    #[must_use]
    pub fn is_history(&self, day: Date) -> bool {
        self.nav(day).is_some_and(|nav| self.splits.are_after(nav))
    }

    /// One unit becomes `factor` units (rule: securities/split): what the public knows last, and what is struck, set in advance
    /// or waiting to be published, is divided. Published prices stay as they were.
    pub fn split(&mut self, factor: Ratio, now: Instant) {
        let by = factor.get();
        for at in 0..self.navs.len() {
            if self.navs[at].published.is_none() {
                self.navs.change(at, |nav| nav.price = divided(nav.price, by));
            }
        }
        self.preset.iter_mut().for_each(|(_, price)| *price = divided(*price, by));
        if let Some(&Close { day, price, .. }) = self.close() {
            self.closes.push(Close { at: now, day, price: divided(price, by) });
        }
        self.splits.push(now, factor);
        self.modified = now;
    }

    /// What `units` that were counted at `since` are at `until`, after the splits in between (rule: securities/ended-funds).
    #[must_use]
    pub fn after_splits(&self, units: Units, since: Instant, until: Instant) -> Units {
        self.splits.of_units(units, since, until)
    }

    /// Whether it takes no new orders for the rest of the day.
    #[must_use]
    pub fn refuses_orders(&self, now: Instant) -> bool {
        self.refuses_until.is_some_and(|until| now < until)
    }

    /// No price comes any more.
    pub fn end(&mut self, now: Instant, into: Option<InstrumentId>) {
        self.ended = Some(Ended { at: now, into });
        self.publications.clear();
        self.preset.clear();
        self.waiting.clear();
        self.modified = now;
    }

    /// The orders that were sent for `day`.
    #[must_use]
    pub fn book(&self, day: Date) -> Option<&DayBook> {
        self.books.of(day)
    }

    /// The orders that were sent for `day`, to be changed.
    pub fn book_mut(&mut self, day: Date) -> &mut DayBook {
        self.books.of_mut(day)
    }
}
