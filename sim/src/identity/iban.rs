//! Bank account numbers: the IBAN, and the Swedish clearing and account number within (rule: money/iban).
//!
//! Owns: both checks, the table of clearing ranges, and the accounts with a fixed outcome.
//! Invariant: an `Iban` passes mod 97; a Swedish one is 22 digits after its country.
//! Absent on purpose: real banks. Ranges and control types follow the real scheme, the names are invented.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::luhn;
use crate::recorded::as_text;
use crate::rng::Stream;

/// What the world does with a bank account, decided by its number alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum IbanOutcome {
    /// Validated, mandate accepted, charges and payouts succeed.
    Happy,
    /// The account check fails.
    CheckFails,
    /// The account check stays pending until a lever decides it.
    CheckPending,
    /// The mandate is refused with code 05.
    MandateRefused,
    /// The bank never answers; code 07 after 6 bank days.
    MandateUnanswered,
    /// Every charge lacks funds: 9, 9, 9, then 1.
    ChargesFail,
    /// The first charge lacks funds (9), the next is paid.
    FirstChargeFails,
    /// Payouts bounce and are credited back the next bank day.
    PayoutsBounce,
    /// The payer revokes the mandate after the first paid charge.
    RevokesAfterFirstCharge,
}

/// Accounts with a fixed outcome: number, outcome, description. All others are [`IbanOutcome::Happy`].
#[rustfmt::skip]
pub const FIXED_OUTCOMES: &[(&str, IbanOutcome, &str)] = &[
    ("SE8150000000050000000019", IbanOutcome::Happy,                   "validated, mandate accepted"),
    ("SE5950000000050000000027", IbanOutcome::CheckFails,              "account check fails"),
    ("SE3750000000050000000035", IbanOutcome::CheckPending,            "account check pending until decided by hand"),
    ("SE1550000000050000000043", IbanOutcome::MandateRefused,          "mandate refused, code 05"),
    ("SE9050000000050000000051", IbanOutcome::MandateUnanswered,       "no answer on the mandate, code 07 after 6 bank days"),
    ("SE4050000000050000000078", IbanOutcome::ChargesFail,             "every charge lacks funds: 9, 9, 9, then 1"),
    ("SE1850000000050000000086", IbanOutcome::FirstChargeFails,        "first charge lacks funds, then paid"),
    ("SE9350000000050000000094", IbanOutcome::PayoutsBounce,           "payouts bounce"),
    ("SE0650000000050000000108", IbanOutcome::RevokesAfterFirstCharge, "mandate revoked after the first paid charge"),
    ("SE1760000000000400000105", IbanOutcome::Happy,                   "account without clearing, happy"),
    ("SE8580000832790000001230", IbanOutcome::Happy,                   "five-digit clearing, happy"),
];

/// How the check digit of a domestic account is reckoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Control {
    /// 1A: mod 11 over the last three clearing digits and the seven-digit account.
    Type1A,
    /// 1B: mod 11 over all four clearing digits and the seven-digit account.
    Type1B,
    /// 2: mod 10 over a ten-digit account alone.
    Type2Mod10,
    /// 2: mod 10 over a ten-digit account alone; the clearing number has a fifth digit, its own check.
    Type2Mod10FifthDigit,
    /// 2: mod 11 over a nine-digit account alone.
    Type2Mod11,
}

use Control::{Type1A, Type1B, Type2Mod10, Type2Mod10FifthDigit, Type2Mod11};

