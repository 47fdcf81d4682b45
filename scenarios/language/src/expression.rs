//! The text between braces: a name, or a sum of names and numbers.
//!
//! Owns: `{amount}`, `{order.amount * 2}`, `{(a + b) / 3 to 2 decimals}`. Operators have spaces around them, since names
//! may hold hyphens. Invariant: figures are fractions of whole numbers until the end, so that nothing is rounded but what
//! says so (`to N decimals`, halves away from zero); a figure without an end, or too long, is a fault and never cut.
//! Absent on purpose: where values come from (`template`).

use crate::exact;
use num_rational::Ratio;
use num_traits::{CheckedAdd as _, CheckedDiv as _, CheckedMul as _, CheckedSub as _, Zero as _};
use serde_json::{Number, Value as Json};
use std::fmt;
use std::str::FromStr;

/// Most decimals that a figure is rounded to.
const MOST_DECIMALS: u32 = 18;
/// Parentheses within parentheses.
const DEEPEST: usize = 16;

/// What is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression<'a> {
    /// A saved value, of any kind.
    Reference(Reference<'a>),
    /// A number.
    Number(&'a str),
    /// Two figures and what is done with them.
    Of(Operator, Box<Expression<'a>>, Box<Expression<'a>>),
    /// A figure with at most so many decimals.
    Rounded(Box<Expression<'a>>, u32),
}

/// What is done with two figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    By,
}

/// `{name.path}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference<'a> {
    /// The saved name.
    pub name: &'a str,
    /// What follows the first dot or bracket, perhaps nothing.
    pub path: &'a str,
}

/// What is wrong with a text or its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateError {
    /// A brace without its partner.
    Unbalanced(String),
    /// Nothing, or nothing sensible, between braces.
    BadName(String),
    /// A sum that cannot be read.
    BadFigure(String),
    /// A sum without a value, and why.
    NoFigure(String),
    /// No such name has been saved.
    Unknown(String),
    /// The name is known, but not this part of it.
    NoSuchPart {
        /// The name.
        name: String,
        /// The path that leads nowhere.
        path: String,
        /// What there is instead.
        there: String,
    },
    /// A list or a resource without id in the middle of a text.
    NotText(String),
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unbalanced(text) => write!(f, "a brace in `{text}` has no partner"),
            Self::BadName(text) => write!(f, "`{{{text}}}` is not a saved name"),
            Self::BadFigure(text) => {
                write!(f, "`{{{text}}}` cannot be read as a sum; its signs have spaces around them")
            }
            Self::NoFigure(why) => write!(f, "it has no value: {why}"),
            Self::Unknown(name) => write!(f, "nothing is saved as `{name}`"),
            Self::NoSuchPart { name, path, there } => write!(f, "`{name}` has no `{path}`: {there}"),
            Self::NotText(name) => write!(f, "`{{{name}}}` is neither a text nor a number nor a resource with an id"),
        }
    }
}

impl std::error::Error for TemplateError {}

/// Whether a saved name may hold this character.
#[must_use]
pub fn is_name_character(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, ' ' | '-' | '_')
}

impl<'a> Expression<'a> {
    /// Reads the text between braces.
    ///
    /// # Errors
    /// `BadName` and `BadFigure`.
    pub fn read(text: &'a str) -> Result<Self, TemplateError> {
        let (sum, decimals) = rounding(text);
        let mut words = Words { text, rest: words(sum), deep: 0 };
        if words.rest.is_empty() {
            return Err(TemplateError::BadName(text.to_owned()));
        }
        let found = words.sum()?;
        if !words.rest.is_empty() {
            return Err(words.bad());
        }
        match decimals {
            None => Ok(found),
            Some(decimals) if decimals <= MOST_DECIMALS => Ok(Self::Rounded(Box::new(found), decimals)),
            Some(_) => Err(words.bad()),
        }
    }

