//! How values are printed in bodies (rule: wire/numbers, wire/dates).
//!
//! Invariant: nothing here is taken from the surface, so that a mistake there shows.

use super::value::Readable;
use oracle::model::words::Word;
use rust_decimal::Decimal;
use sim::money::Amount;
use sim::time::{Date, Instant};
use std::fmt::Display;

/// A field: its name and its value, or that it is left out.
pub(super) type Field = (&'static str, Option<Readable>);

/// A body of these fields.
pub(super) fn body<const N: usize>(fields: [Field; N]) -> Readable {
    Readable::Fields(fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect())
}

/// A value, or null.
pub(super) fn or_null(value: Option<Readable>) -> Option<Readable> {
    Some(value.unwrap_or(Readable::Null))
}

pub(super) fn text(value: impl Display) -> Option<Readable> {
    Some(Readable::Text(value.to_string()))
}

/// A text of the program's own.
pub(super) fn constant(word: &'static str) -> Option<Readable> {
    Some(Readable::Word(word))
}

/// A text, or nothing.
pub(super) fn text_of<T: Display>(value: Option<T>) -> Option<Readable> {
    value.and_then(text)
}

pub(super) fn flag(value: bool) -> Option<Readable> {
    Some(Readable::Flag(value))
}

pub(super) fn count(value: impl Into<i64>) -> Option<Readable> {
    Some(Readable::Number(value.into().to_string()))
}

/// Money: two decimals.
pub(super) fn money(amount: Amount) -> Option<Readable> {
    let ore = oracle::model::figures::ore(amount);
    let sign = if ore < 0 { "-" } else { "" };
    Some(Readable::Number(format!("{sign}{}.{:02}", ore.unsigned_abs() / 100, ore.unsigned_abs() % 100)))
}

/// Any other number: the decimals it needs.
pub(super) fn decimal(value: Decimal) -> Option<Readable> {
    let text = value.to_string();
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text.as_str() };
    Some(Readable::Number(if text == "-0" { "0" } else { text }.to_owned()))
}

/// A moment: UTC with milliseconds.
pub(super) fn moment(at: Instant) -> Option<Readable> {
    let of_day = at.ms().rem_euclid(86_400_000);
    let (seconds, ms) = (of_day / 1_000, of_day % 1_000);
    text(format_args!("{}T{:02}:{:02}:{:02}.{ms:03}Z", at.utc_date(), seconds / 3_600, seconds / 60 % 60, seconds % 60))
}

/// A day, written as its midnight.
pub(super) fn day(day: Date) -> Option<Readable> {
    text(format_args!("{day}T00:00:00.000Z"))
}

/// A list.
pub(super) fn list<T>(items: impl IntoIterator<Item = T>, of: impl Fn(T) -> Option<Readable>) -> Option<Readable> {
    Some(items.into_iter().filter_map(of).collect())
}

/// The word of a value.
pub(super) fn word(value: impl Word) -> Option<Readable> {
    constant(value.word())
}

/// Words of several values.
pub(super) fn words<W: Word>(values: &[W]) -> Option<Readable> {
    list(values, |value| word(*value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_noise_and_days_are_midnights() {
        let parsed = |text: &str| Decimal::from_str_exact(text).expect("a decimal");
        for (number, printed) in
            [("0.000", "0"), ("-0.0", "0"), ("100", "100"), ("81.00440", "81.0044"), ("-3.10", "-3.1")]
        {
            assert_eq!(decimal(parsed(number)), Some(Readable::Number(printed.to_owned())));
        }
        for (ore, printed) in [(0, "0.00"), (-5, "-0.05"), (1_250, "12.50")] {
            assert_eq!(money(Amount::from_ore(ore)), Some(Readable::Number(printed.to_owned())));
        }
        let at = Instant::parse("2026-03-02T13:04:05.006Z").expect("a moment");
        assert_eq!(moment(at), Some(Readable::Text("2026-03-02T13:04:05.006Z".to_owned())));
        assert_eq!(day(at.utc_date()), Some(Readable::Text("2026-03-02T00:00:00.000Z".to_owned())));
    }
}