/// One range of clearing numbers: first, last, control type, bank id in an IBAN, fictive bank.
pub type ClearingRange = (u16, u16, Control, u16, &'static str);

/// Every clearing range known here.
#[rustfmt::skip]
pub const CLEARING: &[ClearingRange] = &[
    (1100, 1199, Type1A,               300, "Norrsken Bank"),
    (1200, 1399, Type1A,               120, "Havsviksbanken"),
    (1400, 2099, Type1A,               300, "Norrsken Bank"),
    (2400, 2499, Type1A,               120, "Havsviksbanken"),
    (3000, 3299, Type1A,               300, "Norrsken Bank"),
    (3300, 3300, Type2Mod10,           300, "Norrsken Bank"),
    (3301, 3399, Type1A,               300, "Norrsken Bank"),
    (3400, 3409, Type1A,               902, "Landsbygdens Bank"),
    (3410, 3781, Type1A,               300, "Norrsken Bank"),
    (3782, 3782, Type2Mod10,           300, "Norrsken Bank"),
    (3783, 3999, Type1A,               300, "Norrsken Bank"),
    (4000, 4999, Type1B,               300, "Norrsken Bank"),
    (5000, 5999, Type1A,               500, "Skepparbanken"),
    (6000, 6999, Type2Mod11,           600, "Gillesbanken"),
    (7000, 7999, Type1A,               800, "Ekbacka Sparkassa"),
    (8000, 8999, Type2Mod10FifthDigit, 800, "Ekbacka Sparkassa"),
    (9020, 9029, Type1B,               902, "Landsbygdens Bank"),
    (9060, 9069, Type1A,               902, "Landsbygdens Bank"),
    (9100, 9109, Type1B,               910, "Polstjärnan Bank"),
    (9120, 9124, Type1A,               500, "Skepparbanken"),
    (9130, 9149, Type1A,               500, "Skepparbanken"),
    (9150, 9169, Type1B,               915, "Gråstensbanken"),
    (9250, 9259, Type1A,               925, "Tegelbanken"),
    (9270, 9279, Type1A,               927, "Kvarnbanken"),
    (9550, 9569, Type1B,               955, "Vindrosen Bank"),
];

/// Why a text is no IBAN. The order is the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum IbanFault {
    /// Not two letters, two digits, and 11 to 30 upper-case letters or digits; a Swedish one not 22 digits.
    Malformed,
    /// The check digits are wrong.
    CheckDigits,
}

impl fmt::Display for IbanFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IbanFault::Malformed => "not in the form of an IBAN",
            IbanFault::CheckDigits => "wrong check digits",
        })
    }
}

impl std::error::Error for IbanFault {}

/// A Swedish clearing and account number, its own check passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Domestic {
    /// Four digits; `None` where an IBAN leaves the clearing number out.
    pub clearing: Option<u16>,
    /// The check digit some clearing numbers have.
    pub fifth_digit: Option<u8>,
    /// The account number.
    pub account: u64,
    /// How many digits the account number is written with.
    pub width: u8,
}

impl fmt::Display for Domestic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(clearing) = self.clearing {
            write!(f, "{clearing:04}")?;
            if let Some(digit) = self.fifth_digit {
                write!(f, "-{digit}")?;
            }
            f.write_str(" ")?;
        }
        write!(f, "{:0width$}", self.account, width = usize::from(self.width))
    }
}

/// An international bank account number, without spaces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Iban {
    text: [u8; 34],
    len: u8,
}

