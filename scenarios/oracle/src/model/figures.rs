//! The checkers' own arithmetic: whole numbers only.
//!
//! Cash is in ore, units in steps of 10^-7, prices in millionths, rates in ten-thousandths. Invariant: every result is
//! exact or rounded as the rules say (rule: money/rounding); nothing here calls an arithmetic of `sim`.

use rust_decimal::prelude::ToPrimitive as _;
use rust_decimal::{Decimal, RoundingStrategy};
use sim::money::{Amount, Price, Units};

/// Cash in ore.
pub type Ore = i64;
/// Units in steps of 10^-7.
pub type Steps = i64;

/// A rate of one: SEK against itself.
pub const PAR: i64 = 10_000;

const TENS: [i128; 16] = {
    let mut tens = [1; 16];
    let mut at = 1;
    while at < 16 {
        tens[at] = tens[at - 1] * 10;
        at += 1;
    }
    tens
};

fn scaled(number: Decimal, decimals: u32) -> i128 {
    let scale = number.scale();
    if scale <= decimals {
        number.mantissa() * TENS[(decimals - scale) as usize]
    } else {
        let number = number.normalize();
        assert!(number.scale() <= decimals, "{number} has more than {decimals} decimals");
        number.mantissa() * TENS[(decimals - number.scale()) as usize]
    }
}

/// As a figure.
#[must_use]
pub fn narrow(number: i128) -> i64 {
    i64::try_from(number).expect("figures of a run fit 64 bits")
}

/// Whether the digits, the last of which checks the others, pass Luhn's check.
#[must_use]
pub fn luhn(digits: &[u32]) -> bool {
    let doubled = |(at, digit): (usize, &u32)| if at % 2 == 1 { digit * 2 / 10 + digit * 2 % 10 } else { *digit };
    digits.iter().rev().enumerate().map(doubled).sum::<u32>().is_multiple_of(10)
}

/// An amount in ore.
#[must_use]
pub fn ore(amount: Amount) -> Ore {
    narrow(scaled(amount.get(), 2))
}

/// Units in steps.
#[must_use]
pub fn steps(units: Units) -> Steps {
    narrow(scaled(units.get(), 7))
}

/// A price in millionths.
#[must_use]
pub fn millionths(price: Price) -> i64 {
    narrow(scaled(price.get(), 6))
}

/// A rate in ten-thousandths.
#[must_use]
pub fn ten_thousandths(rate: Decimal) -> i64 {
    narrow(scaled(rate, 4))
}

/// What accrues, in steps of 10^-10 SEK.
#[must_use]
pub fn accrual_steps(sum: Decimal) -> i128 {
    i128::from(narrow(scaled(sum, 10)))
}

/// Ore as an amount.
#[must_use]
pub fn amount(ore: Ore) -> Amount {
    Amount::from_ore(ore)
}

/// Steps as units.
#[must_use]
pub fn units(steps: Steps) -> Units {
    Units::from_decimal_exact(Decimal::from_i128_with_scale(i128::from(steps), 7)).expect("seven decimals")
}

/// Units that `ore` buys at `price` and `rate`, rounded down to `decimals` (rule: orders/subscription-execution).
#[must_use]
pub fn bought(ore: Ore, price: i64, rate: i64, decimals: u32) -> Steps {
    // ore / 100 over (price / 10^6 x rate / 10^4) is ore x 10^8 over price x rate.
    let grains = i128::from(ore) * TENS[8 + decimals as usize] / (i128::from(price) * i128::from(rate));
    narrow(grains * TENS[7 - decimals as usize])
}

/// Ore that `steps` bring at `price` and `rate`, halves rounded up (rule: orders/redemption-execution).
#[must_use]
pub fn proceeds(steps: Steps, price: i64, rate: i64) -> Ore {
    let exact = i128::from(steps) * i128::from(price) * i128::from(rate);
    let per_ore = TENS[15];
    narrow((2 * exact + per_ore) / (2 * per_ore))
}

/// Whether `steps` are worth `ore` at `price` and `rate` without a rest.
#[must_use]
pub fn is_exactly(ore: Ore, steps: Steps, price: i64, rate: i64) -> bool {
    i128::from(ore) * TENS[15] == i128::from(steps) * i128::from(price) * i128::from(rate)
}

/// Ore that `steps` are worth at `price` and `rate`: the price in SEK is rounded to millionths first
/// (rule: money/converted-prices).
#[must_use]
pub fn worth(steps: Steps, price: i64, rate: i64) -> Ore {
    worth_in_sek(steps, in_sek(price, rate))
}

/// Ore that `steps` are worth at a price in millionths of SEK.
#[must_use]
pub fn worth_in_sek(steps: Steps, price: i128) -> Ore {
    let number = i128::from(steps) * price;
    narrow(divided(number.abs(), TENS[11]) * number.signum())
}