    /// The names in it.
    #[must_use]
    pub fn references(&self) -> Vec<Reference<'a>> {
        match self {
            Self::Reference(reference) => vec![*reference],
            Self::Number(_) => Vec::new(),
            Self::Of(_, left, right) => [left.references(), right.references()].concat(),
            Self::Rounded(inner, _) => inner.references(),
        }
    }

    /// Its value: a name alone has the value that was saved for it, anything else is a number.
    ///
    /// # Errors
    /// What `look_up` says, and what is no number or has no exact value.
    pub fn value(
        &self,
        look_up: &dyn Fn(&Reference<'_>) -> Result<Json, TemplateError>,
    ) -> Result<Json, TemplateError> {
        if let Self::Reference(reference) = self {
            return look_up(reference);
        }
        let figure = self.figure(look_up)?;
        written(figure).ok_or_else(|| {
            TemplateError::NoFigure(
                "it has no end, or too many digits: round it, as in `{a / b to 2 decimals}`".to_owned(),
            )
        })
    }

    fn figure(
        &self,
        look_up: &dyn Fn(&Reference<'_>) -> Result<Json, TemplateError>,
    ) -> Result<Ratio<i128>, TemplateError> {
        let long = || TemplateError::NoFigure("it has too many digits".to_owned());
        match self {
            Self::Reference(reference) => {
                let value = look_up(reference)?;
                let text = match &value {
                    Json::Number(number) => number.as_str(),
                    Json::String(text) => text,
                    _ => "",
                };
                fraction(text).ok_or_else(|| TemplateError::NoFigure(format!("`{}` is {value}", reference.name)))
            }
            Self::Number(text) => fraction(text).ok_or_else(long),
            Self::Of(operator, left, right) => {
                let (left, right) = (left.figure(look_up)?, right.figure(look_up)?);
                match operator {
                    Operator::Plus => left.checked_add(&right),
                    Operator::Minus => left.checked_sub(&right),
                    Operator::Times => left.checked_mul(&right),
                    Operator::By if right.is_zero() => {
                        return Err(TemplateError::NoFigure("division by 0".to_owned()));
                    }
                    Operator::By => left.checked_div(&right),
                }
                .ok_or_else(long)
            }
            Self::Rounded(inner, decimals) => rounded(inner.figure(look_up)?, *decimals).ok_or_else(long),
        }
    }
}

/// `a / b to 2 decimals`: the figure, and how many decimals.
fn rounding(text: &str) -> (&str, Option<u32>) {
    let found = || {
        let rest = text.trim_end().strip_suffix("decimals").or_else(|| text.trim_end().strip_suffix("decimal"))?;
        let (sum, decimals) = rest.trim_end().rsplit_once(" to ")?;
        Some((sum, decimals.trim().parse().ok()?))
    };
    found().map_or((text, None), |(sum, decimals)| (sum, Some(decimals)))
}

/// Words, operators and parentheses with their places, the last one first; what is in brackets is part of its word.
fn words(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut start, mut brackets) = (Vec::new(), 0, 0_usize);
    for (at, character) in text.char_indices() {
        let ends = match character {
            '[' => {
                brackets += 1;
                false
            }
            ']' => {
                brackets = brackets.saturating_sub(1);
                false
            }
            _ => brackets == 0 && (character.is_whitespace() || matches!(character, '(' | ')')),
        };
        if ends {
            found.extend((start < at).then(|| (start, &text[start..at])));
            start = at + character.len_utf8();
            found.extend((!character.is_whitespace()).then(|| (at, &text[at..start])));
        }
    }
    found.extend((start < text.len()).then(|| (start, &text[start..])));
    found.reverse();
    found
}

/// Words that are still to be read, the next one last.
struct Words<'a> {
    text: &'a str,
    rest: Vec<(usize, &'a str)>,
    deep: usize,
}

impl<'a> Words<'a> {
    fn bad(&self) -> TemplateError {
        TemplateError::BadFigure(self.text.to_owned())
    }

    fn sum(&mut self) -> Result<Expression<'a>, TemplateError> {
        self.row(&[("+", Operator::Plus), ("-", Operator::Minus)], Self::product)
    }

    fn product(&mut self) -> Result<Expression<'a>, TemplateError> {
        self.row(&[("*", Operator::Times), ("/", Operator::By)], Self::operand)
    }

    fn row(
        &mut self,
        operators: &[(&str, Operator)],
        part: fn(&mut Self) -> Result<Expression<'a>, TemplateError>,
    ) -> Result<Expression<'a>, TemplateError> {
        let mut left = part(self)?;
        while let Some((_, operator)) =
            self.rest.last().and_then(|(_, word)| operators.iter().find(|(sign, _)| sign == word))
        {
            self.rest.pop();
            left = Expression::Of(*operator, Box::new(left), Box::new(part(self)?));
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expression<'a>, TemplateError> {
        match self.rest.last() {
            Some((_, "(")) if self.deep < DEEPEST => {
                self.rest.pop();
                self.deep += 1;
                let inner = self.sum()?;
                self.deep -= 1;
                if self.rest.pop().is_some_and(|(_, word)| word == ")") { Ok(inner) } else { Err(self.bad()) }
            }
            Some((start, word)) if !is_sign(word) => self.name(*start),
            _ => Err(self.bad()),
        }
    }

    /// Words up to the next sign are one name with its path, or one number.
    fn name(&mut self, start: usize) -> Result<Expression<'a>, TemplateError> {
        let mut end = start;
        while let Some((at, word)) = self.rest.pop_if(|(_, word)| !is_sign(word)) {
            end = at + word.len();
        }
        let text = &self.text[start..end];
        if exact::is_json_number(text) { Ok(Expression::Number(text)) } else { reference(text) }
    }
}