impl Iban {
    /// Reads upper-case letters and digits without spaces, of any country.
    ///
    /// The domestic check is not part of it; see [`Iban::domestic`].
    ///
    /// # Errors
    /// The first fault in the order of [`IbanFault`].
    pub fn parse(text: &str) -> Result<Iban, IbanFault> {
        let b = text.as_bytes();
        let formed = (15..=34).contains(&b.len())
            && b[..2].iter().all(u8::is_ascii_uppercase)
            && b[2..4].iter().all(u8::is_ascii_digit)
            && b[4..].iter().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
        if !formed || (b.starts_with(b"SE") && (b.len() != 24 || !b[4..].iter().all(u8::is_ascii_digit))) {
            return Err(IbanFault::Malformed);
        }
        // 00, 01 and 99 leave the same remainder as 97, 98 and 02, but are never given out.
        if mod97(b) != 1 || matches!(&b[2..4], b"00" | b"01" | b"99") {
            return Err(IbanFault::CheckDigits);
        }
        let mut stored = [0; 34];
        stored[..b.len()].copy_from_slice(b);
        Ok(Iban { text: stored, len: u8::try_from(b.len()).expect("at most 34") })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.text[..usize::from(self.len)]).expect("upper-case ASCII")
    }

    /// The two letters of the country.
    pub fn country(&self) -> &str {
        &self.as_str()[..2]
    }

    /// All after the country and the check digits.
    pub fn bban(&self) -> &str {
        &self.as_str()[4..]
    }

    /// The fictive bank of a Swedish account; `None` abroad, or where no range fits.
    pub fn bank(&self) -> Option<&'static str> {
        self.located().map(|(_, row)| row.4)
    }

    /// The Swedish clearing and account number; `None` abroad, where no range fits, or when its own check fails.
    pub fn domestic(&self) -> Option<Domestic> {
        let (number, row) = self.located()?;
        domestic_ok(&number, row.2).then_some(number)
    }

    /// What the world does with this account.
    pub fn outcome(&self) -> IbanOutcome {
        let text = self.as_str();
        FIXED_OUTCOMES.iter().find(|row| row.0 == text).map_or(IbanOutcome::Happy, |row| row.1)
    }

    /// A Swedish account that passes both checks and has no fixed outcome.
    pub fn draw(stream: &mut Stream) -> Iban {
        // Clearing number 5000 is left to the accounts with a fixed outcome.
        let clearing = stream.below(999) + 5_001;
        loop {
            let body = stream.below(1_000_000);
            for account in (body * 10)..(body * 10 + 10) {
                let number = Domestic { clearing: u16::try_from(clearing).ok(), fifth_digit: None, account, width: 7 };
                if domestic_ok(&number, Type1A) {
                    return Iban::swedish(500, clearing * 10_000_000 + account);
                }
            }
            // One body in eleven would need the check digit 10: draw another.
        }
    }

    fn swedish(bank: u16, rest: u64) -> Iban {
        let bban = format!("{bank:03}{rest:017}");
        let check = 98 - mod97(format!("SE00{bban}").as_bytes());
        Iban::parse(&format!("SE{check:02}{bban}")).expect("built to pass")
    }

    /// Where a Swedish IBAN's bank id leads: the number it holds, unchecked, and the row of its range.
    fn located(&self) -> Option<(Domestic, &'static ClearingRange)> {
        let digits = self.as_str().strip_prefix("SE")?;
        let bank: u16 = digits[2..5].parse().ok()?;
        let rest: u64 = digits[5..].parse().ok()?;
        let number = |clearing: Option<u64>, fifth: Option<u64>, account: u64, width: u8| Domestic {
            clearing: clearing.and_then(|n| u16::try_from(n).ok()),
            fifth_digit: fifth.and_then(|n| u8::try_from(n).ok()),
            account,
            width,
        };
        let found = |clearing: u64| {
            CLEARING.iter().find(|row| row.3 == bank && (u64::from(row.0)..=u64::from(row.1)).contains(&clearing))
        };
        // Bank 600 leaves its clearing number out, bank 300 does for accounts that are personal numbers.
        if bank == 600 && rest < 1_000_000_000 {
            return Some((number(None, None, rest, 9), found(6_000)?));
        }
        if bank == 300 && rest < 10_000_000_000 {
            return Some((number(None, None, rest, 10), found(3_300)?));
        }
        // Eleven digits: four of clearing, seven of account.
        if rest < 100_000_000_000 {
            let row = found(rest / 10_000_000).filter(|row| matches!(row.2, Type1A | Type1B))?;
            return Some((number(Some(rest / 10_000_000), None, rest % 10_000_000, 7), row));
        }
        // Fifteen digits: five of clearing, ten of account.
        let (clearing, account) = (rest / 10_000_000_000, rest % 10_000_000_000);
        let row = found(clearing / 10).filter(|row| row.2 == Type2Mod10FifthDigit)?;
        Some((number(Some(clearing / 10), Some(clearing % 10), account, 10), row))
    }
}

