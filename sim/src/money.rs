//! Money, units and prices as exact decimals, and every rounding of them.
//!
//! Owns: how each quantity is written, and which way it is rounded (rule: money/decimals, money/rounding,
//! money/split-by-percent). Invariant: an `Amount` has at most 2 decimals, `Units` at most 7, a `Price`
//! at most 6, a `Percent` at most 2, a `Ratio` at most 10; equal numbers hash alike. Absent on purpose: binary floats, a currency inside the
//! amount (all money is SEK), silent rounding on reading.

mod number;

pub(crate) use number::ten_to;
pub use number::{NumberFault, parse_decimal};

use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use rust_decimal::{Decimal, RoundingStrategy};

use crate::recorded::as_text;

/// Rounds to `scale` decimals, halves away from zero.
pub fn round_half_up(number: Decimal, scale: u32) -> Decimal {
    number.round_dp_with_strategy(scale, RoundingStrategy::MidpointAwayFromZero)
}

/// Rounds to `scale` decimals towards zero.
pub fn round_down(number: Decimal, scale: u32) -> Decimal {
    number.round_dp_with_strategy(scale, RoundingStrategy::ToZero)
}

/// Rounds to `scale` decimals away from zero.
pub fn round_up(number: Decimal, scale: u32) -> Decimal {
    number.round_dp_with_strategy(scale, RoundingStrategy::AwayFromZero)
}

/// The product of two numbers that are not negative, or as much as there is room for.
pub fn product(one: Decimal, other: Decimal) -> Decimal {
    one.checked_mul(other).unwrap_or(Decimal::MAX)
}

/// The whole number nearest to `number` by a positive `by`, halves away from zero.
pub(crate) fn nearest(number: i128, by: i128) -> i128 {
    // Nearly all numbers are small, and divide ten times as fast.
    if let (Ok(number), Ok(by)) = (u64::try_from(number), u64::try_from(by)) {
        let (whole, rest) = (number / by, number % by);
        return i128::from(whole) + i128::from(rest >= by - rest);
    }
    let whole = number.abs() / by;
    let rest = number.abs() - whole * by;
    (whole + i128::from(rest >= by - rest)) * number.signum()
}

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $decimals:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(Decimal);

        impl Hash for $name {
            /// By its steps, which are the same for equal numbers: a decimal would divide by ten until it cannot.
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.steps().hash(state);
            }
        }

        impl $name {
            /// Nothing.
            pub const ZERO: $name = $name(Decimal::ZERO);
            /// The most decimals one may have.
            pub const MAX_DECIMALS: u32 = $decimals;

            /// Reads a JSON number.
            ///
            /// # Errors
            /// As [`parse_decimal`] with `MAX_DECIMALS`.
            pub fn parse(text: &str) -> Result<$name, NumberFault> {
                parse_decimal(text, $decimals).map($name)
            }

            /// `None` when `number` has too many decimals; nothing is rounded.
            pub fn from_decimal_exact(number: Decimal) -> Option<$name> {
                let number = number.normalize();
                (number.scale() <= $decimals).then_some($name(number))
            }

            /// Reads what was recorded: sums may be larger than any number that `parse` lets in.
            fn recorded(text: &str) -> Result<$name, NumberFault> {
                exact::parse(text).and_then(|number| $name::from_decimal_exact(number).ok_or(NumberFault::NotANumber))
            }

            /// The bare number.
            pub const fn get(self) -> Decimal {
                self.0
            }

            /// Whether it is nothing.
            pub fn is_zero(self) -> bool {
                self.0.is_zero()
            }

            /// Whether it is more than nothing.
            pub fn is_positive(self) -> bool {
                self > $name::ZERO
            }

            /// Whether it is less than nothing.
            pub fn is_negative(self) -> bool {
                self < $name::ZERO
            }

            /// As a whole number of its smallest unit.
            pub(crate) fn steps(self) -> i128 {
                self.0.mantissa() * ten_to($decimals - self.0.scale())
            }
        }

        impl Add for $name {
            type Output = $name;
            fn add(self, other: $name) -> $name {
                $name(self.0 + other.0)
            }
        }

        impl Sub for $name {
            type Output = $name;
            fn sub(self, other: $name) -> $name {
                $name(self.0 - other.0)
            }
        }

        impl Neg for $name {
            type Output = $name;
            fn neg(self) -> $name {
                $name::ZERO - self
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: $name) {
                *self = *self + other;
            }
        }

        impl SubAssign for $name {
            fn sub_assign(&mut self, other: $name) {
                *self = *self - other;
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = $name>>(items: I) -> $name {
                items.fold($name::ZERO, Add::add)
            }
        }

        impl<'a> Sum<&'a $name> for $name {
            fn sum<I: Iterator<Item = &'a $name>>(items: I) -> $name {
                items.copied().sum()
            }
        }

        as_text!($name, NumberFault, $name::recorded);
    };
}

