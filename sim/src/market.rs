//! What fund companies and the currency market publish: dealing days, cut-offs, prices, rates.
//!
//! Invariant: what the public has learned is a list that only grows, with instants, so what was known at any instant can
//! be told later (`Quote::close_at`). The price of a day may be corrected, which is learned when it is the latest. A
//! dealing day's price is struck at its cut-off, in order of dealing days, whatever happens to its publication.
//! Absent on purpose: accounts; a price touches nobody's record.

mod dealing_days;
mod rates;
mod series;

pub use rates::{Rate, RateSeries, next_rate_day, rate_publication};

use self::dealing_days::{days_before, history};
use self::series::Series;
use crate::identity::{Currency, InstrumentId};
use crate::ids::{CorporateActionId, OrderId};
use crate::money::{Price, Ratio, Units, round_down, round_half_up, round_up};
use crate::records::Instrument;
use crate::rng::{Seed, Stream};
use crate::setup::Setup;
use crate::store::{Map, hash_map};
use crate::time::{Date, Instant};
use crate::timers::TimerKey;
use crate::walk;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A price of one dealing day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Nav {
    /// The dealing day.
    pub day: Date,
    /// The price in the fund's currency.
    pub price: Price,
    /// When it was published; none until then.
    pub published: Option<Instant>,
    /// By how much the units of that day have been multiplied since: 1 as long as no split came after its publication.
    #[serde(with = "crate::money::exact")]
    pub split_since: Decimal,
}

impl Nav {
    const fn struck(day: Date, price: Price, published: Option<Instant>) -> Self {
        Self { day, price, published, split_since: Decimal::ONE }
    }

    /// What it would be for one of today's units.
    fn for_a_unit_of_today(&self) -> Price {
        if self.split_since == Decimal::ONE { self.price } else { divided(self.price, self.split_since) }
    }
}

/// A price for units that are so many times as many (rule: payments/split); never nothing, never beyond what is read.
fn divided(price: Price, by: Decimal) -> Price {
    let exact = price.get().checked_div(by).unwrap_or(HIGHEST_PRICE);
    let price = round_half_up(exact, Price::MAX_DECIMALS).clamp(LOWEST_PRICE, HIGHEST_PRICE);
    Price::from_decimal_exact(price).expect("rounded to 6 decimals")
}

/// The lowest price there is: 0.000001.
const LOWEST_PRICE: Decimal = Decimal::from_parts(1, 0, 0, false, 6);
/// The highest price that splits lead to: 10^14.
const HIGHEST_PRICE: Decimal = Decimal::from_parts(276_447_232, 23_283, 0, false, 0);

/// How a fund has ended (rule: payments/ended-funds).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ended {
    /// When.
    pub at: Instant,
    /// The fund that its units became units of; none when it was liquidated.
    pub into: Option<InstrumentId>,
}

/// A close price as the public learned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Close {
    /// Since when it is known.
    pub at: Instant,
    /// The dealing day it belongs to.
    pub day: Date,
    /// The price in the fund's currency.
    pub price: Price,
}

/// Orders of one fund and dealing day that were sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DayBook {
    /// In order of routing.
    pub orders: Vec<OrderId>,
    /// Whether executions at the day's price exist.
    pub executed: bool,
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
    books: Vec<(Date, DayBook)>,
    /// The corporate action that is announced and concerns it.
    pub action: Option<CorporateActionId>,
    /// How it ended.
    pub ended: Option<Ended>,
    /// Until when it takes no new orders, after a fund was merged into it (rule: payments/merger).
    pub refuses_until: Option<Instant>,
    /// Its splits, in order.
    splits: Vec<(Instant, Ratio)>,
    stream: Stream,
}

/// All funds and currencies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Market {
    #[serde(with = "indexmap::map::serde_seq")]
    quotes: Map<InstrumentId, Quote>,
    #[serde(with = "indexmap::map::serde_seq")]
    rates: Map<Currency, RateSeries>,
}