fn domestic_ok(number: &Domestic, control: Control) -> bool {
    let clearing = u64::from(number.clearing.unwrap_or(0));
    match control {
        Type1A => mod11(clearing % 1_000 * 10_000_000 + number.account),
        Type1B => mod11(clearing * 10_000_000 + number.account),
        Type2Mod10 => luhn::is_valid(format!("{:010}", number.account).as_bytes()),
        Type2Mod10FifthDigit => {
            let fifth = number.fifth_digit.unwrap_or(0);
            luhn::is_valid(format!("{clearing:04}{fifth}").as_bytes())
                && luhn::is_valid(format!("{:010}", number.account).as_bytes())
        }
        Type2Mod11 => mod11(number.account),
    }
}

/// Whether the digits, weighted 1 to 10 and again from 1 from the right, add up to a multiple of 11.
fn mod11(mut number: u64) -> bool {
    let mut sum = 0;
    for weight in (1..=10).cycle() {
        if number == 0 {
            break;
        }
        sum += number % 10 * weight;
        number /= 10;
    }
    sum % 11 == 0
}

/// The remainder of an IBAN, its first four characters moved to the end and letters read as two digits (A = 10).
fn mod97(text: &[u8]) -> u32 {
    text[4..].iter().chain(&text[..4]).fold(0, |rest, c| {
        if c.is_ascii_digit() {
            (rest * 10 + u32::from(c - b'0')) % 97
        } else {
            (rest * 100 + u32::from(c - b'A') + 10) % 97
        }
    })
}

impl fmt::Display for Iban {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Iban {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

as_text!(Iban, IbanFault);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::laws::{self, recorded, replayed};
    use crate::rng::Seed;