quantity!(
    /// Money in SEK, at most 2 decimals. Text always has 2: `10000.00`. Overflow panics.
    Amount, 2
);
quantity!(
    /// Fund units, at most 7 decimals. Text has no trailing zeros: `81.0044`. Overflow panics.
    Units, 7
);
quantity!(
    /// The price of one unit, at most 6 decimals. Text has no trailing zeros: `123.45`. Overflow panics.
    Price, 6
);
quantity!(
    /// A share in percent, at most 2 decimals. Text always has 2: `33.33`.
    Percent, 2
);

quantity!(
    /// How many units of one kind one of another becomes, at most 10 decimals. Text has no trailing zeros: `1.2345`.
    Ratio, 10
);

impl Percent {
    /// The whole.
    pub const WHOLE: Percent = Percent(Decimal::ONE_HUNDRED);
}

impl Amount {
    /// `ore` hundredths of a krona.
    pub fn from_ore(ore: i64) -> Amount {
        Amount(Decimal::new(ore, 2))
    }

    /// What `units` are worth at `price` SEK, halves of an ore rounded away from zero (rule: orders/redemption-execution).
    /// Worth that has no room is as much as there is room for: more than any account can hold, so nothing is booked by it.
    pub fn from_units(units: Units, price: Decimal) -> Amount {
        // Exact in integers: a product of decimals would first be rounded to 28 digits. Beyond them there is no holding.
        let Some(product) = units.steps().checked_mul(price.mantissa()) else {
            let worth = units.get().checked_mul(price).map(|worth| round_half_up(worth, Amount::MAX_DECIMALS));
            return worth.map_or_else(|| Amount::most(units.is_negative()), Amount);
        };
        let per_ore = ten_to(Units::MAX_DECIMALS + price.scale() - Amount::MAX_DECIMALS).unsigned_abs();
        let (whole, rest) = (product.unsigned_abs() / per_ore, product.unsigned_abs() % per_ore);
        let ore = i128::try_from(whole + u128::from(rest >= per_ore - rest)).expect("half the range");
        let worth = Decimal::try_from_i128_with_scale(ore * product.signum(), Amount::MAX_DECIMALS);
        worth.map_or_else(|_| Amount::most(product < 0), Amount)
    }

    /// So many ore, or as many as there is room for.
    pub(crate) fn from_steps(ore: i128) -> Amount {
        Decimal::try_from_i128_with_scale(ore, Amount::MAX_DECIMALS).map_or_else(|_| Amount::most(ore < 0), Amount)
    }

    /// The largest amount there is room for.
    pub(crate) const fn most(negative: bool) -> Amount {
        Amount(Decimal::from_parts(u32::MAX, u32::MAX, u32::MAX, negative, Amount::MAX_DECIMALS))
    }
}

/// What `units` are worth in ore at a price in millionths, all in whole steps: as [`Amount::from_units`] has it.
pub(crate) fn ore_of(units: i128, millionths: i128) -> i128 {
    const PER_ORE: i128 = ten_to(Units::MAX_DECIMALS + Price::MAX_DECIMALS - Amount::MAX_DECIMALS);
    if let Some(product) = units.checked_mul(millionths) {
        return nearest(product, PER_ORE);
    }
    let exact = |steps, scale| Decimal::try_from_i128_with_scale(steps, scale).unwrap_or(Decimal::MAX);
    Amount::from_units(Units(exact(units, Units::MAX_DECIMALS)), exact(millionths, Price::MAX_DECIMALS)).steps()
}

