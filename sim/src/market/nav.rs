//! Prices of dealing days, and what the public learns of them.
//!
//! Invariant: a split leads to no price beyond what is read and written. Absent on purpose: whose prices they are, and when
//! they are struck and published.

use crate::money::{Price, Ratio, round_half_up};
use crate::time::{Date, Instant};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// The lowest price that a split may lead to: 0.01, of which 6 decimals still show four digits.
const LEAST_AFTER_SPLIT: Decimal = Decimal::from_parts(1, 0, 0, false, 2);
/// The highest: 10^14.
const MOST_AFTER_SPLIT: Decimal = Decimal::from_parts(276_447_232, 23_283, 0, false, 0);
/// The lowest price there is: 0.000001.
const LEAST: Decimal = Decimal::from_parts(1, 0, 0, false, 6);

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

/// Whether a split leaves such a price within the bounds of prices (rule: securities/split).
pub(super) fn bears(price: Price, factor: Ratio) -> bool {
    let divided = price.get().checked_div(factor.get());
    divided.is_some_and(|price| (LEAST_AFTER_SPLIT..=MOST_AFTER_SPLIT).contains(&price))
}

/// A price for units that are so many times as many (rule: securities/split); never nothing, never beyond what is read.
pub(super) fn divided(price: Price, by: Decimal) -> Price {
    let exact = price.get().checked_div(by).unwrap_or(MOST_AFTER_SPLIT);
    let price = round_half_up(exact, Price::MAX_DECIMALS).clamp(LEAST, MOST_AFTER_SPLIT);
    Price::from_decimal_exact(price).expect("rounded to 6 decimals")
}