    fn iban(text: &str) -> Iban {
        Iban::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    /// (rule: money/iban, bank/bank-name)
    #[test]
    fn swedish_accounts_show_bank_clearing_and_account() {
        for (text, bank, domestic) in [
            ("SE4550000000058398257466", "Skepparbanken", "5839 8257466"),
            ("SE7280000810340009783242", "Ekbacka Sparkassa", "8103-4 0009783242"),
            ("SE8150000000050000000019", "Skepparbanken", "5000 0000019"),
            ("SE1760000000000400000105", "Gillesbanken", "400000105"),
            ("SE8580000832790000001230", "Ekbacka Sparkassa", "8327-9 0000001230"),
        ] {
            let iban = iban(text);
            assert_eq!(iban.bank(), Some(bank), "{text}");
            assert_eq!(iban.domestic().map(|d| d.to_string()), Some(domestic.to_string()), "{text}");
            assert_eq!((iban.country(), iban.bban()), ("SE", &text[4..]));
        }
    }

    #[test]
    fn each_control_type_notices_a_wrong_last_digit() {
        for (bank, rest, domestic) in [
            (500, "50000000019", Some("5000 0000019")),
            (500, "50000000018", None),
            (910, "91000000003", Some("9100 0000003")),
            (910, "91000000004", None),
            (300, "9001012385", Some("9001012385")),
            (300, "9001012386", None),
            (600, "400000105", Some("400000105")),
            (600, "400000106", None),
            (800, "832790000001230", Some("8327-9 0000001230")),
            (800, "832790000001231", None),
            (800, "832780000001230", None),
            // No range of this bank holds the clearing number.
            (500, "60000000019", None),
            (999, "50000000019", None),
        ] {
            let found = Iban::swedish(bank, rest.parse().unwrap()).domestic().map(|d| d.to_string());
            assert_eq!(found.as_deref(), domestic, "{bank} {rest}");
        }
    }

    #[test]
    fn foreign_accounts_are_read_and_have_no_swedish_parts() {
        for text in ["DE89370400440532013000", "GB82WEST12345698765432", "NO9386011117947"] {
            let iban = iban(text);
            assert_eq!((iban.bank(), iban.domestic(), iban.outcome()), (None, None, IbanOutcome::Happy));
            assert_eq!(iban.to_string(), text);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for (text, fault) in [
            ("", IbanFault::Malformed),
            ("SE45 5000 0000 0583 9825 7466", IbanFault::Malformed),
            ("se4550000000058398257466", IbanFault::Malformed),
            ("SE455000000005839825746", IbanFault::Malformed),
            ("SE455000000005839825746A", IbanFault::Malformed),
            ("4550000000058398257466SE", IbanFault::Malformed),
            ("GB82WEST1234569876543\u{e5}", IbanFault::Malformed),
            ("SE4550000000058398257467", IbanFault::CheckDigits),
            ("SE5450000000058398257466", IbanFault::CheckDigits),
        ] {
            assert_eq!(Iban::parse(text), Err(fault), "{text}");
        }
    }

    /// (rule: money/fixed-outcomes-of-ibans)
    #[test]
    fn every_fixed_outcome_sits_on_an_account_that_passes_both_checks() {
        let rows = [
            ("SE8150000000050000000019", IbanOutcome::Happy),
            ("SE5950000000050000000027", IbanOutcome::CheckFails),
            ("SE3750000000050000000035", IbanOutcome::CheckPending),
            ("SE1550000000050000000043", IbanOutcome::MandateRefused),
            ("SE9050000000050000000051", IbanOutcome::MandateUnanswered),
            ("SE4050000000050000000078", IbanOutcome::ChargesFail),
            ("SE1850000000050000000086", IbanOutcome::FirstChargeFails),
            ("SE9350000000050000000094", IbanOutcome::PayoutsBounce),
            ("SE0650000000050000000108", IbanOutcome::RevokesAfterFirstCharge),
            ("SE1760000000000400000105", IbanOutcome::Happy),
            ("SE8580000832790000001230", IbanOutcome::Happy),
        ];
        assert_eq!(FIXED_OUTCOMES.iter().map(|row| (row.0, row.1)).collect::<Vec<_>>(), rows);
        for (text, outcome) in rows {
            let iban = iban(text);
            assert_eq!(iban.outcome(), outcome, "{text}");
            assert!(iban.domestic().is_some(), "{text}");
        }
    }

    #[test]
    fn clearing_ranges_are_in_order_and_do_not_overlap() {
        for rows in CLEARING.windows(2) {
            assert!(rows[0].1 < rows[1].0, "{:?} {:?}", rows[0], rows[1]);
        }
        assert!(CLEARING.iter().all(|row| row.0 <= row.1));
    }

    #[test]
    fn drawn_accounts_pass_both_checks_and_have_no_fixed_outcome() {
        laws::holds(any::<u64>(), |seed| {
            let iban = Iban::draw(&mut Seed(seed).stream("ibans"));
            prop_assert_eq!(Iban::parse(iban.as_str()), Ok(iban));
            prop_assert_eq!(replayed(&recorded(&iban)), Ok(iban));
            prop_assert!(FIXED_OUTCOMES.iter().all(|row| row.0 != iban.as_str()));
            let clearing = iban.domestic().and_then(|d| d.clearing);
            prop_assert!(clearing.is_some_and(|c| (5_001..=5_999).contains(&c)), "{}", iban);
            Ok(())
        });
    }

    #[test]
    fn no_text_makes_the_parser_panic() {
        laws::holds("SE[0-9]{22}|[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}|\\PC{0,40}", |text| {
            if let Ok(iban) = Iban::parse(&text) {
                prop_assert_eq!(iban.as_str(), text);
                let _: (Option<_>, Option<_>) = (iban.bank(), iban.domestic());
            }
            Ok(())
        });
    }
}
