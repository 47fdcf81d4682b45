//! What fund companies and the currency market publish: dealing days, cut-offs, prices, rates.
//!
//! Invariant: published prices form an append-only log with their instants, so what was known at any instant can be
//! told later (`Quote::close_at`). A dealing day's price is struck at its cut-off, in order of dealing days, whatever
//! happens to its publication. Absent on purpose: accounts; a price touches nobody's record.

use crate::calendar::{add_bank_days, is_bank_day, is_half_day, next_bank_day};
use crate::identity::{Currency, InstrumentId};
use crate::ids::OrderId;
use crate::money::{Price, round_down, round_up};
use crate::records::{DealingDays, Instrument};
use crate::rng::{Seed, Stream};
use crate::setup::{RateSetup, Setup};
use crate::store::{Map, hash_map};
use crate::time::{Date, Instant, stockholm};
use crate::timers::TimerKey;
use crate::walk;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How many calendar days of prices a world knows before it starts.
const HISTORY_DAYS: i32 = 400;

/// The hour until which orders are taken on half-days, at the latest (rule: calendar/cut-off).
const HALF_DAY_CUT_OFF_HOUR: i8 = 11;

/// A price of one dealing day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Nav {
    /// The dealing day.
    pub day: Date,
    /// The price in the fund's currency.
    pub price: Price,
    /// When it was published; none until then.
    pub published: Option<Instant>,
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
    navs: Vec<Nav>,
    /// What the public learned, in order.
    closes: Vec<Close>,
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
    stream: Stream,
}

/// One foreign currency.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RateSeries {
    /// Volatility of the walk in basis points.
    volatility_bp: u32,
    /// Ascending by day.
    rates: Vec<Rate>,
    stream: Stream,
}

/// The rate of one bank day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Rate {
    day: Date,
    #[serde(with = "crate::money::exact")]
    rate: Decimal,
    published: Instant,
}

/// All funds and currencies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Market {
    #[serde(with = "indexmap::map::serde_seq")]
    quotes: Map<InstrumentId, Quote>,
    #[serde(with = "indexmap::map::serde_seq")]
    rates: Map<Currency, RateSeries>,
}

impl Instrument {
    /// Whether the fund is open on `day` (rule: calendar/fund-day).
    #[must_use]
    pub fn is_fund_day(&self, day: Date) -> bool {
        is_bank_day(day)
            && !self.calendars.iter().any(|calendar| calendar.is_closed(day))
            && !self.closed_days.contains(&day)
    }

    /// Whether the fund deals on `day`.
    #[must_use]
    pub fn is_dealing_day(&self, day: Date) -> bool {
        if !self.is_fund_day(day) {
            return false;
        }
        let planned = match self.dealing {
            DealingDays::Daily => return true,
            DealingDays::Weekly(weekday) => {
                let back = (day.weekday().to_monday_one_offset() - weekday).rem_euclid(7);
                days_before(day, i32::from(back))
            }
            DealingDays::Monthly(of_month) => {
                let this = day.first_of_month().day().max(of_month);
                let date = Date::new(day.year(), day.month(), this).unwrap_or_else(|_| day.last_of_month());
                if date <= day { date } else { previous_month(day, of_month) }
            }
        };
        let mut between = planned;
        while between < day {
            if self.is_fund_day(between) {
                return false;
            }
            between = between.tomorrow().expect("dates stay within the calendar");
        }
        true
    }

    /// The instant until which orders for `day` are taken.
    #[must_use]
    pub fn cut_off(&self, day: Date) -> Instant {
        if is_half_day(day) && self.cut_off_hour >= HALF_DAY_CUT_OFF_HOUR {
            return stockholm(day, HALF_DAY_CUT_OFF_HOUR, 0);
        }
        stockholm(day, self.cut_off_hour, self.cut_off_minute)
    }

    /// The first dealing day whose cut-off is later than `now`, with that instant.
    ///
    /// # Panics
    /// When there is none within two years: a setup that `World::new` refuses.
    #[must_use]
    pub fn next_cut_off(&self, now: Instant) -> (Date, Instant) {
        self.find_cut_off(now).expect("a fund deals at least once in two years")
    }

    /// As `next_cut_off`; none when the fund never deals within two years.
    #[must_use]
    pub fn find_cut_off(&self, now: Instant) -> Option<(Date, Instant)> {
        let mut day = now.local_date();
        for _ in 0..730 {
            if self.is_dealing_day(day) {
                let at = self.cut_off(day);
                if at > now {
                    return Some((day, at));
                }
            }
            day = day.tomorrow().ok()?;
        }
        None
    }

    /// When the price of `day` is published, `late` bank days late (rule: calendar/price-publication).
    #[must_use]
    pub fn publication(&self, day: Date, late: u32) -> Instant {
        if self.nav_lag_days == 0 {
            stockholm(add_bank_days(day, late), 18, 30)
        } else {
            stockholm(add_bank_days(day, self.nav_lag_days + late), 10, 0)
        }
    }
}

fn days_before(day: Date, days: i32) -> Date {
    day.checked_sub(jiff::Span::new().days(days)).expect("dates stay within the calendar")
}

