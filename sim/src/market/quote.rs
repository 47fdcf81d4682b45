//! One fund on the market: its next cut-off, its prices on their way to the public, the orders that wait for them.
//!
//! A fund is at rest until an order or a lever needs its timers, and again from a cut-off on at which nothing waits: its prices are
//! derived when they are read. Three lists make its prices: those from before the start, its own, and those of its rest.
//!
//! Invariant: a price is the same whether the fund was at rest or not, and reading it changes nothing; what the public has learned only grows, with instants; a dealing day's price is struck at its cut-off, in
//! order of dealing days, whatever happens to its publication. Absent on purpose: what prices do to orders and accounts.

use super::books::{DayBook, DayBooks};
use super::derived::{AtRest, DerivedCell, PastSource, Rest};
use super::nav::{Close, Nav, bears, divided};
use super::series::Series;
use super::splits::Splits;
use crate::identity::InstrumentId;
use crate::ids::{CorporateActionId, OrderId};
use crate::money::{Price, Ratio, Units, round_down, round_half_up, round_up};
use crate::records::Instrument;
use crate::rng::{Seed, Stream};
use crate::store::Chunks;
use crate::time::{Date, Instant};
use crate::timers::{Timer, TimerKey};
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
    /// Last change of the fund's own fields, or of a price while it was not at rest.
    touched: Instant,
    /// The next cut-off that a timer is set for: its dealing day and instant.
    planned_cut_off: (Date, Instant),
    /// Where the prices from before the start come from, while no lever has touched one.
    past: Option<PastSource>,
    /// The prices that were struck while it was not at rest, ascending by dealing day.
    navs: Series<Nav>,
    /// What the public learned of them, in order.
    closes: Series<Close>,
    /// Prices set in advance by lever.
    preset: Vec<(Date, Price)>,
    /// Pending publications by dealing day, ascending.
    pub publications: Vec<(Date, TimerKey)>,
    /// Bank days by which the next struck price will be late.
    pub delay: u32,
    /// Orders on their way to the next cut-off; some may have left meanwhile.
    pub waiting: Chunks<OrderId>,
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
    /// Draws of the prices after those of `navs`: one step a dealing day, for every reader at any time.
    stream: Stream,
    /// Since when it is at rest: no timer of it is set, and its prices are derived when they are read.
    at_rest: Option<Instant>,
    /// The times in which it was at rest before, in order.
    rested: Vec<(Instant, Instant)>,
    #[serde(skip)]
    derived: DerivedCell,
}

impl Quote {
    pub(super) fn new(instrument: Arc<Instrument>, seed: Seed, start: Instant) -> Self {
        Self {
            touched: start,
            planned_cut_off: (start.local_date(), start),
            past: Some(PastSource {
                start,
                stream: seed.stream(&format!("prices before the start: {}", instrument.id)),
            }),
            navs: Vec::new().into(),
            closes: Vec::new().into(),
            preset: Vec::new(),
            publications: Vec::new(),
            delay: 0,
            waiting: Chunks::default(),
            books: DayBooks::default(),
            action: None,
            ended: None,
            refuses_until: None,
            splits: Splits::default(),
            stream: seed.stream(&format!("prices: {}", instrument.id)),
            at_rest: Some(start),
            rested: Vec::new(),
            derived: DerivedCell::default(),
            instrument,
        }
    }

    /// Where its prices at rest begin.
    fn begin_rest(&self) -> Rest {
        let since = self.at_rest.expect("only a fund at rest derives prices");
        let last = self.navs.last();
        let first = last.map_or_else(|| self.instrument.last_published(since), |nav| nav.day);
        let after = last.map_or(since, |nav| self.instrument.publication(nav.day, 0));
        Rest::new(&self.instrument, first, after, self.stream.clone(), self.last_price())
    }

    /// The last price that was struck while it was not at rest, for one of today's units.
    fn last_price(&self) -> Price {
        self.navs.last().map_or(self.instrument.first_price, |nav| self.splits.of_price(nav))
    }

