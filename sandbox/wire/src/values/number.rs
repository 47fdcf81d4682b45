//! Decimals as JSON numbers: exact, without exponent, without binary noise (rule: wire/numbers).
//!
//! Money has exactly two decimals, everything else the decimals it needs. The text is built on the stack and written
//! as it is (`raw`).
//! Absent on purpose: reading, which is `json` and `fields`; floats, which are nowhere.

use crate::values::raw;
use crate::values::shows::shows;
use arrayvec::ArrayString;
use rust_decimal::Decimal;
use serde::ser::{Serialize, Serializer};
use sim::money::{Amount, Percent, Price, Units};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// An amount of money: two decimals, always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Money(pub Amount);

/// Any other decimal: units, prices, rates, percentages; trailing zeros are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub Decimal);

impl From<Amount> for Money {
    fn from(amount: Amount) -> Self {
        Self(amount)
    }
}

impl From<Decimal> for Number {
    fn from(number: Decimal) -> Self {
        Self(number)
    }
}

impl From<Percent> for Number {
    fn from(percent: Percent) -> Self {
        Self(percent.get())
    }
}

impl From<Units> for Number {
    fn from(units: Units) -> Self {
        Self(units.get())
    }
}

impl From<Price> for Number {
    fn from(price: Price) -> Self {
        Self(price.get())
    }
}

shows! {
    Money: Amount;
    Number: Units, Price, Percent, Decimal;
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        raw::json(&Digits::of(self.0.get(), Amount::MAX_DECIMALS).0, to)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        raw::json(&Digits::of(self.0, 0).0, to)
    }
}

/// The longest decimal: 29 digits, a leading zero, a point and a sign; money may add two zeros to it.
const LONGEST: usize = 40;

/// Enough zeros for any decimal to begin or end with.
const ZEROS: &str = "00000000000000000000000000000";

/// The text of a decimal.
struct Digits(ArrayString<LONGEST>);

impl Digits {
    /// `number` with at least `decimals` decimals and no more zeros at its end than those need.
    fn of(number: Decimal, decimals: u32) -> Self {
        let mantissa = number.mantissa().unsigned_abs();
        let mut buffer = itoa::Buffer::new();
        // Numbers of 128 bits are slow to write, and few.
        let digits = match u64::try_from(mantissa) {
            Ok(small) => buffer.format(small),
            Err(_) => buffer.format(mantissa),
        };
        let is_zero = mantissa == 0;
        let least = decimals as usize;
        let scale = if is_zero { number.scale().min(decimals) } else { number.scale() } as usize;
        let text = Self::pointed(digits, scale, least, number.is_sign_negative() && !is_zero);
        // Never too long: 29 digits, a sign, a point, a zero before it and two after.
        Self(text.unwrap_or_default())
    }

    /// Puts the point before the last `scale` of the digits, leaves out zeros beyond the `least` decimals, and adds those
    /// that lack.
    fn pointed(digits: &str, scale: usize, least: usize, negative: bool) -> Option<ArrayString<LONGEST>> {
        let zeros = digits.bytes().rev().take_while(|digit| *digit == b'0').count();
        let cut = zeros.min(scale.saturating_sub(least));
        let scale = scale - cut;
        let (whole, rest) = digits.split_at((digits.len() - cut).saturating_sub(scale));
        let decimals = &rest[..rest.len() - cut];
        let mut text = ArrayString::new();
        if negative {
            text.try_push('-').ok()?;
        }
        text.try_push_str(if whole.is_empty() { "0" } else { whole }).ok()?;
        if scale.max(least) > 0 {
            text.try_push('.').ok()?;
            text.try_push_str(ZEROS.get(..scale - decimals.len())?).ok()?;
            text.try_push_str(decimals).ok()?;
            text.try_push_str(ZEROS.get(..least.saturating_sub(scale))?).ok()?;
        }
        Some(text)
    }
}

fn number_schema(description: &str, example: &str) -> RefOr<Schema> {
    // No `multipleOf`: validators that compute with floats would refuse one amount in ten.
    ObjectBuilder::new()
        .schema_type(Type::Number)
        .description(Some(description))
        .examples(serde_json::from_str::<serde_json::Value>(example))
        .into()
}

impl PartialSchema for Money {
    fn schema() -> RefOr<Schema> {
        number_schema("An amount of money with two decimals.", "10000.00")
    }
}

impl ToSchema for Money {}

impl PartialSchema for Number {
    fn schema() -> RefOr<Schema> {
        number_schema("A decimal number, without exponent.", "81.0044")
    }
}

impl ToSchema for Number {}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> String {
        let number = Decimal::from_str_exact(text).expect("a decimal");
        serde_json::to_string(&Number(number)).expect("a number")
    }

    fn money(text: &str) -> String {
        serde_json::to_string(&Money(Amount::parse(text).expect("an amount"))).expect("a number")
    }

    /// (rule: wire/numbers)
    #[test]
    fn money_always_has_two_decimals() {
        for (from, to) in [
            ("0", "0.00"),
            ("1", "1.00"),
            ("0.01", "0.01"),
            ("0.1", "0.10"),
            ("-0.05", "-0.05"),
            ("10000", "10000.00"),
            ("999999999999999.99", "999999999999999.99"),
            ("-12.5", "-12.50"),
        ] {
            assert_eq!(money(from), to, "{from}");
        }
    }

    /// (rule: wire/numbers)
    #[test]
    fn other_numbers_have_the_decimals_they_need() {
        for (from, to) in [
            ("0", "0"),
            ("0.000", "0"),
            ("-0.0", "0"),
            ("100", "100"),
            ("81.00440", "81.0044"),
            ("0.0000001", "0.0000001"),
            ("-3.10", "-3.1"),
            ("123456789012.1234567", "123456789012.1234567"),
            ("79228162514264337593543950335", "79228162514264337593543950335"),
            ("-0.0000000000000000000000000001", "-0.0000000000000000000000000001"),
        ] {
            assert_eq!(number(from), to, "{from}");
        }
    }

    #[test]
    fn a_number_survives_a_generic_tree_digit_by_digit() {
        let tree = serde_json::to_value(Number(Decimal::from_str_exact("123456789012.1234567").expect("a decimal")));
        assert_eq!(tree.expect("a tree").to_string(), "123456789012.1234567");
    }

    use proptest::prelude::*;
    use testing::laws::holds;

    #[test]
    fn every_decimal_is_written_as_the_decimal_library_writes_it() {
        let cases = (any::<i64>(), any::<u32>(), 0..=28_u32);
        holds(cases, |(high, low, scale)| {
            let mantissa = (i128::from(high) << 32) | i128::from(low);
            let decimal = Decimal::from_i128_with_scale(mantissa, scale);
            let zero = if decimal.is_zero() { Decimal::ZERO } else { decimal };
            prop_assert_eq!(serde_json::to_string(&Number(decimal)).expect("text"), zero.normalize().to_string());
            let amount = Amount::from_ore(high);
            prop_assert_eq!(serde_json::to_string(&Money(amount)).expect("text"), amount.to_string());
            Ok(())
        });
    }
}
