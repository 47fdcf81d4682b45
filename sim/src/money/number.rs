//! How a number is read: the grammar of JSON, exactly.
//!
//! Invariant: what is read is below 10^15 and has no trailing zeros; reading takes time linear in the text (rule:
//! money/decimals). Absent on purpose: what is counted in it.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Numbers are refused from here on: 10^15.
const MAX_WHOLE_DIGITS: i32 = 15;
/// A longer literal is refused, whatever its value.
const MAX_TEXT: usize = 64;

/// Why a text is no number of the expected kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NumberFault {
    /// Not in the grammar of a JSON number.
    NotANumber,
    /// A number, with digits other than zero after the last decimal allowed.
    TooManyDecimals {
        /// How many decimals are allowed.
        max: u32,
    },
    /// A number of 10^15 or more, or written with more than 64 characters.
    TooLarge,
}

impl fmt::Display for NumberFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberFault::NotANumber => f.write_str("not a number"),
            NumberFault::TooManyDecimals { max } => write!(f, "more than {max} decimals"),
            NumberFault::TooLarge => f.write_str("too large a number"),
        }
    }
}

impl std::error::Error for NumberFault {}

/// Reads a JSON number exactly. Zeros beyond `max_scale` decimals are dropped; the result has no trailing zeros.
///
/// # Errors
/// See [`NumberFault`]. `TooLarge` wins over `TooManyDecimals`. Time is linear in the text's length.
pub fn parse_decimal(text: &str, max_scale: u32) -> Result<Decimal, NumberFault> {
    let literal = Literal::read(text.as_bytes()).ok_or(NumberFault::NotANumber)?;
    if text.len() > MAX_TEXT {
        return Err(NumberFault::TooLarge);
    }
    let digits = || literal.whole.iter().chain(literal.fraction);
    let leading = digits().take_while(|d| **d == b'0').count();
    let count = literal.whole.len() + literal.fraction.len();
    if leading == count {
        return Ok(Decimal::ZERO);
    }
    let trailing = digits().rev().take_while(|d| **d == b'0').count();
    let length = |n: usize| i32::try_from(n).expect("at most 64 characters");
    let max = NumberFault::TooManyDecimals { max: max_scale };
    let exponent = match literal.exponent() {
        Some(exponent) => i32::from(exponent),
        None if literal.exponent_is_negative() => return Err(max),
        None => return Err(NumberFault::TooLarge),
    };
    // The value is `significant` digits, read as a whole number, times ten to the `power`.
    let significant = length(count - leading - trailing);
    let power = exponent - length(literal.fraction.len()) + length(trailing);
    if significant + power > MAX_WHOLE_DIGITS {
        return Err(NumberFault::TooLarge);
    }
    let scale = u32::try_from(-power).unwrap_or(0);
    if scale > max_scale {
        return Err(max);
    }
    let mut mantissa: i128 = 0;
    for digit in digits().skip(leading).take(count - leading - trailing) {
        mantissa = mantissa
            .checked_mul(10)
            .and_then(|m| m.checked_add(i128::from(digit - b'0')))
            .ok_or(NumberFault::TooLarge)?;
    }
    mantissa *= ten_to(u32::try_from(power).unwrap_or(0));
    let signed = if literal.negative { -mantissa } else { mantissa };
    Decimal::try_from_i128_with_scale(signed, scale).map_err(|_| NumberFault::TooLarge)
}

/// The parts of a JSON number.
struct Literal<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: &'a [u8],
}

