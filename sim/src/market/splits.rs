//! The splits of one fund, and what they make of units and prices from before (rule: securities/split).
//!
//! Invariant: in order of their instants. Absent on purpose: prices that were not published yet, which are divided when the
//! split is carried out.

use super::nav::{Nav, divided};
use crate::money::{Price, Ratio, Units};
use crate::time::Instant;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Instants and factors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Splits(Vec<(Instant, Ratio)>);

impl Splits {
    pub(super) fn push(&mut self, at: Instant, factor: Ratio) {
        self.0.push((at, factor));
    }

    fn after(&self, since: Instant) -> impl Iterator<Item = Ratio> {
        self.0.iter().filter(move |(at, _)| *at > since).map(|&(_, factor)| factor)
    }

    /// Whether one came after the price was published, which is history by that.
    pub(super) fn are_after(&self, nav: &Nav) -> bool {
        nav.published.is_some_and(|published| self.after(published).next().is_some())
    }

    /// What `units` that were counted at `since` are at `until`.
    pub(super) fn of_units(&self, units: Units, since: Instant, until: Instant) -> Units {
        let between = self.0.iter().filter(|(at, _)| (since < *at) && (*at <= until));
        between.fold(units, |units, &(_, factor)| units.scaled(factor))
    }

    /// What the price would be for one of today's units.
    pub(super) fn of_price(&self, nav: &Nav) -> Price {
        if !self.are_after(nav) {
            return nav.price;
        }
        let least = Decimal::new(1, 20);
        let times = |by: Decimal, factor: Ratio| by.checked_mul(factor.get()).unwrap_or(Decimal::MAX).max(least);
        divided(nav.price, nav.published.map_or(Decimal::ONE, |at| self.after(at).fold(Decimal::ONE, times)))
    }
}
