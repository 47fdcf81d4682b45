//! How prices and exchange rates move from one day to the next.
//!
//! Owns: the size and shape of a daily step.
//! Invariant: a day's price is at least half and at most double of the day before, above zero, and below what can be read;
//! integers only.
//! Absent on purpose: correlation between funds, jumps, dividends; when a step is due
//! (rule: calendar/price-publication).

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

/// The highest price, in millionths: the largest number below 10^15 with 4 decimals, which a lever can still set.
const HIGHEST_PRICE: i128 = 1_000_000_000_000_000_000_000 - 100;
/// The highest rate, in ten-thousandths: the largest number below 10^15.
const HIGHEST_RATE: i128 = 10_000_000_000_000_000_000 - 1;

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
    let new = bounded(old, round_to(old * (ONE + step(stream, volatility_bp, 0)), ONE, 1)).min(HIGHEST_RATE);
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
    price.steps()
}

/// The price that the fraction `moved` gives, rounded and kept within bounds.
fn price_from(old: i128, moved: impl Fn(i128) -> (i128, i128)) -> Price {
    let (over, under) = moved(old);
    let grain = if over >= ONE * under { 100 } else { 1 };
    let new = bounded(old, round_to(over, under, grain)).min(HIGHEST_PRICE);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::laws;
    use crate::rng::Seed;

    fn price(text: &str) -> Price {
        Price::parse(text).unwrap()
    }

    fn walk(seed: u64, mut at: Price, volatility_bp: u32, days: usize) -> Vec<Price> {
        let mut stream = Seed(seed).stream("walk");
        let mut next = || {
            at = next_price(&mut stream, at, volatility_bp);
            at
        };
        (0..days).map(|_| next()).collect()
    }

    /// (rule: money/seeded-walks)
    #[test]
    fn walks_stay_what_they_were() {
        let shown = |from: &str, bp| walk(1, price(from), bp, 4).iter().map(Price::to_string).collect::<Vec<_>>();
        assert_eq!(shown("100", 100), ["101.3903", "103.6563", "104.1329", "104.1028"]);
        assert_eq!(shown("0.5", 20), ["0.501391", "0.503633", "0.504096", "0.504067"]);
        let mut stream = Seed(1).stream("walk");
        assert_eq!(next_rate(&mut stream, Decimal::new(11_2345, 4), 50).to_string(), "11.3115");
    }

    /// (rule: securities/price-bounds)
    #[test]
    fn a_price_moves_at_most_to_half_or_double_and_keeps_its_decimals() {
        laws::holds((any::<u64>(), 1..10_000_000_000_i64, 0..20_000_u32), |(seed, millionths, bp)| {
            let old = Price::from_decimal_exact(Decimal::new(millionths, 6)).unwrap();
            for step in [next_price, previous_price] {
                let new = step(&mut Seed(seed).stream("walk"), old, bp);
                prop_assert!(new.is_positive());
                prop_assert!(new.get() * Decimal::TWO >= old.get() && new.get() <= old.get() * Decimal::TWO);
                let at_bound =
                    new.get() * Decimal::TWO <= old.get() + Decimal::new(1, 6) || new.get() == old.get() * Decimal::TWO;
                prop_assert!(new.get() < Decimal::ONE || at_bound || new.get().normalize().scale() <= 4);
            }
            Ok(())
        });
    }

    #[test]
    fn the_same_draw_forwards_undoes_the_step_backwards_within_rounding() {
        laws::holds((any::<u64>(), 10_000_000..10_000_000_000_i64, 0..1_000_u32), |(seed, millionths, bp)| {
            let today = Price::from_decimal_exact(Decimal::new(millionths, 6)).unwrap();
            let yesterday = previous_price(&mut Seed(seed).stream("walk"), today, bp);
            let again = next_price(&mut Seed(seed).stream("walk"), yesterday, bp);
            // Both ways round to 4 decimals, and a step at most doubles the first error.
            prop_assert!((again.get() - today.get()).abs() <= Decimal::new(15, 5), "{today} {yesterday} {again}");
            Ok(())
        });
    }

    #[test]
    fn without_volatility_a_price_stays_the_same() {
        assert_eq!(walk(1, price("123.45"), 0, 3), [price("123.45"); 3]);
    }

    #[test]
    fn daily_steps_spread_as_the_volatility_says_and_drift_up_a_little() {
        let mut stream = Seed(9).stream("spread");
        let steps: Vec<i128> = (0..40_000).map(|_| step(&mut stream, 100, drift(100))).collect();
        let n = i128::try_from(steps.len()).unwrap();
        let mean = steps.iter().sum::<i128>() / n;
        let variance = steps.iter().map(|s| (s - mean) * (s - mean)).sum::<i128>() / n;
        // 1 % is 10,000 millionths; the drift is a fiftieth of it.
        assert!((9_800 * 9_800..10_200 * 10_200).contains(&variance), "{variance}");
        assert!((50..350).contains(&mean), "{mean}");
    }

    #[test]
    fn ten_years_of_a_wild_fund_stay_above_nothing() {
        for seed in 0..20 {
            assert!(walk(seed, price("0.000002"), 3_000, 2_500).iter().all(|p| p.is_positive()));
        }
    }

    #[test]
    fn walks_stand_still_below_the_first_number_that_is_too_large() {
        let highest = price("999999999999999.9999");
        for seed in 0..20 {
            let prices = walk(seed, price("999999999990000"), 100, 1_000);
            assert!(prices.iter().all(|price| price.is_positive() && *price <= highest));
            assert!(prices.contains(&highest), "the limit is never reached with seed {seed}");
        }
        let mut stream = Seed(1).stream("fx");
        let mut rate = Decimal::from(999_999_999_990_000_i64);
        for _ in 0..1_000 {
            rate = next_rate(&mut stream, rate, 500);
            assert!(rate < Decimal::from(1_000_000_000_000_000_i64), "{rate}");
        }
    }

    /// (rule: money/seeded-walks)
    #[test]
    fn a_rate_keeps_four_decimals_and_its_bounds() {
        laws::holds((any::<u64>(), 1..1_000_000_i64, 0..20_000_u32), |(seed, rate, bp)| {
            let old = Decimal::new(rate, 4);
            let new = next_rate(&mut Seed(seed).stream("fx"), old, bp);
            prop_assert!(new.scale() == 4 && new * Decimal::TWO >= old && new <= old * Decimal::TWO);
            Ok(())
        });
    }
}
