//! Numbers compared by value, to the last digit.
//!
//! Invariant: no float. Figures beyond what a decimal holds compare as text, so that they are at least never called
//! equal by mistake.

use rust_decimal::Decimal;
use std::cmp::Ordering;
use std::str::FromStr;

/// Whether `text` is a number as JSON spells it.
#[must_use]
pub fn is_json_number(text: &str) -> bool {
    text.len() <= 128
        && text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
        && serde_json::from_str::<serde_json::Number>(text).is_ok()
}

/// The value of a number's text, if a decimal can hold it exactly.
#[must_use]
pub fn decimal(text: &str) -> Option<Decimal> {
    if text.len() > 64 {
        return None;
    }
    let parsed = if text.contains(['e', 'E']) { scientific(text)? } else { Decimal::from_str_exact(text).ok()? };
    Some(parsed.normalize())
}

/// `from_scientific` rounds where digits do not fit; such figures are none.
fn scientific(text: &str) -> Option<Decimal> {
    let (mantissa, exponent) = text.split_once(['e', 'E'])?;
    let exponent = i32::from_str(exponent).ok()?;
    let mantissa = Decimal::from_str_exact(mantissa).ok()?.normalize();
    let scale = i64::from(mantissa.scale()) - i64::from(exponent);
    if scale >= 0 {
        return Decimal::try_from_i128_with_scale(mantissa.mantissa(), u32::try_from(scale).ok()?).ok();
    }
    let factor = 10_i128.checked_pow(u32::try_from(-scale).ok()?)?;
    Decimal::try_from_i128_with_scale(mantissa.mantissa().checked_mul(factor)?, 0).ok()
}

/// How two numbers' texts compare; `None` when their order is not known exactly.
#[must_use]
pub fn compare(left: &str, right: &str) -> Option<Ordering> {
    match (decimal(left), decimal(right)) {
        (Some(left), Some(right)) => Some(left.cmp(&right)),
        _ if left == right => Some(Ordering::Equal),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_counts_and_spelling_does_not() {
        let rows = [
            ("1.0", "1.00", Some(Ordering::Equal)),
            ("10000", "1e4", Some(Ordering::Equal)),
            ("1e-7", "0.0000001", Some(Ordering::Equal)),
            ("0.1", "0.10000000000000001", Some(Ordering::Less)),
            ("-0", "0", Some(Ordering::Equal)),
            ("123456789012.1234567", "123456789012.1234568", Some(Ordering::Less)),
            ("1e999", "2", None),
            ("1e999", "1e999", Some(Ordering::Equal)),
        ];
        for (left, right, expected) in rows {
            assert_eq!(compare(left, right), expected, "{left} {right}");
        }
    }
}