    /// Looks at its prices at rest, until `now`; nothing where it is not at rest.
    fn at_rest<R>(&self, now: Instant, read: impl FnOnce(AtRest<'_>) -> R) -> Option<R> {
        self.at_rest?;
        Some(self.derived.rest(&self.instrument, now, || self.begin_rest(), read))
    }

    /// Looks at the prices from before the start, as far back as one `is_enough`; nothing where a lever has touched one.
    fn past<R>(&self, is_enough: impl Fn(&Nav) -> bool, read: impl FnOnce(&[Nav]) -> R) -> Option<R> {
        let source = self.past.as_ref()?;
        Some(self.derived.past(source, &self.instrument, |past| {
            past.go_back(source, &self.instrument, is_enough);
            read(&past.navs)
        }))
    }

    /// Ends its rest at `now`: the prices since then are its own. Answers the days whose price is struck and not published, for
    /// which timers are to be set; none where it was not at rest.
    pub fn wake(&mut self, now: Instant) -> Option<Vec<Date>> {
        let since = self.at_rest?;
        self.at_rest(now, |_| ());
        let mut rest = self.derived.forget_rest().expect("it was looked at");
        if rest.is_beyond(now) {
            rest = self.begin_rest();
            rest.go_on(&self.instrument, now);
        }
        self.at_rest = None;
        self.rested.push((since, now));
        let published = rest.at(&self.instrument, now).published(now);
        self.navs.make_room(rest.navs.len());
        self.closes.make_room(published);
        for (at, nav) in rest.navs.iter().enumerate() {
            self.navs.push(Rest::seen(nav, now));
            if at < published {
                let close = close_of(nav);
                self.touched = self.touched.max(close.at);
                self.closes.push(close);
            }
        }
        self.stream = rest.stream;
        Some(rest.navs[published..].iter().map(|nav| nav.day).collect())
    }

    /// Whether nothing of it waits for a timer but its next cut-off.
    #[must_use]
    pub fn may_rest(&self) -> bool {
        self.waiting.is_empty()
            && self.publications.is_empty()
            && self.preset.is_empty()
            && self.delay == 0
            && self.ended.is_none()
            && self.at_rest.is_none()
    }

    /// Whether its prices are derived when they are read.
    pub(super) const fn is_at_rest(&self) -> bool {
        self.at_rest.is_some()
    }

    /// Begins its rest: its prices from this cut-off on are derived when they are read.
    pub fn rest(&mut self, now: Instant) {
        self.derived.forget_rest();
        self.at_rest = Some(now);
    }

    /// The times in which it was at rest, in order; where the fund is at rest now, the last one has no end.
    pub(super) fn rests(&self) -> impl Iterator<Item = (Instant, Instant)> {
        self.rested.iter().copied().chain(self.at_rest.map(|since| (since, Instant::MAX)))
    }

    /// The next cut-off, or publication, of a fund at rest.
    pub(super) fn next_at_rest(&self, now: Instant) -> Option<(Instant, Timer)> {
        let id = self.instrument.id;
        self.at_rest(now, |rest| {
            let (day, cut_off) = rest.next;
            let pending = rest.navs.get(rest.published(now)).map(|nav| (nav.published, nav.day));
            match pending {
                Some((Some(at), published)) if at < cut_off => (at, Timer::PublishPrice(id, published)),
                _ => (cut_off, Timer::CutOff(id, day)),
            }
        })
    }

    /// The next cut-off: its dealing day and instant.
    #[must_use]
    pub fn next_cut_off(&self, now: Instant) -> (Date, Instant) {
        self.at_rest(now, |rest| rest.next).unwrap_or(self.planned_cut_off)
    }

    /// Notes the cut-off that a timer is set for.
    pub fn plan_cut_off(&mut self, now: Instant) -> (Date, Instant) {
        self.planned_cut_off = self.instrument.next_cut_off(now);
        self.planned_cut_off
    }

    /// Last change of the fund's own fields or price.
    #[must_use]
    pub fn modified(&self, now: Instant) -> Instant {
        let published =
            self.at_rest(now, |rest| rest.published(now).checked_sub(1).map(|last| rest.navs[last].published));
        published.flatten().flatten().map_or(self.touched, |at| at.max(self.touched))
    }

    /// Notes a change of the fund's own fields.
    pub const fn touch(&mut self, now: Instant) {
        self.touched = now;
    }

    /// Strikes the price of `day`: the one set in advance, within its bounds by then, or the next step of the walk.
    pub fn strike(&mut self, day: Date, now: Instant) {
        let last = self.last_price();
        let walked = walk::next_price(&mut self.stream, last, self.instrument.volatility_bp);
        let preset = self.preset.iter().position(|&(at, _)| at == day).map(|at| self.preset.remove(at).1);
        let price = preset.map_or(walked, |set| {
            let (low, high) = self.bounds(day, now);
            set.clamp(low, high)
        });
        self.navs.push(Nav { day, price, published: None });
    }

    /// Publishes the struck price of `day`.
    ///
    /// # Panics
    /// When the day has no struck price: a bug.
    pub fn publish(&mut self, day: Date, now: Instant) {
        let at = self.own_nav(day).expect("a price is struck before it is published");
        self.navs.change(at, |nav| nav.published = Some(now));
        let price = self.navs[at].price;
        self.publications.retain(|&(pending, _)| pending != day);
        self.note_close(day, price, now);
    }

    fn note_close(&mut self, day: Date, price: Price, now: Instant) {
        if self.close(now).is_none_or(|close| close.day <= day) {
            self.closes.push(Close { at: now, day, price });
            self.touched = now;
        }
    }

    fn own_nav(&self, day: Date) -> Option<usize> {
        self.navs.binary_search_by(|nav| nav.day.cmp(&day)).ok()
    }

    /// The last price of a day until `day` that is fit.
    fn last_until(&self, day: Date, now: Instant, is_fit: impl Fn(&Nav) -> bool) -> Option<Nav> {
        let derived = self.at_rest(now, |rest| {
            let until = rest.navs.partition_point(|nav| nav.day <= day);
            rest.navs[..until].iter().rev().map(|nav| Rest::seen(nav, now)).find(&is_fit)
        });
        let own = || {
            let until = self.navs.partition_point(|nav| nav.day <= day);
            self.navs[..until].iter().rev().copied().find(&is_fit)
        };
        let past = || self.past(|nav| nav.day <= day, |past| past.iter().copied().find(|nav| nav.day <= day)).flatten();
        derived.flatten().or_else(own).or_else(past)
    }

    /// The first price of a day after `day`.
    fn first_after(&self, day: Date, now: Instant) -> Option<Nav> {
        let past = self.past(|nav| nav.day <= day, |past| past.iter().copied().take_while(|nav| nav.day > day).last());
        let own = || self.navs.get(self.navs.partition_point(|nav| nav.day <= day)).copied();
        let derived = || {
            let found = self.at_rest(now, |rest| rest.navs.iter().find(|nav| nav.day > day).copied());
            found.flatten().map(|nav| Rest::seen(&nav, now))
        };
        past.flatten().or_else(own).or_else(derived)
    }

    /// The price of `day`, published or not.
    #[must_use]
    pub fn nav(&self, day: Date, now: Instant) -> Option<Nav> {
        self.last_until(day, now, |_| true).filter(|nav| nav.day == day)
    }

    /// Published prices of the days from `from` to `to`, ascending.
    #[must_use]
    pub fn published(&self, from: Date, to: Date, now: Instant) -> Vec<Nav> {
        let is_within = |nav: &&Nav| from <= nav.day && nav.day <= to && nav.published.is_some_and(|at| at <= now);
        let since = |navs: &[Nav]| navs.partition_point(|nav| nav.day < from);
        let is_before_own = self.navs.first().is_none_or(|nav| from < nav.day);
        let past = is_before_own.then(|| {
            self.past(|nav| nav.day <= from, |past| past.iter().rev().filter(is_within).copied().collect::<Vec<_>>())
        });
        let mut found = past.flatten().unwrap_or_default();
        found.extend(self.navs[since(&self.navs)..].iter().filter(is_within));
        self.at_rest(now, |rest| found.extend(rest.navs[since(rest.navs)..].iter().filter(is_within)));
        found
    }

    /// The latest close known now.
    #[must_use]
    pub fn close(&self, now: Instant) -> Option<Close> {
        self.close_at(now)
    }

    /// The close before the latest: the one that a split has just divided.
    pub(super) fn undivided(&self) -> Option<&Close> {
        self.closes.len().checked_sub(2).map(|before| &self.closes[before])
    }

    /// The latest close known at `at`, which is not to come.
    #[must_use]
    pub fn close_at(&self, at: Instant) -> Option<Close> {
        let derived = self.at_rest(at, |rest| rest.published(at).checked_sub(1).map(|last| close_of(&rest.navs[last])));
        let own = || {
            let known = self.closes.partition_point(|close| close.at <= at);
            known.checked_sub(1).map(|last| self.closes[last])
        };
        let is_known = |nav: &Nav| nav.published.is_some_and(|published| published <= at);
        let past =
            || self.past(is_known, |past| past.iter().copied().find(is_known).map(|nav| close_of(&nav))).flatten();
        derived.flatten().or_else(own).or_else(past)
    }

    /// What the public learned before `end`, in order, from what it knew before `begin` on.
    #[must_use]
    pub fn closes(&self, begin: Instant, end: Instant, now: Instant) -> Vec<Close> {
        let is_known = |nav: &Nav| nav.published.is_some_and(|at| at < begin);
        let mut found = Vec::new();
        if self.closes.first().is_none_or(|close| close.at >= begin) {
            self.past(is_known, |past| {
                let newer = past.partition_point(|nav| !is_known(nav));
                found.extend(past.iter().take(newer + 1).rev().map(close_of));
            });
        }
        found.extend(within(&self.closes, begin, end, |close| close.at));
        self.at_rest(now, |rest| {
            let published = &rest.navs[..rest.published(now)];
            found.extend(within(published, begin, end, |nav| close_of(nav).at).iter().map(close_of));
        });
        found.truncate(found.partition_point(|close| close.at < end));
        found.drain(..found.partition_point(|close| close.at < begin).saturating_sub(1));
        found
    }

    /// Percent that the latest close is above, or below, the last price that was known for a day a year before it, with one
    /// decimal. Both are for one of today's units.
    #[must_use]
    pub fn year_return(&self, now: Instant) -> Option<Decimal> {
        let close = self.close(now)?;
        let before = close.day.checked_sub(jiff::Span::new().years(1)).ok()?;
        let first = self.last_until(before, now, |nav| nav.published.is_some())?;
        let gained = close.price.get().checked_div(self.splits.of_price(&first).get())?.checked_sub(Decimal::ONE)?;
        Some(round_half_up(gained.checked_mul(Decimal::ONE_HUNDRED)?, 1))
    }

    /// Half to double of the struck prices beside `day`, for one of today's units: before it, and after it where there is one
    /// (rule: securities/price-bounds).
    #[must_use]
    pub fn bounds(&self, day: Date, now: Instant) -> (Price, Price) {
        let before = day.yesterday().ok().and_then(|before| self.last_until(before, now, |_| true));
        let before = before.map_or(self.instrument.first_price, |nav| self.splits.of_price(&nav)).get();
        let after = self.first_after(day, now).map_or(before, |nav| self.splits.of_price(&nav).get());
        let price = |value| Price::from_decimal_exact(value).expect("rounded to 6 decimals");
        (price(round_up(before.max(after) / Decimal::TWO, 6)), price(round_down(before.min(after) * Decimal::TWO, 6)))
    }

    /// Makes the prices from before the start its own, which a lever is to touch.
    fn keep_past(&mut self) {
        let Some(past) = self.past(|_| false, |past| past.iter().rev().copied().collect::<Vec<_>>()) else { return };
        self.past = None;
        let closes: Vec<Close> = past.iter().map(close_of).chain(self.closes.iter().copied()).collect();
        self.navs = past.into_iter().chain(self.navs.iter().copied()).collect::<Vec<_>>().into();
        self.closes = closes.into();
    }

    /// Sets the price of `day`: corrects it when it is struck, keeps it for the strike otherwise. The fund is not at rest.
    pub fn set_price(&mut self, day: Date, price: Price, now: Instant) {
        if self.own_nav(day).is_none() && self.nav(day, now).is_some() {
            self.keep_past();
        }
        match self.own_nav(day) {
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
    pub fn bears(&self, factor: Ratio, now: Instant) -> bool {
        let mut struck: Vec<Price> =
            self.navs.iter().filter(|nav| nav.published.is_none()).map(|nav| nav.price).collect();
        self.at_rest(now, |rest| struck.extend(rest.navs[rest.published(now)..].iter().map(|nav| nav.price)));
        let divided = self.close(now).map(|close| close.price).into_iter().chain(struck);
        divided.chain(self.preset.iter().map(|&(_, price)| price)).all(|price| bears(price, factor))
    }

    /// Whether the price of `day` was published before a split: it stays as it is.
    #[must_use]
    pub fn is_history(&self, day: Date, now: Instant) -> bool {
        self.nav(day, now).is_some_and(|nav| self.splits.are_after(&nav))
    }

    /// One unit becomes `factor` units (rule: securities/split): what the public knows last, and what is struck, set in advance
    /// or waiting to be published, is divided. Published prices stay as they were. The fund is not at rest.
    pub fn split(&mut self, factor: Ratio, now: Instant) {
        self.keep_past();
        let by = factor.get();
        for at in 0..self.navs.len() {
            if self.navs[at].published.is_none() {
                self.navs.change(at, |nav| nav.price = divided(nav.price, by));
            }
        }
        self.preset.iter_mut().for_each(|(_, price)| *price = divided(*price, by));
        if let Some(Close { day, price, .. }) = self.close(now) {
            self.closes.push(Close { at: now, day, price: divided(price, by) });
        }
        self.splits.push(now, factor);
        self.touched = now;
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

    /// No price comes any more. The fund is not at rest.
    pub fn end(&mut self, now: Instant, into: Option<InstrumentId>) {
        self.ended = Some(Ended { at: now, into });
        self.publications.clear();
        self.preset.clear();
        self.waiting = Chunks::default();
        self.touched = now;
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

/// A published price as the public learned it.
fn close_of(nav: &Nav) -> Close {
    Close { at: nav.published.expect("a price that is derived knows its publication"), day: nav.day, price: nav.price }
}

/// Those of some items in order of time that come before `end`, from the last before `begin` on.
fn within<T>(items: &[T], begin: Instant, end: Instant, at: impl Fn(&T) -> Instant) -> &[T] {
    let to = items.partition_point(|item| at(item) < end);
    let from = items[..to].partition_point(|item| at(item) < begin).saturating_sub(1);
    &items[from..to]
}