impl Quote {
    fn new(instrument: Arc<Instrument>, seed: Seed, start: Instant) -> Self {
        let mut back = seed.stream(&format!("prices before the start: {}", instrument.id));
        let mut price = instrument.first_price;
        let (mut navs, mut closes) = (Vec::new(), Vec::new());
        for day in history(start).filter(|&day| instrument.is_dealing_day(day)) {
            let at = instrument.publication(day, 0);
            if at <= start {
                navs.push(Nav::struck(day, price, Some(at)));
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
            books: Vec::new(),
            action: None,
            ended: None,
            refuses_until: None,
            splits: Vec::new(),
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
        let last = self.navs.last().map_or(self.instrument.first_price, Nav::for_a_unit_of_today);
        let walked = walk::next_price(&mut self.stream, last, self.instrument.volatility_bp);
        let preset = self.preset.iter().position(|&(at, _)| at == day).map(|at| self.preset.remove(at).1);
        let price = preset.map_or(walked, |set| {
            let (low, high) = self.bounds(day);
            set.clamp(low, high)
        });
        self.navs.push(Nav::struck(day, price, None));
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

    /// The latest close known at `at`.
    #[must_use]
    pub fn close_at(&self, at: Instant) -> Option<&Close> {
        let known = self.closes.partition_point(|close| close.at <= at);
        known.checked_sub(1).map(|last| &self.closes[last])
    }

    /// All that the public has learned, in order.
    #[must_use]
    pub fn closes(&self) -> &[Close] {
        &self.closes
    }

    /// Half to double of the struck prices beside `day`, for one of today's units: before it, and after it where there is one
    /// (rule: orders/price-bounds).
    #[must_use]
    pub fn bounds(&self, day: Date) -> (Price, Price) {
        let at = self.navs.partition_point(|nav| nav.day < day);
        let before = at.checked_sub(1).map(|last| self.navs[last].for_a_unit_of_today());
        let before = before.unwrap_or(self.instrument.first_price).get();
        let after = self.navs[at..].iter().find(|nav| nav.day > day);
        let after = after.map_or(before, |nav| nav.for_a_unit_of_today().get());
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

    /// One unit becomes `factor` units (rule: payments/split): what the public knows last, and what is struck, set in advance
    /// or waiting to be published, is divided. Published prices stay as they were.
    pub fn split(&mut self, factor: Ratio, now: Instant) {
        let by = factor.get();
        for at in 0..self.navs.len() {
            self.navs.change(at, |nav| match nav.published {
                Some(_) => {
                    let since = nav.split_since.checked_mul(by).unwrap_or(Decimal::MAX);
                    nav.split_since = since.max(Decimal::new(1, 20));
                }
                None => nav.price = divided(nav.price, by),
            });
        }
        self.preset.iter_mut().for_each(|(_, price)| *price = divided(*price, by));
        if let Some(&Close { day, price, .. }) = self.close() {
            self.closes.push(Close { at: now, day, price: divided(price, by) });
        }
        self.splits.push((now, factor));
        self.modified = now;
    }

    /// What `units` that were counted at `since` are today, after the splits in between (rule: payments/ended-funds).
    #[must_use]
    pub fn after_splits(&self, units: Units, since: Instant) -> Units {
        let later = self.splits.iter().filter(|(at, _)| *at > since);
        later.fold(units, |units, &(_, factor)| units.scaled(factor))
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
        self.books.iter().rev().find(|(at, _)| *at == day).map(|(_, book)| book)
    }

    /// The orders that were sent for `day`, to be changed.
    pub fn book_mut(&mut self, day: Date) -> &mut DayBook {
        let at = match self.books.iter().rposition(|(at, _)| *at == day) {
            Some(at) => at,
            None => {
                self.books.push((day, DayBook::default()));
                self.books.len() - 1
            }
        };
        &mut self.books[at].1
    }
}

impl Market {
    /// The market of `setup` as it stands at `start`.
    #[must_use]
    pub fn new(setup: &Setup, seed: Seed, start: Instant) -> Self {
        let quotes = setup
            .instruments
            .iter()
            .map(|instrument| (instrument.id, Quote::new(Arc::new(instrument.clone()), seed, start)))
            .collect();
        let rates = setup.rates.iter().map(|rate| (rate.currency, RateSeries::new(rate, seed, start))).collect();
        Self { quotes, rates }
    }

    /// One fund.
    #[must_use]
    pub fn quote(&self, instrument: InstrumentId) -> Option<&Quote> {
        self.quotes.get(&instrument)
    }

    /// One fund that is known to exist.
    ///
    /// # Panics
    /// When it does not: a bug.
    #[must_use]
    pub fn known(&self, instrument: InstrumentId) -> &Quote {
        self.quotes.get(&instrument).expect("an instrument that records refer to exists")
    }

    /// One fund that is known to exist, to be changed.
    ///
    /// # Panics
    /// When it does not: a bug.
    pub fn change(&mut self, instrument: InstrumentId) -> &mut Quote {
        self.quotes.get_mut(&instrument).expect("an instrument that records refer to exists")
    }

    /// One currency that is known to exist, to be changed.
    ///
    /// # Panics
    /// When it does not: a bug.
    pub fn change_rate(&mut self, currency: Currency) -> &mut RateSeries {
        self.rates.get_mut(&currency).expect("a currency that timers refer to exists")
    }

    /// All funds in setup order.
    pub fn quotes(&self) -> impl Iterator<Item = &Quote> {
        self.quotes.values()
    }

    /// All foreign currencies in setup order.
    pub fn currencies(&self) -> impl Iterator<Item = Currency> + '_ {
        self.rates.keys().copied()
    }

    /// The published rates of `currency` in order; none for SEK.
    #[must_use]
    pub fn rates(&self, currency: Currency) -> &[Rate] {
        self.rates.get(&currency).map_or(&[][..], RateSeries::published)
    }

    /// SEK for one unit of `currency`, as known at `at`.
    #[must_use]
    pub fn rate_at(&self, currency: Currency, at: Instant) -> Decimal {
        self.rates.get(&currency).map_or(Decimal::ONE, |series| series.known_at(at))
    }

    /// SEK for one unit of `currency` on `day`, or the last one before it.
    #[must_use]
    pub fn rate_of(&self, currency: Currency, day: Date) -> Decimal {
        self.rates.get(&currency).map_or(Decimal::ONE, |series| series.of_day(day))
    }

    /// The last published price of a fund in SEK, as known at `at`.
    #[must_use]
    pub fn close_in_sek(&self, instrument: InstrumentId, at: Instant) -> Option<Decimal> {
        let close = self.quote(instrument)?.close_at(at)?;
        Some(close.price.get() * self.rate_at(instrument.currency(), at))
    }
}

impl std::hash::Hash for Market {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let Self { quotes, rates } = self;
        hash_map(quotes, state);
        hash_map(rates, state);
    }
}