fn is_sign(word: &str) -> bool {
    matches!(word, "+" | "-" | "*" | "/" | "(" | ")")
}

fn reference(text: &str) -> Result<Expression<'_>, TemplateError> {
    let at = text.find(['.', '[']).unwrap_or(text.len());
    let name = text[..at].trim();
    let path = text[at..].trim();
    let path = if path.starts_with("..") { path } else { path.trim_start_matches('.') };
    if name.is_empty() || !name.chars().all(is_name_character) || crate::path::check(path).is_err() {
        return Err(TemplateError::BadName(text.to_owned()));
    }
    Ok(Expression::Reference(Reference { name, path }))
}

fn fraction(text: &str) -> Option<Ratio<i128>> {
    let decimal = exact::decimal(text)?;
    Some(Ratio::new(decimal.mantissa(), 10_i128.checked_pow(decimal.scale())?))
}

/// Halves away from zero.
fn rounded(figure: Ratio<i128>, decimals: u32) -> Option<Ratio<i128>> {
    let scale = 10_i128.checked_pow(decimals)?;
    let whole = figure.checked_mul(&Ratio::from_integer(scale))?;
    let (quotient, rest) = (whole.numer() / whole.denom(), whole.numer() % whole.denom());
    let up = if rest.checked_abs()?.checked_mul(2)? >= *whole.denom() { rest.signum() } else { 0 };
    Some(Ratio::new(quotient.checked_add(up)?, scale))
}

/// A figure as a number, if its decimals end.
fn written(figure: Ratio<i128>) -> Option<Json> {
    let (mut mantissa, mut scale) = (*figure.numer(), 0);
    while mantissa % figure.denom() != 0 {
        mantissa = mantissa.checked_mul(10)?;
        scale += 1;
    }
    let decimal = rust_decimal::Decimal::try_from_i128_with_scale(mantissa / figure.denom(), scale).ok()?;
    Number::from_str(&decimal.to_string()).ok().map(Json::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn value(text: &str) -> Result<String, String> {
        let saved = json!({ "a": 10.50, "b": "3", "client 2": { "fee": 0.1 }, "x-y": 7, "list": [{ "n": 1 }, { "n": 2 }], "word": "sent" });
        let look_up = |reference: &Reference<'_>| {
            let value = saved.get(reference.name).ok_or_else(|| TemplateError::Unknown(reference.name.to_owned()))?;
            let none = || TemplateError::Unknown(reference.path.to_owned());
            crate::path::find(value, reference.path).map(std::borrow::Cow::into_owned).ok_or_else(none)
        };
        let value = Expression::read(text).and_then(|read| read.value(&look_up));
        value.map(|value| value.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn sums_are_exact() {
        let rows = [
            ("a + 1", "11.5"),
            ("a - b", "7.5"),
            ("a * b - 0.5", "31"),
            ("(a + b) * 2", "27"),
            ("a - (b - 1)", "8.5"),
            ("1 - 2 - 3", "-4"),
            ("client 2.fee + client 2.fee", "0.2"),
            ("x-y + 1", "8"),
            ("0.1 + 0.2", "0.3"),
            ("a / 4", "2.625"),
            ("a / b", "3.5"),
            ("10 / b * b", "10"),
            ("10 / b to 2 decimals", "3.33"),
            ("0.005 * 1 to 2 decimals", "0.01"),
            ("0 - 0.005 to 2 decimals", "-0.01"),
            ("1 / 3 to 0 decimals", "0"),
            ("list[?@.n == 2].n * 10", "20"),
            ("12345678901234567.89 + 0.01", "12345678901234567.9"),
        ];
        for (text, expected) in rows {
            assert_eq!(value(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_has_no_exact_value_is_refused() {
        let rows = [
            ("10 / b", "has no end"),
            ("a / 0", "division by 0"),
            ("word + 1", "`word` is \"sent\""),
            ("list + 1", "`list` is"),
            ("a +", "cannot be read"),
            ("+ a", "cannot be read"),
            ("(a + b", "cannot be read"),
            ("a + b)", "cannot be read"),
            ("a to 99 decimals", "cannot be read"),
            ("1e30 * 1e30", "too many digits"),
            ("", "is not a saved name"),
        ];
        for (text, expected) in rows {
            let error = value(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
