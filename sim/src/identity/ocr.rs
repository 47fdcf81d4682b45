//! OCR references with length and check digit, and those among them that are numbers of accounts (rule: money/account-ref).
//!
//! Owns: how an account's number is made from the clock, and how what a payer writes is checked.
//! Invariant: text is body, length digit, check digit; references made in turn increase and never repeat.
//! Absent on purpose: the softer control levels; a bankgiro that refuses wrong references is the only one here.

use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::luhn;
use crate::recorded::as_text;
use crate::time::Instant;

/// Why a text is no reference. The order is the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum OcrFault {
    /// Something else than digits.
    NotDigits,
    /// Not 2 to 25 digits; of an account's number, not 3 to 20, or the first is 0.
    Length,
    /// The check digit is wrong.
    CheckDigit,
    /// The length digit is wrong.
    LengthDigit,
}

impl fmt::Display for OcrFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OcrFault::NotDigits => "not digits only",
            OcrFault::Length => "not the length of a reference",
            OcrFault::CheckDigit => "wrong check digit",
            OcrFault::LengthDigit => "wrong length digit",
        })
    }
}

impl std::error::Error for OcrFault {}

/// What a payer writes: a reference of 2 to 25 digits whose controls are right, whether anybody has given it out or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ocr {
    number: u128,
    digits: u8,
}

impl Ocr {
    /// Reads a reference and checks both control digits.
    ///
    /// # Errors
    /// The first fault in the order of [`OcrFault`].
    pub fn parse(text: &str) -> Result<Ocr, OcrFault> {
        check(text, 2..=25)?;
        let digits = u8::try_from(text.len()).expect("at most 25 digits");
        Ok(Ocr { number: text.parse().expect("at most 25 digits"), digits })
    }

    /// The account's number that it is, if it could be one.
    #[must_use]
    pub fn account_ref(self) -> Option<AccountRef> {
        AccountRef::parse(&self.to_string()).ok()
    }
}

impl From<AccountRef> for Ocr {
    fn from(reference: AccountRef) -> Self {
        Self::parse(&reference.to_string()).expect("an account's number is a reference")
    }
}

impl fmt::Display for Ocr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0width$}", self.number, width = usize::from(self.digits))
    }
}

impl fmt::Debug for Ocr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

as_text!(Ocr, OcrFault);

/// What is wrong with a reference that may have so many digits, in the order of [`OcrFault`].
fn check(text: &str, lengths: RangeInclusive<usize>) -> Result<(), OcrFault> {
    let digits = text.as_bytes();
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(OcrFault::NotDigits);
    }
    if !lengths.contains(&digits.len()) {
        return Err(OcrFault::Length);
    }
    if !luhn::is_valid(digits) {
        return Err(OcrFault::CheckDigit);
    }
    let right = digits[digits.len() - 2] == length_digit(digits.len() - 2);
    if right { Ok(()) } else { Err(OcrFault::LengthDigit) }
}

/// The number of an account, which its payers use as reference. Holds the body; the two control digits follow from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountRef(u64);

/// The reference for an account opened `now`, above `last`, the latest one given out.
pub fn make_ref(now: Instant, last: Option<AccountRef>) -> AccountRef {
    let floor = last.map_or(1, |last| last.0 + 1);
    AccountRef(now.ms().unsigned_abs().max(floor))
}

impl AccountRef {
    /// Reads an account's number and checks both control digits.
    ///
    /// # Errors
    /// The first fault in the order of [`OcrFault`].
    pub fn parse(text: &str) -> Result<AccountRef, OcrFault> {
        check(text, if text.starts_with('0') { 0..=0 } else { 3..=20 })?;
        Ok(AccountRef(text[..text.len() - 2].parse().expect("at most 18 digits")))
    }
}

/// The last digit of the whole length of a body of so many digits, control digits included.
fn length_digit(body: usize) -> u8 {
    b'0' + u8::try_from((body + 2) % 10).expect("one digit")
}