fn previous_month(day: Date, of_month: i8) -> Date {
    let last = days_before(day.first_of_month(), 1);
    Date::new(last.year(), last.month(), of_month).unwrap_or(last)
}

impl Quote {
    fn new(instrument: Arc<Instrument>, seed: Seed, start: Instant) -> Self {
        let mut back = seed.stream(&format!("prices before the start: {}", instrument.id));
        let today = start.local_date();
        let days: Vec<Date> = (0..HISTORY_DAYS)
            .map(|ago| days_before(today, ago))
            .filter(|&day| instrument.is_dealing_day(day) && instrument.publication(day, 0) <= start)
            .collect();
        let mut price = instrument.first_price;
        let mut navs = Vec::with_capacity(days.len());
        for day in days {
            navs.push(Nav { day, price, published: Some(instrument.publication(day, 0)) });
            price = walk::previous_price(&mut back, price, instrument.volatility_bp);
        }
        navs.reverse();
        let closes = navs
            .iter()
            .map(|nav| Close { at: nav.published.unwrap_or(start), day: nav.day, price: nav.price })
            .collect();
        Self {
            modified: start,
            next_cut_off: instrument.next_cut_off(start),
            navs,
            closes,
            preset: Vec::new(),
            publications: Vec::new(),
            delay: 0,
            waiting: Vec::new(),
            books: Vec::new(),
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
        let last = self.navs.last().map_or(self.instrument.first_price, |nav| nav.price);
        let walked = walk::next_price(&mut self.stream, last, self.instrument.volatility_bp);
        let preset = self.preset.iter().position(|&(at, _)| at == day).map(|at| self.preset.remove(at).1);
        let (low, high) = self.bounds(day);
        let price = preset.map_or(walked, |set| set.clamp(low, high));
        self.navs.push(Nav { day, price, published: None });
    }

    /// Publishes the struck price of `day`.
    ///
    /// # Panics
    /// When the day has no struck price: a bug.
    pub fn publish(&mut self, day: Date, now: Instant) {
        let at = self.nav_at(day).expect("a price is struck before it is published");
        self.navs[at].published = Some(now);
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

    /// Half to double of the struck prices beside `day`: before it, and after it where there is one (rule: orders/price-bounds).
    #[must_use]
    pub fn bounds(&self, day: Date) -> (Price, Price) {
        let at = self.navs.partition_point(|nav| nav.day < day);
        let before = at.checked_sub(1).map_or(self.instrument.first_price, |last| self.navs[last].price).get();
        let after = self.navs[at..].iter().find(|nav| nav.day > day).map_or(before, |nav| nav.price.get());
        let price = |value| Price::from_decimal_exact(value).expect("rounded to 6 decimals");
        (price(round_up(before.max(after) / Decimal::TWO, 6)), price(round_down(before.min(after) * Decimal::TWO, 6)))
    }

    /// Sets the price of `day`: corrects it when it is struck, keeps it for the strike otherwise.
    pub fn set_price(&mut self, day: Date, price: Price, now: Instant) {
        match self.nav_at(day) {
            Some(at) => {
                self.navs[at].price = price;
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

impl RateSeries {
    fn new(rate: &RateSetup, seed: Seed, start: Instant) -> Self {
        let mut back = seed.stream(&format!("rates before the start: {}", rate.currency));
        let today = start.local_date();
        let mut value = rate.rate;
        let mut rates = Vec::new();
        for day in (0..HISTORY_DAYS).map(|ago| days_before(today, ago)).filter(|&day| is_bank_day(day)) {
            let at = rate_publication(day);
            if at <= start {
                rates.push(Rate { day, rate: value, published: at });
                value = walk::next_rate(&mut back, value, rate.volatility_bp);
            }
        }
        rates.reverse();
        let stream = seed.stream(&format!("rates: {}", rate.currency));
        Self { volatility_bp: rate.volatility_bp, rates, stream }
    }

    /// Publishes the rate of `day`.
    pub fn publish(&mut self, day: Date, now: Instant) {
        let last = self.rates.last().map_or(Decimal::ONE, |last| last.rate);
        let rate = walk::next_rate(&mut self.stream, last, self.volatility_bp);
        self.rates.push(Rate { day, rate, published: now });
    }

    fn known_at(&self, at: Instant) -> Decimal {
        let known = self.rates.partition_point(|rate| rate.published <= at);
        self.rates.get(known.saturating_sub(1)).map_or(Decimal::ONE, |known| known.rate)
    }

    fn of_day(&self, day: Date) -> Decimal {
        let known = self.rates.partition_point(|rate| rate.day <= day);
        self.rates.get(known.saturating_sub(1)).map_or(Decimal::ONE, |known| known.rate)
    }
}

/// When the rate of a bank day is published (rule: calendar/rate-publication).
#[must_use]
pub fn rate_publication(day: Date) -> Instant {
    stockholm(day, 16, 0)
}

/// The first bank day whose rate is published after `now`.
#[must_use]
pub fn next_rate_day(now: Instant) -> Date {
    let today = now.local_date();
    if is_bank_day(today) && rate_publication(today) > now { today } else { next_bank_day(today) }
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
