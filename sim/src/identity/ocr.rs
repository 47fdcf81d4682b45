//! The payment reference of an account: an OCR with length and check digit (decisions 2.4).
//!
//! Owns: how a reference is made from the clock, and how one is checked.
//! Invariant: text is body, length digit, check digit; references made in turn increase and never repeat.
//! Absent on purpose: the softer control levels; a bankgiro that refuses wrong references is the only one here.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::luhn;
use crate::ids::as_text;
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
        if control.as_bytes()[0] != length_digit(body) {
            return Err(OcrFault::LengthDigit);
        }
        Ok(AccountRef(body.parse().expect("at most 18 digits")))
    }
}

/// The last digit of the whole length, control digits included.
fn length_digit(body: &str) -> u8 {
    b'0' + u8::try_from((body.len() + 2) % 10).expect("one digit")
}

impl fmt::Display for AccountRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.0.to_string();
        text.push(char::from(length_digit(&text)));
        let check = luhn::check_digit(text.as_bytes());
        write!(f, "{text}{check}")
    }
}

impl fmt::Debug for AccountRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

as_text!(AccountRef, OcrFault);
