//! What one unit of each fund was worth at midnights: reckoned once, for all accounts that are looked at over those days.
//!
//! Invariant: what is known at a midnight was published before it (rule: accounts/daily-value). Absent on purpose: accounts.

use super::PRICE_SCALE;
use crate::identity::InstrumentId;
use crate::money::{Price, product, round_half_up, ten_to};
use crate::time::{Date, Instant, stockholm};
use crate::world::World;
use rust_decimal::Decimal;
use std::ops::Range;
use std::sync::Arc;

/// The prices of funds at the midnights around a run of days.
#[derive(Debug, Default)]
pub(crate) struct Closings {
    /// The midnights that begin the days, and the one that ends the last.
    midnights: Arc<[Instant]>,
    funds: Vec<(InstrumentId, Prices)>,
}

/// What a fund's unit was worth at each midnight.
#[derive(Debug)]
pub(crate) struct Prices {
    /// Millionths of a krona; nothing while no price was known.
    pub(super) millionths: Vec<i128>,
    /// The highest of them.
    pub(super) most: i128,
}

/// The first instant of a local day.
fn begins(day: Date) -> Instant {
    stockholm(day, 0, 0)
}

fn days_from(first: Date) -> impl Iterator<Item = Date> {
    std::iter::successors(Some(first), |day| day.tomorrow().ok())
}

impl Closings {
    /// The midnight alone that begins `day`.
    pub(crate) fn at(day: Date) -> Self {
        Self { midnights: Arc::from([begins(day)]), funds: Vec::new() }
    }

    /// Covers the days from `first` to `last`, and those between them and the ones that it covers already. Days before the first
    /// instant there is are left out: a file that nobody's server wrote can name them, and nothing has a price then.
    pub(crate) fn cover(&mut self, first: Date, last: Date) {
        let first = first.max(Instant::MIN.local_date());
        let wanted = (begins(first), begins(last.tomorrow().expect("dates stay within the calendar")));
        let covered = self.midnights.first().zip(self.midnights.last());
        if first > last || covered.is_some_and(|(&begin, &end)| begin <= wanted.0 && wanted.1 <= end) {
            return;
        }
        let begin = covered.map_or(first, |(begin, _)| begin.local_date().min(first));
        let end = covered.map_or(wanted.1, |(_, end)| wanted.1.max(*end));
        self.midnights = days_from(begin).map(begins).take_while(|&midnight| midnight <= end).collect();
        self.funds.clear();
    }

    /// The days that are covered, with the midnights around them.
    pub(crate) fn days(&self) -> impl Iterator<Item = Date> {
        self.midnights.split_last().map_or(&[][..], |(_, begins)| begins).iter().map(|midnight| midnight.local_date())
    }

    /// The places of the midnights that end the days from `first` to `last`, which are covered.
    pub(crate) fn ends(&self, first: Date, last: Date) -> Range<usize> {
        let end_of = |day| self.midnights.partition_point(|&midnight| midnight <= begins(day));
        if first > last { 0..0 } else { end_of(first)..(end_of(last) + 1).min(self.midnights.len()) }
    }

    /// The midnights that begin the days, and the one that ends the last.
    pub(super) fn midnights(&self) -> Arc<[Instant]> {
        Arc::clone(&self.midnights)
    }

    /// The prices of a fund.
    pub(crate) fn prices(&mut self, world: &World, instrument: InstrumentId) -> &Prices {
        let known = self.funds.iter().position(|(fund, _)| *fund == instrument);
        let at = known.unwrap_or_else(|| {
            self.funds.push((instrument, Prices::known(world, instrument, &self.midnights)));
            self.funds.len() - 1
        });
        &self.funds[at].1
    }
}

impl Prices {
    /// What was known of a fund before each of some instants, which ascend.
    fn known(world: &World, instrument: InstrumentId, instants: &[Instant]) -> Self {
        let (begin, end) = (instants.first().copied(), instants.last().copied());
        let span = begin.zip(end).map(|(begin, end)| world.market.known(instrument).closes(begin, end, world.now));
        let learned = span.unwrap_or_default();
        let (mut closes, mut rates) = (&learned[..], world.market.rates(instrument.currency()));
        let mut rate = rates.first().map_or(Decimal::ONE, |first| first.rate);
        let (mut price, mut close) = (None, 0);
        let learn = |&end: &Instant| {
            let new_closes = leading(closes, |close| close.at < end);
            let new_rates = leading(rates, |rate| rate.published < end);
            if new_closes > 0 || new_rates > 0 {
                price = closes[..new_closes].last().map(|last| last.price).or(price);
                rate = rates[..new_rates].last().map_or(rate, |last| last.rate);
                (closes, rates) = (&closes[new_closes..], &rates[new_rates..]);
                close = price.map_or(0, |price| in_millionths(price, rate));
            }
            close
        };
        let millionths: Vec<i128> = instants.iter().map(learn).collect();
        Self { most: millionths.iter().copied().max().unwrap_or(0), millionths }
    }
}

/// A price in SEK, rounded (rule: money/converted-prices).
fn in_millionths(price: Price, rate: Decimal) -> i128 {
    if rate == Decimal::ONE {
        return price.steps();
    }
    let rounded = round_half_up(product(price.get(), rate), PRICE_SCALE);
    rounded.mantissa() * ten_to(PRICE_SCALE - rounded.scale())
}

/// How many of the first items hold: few, day by day, and many at the first day.
fn leading<T>(items: &[T], holds: impl Fn(&T) -> bool) -> usize {
    match items {
        [first, ..] if holds(first) => {
            if items.get(2).is_some_and(&holds) {
                items.partition_point(holds)
            } else {
                1 + usize::from(items.get(1).is_some_and(holds))
            }
        }
        _ => 0,
    }
}