/// Adds what `units` are worth at each of some prices, the highest of which is `most`: as [`ore_of`] has it.
pub(crate) fn worth_in_ore(units: i128, millionths: &[i128], most: i128, to: &mut [i128]) {
    let fits = units.checked_mul(most).and_then(|product| u64::try_from(product).ok());
    match (fits.and_then(|product| product.checked_add(HALF_AN_ORE)), u64::try_from(units)) {
        // Nearly always: a multiplication and a division by a constant a day.
        (Some(_), Ok(units)) => to.iter_mut().zip(millionths).for_each(|(ore, &price)| {
            let price = u64::try_from(price).unwrap_or(0);
            *ore += i128::from((units * price + HALF_AN_ORE) / (2 * HALF_AN_ORE));
        }),
        _ => to.iter_mut().zip(millionths).for_each(|(ore, &price)| *ore += ore_of(units, price)),
    }
}

/// Of steps of units times millionths of a krona.
const HALF_AN_ORE: u64 = 50_000_000_000;

/// More units than anybody holds: 10^20, which splits do not go beyond.
const MOST_UNITS: Decimal = Decimal::from_parts(1_661_992_960, 1_808_227_885, 5, false, 0);

impl Units {
    /// How many units `amount` buys at `price` SEK, rounded towards zero to `decimals`, or to as many as can be held
    /// (rule: orders/subscription-execution).
    ///
    /// # Panics
    /// When `price` is not positive or finer than a price times a rate, or `decimals` is over 7: a bug in the caller.
    pub fn bought_for(amount: Amount, price: Decimal, decimals: u32) -> Units {
        assert!(price > Decimal::ZERO, "nothing is bought at {price}");
        assert!(decimals <= Units::MAX_DECIMALS, "units have no {decimals} decimals");
        // Exact in integers: a quotient of decimals is itself rounded, which could lift it over a step.
        let shift = ten_to(decimals + price.scale());
        let cost = price.mantissa() * ten_to(Amount::MAX_DECIMALS);
        let steps = amount.steps().checked_mul(shift).expect("an amount fits") / cost;
        let held = |scale| Decimal::try_from_i128_with_scale(steps / ten_to(decimals - scale), scale).ok();
        Units((0..=decimals).rev().find_map(held).expect("whole units fit").normalize())
    }

    /// The units times `ratio`, exactly where that can be written, not rounded yet.
    pub(crate) fn times(self, ratio: Ratio) -> Decimal {
        // A product of decimals would first be rounded to 28 digits.
        let exact = self.steps().checked_mul(ratio.steps());
        let exact = exact.and_then(|steps| {
            let scale = Units::MAX_DECIMALS + Ratio::MAX_DECIMALS;
            Decimal::try_from_i128_with_scale(steps, scale).ok()
        });
        exact.or_else(|| self.0.checked_mul(ratio.0)).unwrap_or(MOST_UNITS).min(MOST_UNITS)
    }

    /// The units times `ratio`, halves rounded up to as many decimals as units have (rule: securities/split).
    pub(crate) fn scaled(self, ratio: Ratio) -> Units {
        Units(round_half_up(self.times(ratio), Units::MAX_DECIMALS).normalize())
    }

    /// How many decimals it takes to write the number.
    pub fn decimals(&self) -> u32 {
        self.0.normalize().scale()
    }
}

