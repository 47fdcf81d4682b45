//! Whether a value is as expected, and if not, where it differs.
//!
//! Owns: the meaning of `Expected`. Laws: numbers compare by value and never as floats; a part is found in anything that
//! holds more; `Exactly` of a value matches that value and nothing with one field more; every mismatch names its path.
//! Absent on purpose: where values come from.

mod shown;

use crate::ast::Expected;
use crate::exact;
use crate::path;
use crate::template::{Names, TemplateError, fill, fill_json, fill_pattern, fill_text};
use regex_lite::Regex;
use serde_json::Value as Json;
use std::cmp::Ordering;

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Where in the value, such as `payload.current.status`; empty for the value itself.
    pub path: String,
    /// What was expected, in words.
    pub expected: String,
    /// What was there.
    pub got: String,
}

/// Compares `got` with what was expected.
///
/// # Errors
/// When a text of the expectation cannot be filled in.
pub fn compare(expected: &Expected, got: Option<&Json>, names: &dyn Names) -> Result<Vec<Mismatch>, TemplateError> {
    let mut found = Vec::new();
    Matcher { names, found: &mut found }.check("", expected, got)?;
    Ok(found)
}

/// Whether `got` is as expected.
///
/// # Errors
/// When a text of the expectation cannot be filled in.
pub fn matches(expected: &Expected, got: Option<&Json>, names: &dyn Names) -> Result<bool, TemplateError> {
    compare(expected, got, names).map(|found| found.is_empty())
}

/// Whether a text matches a pattern with `*` and `?`.
#[must_use]
pub fn like(pattern: &str, text: &str) -> bool {
    let mut expression = String::from("(?s)^");
    for character in pattern.chars() {
        match character {
            '*' => expression.push_str(".*"),
            '?' => expression.push('.'),
            other => expression.push_str(&regex_lite::escape(other.encode_utf8(&mut [0; 4]))),
        }
    }
    expression.push('$');
    Regex::new(&expression).is_ok_and(|expression| expression.is_match(text))
}

struct Matcher<'a> {
    names: &'a dyn Names,
    found: &'a mut Vec<Mismatch>,
}

type Checked = Result<(), TemplateError>;

