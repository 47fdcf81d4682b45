//! The payment reference of an account: an OCR with length and check digit (rule: money/account-ref).
//!
//! Owns: how a reference is made from the clock, and how one is checked.
//! Invariant: text is body, length digit, check digit; references made in turn increase and never repeat.
//! Absent on purpose: the softer control levels; a bankgiro that refuses wrong references is the only one here.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::luhn;
use crate::recorded::as_text;
use crate::time::Instant;

/// Why a text is no reference. The order is the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum OcrFault {
    /// Something else than digits.
    NotDigits,
    /// Not 3 to 20 digits, or a body that begins with 0 or is over 18 digits: no account has such a reference.
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

/// A payment reference. Holds the body; the two control digits follow from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountRef(u64);

/// The reference for an account opened `now`, above `last`, the latest one given out.
pub fn make_ref(now: Instant, last: Option<AccountRef>) -> AccountRef {
    let floor = last.map_or(1, |last| last.0 + 1);
    AccountRef(now.ms().unsigned_abs().max(floor))
}

impl AccountRef {
    /// Reads a reference and checks both control digits.
    ///
    /// # Errors
    /// The first fault in the order of [`OcrFault`].
    pub fn parse(text: &str) -> Result<AccountRef, OcrFault> {
        let digits = text.as_bytes();
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(OcrFault::NotDigits);
        }
        if !(3..=20).contains(&digits.len()) || digits[0] == b'0' {
            return Err(OcrFault::Length);
        }
        if !luhn::is_valid(digits) {
            return Err(OcrFault::CheckDigit);
        }
        let (body, control) = text.split_at(text.len() - 2);
        if control.as_bytes()[0] != length_digit(body.len()) {
            return Err(OcrFault::LengthDigit);
        }
        Ok(AccountRef(body.parse().expect("at most 18 digits")))
    }
}

/// The last digit of the whole length of a body of so many digits, control digits included.
fn length_digit(body: usize) -> u8 {
    b'0' + u8::try_from((body + 2) % 10).expect("one digit")
}

impl fmt::Display for AccountRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The two control digits stand at the end, the body right before them.
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
    fn references_increase_even_when_the_clock_stands_still() {
        laws::holds((0..4_000_000_000_000_i64, -5..5_i64), |(ms, step)| {
            let first = make_ref(Instant::from_ms(ms), None);
            let second = make_ref(Instant::from_ms(ms + step), Some(first));
            prop_assert!(second > first);
            prop_assert_eq!(AccountRef::parse(&second.to_string()), Ok(second));
            prop_assert_eq!(replayed(&recorded(&second)), Ok(second));
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
