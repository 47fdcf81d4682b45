//! Numbers as a picture shows them, and the scale they are drawn to.
//!
//! Invariant: amounts are whole ore throughout; nothing is a binary fraction.

use rust_decimal::prelude::ToPrimitive as _;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
use sim::money::Amount;

/// Between groups of three digits: a space at which no line breaks.
const GAP: char = '\u{a0}';
const ORE: i64 = 100;

/// An amount in ore; the most there is for what no picture can show.
pub(crate) fn ore(amount: Amount) -> i64 {
    (amount.get() * rust_decimal::Decimal::ONE_HUNDRED).to_i64().unwrap_or(i64::MAX / 4)
}

/// Kronor in groups of three digits, with ore where there are any: `1 234 567.89`.
pub(crate) fn grouped(ore: i64) -> String {
    let digits = (ore.unsigned_abs() / ORE.unsigned_abs()).to_string();
    let mut text = String::from(if ore < 0 { "−" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(GAP);
        }
        text.push(digit);
    }
    match ore.unsigned_abs() % ORE.unsigned_abs() {
        0 => text,
        rest => format!("{text}.{rest:02}"),
    }
}

/// An amount in ore as the JSON of facts has it: a number of kronor with two decimals.
pub(crate) fn sek<S: Serializer>(ore: &i64, to: S) -> Result<S::Ok, S::Error> {
    let (sign, whole) = (if *ore < 0 { "-" } else { "" }, ore.unsigned_abs());
    let hundred = ORE.unsigned_abs();
    let digits = format!("{sign}{}.{:02}", whole / hundred, whole % hundred);
    let number: serde_json::Number = digits.parse().map_err(S::Error::custom)?;
    number.serialize(to)
}

/// As `sek`, where there may be none.
pub(crate) fn sek_or_nothing<S: Serializer>(ore: &Option<i64>, to: S) -> Result<S::Ok, S::Error> {
    match ore {
        Some(ore) => sek(ore, to),
        None => to.serialize_none(),
    }
}

/// What `sek_or_nothing` has written.
pub(crate) fn ore_or_nothing<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    let Some(number) = Option::<serde_json::Number>::deserialize(from)? else { return Ok(None) };
    let sek: rust_decimal::Decimal = number.to_string().parse().map_err(D::Error::custom)?;
    Ok((sek * rust_decimal::Decimal::ONE_HUNDRED).to_i64())
}

/// A decimal as the JSON of facts has it: a number with all its digits.
pub(crate) fn decimal<S: Serializer>(number: &Option<rust_decimal::Decimal>, to: S) -> Result<S::Ok, S::Error> {
    let digits = number.map(|number| number.to_string().parse::<serde_json::Number>());
    digits.transpose().map_err(S::Error::custom)?.serialize(to)
}

/// Where a scale begins and ends, and how far its lines are apart: round numbers, some `lines` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    pub(crate) from: i64,
    pub(crate) to: i64,
    pub(crate) step: i64,
}

impl Scale {
    /// A scale from the lower of `least` and 0 to the higher of `most` and 0.
    pub(crate) fn over(least: i64, most: i64, lines: i64) -> Self {
        let (least, most) = (least.min(0), most.max(0));
        let wanted = ((most - least) / lines).max(ORE);
        let step = steps().find(|step| *step >= wanted).unwrap_or(wanted);
        let down = |ore: i64| ore.div_euclid(step) * step;
        let to = down(most + step - 1).max(if least == 0 { step } else { 0 });
        Self { from: down(least), to, step }
    }

    /// The values of its lines.
    pub(crate) fn lines(self) -> impl Iterator<Item = i64> {
        std::iter::successors(Some(self.from), move |ore| Some(ore + self.step)).take_while(move |ore| *ore <= self.to)
    }
}

/// 1, 2, 5, 10, 20, 50 kronor and so on.
fn steps() -> impl Iterator<Item = i64> {
    let tens = std::iter::successors(Some(ORE), |ten: &i64| ten.checked_mul(10));
    tens.flat_map(|ten| [Some(ten), ten.checked_mul(2), ten.checked_mul(5)]).flatten()
}
