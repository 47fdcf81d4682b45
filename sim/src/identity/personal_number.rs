//! Swedish personal and coordination numbers, twelve digits (rule: money/personal-number).
//!
//! Owns: their check, the test series seeds are drawn from, and the numbers with a fixed outcome.
//! Invariant: a `PersonalNumber` has a real birth date, the century 19 or 20, and a valid check digit.
//! Absent on purpose: ten-digit forms, hyphens, a person's age (that takes a clock).

use std::fmt;
use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::luhn;
use crate::recorded::as_text;
use crate::rng::Stream;
use crate::time::Date;

/// Birth numbers reserved for testing; nobody alive has one.
pub const TEST_SERIES: [u64; 4] = [980, 981, 238, 239];

/// What the world does with a person, decided by the number alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PersonOutcome {
    /// Every check passes.
    Happy,
    /// Found among politically exposed persons.
    PepHit,
    /// Found on a sanctions list.
    SanctionsHit,
    /// The knowledge of the customer is refused.
    KycRefused,
    /// The person cannot be authenticated.
    AuthenticationFails,
    /// Signing fails.
    SigningFails,
    /// A transfer the journey needs is refused.
    TransferRefused,
    /// An unspecified fault.
    OtherFault,
    /// Approval stays pending until a lever decides it.
    ApprovalPending,
}

/// Personal numbers with a fixed outcome: number, outcome, description. All others are [`PersonOutcome::Happy`].
#[rustfmt::skip]
pub const FIXED_OUTCOMES: &[(&str, PersonOutcome, &str)] = &[
    ("197001012389", PersonOutcome::PepHit,              "politically exposed person"),
    ("197001022388", PersonOutcome::SanctionsHit,        "on a sanctions list"),
    ("197001032387", PersonOutcome::KycRefused,          "customer knowledge refused"),
    ("197001042386", PersonOutcome::AuthenticationFails, "cannot be authenticated"),
    ("197001052385", PersonOutcome::SigningFails,        "signing fails"),
    ("197001062384", PersonOutcome::TransferRefused,     "required transfer refused"),
    ("197001072383", PersonOutcome::OtherFault,          "unspecified fault"),
    ("197001082382", PersonOutcome::ApprovalPending,     "approval pending until decided by hand"),
];

/// Why a text is no personal number. The order is the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PersonalNumberFault {
    /// Not exactly twelve digits.
    NotTwelveDigits,
    /// The year does not begin with 19 or 20.
    Century,
    /// No such birth date.
    Date,
    /// The check digit is wrong.
    CheckDigit,
}

impl fmt::Display for PersonalNumberFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PersonalNumberFault::NotTwelveDigits => "not twelve digits",
            PersonalNumberFault::Century => "not born in a year beginning with 19 or 20",
            PersonalNumberFault::Date => "not a birth date",
            PersonalNumberFault::CheckDigit => "wrong check digit",
        })
    }
}

impl std::error::Error for PersonalNumberFault {}

/// A personal or coordination number, `YYYYMMDDNNNC`. It is never zero, so that an optional one is no larger.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PersonalNumber(NonZeroU64);

impl PersonalNumber {
    /// Reads twelve digits.
    ///
    /// # Errors
    /// The first fault in the order of [`PersonalNumberFault`].
    pub fn parse(text: &str) -> Result<PersonalNumber, PersonalNumberFault> {
        let digits = text.as_bytes();
        if digits.len() != 12 || !digits.iter().all(u8::is_ascii_digit) {
            return Err(PersonalNumberFault::NotTwelveDigits);
        }
        if !matches!(&digits[..2], b"19" | b"20") {
            return Err(PersonalNumberFault::Century);
        }
        let number = PersonalNumber(text.parse().expect("twelve digits"));
        number.date().ok_or(PersonalNumberFault::Date)?;
        if luhn::is_valid(&digits[2..]) { Ok(number) } else { Err(PersonalNumberFault::CheckDigit) }
    }

    /// The day of birth; a coordination number's day without the 60.
    pub fn birth_date(&self) -> Date {
        self.date().expect("checked when made")
    }

    /// Whether it is a coordination number, its day raised by 60.
    pub fn is_coordination(&self) -> bool {
        self.field(10_000, 100) > 60
    }

    /// Whether the digit before the check digit is even, as in the numbers of women.
    pub fn is_of_a_woman(&self) -> bool {
        self.field(10, 10).is_multiple_of(2)
    }