impl Matcher<'_> {
    fn check(&mut self, path: &str, expected: &Expected, got: Option<&Json>) -> Checked {
        match expected {
            Expected::Any => self.unless(got.is_some_and(|value| !value.is_null()), path, expected, got),
            Expected::Absent => self.unless(got.is_none(), path, expected, got),
            Expected::Is(value) => self.check_is(path, value, got),
            Expected::Exactly(value) => {
                let filled = fill_json(value, self.names)?;
                let same = got.is_some_and(|got| identical(&filled, got));
                self.unless(same, path, &Expected::Exactly(filled), got)
            }
            Expected::OneOf(choices) => {
                let mut any = false;
                for choice in choices {
                    any = any || matches(choice, got, self.names)?;
                }
                self.unless(any, path, expected, got)
            }
            Expected::Not(inner) => {
                let is = matches(inner, got, self.names)?;
                self.unless(!is, path, expected, got)
            }
            Expected::Like(pattern) => {
                let pattern = fill_text(pattern, self.names)?;
                let ok = text_of(got).is_some_and(|text| like(&pattern, &text));
                self.unless(ok, path, &Expected::Like(pattern), got)
            }
            Expected::Matches(pattern) => {
                let pattern = fill_pattern(pattern, self.names)?;
                let expression = Regex::new(&pattern).ok();
                let ok = text_of(got).zip(expression).is_some_and(|(text, expression)| expression.is_match(&text));
                self.unless(ok, path, &Expected::Matches(pattern), got)
            }
            Expected::GreaterThan(limit) => self.check_order(path, expected, limit, got, &[Ordering::Greater]),
            Expected::AtLeast(limit) => {
                self.check_order(path, expected, limit, got, &[Ordering::Greater, Ordering::Equal])
            }
            Expected::LessThan(limit) => self.check_order(path, expected, limit, got, &[Ordering::Less]),
            Expected::AtMost(limit) => self.check_order(path, expected, limit, got, &[Ordering::Less, Ordering::Equal]),
            Expected::Length(length) => {
                let ok = match length_of(got) {
                    Some(found) => matches(length, Some(&Json::from(found)), self.names)?,
                    None => false,
                };
                if !ok {
                    let got = match (length_of(got), got) {
                        (Some(length), Some(value)) => format!("a length of {length}: {}", show(value)),
                        (_, Some(value)) => format!("what has no length: {}", show(value)),
                        (_, None) => "nothing".to_owned(),
                    };
                    self.found.push(Mismatch { path: path.to_owned(), expected: describe(expected), got });
                }
                Ok(())
            }
            Expected::All(parts) => parts.iter().try_for_each(|part| self.check(path, part, got)),
            Expected::Part(entries) => self.check_part(path, entries, expected, got),
            Expected::List(items) => self.check_list(path, items, expected, got),
            Expected::Contains(items) => self.check_set(path, items, expected, got, false),
            Expected::InAnyOrder(items) => self.check_set(path, items, expected, got, true),
            Expected::Each(item) => match got {
                Some(Json::Array(list)) => {
                    list.iter().enumerate().try_for_each(|(at, got)| self.check(&at_index(path, at), item, Some(got)))
                }
                _ => self.unless(false, path, expected, got),
            },
        }
    }

    fn unless(&mut self, ok: bool, path: &str, expected: &Expected, got: Option<&Json>) -> Checked {
        if !ok {
            let got = got.map_or_else(|| "nothing".to_owned(), show);
            self.found.push(Mismatch { path: path.to_owned(), expected: describe(expected), got });
        }
        Ok(())
    }

    fn check_is(&mut self, path: &str, value: &Json, got: Option<&Json>) -> Checked {
        let value = match value {
            Json::String(text) => fill(text, self.names)?,
            other => other.clone(),
        };
        let same = got.is_some_and(|got| equal(&value, got));
        self.unless(same, path, &Expected::Is(value), got)
    }

    fn check_order(
        &mut self,
        path: &str,
        expected: &Expected,
        limit: &Json,
        got: Option<&Json>,
        wanted: &[Ordering],
    ) -> Checked {
        let limit = fill_json(limit, self.names)?;
        let order = got.and_then(|got| order_of(got, &limit));
        let filled = match expected {
            Expected::GreaterThan(_) => Expected::GreaterThan(limit),
            Expected::AtLeast(_) => Expected::AtLeast(limit),
            Expected::LessThan(_) => Expected::LessThan(limit),
            _ => Expected::AtMost(limit),
        };
        self.unless(order.is_some_and(|order| wanted.contains(&order)), path, &filled, got)
    }

    fn check_part(
        &mut self,
        path: &str,
        entries: &[(String, Expected)],
        expected: &Expected,
        got: Option<&Json>,
    ) -> Checked {
        let Some(got) = got.filter(|got| got.is_object() || got.is_array()) else {
            return self.unless(false, path, expected, got);
        };
        for (key, expected) in entries {
            let key = fill_text(key, self.names)?;
            let (at, value, before) = (below(path, &key), path::find(got, &key), self.found.len());
            self.check(&at, expected, value.as_deref())?;
            if value.is_none() {
                let missing = self.found.iter_mut().skip(before).filter(|mismatch| mismatch.path == at);
                missing.for_each(|mismatch| mismatch.got = format!("nothing: {}", path::what_is_there(got, &key)));
            }
        }
        Ok(())
    }

    fn check_list(&mut self, path: &str, items: &[Expected], expected: &Expected, got: Option<&Json>) -> Checked {
        match got {
            Some(Json::Array(list)) if list.len() == items.len() => items
                .iter()
                .zip(list)
                .enumerate()
                .try_for_each(|(at, (expected, got))| self.check(&at_index(path, at), expected, Some(got))),
            Some(Json::Array(list)) => {
                self.found.push(Mismatch {
                    path: path.to_owned(),
                    expected: format!("{}: {}", count(items.len()), describe(expected)),
                    got: format!("{}: {}", count(list.len()), show(&Json::Array(list.clone()))),
                });
                Ok(())
            }
            _ => self.unless(false, path, expected, got),
        }
    }

    /// Each expectation takes an item of its own. Which takes which is found by augmenting paths, so that an order of
    /// the expectations that is unlucky for a greedy choice does not matter.
    fn check_set(
        &mut self,
        path: &str,
        items: &[Expected],
        expected: &Expected,
        got: Option<&Json>,
        whole: bool,
    ) -> Checked {
        let Some(Json::Array(list)) = got else { return self.unless(false, path, expected, got) };
        let mut fits = vec![Vec::new(); items.len()];
        for (at, item) in items.iter().enumerate() {
            for (index, candidate) in list.iter().enumerate() {
                if matches(item, Some(candidate), self.names)? {
                    fits[at].push(index);
                }
            }
        }
        let paired = pair_up(&fits, list.len());
        self.unless(paired && (!whole || list.len() == items.len()), path, expected, got)
    }
}