/// Splits `amount` by `percents`, in whole ore by largest remainder; a tie goes to the lower index
/// (rule: money/split-by-percent). The parts add up to `amount`.
///
/// # Panics
/// When `amount` or a percent is negative, or the percents do not add up to 100: a bug in the caller.
pub fn split_by_percent(amount: Amount, percents: &[Decimal]) -> Vec<Amount> {
    let sum: Decimal = percents.iter().sum();
    assert!(sum == Decimal::ONE_HUNDRED, "percents add up to {sum}");
    assert!(!amount.is_negative() && percents.iter().all(|p| *p >= Decimal::ZERO), "no part is negative");
    let scale = percents.iter().map(|p| p.normalize().scale()).max().unwrap_or(0);
    let whole = ten_to(scale + 2);
    let shares = percents.iter().map(|p| {
        let p = p.normalize();
        amount.steps().checked_mul(p.mantissa() * ten_to(scale - p.scale())).expect("a share fits")
    });
    let mut parts: Vec<(i128, i128)> = shares.map(|share| (share / whole, share % whole)).collect();
    let given: i128 = parts.iter().map(|(floor, _)| floor).sum();
    let left = usize::try_from(amount.steps() - given).expect("at most one ore a part");
    let mut order: Vec<usize> = (0..parts.len()).collect();
    // A stable sort, so equal remainders stay in index order.
    order.sort_by_key(|i| std::cmp::Reverse(parts[*i].1));
    for i in order.into_iter().take(left) {
        parts[i].0 += 1;
    }
    parts.into_iter().map(|(ore, _)| Amount(Decimal::from_i128_with_scale(ore, Amount::MAX_DECIMALS))).collect()
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut number = unsigned_zero(self.0);
        number.rescale(Amount::MAX_DECIMALS);
        fmt::Display::fmt(&number, f)
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut number = unsigned_zero(self.0);
        number.rescale(Percent::MAX_DECIMALS);
        fmt::Display::fmt(&number, f)
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&unsigned_zero(self.0).normalize(), f)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&unsigned_zero(self.0).normalize(), f)
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&unsigned_zero(self.0).normalize(), f)
    }
}

/// Bare decimals as records keep them: text, with every digit and the scale.
pub(crate) mod exact {
    use super::{Decimal, NumberFault};
    use serde::{Deserializer, Serializer};

    pub(crate) fn parse(text: &str) -> Result<Decimal, NumberFault> {
        Decimal::from_str_exact(text).map_err(|_| NumberFault::NotANumber)
    }

