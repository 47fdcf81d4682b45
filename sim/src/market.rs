//! What fund companies and the currency market publish: dealing days, cut-offs, prices, rates.
//!
//! Invariant: what the public has learned is a list that only grows, with instants, so what was known at any instant can
//! be answered later (`Quote::close_at`). The price of a day may be corrected, which is learned when it is the latest. A
//! dealing day's price is struck at its cut-off, in order of dealing days, whatever happens to its publication.
//! Absent on purpose: accounts; a price touches nobody's record.

mod books;
mod dealing_days;
mod derived;
mod nav;
mod quote;
mod rates;
mod resting;
mod series;
mod splits;

pub use books::DayBook;
pub use nav::{Close, Nav};
pub use quote::{Ended, Quote};
pub use rates::{Rate, RateSeries, next_rate_day, rate_publication};

use crate::identity::{Currency, InstrumentId};
use crate::money::product;
use crate::rng::Seed;
use crate::setup::Setup;
use crate::store::{Map, hash_map};
use crate::time::{Date, Instant};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// All funds and currencies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Market {
    #[serde(with = "indexmap::map::serde_seq")]
    quotes: Map<InstrumentId, Arc<Quote>>,
    #[serde(with = "indexmap::map::serde_seq")]
    rates: Map<Currency, Arc<RateSeries>>,
}

impl Market {
    /// The market of `setup` as it is at `start`.
    #[must_use]
    pub fn new(setup: &Setup, seed: Seed, start: Instant) -> Self {
        let quotes = setup
            .instruments
            .iter()
            .map(|instrument| (instrument.id, Arc::new(Quote::new(Arc::new(instrument.clone()), seed, start))))
            .collect();
        let rates =
            setup.rates.iter().map(|rate| (rate.currency, Arc::new(RateSeries::new(rate, seed, start)))).collect();
        Self { quotes, rates }
    }

    /// One fund.
    #[must_use]
    pub fn quote(&self, instrument: InstrumentId) -> Option<&Quote> {
        self.quotes.get(&instrument).map(Arc::as_ref)
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
        Arc::make_mut(self.quotes.get_mut(&instrument).expect("an instrument that records refer to exists"))
    }

    /// Shares with no copy what is derived of funds at rest.
    pub(crate) fn separate(&mut self) {
        for quote in self.quotes.values_mut().filter(|quote| quote.is_at_rest()) {
            Arc::make_mut(quote);
        }
    }

    /// One currency that is known to exist, to be changed.
    ///
    /// # Panics
    /// When it does not: a bug.
    pub fn change_rate(&mut self, currency: Currency) -> &mut RateSeries {
        Arc::make_mut(self.rates.get_mut(&currency).expect("a currency that timers refer to exists"))
    }

    /// All funds in setup order.
    pub fn quotes(&self) -> impl Iterator<Item = &Quote> {
        self.quotes.values().map(Arc::as_ref)
    }

    /// All foreign currencies in setup order.
    pub fn currencies(&self) -> impl Iterator<Item = Currency> + '_ {
        self.rates.keys().copied()
    }

    /// The published rates of `currency` in order; none for SEK.
    #[must_use]
    pub fn rates(&self, currency: Currency) -> &[Rate] {
        self.rates.get(&currency).map_or(&[][..], |series| series.published())
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
        Some(product(close.price.get(), self.rate_at(instrument.currency(), at)))
    }

    /// As `close_in_sek`, of the price that the fund's last split has divided, for a unit from before.
    #[must_use]
    pub fn undivided_in_sek(&self, instrument: InstrumentId, at: Instant) -> Option<Decimal> {
        let close = self.quote(instrument)?.undivided()?;
        Some(product(close.price.get(), self.rate_at(instrument.currency(), at)))
    }
}

impl std::hash::Hash for Market {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let Self { quotes, rates } = self;
        hash_map(quotes, state);
        hash_map(rates, state);
    }
}