/// Whether every row can have a column of its own among those it fits.
fn pair_up(fits: &[Vec<usize>], columns: usize) -> bool {
    fn place(row: usize, fits: &[Vec<usize>], seen: &mut [bool], taken: &mut [Option<usize>]) -> bool {
        for &column in &fits[row] {
            if std::mem::replace(&mut seen[column], true) {
                continue;
            }
            if taken[column].is_none_or(|other| place(other, fits, seen, taken)) {
                taken[column] = Some(row);
                return true;
            }
        }
        false
    }
    let mut taken = vec![None; columns];
    (0..fits.len()).all(|row| place(row, fits, &mut vec![false; columns], &mut taken))
}

/// Equality of a written value and a received one: numbers by value; a number may be quoted in the file, and digits may be
/// unquoted where the API has a text; a map or list is equal whole.
fn equal(expected: &Json, got: &Json) -> bool {
    match (expected, got) {
        (Json::Number(number), Json::String(text)) => number.as_str() == text,
        (Json::String(text), Json::Number(number)) => exact::compare(text, number.as_str()) == Some(Ordering::Equal),
        (Json::Object(entries), Json::String(text)) => entries.get("id").and_then(Json::as_str) == Some(text),
        _ => identical(expected, got),
    }
}

/// Equality to the last field, numbers by value.
fn identical(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::Number(left), Json::Number(right)) => {
            exact::compare(left.as_str(), right.as_str()) == Some(Ordering::Equal)
        }
        (Json::Array(left), Json::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| identical(left, right))
        }
        (Json::Object(left), Json::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, left)| right.get(key).is_some_and(|right| identical(left, right)))
        }
        _ => left == right,
    }
}

fn order_of(got: &Json, limit: &Json) -> Option<Ordering> {
    match (got, limit) {
        (Json::Number(got), Json::Number(limit)) => exact::compare(got.as_str(), limit.as_str()),
        (Json::Number(got), Json::String(limit)) => exact::compare(got.as_str(), limit),
        (Json::String(got), Json::String(limit)) => Some(got.as_str().cmp(limit)),
        _ => None,
    }
}

fn length_of(got: Option<&Json>) -> Option<usize> {
    match got? {
        Json::Array(list) => Some(list.len()),
        Json::String(text) => Some(text.chars().count()),
        _ => None,
    }
}

fn text_of(got: Option<&Json>) -> Option<String> {
    match got? {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn at_index(path: &str, at: usize) -> String {
    format!("{path}[{at}]")
}

fn count(items: usize) -> String {
    if items == 1 { "1 item".to_owned() } else { format!("{items} items") }
}

/// A value on one line; of a long one, each list and object as far as there is room, and how much is left out.
#[must_use]
pub fn show(value: &Json) -> String {
    shown::value(value)
}

/// An expectation in words.
#[must_use]
pub fn describe(expected: &Expected) -> String {
    let list = |items: &[Expected]| items.iter().map(describe).collect::<Vec<_>>().join(", ");
    match expected {
        Expected::Any => "any value".to_owned(),
        Expected::Absent => "nothing".to_owned(),
        Expected::Is(value) => show(value),
        Expected::Exactly(value) => format!("exactly {}", show(value)),
        Expected::OneOf(choices) => format!("one of {}", list(choices)),
        Expected::Not(inner) => format!("not {}", describe(inner)),
        Expected::Like(pattern) => format!("a text like {pattern}"),
        Expected::Matches(pattern) => format!("a text that matches /{pattern}/"),
        Expected::GreaterThan(limit) => format!("greater than {}", show(limit)),
        Expected::AtLeast(limit) => format!("at least {}", show(limit)),
        Expected::LessThan(limit) => format!("less than {}", show(limit)),
        Expected::AtMost(limit) => format!("at most {}", show(limit)),
        Expected::Length(length) => format!("a length of {}", describe(length)),
        Expected::Contains(items) => format!("a list with {}", list(items)),
        Expected::InAnyOrder(items) => format!("in any order {}", list(items)),
        Expected::Each(item) => format!("a list of {}", describe(item)),
        Expected::List(items) => format!("[{}]", list(items)),
        Expected::Part(entries) => {
            let entries: Vec<_> = entries.iter().map(|(key, value)| format!("{key}: {}", describe(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Expected::All(parts) => parts.iter().map(describe).collect::<Vec<_>>().join(" and "),
    }
}
