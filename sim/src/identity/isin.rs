//! Securities: the ISIN, the instrument id built on it, and the currency code (rule: money/isin).
//!
//! Owns: their form and the ISIN's check digit.
//! Invariant: plain copies of upper-case ASCII, so they compare and hash as bytes.
//! Absent on purpose: lists of countries or currencies; any two or three letters will do.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::luhn;
use crate::recorded::as_text;

/// Why a text is no ISIN, currency or instrument id. The order is the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum IsinFault {
    /// Wrong length, or characters where the form has none such.
    Malformed,
    /// The ISIN's check digit is wrong.
    CheckDigit,
}

impl fmt::Display for IsinFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IsinFault::Malformed => "malformed",
            IsinFault::CheckDigit => "wrong check digit",
        })
    }
}

impl std::error::Error for IsinFault {}

macro_rules! ascii {
    ($(#[$doc:meta])* $name:ident, $len:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name([u8; $len]);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                std::str::from_utf8(&self.0).expect("upper-case ASCII")
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        as_text!($name, IsinFault);
    };
}

ascii!(
    /// A security's number: two letters, nine letters or digits, a check digit.
    Isin, 12
);
ascii!(
    /// A currency code: three upper-case letters.
    Currency, 3
);
ascii!(
    /// An instrument: an ISIN and the currency it trades in.
    InstrumentId, 15
);

impl Currency {
    /// The Swedish krona, the currency of all accounts.
    pub const SEK: Currency = Currency(*b"SEK");

    /// Reads three upper-case letters.
    ///
    /// # Errors
    /// `Malformed` for anything else.
    pub fn parse(text: &str) -> Result<Currency, IsinFault> {
        let letters: [u8; 3] = text.as_bytes().try_into().map_err(|_| IsinFault::Malformed)?;
        if letters.iter().all(u8::is_ascii_uppercase) { Ok(Currency(letters)) } else { Err(IsinFault::Malformed) }
    }
}

impl Isin {
    /// Reads an ISIN and checks its check digit.
    ///
    /// # Errors
    /// The first fault in the order of [`IsinFault`].
    pub fn parse(text: &str) -> Result<Isin, IsinFault> {
        let bytes: [u8; 12] = text.as_bytes().try_into().map_err(|_| IsinFault::Malformed)?;
        let inner = |c: &u8| c.is_ascii_uppercase() || c.is_ascii_digit();
        let formed = bytes[..2].iter().all(u8::is_ascii_uppercase)
            && bytes[2..11].iter().all(inner)
            && bytes[11].is_ascii_digit();
        if !formed {
            return Err(IsinFault::Malformed);
        }
        let mut expanded = [0; 24];
        if luhn::is_valid(expand(&bytes, &mut expanded)) { Ok(Isin(bytes)) } else { Err(IsinFault::CheckDigit) }
    }

    /// Completes eleven characters with their check digit.
    ///
    /// # Errors
    /// `Malformed` when they are not two letters and nine letters or digits.
    pub fn with_check_digit(body: &str) -> Result<Isin, IsinFault> {
        if body.len() != 11 || !body.bytes().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit()) {
            return Err(IsinFault::Malformed);
        }
        let mut expanded = [0; 24];
        let check = luhn::check_digit(expand(body.as_bytes(), &mut expanded));
        Isin::parse(&format!("{body}{check}"))
    }
}

/// Letters become two digits, A = 10.
fn expand<'a>(text: &[u8], out: &'a mut [u8; 24]) -> &'a [u8] {
    let mut len = 0;
    for c in text {
        if c.is_ascii_digit() {
            out[len] = *c;
            len += 1;
        } else {
            let n = c - b'A' + 10;
            out[len..len + 2].copy_from_slice(&[b'0' + n / 10, b'0' + n % 10]);
            len += 2;
        }
    }
    &out[..len]
}

impl InstrumentId {
    /// The instrument of `isin` in `currency`.
    pub fn new(isin: Isin, currency: Currency) -> InstrumentId {
        let mut bytes = [0; 15];
        bytes[..12].copy_from_slice(&isin.0);
        bytes[12..].copy_from_slice(&currency.0);
        InstrumentId(bytes)
    }

    /// Reads an ISIN followed by a currency code.
    ///
    /// # Errors
    /// The first fault of either part.
    pub fn parse(text: &str) -> Result<InstrumentId, IsinFault> {
        let (isin, currency) = text.split_at_checked(12).ok_or(IsinFault::Malformed)?;
        let currency = Currency::parse(currency)?;
        Ok(InstrumentId::new(Isin::parse(isin)?, currency))
    }

    /// Its ISIN.
    pub fn isin(&self) -> Isin {
        Isin(*self.0.first_chunk().expect("twelve of fifteen"))
    }

    /// Its currency.
    pub fn currency(&self) -> Currency {
        Currency(*self.0.last_chunk().expect("three of fifteen"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::{recorded, replayed};

    const FICTIVE: [&str; 8] = [
        "SE0SBX000016",
        "SE0SBX000024",
        "SE0SBX000032",
        "SE0SBX000040",
        "LU0SBX000058",
        "SE0SBX000065",
        "IE0SBX000074",
        "SE0SBX000081",
    ];

    /// (rule: money/isin)
    #[test]
    fn fictive_isins_pass_and_no_other_check_digit_does() {
        for text in FICTIVE {
            let isin = Isin::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert_eq!(isin.to_string(), text);
            assert_eq!(Isin::with_check_digit(&text[..11]), Ok(isin));
            for digit in 0..10 {
                let other = format!("{}{digit}", &text[..11]);
                assert_eq!(Isin::parse(&other), if other == text { Ok(isin) } else { Err(IsinFault::CheckDigit) });
            }
        }
    }

    #[test]
    fn an_instrument_is_an_isin_and_a_currency() {
        for text in FICTIVE.map(|isin| format!("{isin}SEK")) {
            let id = InstrumentId::parse(&text).unwrap();
            assert_eq!(id.as_str(), text);
            assert_eq!((id.isin().as_str(), id.currency()), (&text[..12], Currency::SEK));
            assert_eq!(InstrumentId::new(id.isin(), id.currency()), id);
            assert_eq!(replayed(&recorded(&id)), Ok(id));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "SE0SBX00001",
            "se0sbx000016",
            "S00SBX000016",
            "SE0SBX00001A",
            "SE0SBX-00016",
            "SE0SBX000016SEK",
            "SE0SBX0000\u{e5}",
        ] {
            assert_eq!(Isin::parse(text), Err(IsinFault::Malformed), "{text}");
        }
        for text in
            ["", "SE0SBX000016", "SE0SBX000016sek", "SE0SBX000016SEKX", "SE0SBX000016S3K", "SE0SBX00001\u{e5}SEK"]
        {
            assert_eq!(InstrumentId::parse(text), Err(IsinFault::Malformed), "{text}");
        }
        assert_eq!(InstrumentId::parse("SE0SBX000017SEK"), Err(IsinFault::CheckDigit));
        assert_eq!(Isin::with_check_digit("SE0SBX0000\u{e5}"), Err(IsinFault::Malformed));
        assert_eq!(Currency::parse("SE"), Err(IsinFault::Malformed));
    }
}