impl<'a> Literal<'a> {
    fn read(text: &'a [u8]) -> Option<Literal<'a>> {
        let (negative, rest) = match text {
            [b'-', rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let (whole, rest) = leading_digits(rest)?;
        if whole.len() > 1 && whole[0] == b'0' {
            return None;
        }
        let (fraction, rest) = match rest {
            [b'.', rest @ ..] => leading_digits(rest)?,
            rest => (&rest[..0], rest),
        };
        let exponent = match rest {
            [] => rest,
            [b'e' | b'E', rest @ ..] => {
                let unsigned = rest.strip_prefix(b"+").or(rest.strip_prefix(b"-")).unwrap_or(rest);
                match leading_digits(unsigned)? {
                    (_, []) => rest,
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Literal { negative, whole, fraction, exponent })
    }

    /// `None` when it does not fit.
    fn exponent(&self) -> Option<i16> {
        let text = std::str::from_utf8(self.exponent).expect("a sign and digits");
        if text.is_empty() { Some(0) } else { text.parse().ok() }
    }

    fn exponent_is_negative(&self) -> bool {
        self.exponent.first() == Some(&b'-')
    }
}

fn leading_digits(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let n = text.iter().take_while(|c| c.is_ascii_digit()).count();
    (n > 0).then(|| text.split_at(n))
}

/// A power of ten.
pub(crate) const fn ten_to(n: u32) -> i128 {
    TENS[n as usize]
}

/// All that there is room for. They are looked up because they are needed wherever money is counted.
const TENS: [i128; 39] = {
    let (mut tens, mut n) = ([1; 39], 1);
    while n < tens.len() {
        tens[n] = 10 * tens[n - 1];
        n += 1;
    }
    tens
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::laws;

    #[test]
    fn numbers_in_the_json_grammar_are_read_exactly() {
        for (text, max_scale, read) in [
            ("0", 2, "0"),
            ("-0", 2, "0"),
            ("0.000000000000000000000000000000", 2, "0"),
            ("0e99999999", 2, "0"),
            ("10000.00", 2, "10000"),
            ("-0.01", 2, "-0.01"),
            ("1.2500000000000000000000000000000000000000", 2, "1.25"),
            ("0.0000001", 7, "0.0000001"),
            ("1e2", 2, "100"),
            ("1E+2", 2, "100"),
            ("1e0002", 2, "100"),
            ("12345e-2", 2, "123.45"),
            ("12300e-4", 2, "1.23"),
            ("0.00000001e8", 2, "1"),
            ("123456789012.1234567", 7, "123456789012.1234567"),
            ("999999999999999.9999999", 7, "999999999999999.9999999"),
        ] {
            assert_eq!(parse_decimal(text, max_scale).map(|n| n.to_string()), Ok(read.to_string()), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for text in [
            "", "-", "+1", "01", "-01", "00", ".5", "5.", "1.e2", "1e", "1e+", "e5", "1_000", "1,5", " 1", "1 ",
            "0x10", "NaN", "Infinity", "\"12.5\"", "--1", "1e1.5", "1.2.3", "\u{661}",
        ] {
            assert_eq!(parse_decimal(text, 2), Err(NumberFault::NotANumber), "{text}");
        }
    }

    /// (rule: money/decimals)
    #[test]
    fn numbers_too_fine_or_too_large_are_refused() {
        let fine = NumberFault::TooManyDecimals { max: 2 };
        for (text, fault) in [
            ("0.001", fine),
            ("1e-3", fine),
            ("1e-999999", fine),
            ("0.125", fine),
            ("1000000000000000", NumberFault::TooLarge),
            ("-1e15", NumberFault::TooLarge),
            ("1e32767", NumberFault::TooLarge),
            ("1e32768", NumberFault::TooLarge),
            ("1e999999999999999999999999", NumberFault::TooLarge),
            ("1000000000000000.001", NumberFault::TooLarge),
            ("0.00000000000000000000000000000000000000000000000000000000000000000", NumberFault::TooLarge),
        ] {
            assert_eq!(parse_decimal(text, 2), Err(fault), "{text}");
        }
    }

    #[test]
    fn a_megabyte_of_digits_is_refused_without_reckoning() {
        let digits = "9".repeat(900_000);
        for text in [digits.clone(), format!("0.{digits}"), format!("1e{digits}"), format!("1e-{digits}")] {
            assert_eq!(parse_decimal(&text, 2), Err(NumberFault::TooLarge));
        }
        assert_eq!(parse_decimal(&format!("{digits}x"), 2), Err(NumberFault::NotANumber));
    }

    #[test]
    fn no_text_makes_the_reader_panic_and_what_it_reads_is_in_range() {
        laws::holds(("-?[0-9]{0,40}(\\.[0-9]{0,40})?([eE][+-]?[0-9]{0,6})?|\\PC{0,30}", 0..=10_u32), |(text, max)| {
            if let Ok(number) = parse_decimal(&text, max) {
                prop_assert!(number.scale() <= max);
                prop_assert!(number.abs() < Decimal::from(1_000_000_000_000_000_i64));
            }
            Ok(())
        });
    }
}
