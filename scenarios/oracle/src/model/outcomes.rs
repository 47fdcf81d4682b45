//! What the fixed numbers of persons and banks do, written a second time (rule: money/fixed-outcomes-of-people,
//! money/fixed-outcomes-of-ibans), and what follows from them by itself: for accounts that wait, bank accounts under check,
//! mandates and journeys.

use super::calendar;
use sim::identity::{Iban, PersonalNumber};
use sim::records::{ErrorCode, MandateStatus, Owner};
use std::fmt;

/// What a person's number decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Person {
    Plain,
    Exposed,
    Sanctioned,
    FailsKyc,
    FailsAuthentication,
    FailsSigning,
    TransferRefused,
    FailsOtherwise,
    NeverApproved,
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "a person without a fixed outcome",
            Self::Exposed => "a person who is politically exposed",
            Self::Sanctioned => "a person on a list of sanctions",
            Self::FailsKyc => "a person whose KYC fails",
            Self::FailsAuthentication => "a person whose authentication fails",
            Self::FailsSigning => "a person whose signature fails",
            Self::TransferRefused => "a person whose transfer is refused",
            Self::FailsOtherwise => "a person whose journey fails otherwise",
            Self::NeverApproved => "a person who is never approved",
        })
    }
}

/// What a person's number decides.
#[must_use]
pub fn person(ssn: PersonalNumber) -> Person {
    match ssn.to_string().as_str() {
        "197001012389" => Person::Exposed,
        "197001022388" => Person::Sanctioned,
        "197001032387" => Person::FailsKyc,
        "197001042386" => Person::FailsAuthentication,
        "197001052385" => Person::FailsSigning,
        "197001062384" => Person::TransferRefused,
        "197001072383" => Person::FailsOtherwise,
        "197001082382" => Person::NeverApproved,
        _ => Person::Plain,
    }
}

impl Person {
    /// The code with which a journey of this person ends, if it comes far enough.
    #[must_use]
    pub const fn code(self) -> Option<ErrorCode> {
        match self {
            Self::FailsAuthentication => Some(ErrorCode::Auth),
            Self::FailsKyc => Some(ErrorCode::Kyc),
            Self::FailsSigning => Some(ErrorCode::Sign),
            Self::TransferRefused => Some(ErrorCode::Transfer),
            Self::FailsOtherwise => Some(ErrorCode::Other),
            Self::Plain | Self::Exposed | Self::Sanctioned | Self::NeverApproved => None,
        }
    }
}

/// Whether one of those who act for an owner has that outcome.
#[must_use]
pub fn any(owner: &Owner, outcome: Person) -> bool {
    match owner {
        Owner::NaturalPerson(one) => person(one.ssn) == outcome,
        Owner::LegalEntity(entity) => entity.signatories.iter().any(|one| person(one.ssn) == outcome),
    }
}

/// The code with which a journey of the company with that number ends, if it comes far enough
/// (rule: accounts/company-register).
#[must_use]
pub fn company(crn: &str) -> Option<ErrorCode> {
    match crn.get(6..) {
        Some("0049" | "0056") => Some(ErrorCode::Kyc),
        Some("0064") => Some(ErrorCode::Sign),
        _ => None,
    }
}

/// Whether the check of a bank account passes; `None` when a person decides.
#[must_use]
pub fn check_passes(iban: &Iban) -> Option<bool> {
    match iban.as_str() {
        "SE5950000000050000000027" => Some(false),
        "SE3750000000050000000035" => None,
        _ => Some(true),
    }
}

/// What becomes of a signed mandate, and after how many bank days.
#[must_use]
pub fn mandate(iban: &Iban, settings: &sim::settings::JourneySettings) -> (MandateStatus, u32) {
    match iban.as_str() {
        "SE1550000000050000000043" => (MandateStatus::Invalid, settings.mandate_bank_days),
        "SE9050000000050000000051" => (MandateStatus::Invalid, settings.mandate_silence_bank_days),
        _ => (MandateStatus::Active, settings.mandate_bank_days),
    }
}

/// Whether payouts to a bank account come back.
#[must_use]
pub fn bounces(iban: &Iban) -> bool {
    iban.as_str() == "SE9350000000050000000094"
}

/// Whether there is money for the charge of that number on a bank account.
#[must_use]
pub fn has_money(iban: &Iban, charge: u32) -> bool {
    match iban.as_str() {
        "SE4050000000050000000078" => false,
        "SE1850000000050000000086" => charge > 1,
        _ => true,
    }
}

/// Whether the payer revokes the mandate after the first charge that is paid.
#[must_use]
pub fn revokes(iban: &Iban) -> bool {
    iban.as_str() == "SE0650000000050000000108"
}

/// What a code of a mandate advice makes of a mandate; `None` when it does not fit (rule: bank/mandate-codes).
#[must_use]
pub fn advised(from: MandateStatus, code: &str) -> Option<MandateStatus> {
    use MandateStatus::{Active, Invalid, Missing, Pending};
    match (from, code) {
        (Pending, "32") => Some(Active),
        (Pending, "10") => Some(Pending),
        (Pending, "03" | "05" | "07" | "20" | "21" | "23") | (Active, "98") => Some(Invalid),
        (Active, "01" | "02" | "33") => Some(Missing),
        _ => None,
    }
}

/// Whether the register of mandate advices has the code.
#[must_use]
pub fn is_code(code: &str) -> bool {
    use MandateStatus::{Active, Pending};
    advised(Pending, code).is_some() || advised(Active, code).is_some()
}

/// At an hour, so many bank days after the day of an instant.
#[must_use]
pub fn bank_days_on(now: sim::time::Instant, bank_days: u32, hour: i8) -> sim::time::Instant {
    calendar::at_local(calendar::bank_days_after(calendar::local_day(now), bank_days), hour, 0)
}
