//! How prices and exchange rates move from one day to the next.
//!
//! Owns: the size and shape of a daily step.
//! Invariant: a price never falls below half, nor rises above double, nor reaches zero; integers only, so exact anywhere.
//! Absent on purpose: correlation between funds, jumps, dividends; when a step is due (decisions 2.2 leaves that to the calendar).

use rust_decimal::Decimal;

use crate::money::{Price, ten_to};
use crate::rng::Stream;

/// A step is counted in millionths: hundredths of a basis point.
const ONE: i128 = 1_000_000;
/// Prices are reckoned in millionths of a krona.
const PRICE_DECIMALS: u32 = Price::MAX_DECIMALS;
/// Decimals of an exchange rate.
const RATE_DECIMALS: u32 = 4;
/// The drift is one part in this many of the volatility: 2 basis points a day at 1 %, about 5 % a year.
const DRIFT_PART: i128 = 50;

/// The next day's price. `volatility_bp` is the standard deviation of a day's step in basis points.
///
/// Prices from 1 up have 4 decimals, as net asset values do; those below have 6.
///
/// # Panics
/// When `price` is not positive: a bug in the caller.
pub fn next_price(stream: &mut Stream, price: Price, volatility_bp: u32) -> Price {
    let step = step(stream, volatility_bp, drift(volatility_bp));
    price_from(in_millionths(price), |old| (old * (ONE + step), ONE))
}

/// A price the day before, such that `price` could have followed: history is built backwards with it.
///
/// # Panics
/// As [`next_price`].
pub fn previous_price(stream: &mut Stream, price: Price, volatility_bp: u32) -> Price {
    let step = step(stream, volatility_bp, drift(volatility_bp));
    price_from(in_millionths(price), |new| (new * ONE, ONE + step))
}

/// The next day's exchange rate: 4 decimals, no drift.
///
/// # Panics
/// When `rate` is not positive, or rounds to nothing at 4 decimals: a bug in the caller.
pub fn next_rate(stream: &mut Stream, rate: Decimal, volatility_bp: u32) -> Decimal {
    let old = crate::money::round_half_up(rate, RATE_DECIMALS);
    assert!(old > Decimal::ZERO, "no walk starts at {rate}");
    let old = old.mantissa() * ten_to(RATE_DECIMALS - old.scale());
    let new = bounded(old, round_to(old * (ONE + step(stream, volatility_bp, 0)), ONE, 1));
    Decimal::from_i128_with_scale(new, RATE_DECIMALS)
}

fn drift(volatility_bp: u32) -> i128 {
    i128::from(volatility_bp) * 100 / DRIFT_PART
}

/// A step in millionths, roughly bell-shaped: four uniform draws on ±a have a standard deviation of 1.1547 a.
fn step(stream: &mut Stream, volatility_bp: u32, drift: i128) -> i128 {
    let a = i64::from(volatility_bp) * 100 * 866 / 1_000;
    let sum: i64 = (0..4).map(|_| stream.between(-a, a)).sum();
    (i128::from(sum) + drift).clamp(-ONE / 2, ONE)
}

fn in_millionths(price: Price) -> i128 {
    assert!(price.is_positive(), "no walk starts at {price}");
    let number = price.get();
    number.mantissa() * ten_to(PRICE_DECIMALS - number.scale())
}

/// The price that the fraction `moved` gives, rounded and kept within bounds.
fn price_from(old: i128, moved: impl Fn(i128) -> (i128, i128)) -> Price {
    let (over, under) = moved(old);
    let grain = if over >= ONE * under { 100 } else { 1 };
    let new = bounded(old, round_to(over, under, grain));
    let number = Decimal::from_i128_with_scale(new, PRICE_DECIMALS);
    Price::from_decimal_exact(number).expect("six decimals at most")
}

/// `over / under` to the nearest multiple of `grain`, halves up.
fn round_to(over: i128, under: i128, grain: i128) -> i128 {
    (2 * over + under * grain).div_euclid(2 * under * grain) * grain
}

/// Rounding may overstep half or double by less than a grain; this takes it back.
fn bounded(old: i128, new: i128) -> i128 {
    new.clamp((old + 1) / 2, old * 2)
}
