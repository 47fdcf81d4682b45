//! Statuses that the service has, so that one it never shows is found before a story runs.
//!
//! Invariant: the words are those of the wire. Absent on purpose: which status may follow which (`fundsim explain order`).

use super::reader::Reader;
use crate::ast::{Expected, Noun};
use crate::diagnostic::Span;
use crate::template::is_filled;
use crate::words;
use deliveries::machine;
use serde_json::Value as Json;
use sim::machines::journey;
use sim::records::AccountStatus;
use sim::settings::Settings;
use wire::orders;
use wire::words::Word;

/// What has a status.
#[derive(Clone, Copy)]
pub(super) enum Of {
    /// An order, an account or a journey.
    Noun(Noun),
    /// A callback on its way.
    Delivery,
}

impl Of {
    fn name(self) -> &'static str {
        match self {
            Self::Noun(Noun::Order) => "order",
            Self::Noun(Noun::Account) => "account",
            Self::Noun(Noun::Journey) => "journey",
            Self::Delivery => "delivery",
        }
    }

    fn words(self) -> Vec<&'static str> {
        match self {
            Self::Noun(Noun::Order) => {
                orders::statuses(&Settings { expose_confirmed: true, ..Settings::default() }).to_vec()
            }
            Self::Noun(Noun::Account) => AccountStatus::WORDS.iter().map(|row| row.0).collect(),
            Self::Noun(Noun::Journey) => journey::State::WORDS.iter().map(|row| row.0).collect(),
            Self::Delivery => machine::TABLE.states.iter().map(|status| status.name()).collect(),
        }
    }
}

/// Complains about a status that there is not; whether there is one.
pub(super) fn check(reader: &mut Reader<'_>, of: Of, status: &str, span: &Span) -> bool {
    let known = of.words();
    if is_filled(status) || known.contains(&status) {
        return true;
    }
    let (one, hint) = (of.name(), words::hint(status, &known));
    let article = if one.starts_with(['a', 'o']) { "an" } else { "a" };
    reader.fault(span, format!("no status of {article} {one} is `{status}`")).hint = hint;
    false
}

/// The same of an expectation: a word alone, or `status` within a map.
pub(super) fn check_expected(reader: &mut Reader<'_>, of: Of, expected: &Expected, span: &Span) {
    let status = match expected {
        Expected::Part(entries) => entries.iter().find(|(key, _)| key == "status").map(|(_, status)| status),
        other => Some(other),
    };
    match status {
        Some(Expected::Is(Json::String(word))) => drop(check(reader, of, word, span)),
        Some(Expected::OneOf(choices)) => choices.iter().for_each(|one| check_expected(reader, of, one, span)),
        Some(Expected::Not(inner)) => check_expected(reader, of, inner, span),
        _ => {}
    }
}
