//! What is wrong with an answer, in words for the person who gave it.
//!
//! Invariant: every fault has words, and none of them quotes what was written. Absent on purpose: the sentences of the API.

use sim::query::FieldKind;
use sim::refusal::Fault;

use super::Phrase;
use crate::lang::Lang;
use crate::words as say;

/// The sentence for a fault of a field of that kind.
#[must_use]
pub fn fault(lang: Lang, fault: &Fault, kind: Option<FieldKind>) -> String {
    match fault {
        Fault::TooLong { max } => say::TOO_LONG.fill(lang, &[("max", &max.to_string())]),
        Fault::TooMany { max } => say::TOO_MANY.fill(lang, &[("max", &max.to_string())]),
        Fault::SumNotHundred { sum } => say::BAD_SUM_IS.fill(lang, &[("sum", &written(lang, &sum.to_string()))]),
        Fault::BelowMinimum { min } => say::BELOW_MINIMUM.fill(lang, &[("min", &written(lang, &min.to_string()))]),
        plain => phrase(plain, kind).say(lang).to_owned(),
    }
}

/// A number of the world in the language's own writing.
fn written(lang: Lang, number: &str) -> String {
    number.parse().map_or_else(|_| number.to_owned(), |number| lang.number(number))
}

fn phrase(fault: &Fault, kind: Option<FieldKind>) -> Phrase {
    match fault {
        Fault::Missing | Fault::Empty => match kind {
            Some(FieldKind::Choice | FieldKind::Flag | FieldKind::Day) => say::MISSING_CHOICE,
            Some(FieldKind::Choices) => say::MISSING_CHOICES,
            _ => say::MISSING,
        },
        Fault::NotAChoice => say::NOT_A_CHOICE,
        Fault::NotPositive => say::NOT_POSITIVE,
        Fault::Duplicate | Fault::Taken => say::GIVEN_TWICE,
        Fault::NotInUniverse => say::NOT_IN_UNIVERSE,
        Fault::ClosedForSubscription | Fault::ClosedForRedemption | Fault::Suspended => say::CLOSED_FUND,
        Fault::OnlyForProfessionals => say::ONLY_PROFESSIONALS,
        Fault::NotTheOwner | Fault::DifferentOwner | Fault::NotYours => say::WRONG_PERSON,
        Fault::ReadOnly | Fault::Unwritable => say::FIXED,
        _ => by_kind(kind),
    }
}

/// What a well-formed answer of that kind looks like.
fn by_kind(kind: Option<FieldKind>) -> Phrase {
    match kind {
        Some(FieldKind::PersonalNumber | FieldKind::PersonalNumbers) => say::BAD_NUMBER,
        Some(FieldKind::OrganisationNumber) => say::BAD_ORGANISATION,
        Some(FieldKind::Email) => say::BAD_EMAIL,
        Some(FieldKind::Iban) => say::BAD_IBAN,
        Some(FieldKind::Amount) => say::BAD_AMOUNT,
        Some(FieldKind::Percent) => say::BAD_SHARE,
        Some(FieldKind::Day) => say::BAD_DAY,
        Some(FieldKind::Date) => say::BAD_DATE,
        Some(FieldKind::Countries) => say::BAD_COUNTRIES,
        Some(FieldKind::Choice | FieldKind::Choices | FieldKind::Flag) => say::NOT_A_CHOICE,
        Some(FieldKind::Text { .. }) | None => say::NOT_ACCEPTABLE,
    }
}
