//! Exchange rates of foreign currencies: one a bank day (rule: calendar/rate-publication, money/seeded-walks).
//!
//! Invariant: published rates never change, so what was known at any instant can be answered later. Absent on purpose: prices of
//! funds.

use super::dealing_days::history;
use super::series::Series;
use crate::calendar::{is_bank_day, next_bank_day};
use crate::rng::{Seed, Stream};
use crate::setup::RateSetup;
use crate::time::{Date, Instant, stockholm};
use crate::walk;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// One foreign currency.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RateSeries {
    /// Volatility of the walk in basis points.
    volatility_bp: u32,
    /// Ascending by day.
    rates: Series<Rate>,
    stream: Stream,
}

/// The rate of one bank day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rate {
    day: Date,
    /// SEK for one unit.
    #[serde(with = "crate::money::exact")]
    pub rate: Decimal,
    /// Since when it is known.
    pub published: Instant,
}

impl RateSeries {
    pub(super) fn new(rate: &RateSetup, seed: Seed, start: Instant) -> Self {
        let mut back = seed.stream(&format!("rates before the start: {}", rate.currency));
        let mut value = rate.rate;
        let mut rates = Vec::new();
        for day in history(start).filter(|&day| is_bank_day(day)) {
            let at = rate_publication(day);
            if at <= start {
                rates.push(Rate { day, rate: value, published: at });
                value = walk::next_rate(&mut back, value, rate.volatility_bp);
            }
        }
        rates.reverse();
        let stream = seed.stream(&format!("rates: {}", rate.currency));
        Self { volatility_bp: rate.volatility_bp, rates: rates.into(), stream }
    }

    /// Publishes the rate of `day`.
    pub fn publish(&mut self, day: Date, now: Instant) {
        let last = self.rates.last().map_or(Decimal::ONE, |last| last.rate);
        let rate = walk::next_rate(&mut self.stream, last, self.volatility_bp);
        self.rates.push(Rate { day, rate, published: now });
    }

    /// All published rates, in order.
    pub(super) fn published(&self) -> &[Rate] {
        &self.rates
    }

    /// The rate as known at `at`.
    pub(super) fn known_at(&self, at: Instant) -> Decimal {
        let known = self.rates.partition_point(|rate| rate.published <= at);
        self.rates.get(known.saturating_sub(1)).map_or(Decimal::ONE, |known| known.rate)
    }

    /// The rate of `day`, or the last one before it.
    pub(super) fn of_day(&self, day: Date) -> Decimal {
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