/// A price in SEK, in millionths.
#[must_use]
pub fn in_sek(price: i64, rate: i64) -> i128 {
    divided(i128::from(price) * i128::from(rate), i128::from(PAR))
}

/// What changing money costs: so many hundredths of a percent, halves up (rule: fees/currency-fee).
#[must_use]
pub fn share(ore: Ore, hundredths: i64) -> Ore {
    narrow(divided(i128::from(ore) * i128::from(hundredths), 10_000))
}

/// An amount divided by shares of together 100 percent: each rounded down, and the ore left over one by one to the largest
/// remainders, the first of equals first (rule: plans/allocation-run).
#[must_use]
pub fn split(ore: Ore, percents: &[Decimal]) -> Vec<Ore> {
    let hundredths = |percent: &Decimal| i128::from(ten_thousandths(*percent)) / 100;
    let exact: Vec<i128> = percents.iter().map(|percent| i128::from(ore) * hundredths(percent)).collect();
    let mut parts: Vec<Ore> = exact.iter().map(|exact| narrow(exact / 10_000)).collect();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(exact[at] % 10_000));
    let left = ore - parts.iter().sum::<Ore>();
    order.into_iter().take(usize::try_from(left).unwrap_or(0)).for_each(|at| parts[at] += 1);
    parts
}

/// Decimals that it takes to write so many steps.
#[must_use]
pub fn decimals(steps: Steps) -> u32 {
    let mut left = steps;
    let mut decimals = 7;
    while decimals > 0 && left % 10 == 0 {
        left /= 10;
        decimals -= 1;
    }
    decimals
}

/// Ten decimals of a ratio.
pub const RATIO: i128 = 10_000_000_000;

/// The quotient, halves away from zero; both are positive.
#[must_use]
pub fn divided(number: i128, by: i128) -> i128 {
    let number = number + by / 2;
    // Most figures fit 64 bits, which machines divide at once.
    match (u64::try_from(number), u64::try_from(by)) {
        (Ok(number), Ok(by)) => i128::from(number / by),
        _ => number / by,
    }
}

/// A ratio in ten-billionths.
#[must_use]
pub fn ratio(number: Decimal) -> i128 {
    number.mantissa() * 10_i128.pow(10 - number.scale().min(10))
}

/// A price of so many units as one has become, in millionths.
#[must_use]
pub fn price_after(price: i64, factor: Decimal) -> i64 {
    narrow(divided(i128::from(price) * RATIO, ratio(factor))).max(1)
}

/// As `price_after`, of several splits together, whose factors make one of more than ten decimals.
#[must_use]
pub fn price_after_several(price: i64, factor: Decimal) -> i64 {
    let exact = Decimal::from(price).checked_div(factor).unwrap_or_default();
    exact.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero).to_i64().unwrap_or_default().max(1)
}

/// Units as a split leaves them.
#[must_use]
pub fn units_after(steps: Steps, factor: Decimal) -> Steps {
    narrow(divided(i128::from(steps) * ratio(factor), RATIO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_that_follow_each_other_are_one_of_more_decimals() {
        let factor = Decimal::new(1, 1) * Decimal::new(3_333_333_333, 10);
        assert_eq!(price_after_several(1_032_907_800, factor), 30_987_234_003);
        assert_eq!(price_after_several(1_000_000, Decimal::new(5, 1)), price_after(1_000_000, Decimal::new(5, 1)));
    }

    /// (rule: orders/subscription-execution, orders/redemption-execution)
    #[test]
    fn executions_come_out_as_the_rules_compute_them() {
        let cash = ore(Amount::parse("10000").expect("an amount"));
        let price = millionths(Price::parse("123.45").expect("a price"));
        assert_eq!(units(bought(cash, price, PAR, 4)).to_string(), "81.0044");
        let sold = steps(Units::parse("50").expect("units"));
        let price = millionths(Price::parse("160.1234").expect("a price"));
        assert_eq!(amount(proceeds(sold, price, PAR)).to_string(), "8006.17");
    }

    #[test]
    fn half_an_ore_is_rounded_up_and_less_is_dropped() {
        // One unit at 0.005 and at 0.004999.
        assert_eq!(proceeds(10_000_000, 5_000, PAR), 1);
        assert_eq!(proceeds(10_000_000, 4_999, PAR), 0);
    }

    #[test]
    fn decimals_are_those_needed_to_write_the_number() {
        for (text, expected) in [("1", 0), ("0.5", 1), ("12.0001", 4), ("0.0000001", 7), ("0", 0)] {
            assert_eq!(decimals(steps(Units::parse(text).expect("units"))), expected, "{text}");
        }
    }
}