    pub(crate) fn serialize<S: Serializer>(number: &Decimal, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(number)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Decimal, D::Error> {
        crate::recorded::text_of(from, parse)
    }
}

/// A decimal remembers the sign of zero; no reader wants `-0.00`.
fn unsigned_zero(number: Decimal) -> Decimal {
    if number.is_zero() { Decimal::ZERO } else { number }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::digest::digest_of;
    use crate::laws::{self, recorded, replayed};

    fn amount(text: &str) -> Amount {
        Amount::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    fn units(text: &str) -> Units {
        Units::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    fn price(text: &str) -> Price {
        Price::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    #[test]
    fn each_quantity_is_written_in_its_own_fixed_form() {
        for (written, form) in [
            (amount("10000").to_string(), "10000.00"),
            (amount("0").to_string(), "0.00"),
            ((-amount("0.00")).to_string(), "0.00"),
            (amount("-0.5").to_string(), "-0.50"),
            (amount("999999999999999.99").to_string(), "999999999999999.99"),
            (units("81.0044000").to_string(), "81.0044"),
            (units("100").to_string(), "100"),
            (Units::ZERO.to_string(), "0"),
            (units("0.0000001").to_string(), "0.0000001"),
            (price("123.450000").to_string(), "123.45"),
            (recorded(&amount("1.1")), "1.10"),
        ] {
            assert_eq!(written, form);
        }
    }

    #[test]
    fn the_scale_of_a_number_shows_in_no_comparison_and_no_hash() {
        for (a, b) in [("1.0", "1.00"), ("10", "1e1"), ("-2.50", "-2.5")] {
            let (raw_a, raw_b) = (a.parse().or(Decimal::from_scientific(a)), b.parse().or(Decimal::from_scientific(b)));
            let [a, b] = [Amount(raw_a.unwrap()), Amount(raw_b.unwrap())];
            assert_eq!(a, b);
            assert_eq!(digest_of(&a), digest_of(&b));
            assert_eq!(a.to_string(), b.to_string());
        }
        let back_to_nothing = amount("1.50") - amount("1.50");
        assert_eq!(digest_of(&back_to_nothing), digest_of(&Amount::ZERO));
        assert_eq!(digest_of(&-Amount::ZERO), digest_of(&Amount::ZERO));
    }

    #[test]
    fn a_decimal_too_fine_for_its_quantity_is_not_taken() {
        assert_eq!(Amount::from_decimal_exact(Decimal::new(1_000, 3)), Some(amount("1")));
        assert_eq!(Amount::from_decimal_exact(Decimal::new(1_001, 3)), None);
        assert_eq!(Units::from_decimal_exact(Decimal::new(1, 8)), None);
        assert_eq!(Price::from_decimal_exact(Decimal::new(1, 7)), None);
        assert_eq!(units("81.0044000").decimals(), 4);
        assert_eq!(Units::ZERO.decimals(), 0);
    }

    /// (rule: money/rounding)
    #[test]
    fn rounding_goes_the_way_its_name_says() {
        for (number, half_up, down, up) in [
            ("0.125", "0.13", "0.12", "0.13"),
            ("-0.125", "-0.13", "-0.12", "-0.13"),
            ("0.124999", "0.12", "0.12", "0.13"),
            ("0.12", "0.12", "0.12", "0.12"),
            ("0.005", "0.01", "0", "0.01"),
        ] {
            let number: Decimal = number.parse().unwrap();
            let rounded = [round_half_up(number, 2), round_down(number, 2), round_up(number, 2)];
            assert_eq!(rounded.map(|n| n.normalize().to_string()), [half_up, down, up], "{number}");
        }
    }

    /// (rule: money/rounding, orders/subscription-execution)
    #[test]
    fn units_bought_are_rounded_down() {
        for (amount_text, price_text, decimals, bought) in [
            ("10000.00", "123.45", 4, "81.0044"),
            ("5000.00", "150.00", 4, "33.3333"),
            ("100", "100", 0, "1"),
            ("99.99", "100", 0, "0"),
            ("0.01", "0.000001", 7, "10000"),
            ("999999999999999.99", "0.000001", 7, "999999999999999990000"),
            ("999999999999999.99", "0.0000000001", 7, "9999999999999999900000000"),
            ("9968233124146.52", "629.9305613501", 7, "15824336420.16365"),
            ("0", "5", 4, "0"),
        ] {
            let price = parse_decimal(price_text, 10).expect("a price");
            let got = Units::bought_for(amount(amount_text), price, decimals);
            assert_eq!(got.to_string(), bought, "{amount_text} at {price_text}");
        }
    }

    /// (rule: money/rounding, orders/redemption-execution)
    #[test]
    fn the_worth_of_units_is_rounded_half_up() {
        for (units_text, price_text, worth) in [
            ("50", "160.1234", "8006.17"),
            ("0.5", "0.01", "0.01"),
            ("0.4999999", "0.01", "0.00"),
            ("-0.5", "0.01", "-0.01"),
            ("1.5", "0.03", "0.05"),
            ("999999999999999.9999999", "160.1234", "160123400000000000.00"),
            ("90000055926379.2463333", "1.0432170003", "93889588370349.59"),
        ] {
            assert_eq!(
                Amount::from_units(units(units_text), Decimal::from_str_exact(price_text).unwrap()).to_string(),
                worth,
                "{units_text}"
            );
        }
    }

    #[test]
    fn worth_in_whole_steps_is_the_worth_of_units() {
        let anything = prop_oneof![0..2_000_000_000_i128, -1_000_000..10_i128.pow(27)];
        let prices = proptest::collection::vec(prop_oneof![Just(0), 1..2_000_000_000_i128, 1..10_i128.pow(21)], 1..6);
        laws::holds((anything, prices), |(steps, prices)| {
            let units = Units(Decimal::from_i128_with_scale(steps, Units::MAX_DECIMALS));
            let price = |&steps: &i128| Decimal::from_i128_with_scale(steps, Price::MAX_DECIMALS);
            let worth: Vec<i128> = prices.iter().map(|steps| Amount::from_units(units, price(steps)).steps()).collect();
            let mut sums = vec![0; prices.len()];
            worth_in_ore(steps, &prices, prices.iter().copied().max().unwrap_or(0), &mut sums);
            prop_assert_eq!(&sums, &worth);
            let each: Vec<i128> = prices.iter().map(|&price| ore_of(steps, price)).collect();
            prop_assert_eq!(each, worth);
            Ok(())
        });
    }

    #[test]
    fn buying_and_selling_back_never_makes_money_and_loses_less_than_one_step() {
        laws::holds((0..10_000_000_000_i64, 1..10_000_000_000_i64, 0..=7_u32), |(ore, millionths, decimals)| {
            let (paid, price) = (Amount::from_ore(ore), Price(Decimal::new(millionths, 6)));
            let bought = Units::bought_for(paid, price.get(), decimals);
            prop_assert!(bought.decimals() <= decimals);
            let cost = bought.get() * price.get();
            let one_more = (bought.get() + Decimal::new(1, decimals)) * price.get();
            prop_assert!(cost <= paid.get() && paid.get() < one_more);
            prop_assert!(Amount::from_units(bought, price.get()) <= paid);
            Ok(())
        });
    }

    #[test]
    fn sums_are_exact_and_undo_themselves() {
        laws::holds(proptest::collection::vec(-1_000_000_000_000_i64..1_000_000_000_000, 0..40), |ore| {
            let parts: Vec<Amount> = ore.iter().copied().map(Amount::from_ore).collect();
            let sum: Amount = parts.iter().sum();
            prop_assert_eq!(sum, Amount::from_ore(ore.iter().sum()));
            prop_assert_eq!(sum, parts.iter().copied().sum());
            let mut rest = sum;
            for part in &parts {
                rest -= *part;
            }
            prop_assert!(rest.is_zero() && !rest.is_positive() && !rest.is_negative());
            prop_assert_eq!(replayed(&recorded(&sum)), Ok(sum));
            Ok(())
        });
    }

    /// (rule: money/split-by-percent)
    #[test]
    fn a_split_follows_the_largest_remainders() {
        for (whole, percents, parts) in [
            ("1000.00", ["33.33", "33.33", "33.34"], ["333.30", "333.30", "333.40"]),
            ("100.01", ["50", "25", "25"], ["50.01", "25.00", "25.00"]),
            ("1.00", ["33.34", "33.33", "33.33"], ["0.34", "0.33", "0.33"]),
            ("0.01", ["25", "50", "25"], ["0.00", "0.01", "0.00"]),
            ("0.02", ["50", "25", "25"], ["0.01", "0.01", "0.00"]),
            ("0.00", ["100", "0", "0"], ["0.00", "0.00", "0.00"]),
        ] {
            let percents = percents.map(|p| p.parse::<Decimal>().unwrap());
            let got = split_by_percent(amount(whole), &percents).iter().map(Amount::to_string).collect::<Vec<_>>();
            assert_eq!(got, parts, "{whole}");
        }
    }

    #[test]
    fn the_parts_of_a_split_add_up_and_are_off_by_less_than_an_ore() {
        let cuts = proptest::collection::vec(0..=10_000_i64, 0..8);
        laws::holds((0..100_000_000_000_i64, cuts), |(ore, mut cuts)| {
            cuts.extend([0, 10_000]);
            cuts.sort_unstable();
            let percents: Vec<Decimal> = cuts.windows(2).map(|w| Decimal::new(w[1] - w[0], 2)).collect();
            let whole = Amount::from_ore(ore);
            let parts = split_by_percent(whole, &percents);
            prop_assert_eq!(parts.iter().sum::<Amount>(), whole);
            for (part, percent) in parts.iter().zip(&percents) {
                let exact = whole.get() * percent / Decimal::ONE_HUNDRED;
                prop_assert!((part.get() - exact).abs() < Decimal::new(1, 2));
            }
            Ok(())
        });
    }

    #[test]
    #[should_panic(expected = "percents add up to 99")]
    fn a_split_that_is_not_whole_is_a_bug() {
        split_by_percent(amount("1"), &[Decimal::from(99)]);
    }
}