impl fmt::Display for AccountRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The two control digits are at the end, the body right before them.
        let mut text = [b'0'; 22];
        let mut from = 20;
        let mut rest = self.0;
        while rest > 0 || from == 20 {
            from -= 1;
            text[from] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
            rest /= 10;
        }
        text[20] = length_digit(20 - from);
        text[21] = b'0' + luhn::check_digit(&text[from..21]);
        f.write_str(std::str::from_utf8(&text[from..]).unwrap_or_default())
    }
}

impl fmt::Debug for AccountRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

as_text!(AccountRef, OcrFault);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::laws::{self, recorded, replayed};

    /// (rule: money/account-ref)
    #[test]
    fn references_carry_length_and_check_digit() {
        for (body, text) in [
            (1_603_671_466_951, "160367146695159"),
            (1_767_225_600_000, "176722560000058"),
            (1_784_633_400_123, "178463340012356"),
            (12_345, "1234574"),
            (12_345_678, "1234567806"),
        ] {
            assert_eq!(AccountRef(body).to_string(), text);
            assert_eq!(AccountRef::parse(text), Ok(AccountRef(body)));
            assert_eq!(make_ref(Instant::from_ms(i64::try_from(body).unwrap()), None), AccountRef(body));
        }
    }

    #[test]
    fn references_increase_even_when_the_clock_does_not_move() {
        laws::holds((0..4_000_000_000_000_i64, -5..5_i64), |(ms, step)| {
            let first = make_ref(Instant::from_ms(ms), None);
            let second = make_ref(Instant::from_ms(ms + step), Some(first));
            prop_assert!(second > first);
            prop_assert_eq!(AccountRef::parse(&second.to_string()), Ok(second));
            prop_assert_eq!(replayed(&recorded(&second)), Ok(second));
            Ok(())
        });
    }

    /// (rule: payments/bankgiro-deposit)
    #[test]
    fn a_payer_may_write_any_reference_of_2_to_25_digits_whose_controls_are_right() {
        for (text, is_account) in [
            ("26", false),
            ("034", false),
            ("160367146695159", true),
            ("123456789012345678914", false),
            ("1234567890123456789012357", false),
        ] {
            let reference = Ocr::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert_eq!((reference.to_string(), reference.account_ref().is_some()), (text.to_owned(), is_account));
            assert_eq!(replayed(&recorded(&reference)), Ok(reference));
        }
        for (text, fault) in [
            ("", OcrFault::NotDigits),
            ("2 6", OcrFault::NotDigits),
            ("0", OcrFault::Length),
            ("12345678901234567890123465", OcrFault::Length),
            ("27", OcrFault::CheckDigit),
            ("34", OcrFault::LengthDigit),
        ] {
            assert_eq!(Ocr::parse(text), Err(fault), "{text}");
        }
        laws::holds(0..4_000_000_000_000_i64, |ms| {
            let reference = make_ref(Instant::from_ms(ms), None);
            prop_assert_eq!(Ocr::from(reference).account_ref(), Some(reference));
            Ok(())
        });
    }

    #[test]
    fn any_one_wrong_digit_is_noticed() {
        let text = "160367146695159";
        for at in 0..text.len() {
            for digit in b'0'..=b'9' {
                let mut wrong = text.as_bytes().to_vec();
                wrong[at] = digit;
                let wrong = String::from_utf8(wrong).unwrap();
                assert_eq!(AccountRef::parse(&wrong).is_ok(), wrong == text, "{wrong}");
            }
        }
    }

    #[test]
    fn each_fault_has_its_name() {
        for (text, fault) in [
            ("", OcrFault::NotDigits),
            ("1234 574", OcrFault::NotDigits),
            ("18", OcrFault::Length),
            ("012345682", OcrFault::Length),
            ("160367146695159160367146695159", OcrFault::Length),
            ("1234575", OcrFault::CheckDigit),
            ("1234566", OcrFault::LengthDigit),
        ] {
            assert_eq!(AccountRef::parse(text), Err(fault), "{text}");
        }
    }
}