    /// What the world does with this person.
    pub fn outcome(&self) -> PersonOutcome {
        let text = self.to_string();
        FIXED_OUTCOMES.iter().find(|row| row.0 == text).map_or(PersonOutcome::Happy, |row| row.1)
    }

    /// A test number without a fixed outcome, of a person born 1940 to 1999: an adult in every year that is simulated.
    pub fn draw(stream: &mut Stream) -> PersonalNumber {
        loop {
            let day = Date::constant(1940, 1, 1).checked_add(jiff::Span::new().days(stream.between(0, 21_914)));
            let day = day.expect("a day of the 20th century");
            let serial = stream.pick(&TEST_SERIES);
            let body = format!("{:04}{:02}{:02}{serial:03}", day.year(), day.month(), day.day());
            let text = format!("{body}{}", luhn::check_digit(&body.as_bytes()[2..]));
            let number = PersonalNumber::parse(&text).expect("built to pass");
            if number.outcome() == PersonOutcome::Happy {
                return number;
            }
        }
    }

    fn date(&self) -> Option<Date> {
        let day = self.field(10_000, 100);
        let year = i16::try_from(self.field(100_000_000, 10_000)).ok()?;
        let month = i8::try_from(self.field(1_000_000, 100)).ok()?;
        let day = i8::try_from(if day > 60 { day - 60 } else { day }).ok()?;
        Date::new(year, month, day).ok()
    }

    fn field(&self, shift: u64, modulus: u64) -> u64 {
        self.0.get() / shift % modulus
    }
}

impl fmt::Display for PersonalNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:012}", self.0)
    }
}

impl fmt::Debug for PersonalNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

as_text!(PersonalNumber, PersonalNumberFault);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::laws::{self, recorded, replayed};
    use crate::rng::Seed;

    /// (rule: money/personal-number)
    #[test]
    fn test_numbers_and_coordination_numbers_are_read() {
        for (text, born, coordination) in [
            ("199001012385", Date::constant(1990, 1, 1), false),
            ("200002292399", Date::constant(2000, 2, 29), false),
            ("202402292383", Date::constant(2024, 2, 29), false),
            ("201701012393", Date::constant(2017, 1, 1), false),
            ("191212121212", Date::constant(1912, 12, 12), false),
            ("202601612381", Date::constant(2026, 1, 1), true),
            ("202201612393", Date::constant(2022, 1, 1), true),
            ("191401682396", Date::constant(1914, 1, 8), true),
        ] {
            let number = PersonalNumber::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert_eq!((number.birth_date(), number.is_coordination()), (born, coordination), "{text}");
            assert_eq!(number.to_string(), text);
            assert_eq!(replayed(&recorded(&number)), Ok(number));
        }
    }

    #[test]
    fn each_fault_has_its_name_and_the_first_one_wins() {
        use PersonalNumberFault::{Century, CheckDigit, Date, NotTwelveDigits};
        for (text, fault) in [
            ("", NotTwelveDigits),
            ("9001012385", NotTwelveDigits),
            ("19900101-2385", NotTwelveDigits),
            ("19900101238x", NotTwelveDigits),
            ("189001019802", Century),
            ("211301012385", Century),
            ("199013012385", Date),
            ("199002302385", Date),
            ("199001002385", Date),
            ("199001602385", Date),
            ("199001922385", Date),
            ("202302292384", Date),
            ("199001012386", CheckDigit),
        ] {
            assert_eq!(PersonalNumber::parse(text), Err(fault), "{text}");
        }
    }

    /// (rule: money/fixed-outcomes-of-people)
    #[test]
    fn every_fixed_outcome_sits_on_a_valid_number() {
        for (text, outcome, _) in FIXED_OUTCOMES {
            assert_eq!(PersonalNumber::parse(text).map(|n| n.outcome()), Ok(*outcome), "{text}");
        }
        assert_eq!(PersonalNumber::parse("199001012385").unwrap().outcome(), PersonOutcome::Happy);
    }

    #[test]
    fn drawn_numbers_are_happy_adults_of_the_test_series() {
        laws::holds(any::<u64>(), |seed| {
            let number = PersonalNumber::draw(&mut Seed(seed).stream("persons"));
            prop_assert_eq!(PersonalNumber::parse(&number.to_string()), Ok(number));
            prop_assert!((1940..2000).contains(&number.birth_date().year()));
            prop_assert!(TEST_SERIES.contains(&number.field(10, 1_000)));
            prop_assert_eq!((number.outcome(), number.is_coordination()), (PersonOutcome::Happy, false));
            Ok(())
        });
    }
}
