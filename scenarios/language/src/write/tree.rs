//! YAML as it is written: maps, lists and scalars, on one line where they are short.

use crate::ast::Expected;
use crate::diagnostic::turns_direction;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value as Json;
use serde_saphyr::{FlowMap, FlowSeq};
use std::borrow::Cow;

pub(super) fn render(yaml: &Yaml) -> String {
    let options = serde_saphyr::ser_options! { compact_list_indent: false, folded_wrap_chars: 1_000_000 };
    let text = serde_saphyr::to_string_with_options(yaml, options).unwrap_or_else(|error| format!("# {error}\n"));
    text.replace(NUMERAL_BEFORE, "").replace(NUMERAL_AFTER, "").replace(TURN_WRITTEN, "\\u")
}

/// Precedes the digits of a character that turns the direction of a line: the library quotes a text that has it, and writes
/// it as an escape. The library writes such characters themselves as they are, so that a reader would see another text.
const TURN: &str = "\u{1}turned-";
const TURN_WRITTEN: &str = "\\x01turned-";

/// A text in which nothing turns the direction of a line.
fn straight(text: &str) -> Cow<'_, str> {
    if !text.chars().any(turns_direction) {
        return text.into();
    }
    let one = |c: char| if turns_direction(c) { format!("{TURN}{:04X}", u32::from(c)) } else { c.to_string() };
    text.chars().map(one).collect::<String>().into()
}

/// Between these a number passes through the library as a plain word, so that its digits stay as they are.
const NUMERAL_BEFORE: &str = "numeral-as-it-is-";
const NUMERAL_AFTER: &str = "-as-it-is-numeral";

/// What is wider is not written on one line.
pub(super) const LONGEST: usize = 96;

pub(super) enum Yaml {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Yaml>, bool),
    Map(Vec<(String, Yaml)>, bool),
}

impl Yaml {
    pub(super) fn number(value: impl std::fmt::Display) -> Self {
        Self::Number(value.to_string())
    }

    /// On one line, when it is short enough for one.
    pub(super) fn short(self) -> Self {
        if self.width() <= LONGEST { self.flow() } else { self }
    }

    pub(super) fn flow(self) -> Self {
        match self {
            Self::List(items, _) => Self::List(items.into_iter().map(Self::flow).collect(), true),
            Self::Map(entries, _) => {
                Self::Map(entries.into_iter().map(|(key, value)| (key, value.flow())).collect(), true)
            }
            other => other,
        }
    }

    pub(super) fn width(&self) -> usize {
        match self {
            Self::Null => 4,
            Self::Bool(_) => 5,
            Self::Number(text) | Self::Text(text) => text.len(),
            Self::List(items, _) => 2 + items.iter().map(|item| item.width() + 2).sum::<usize>(),
            Self::Map(entries, _) => {
                4 + entries.iter().map(|(key, value)| key.len() + 4 + value.width()).sum::<usize>()
            }
        }
    }
}

impl Serialize for Yaml {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(text) => serializer.serialize_str(&format!("{NUMERAL_BEFORE}{text}{NUMERAL_AFTER}")),
            Self::Text(text) => serializer.serialize_str(&straight(text)),
            Self::List(items, true) => FlowSeq(Items(items)).serialize(serializer),
            Self::List(items, false) => Items(items).serialize(serializer),
            Self::Map(entries, true) => FlowMap(Entries(entries)).serialize(serializer),
            Self::Map(entries, false) => Entries(entries).serialize(serializer),
        }
    }
}

struct Items<'a>(&'a [Yaml]);
struct Entries<'a>(&'a [(String, Yaml)]);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        self.0.iter().try_for_each(|item| list.serialize_element(item))?;
        list.end()
    }
}

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(key, value)| map.serialize_entry(&straight(key), value))?;
        map.end()
    }
}

pub(super) type YamlEntry = (String, Yaml);

pub(super) fn entry(key: &str, value: Yaml) -> YamlEntry {
    (key.to_owned(), value)
}

pub(super) fn text(value: &str) -> Yaml {
    Yaml::Text(value.to_owned())
}

pub(super) fn json(value: &Json) -> Yaml {
    match value {
        Json::Null => Yaml::Null,
        Json::Bool(value) => Yaml::Bool(*value),
        Json::Number(number) => Yaml::number(number),
        Json::String(value) => text(value),
        Json::Array(items) => Yaml::List(items.iter().map(json).collect(), items.is_empty()),
        Json::Object(entries) => {
            Yaml::Map(entries.iter().map(|(key, value)| entry(key, json(value))).collect(), entries.is_empty())
        }
    }
}

pub(super) fn fields(values: &[(String, Json)]) -> Yaml {
    Yaml::Map(values.iter().map(|(key, value)| entry(key, json(value))).collect(), values.is_empty())
}

pub(super) fn expected(expected: &Expected) -> Yaml {
    let list = |items: &[Expected]| Yaml::List(items.iter().map(self::expected).collect(), items.is_empty());
    let one = |word: &str, value: Yaml| Yaml::Map(vec![entry(word, value)], false);
    match expected {
        Expected::Any => text("any"),
        Expected::Absent => text("absent"),
        Expected::Is(Json::String(word)) if matches!(word.as_str(), "any" | "absent") => one("equals", text(word)),
        Expected::Is(value @ (Json::Array(_) | Json::Object(_))) => one("equals", json(value)),
        Expected::Is(value) => json(value),
        Expected::OneOf(choices) => one("one of", list(choices)),
        Expected::Not(inner) => one("not", self::expected(inner)),
        Expected::Like(pattern) => one("like", text(pattern)),
        Expected::Matches(pattern) => one("matches", text(pattern)),
        Expected::GreaterThan(limit) => one("greater than", json(limit)),
        Expected::AtLeast(limit) => one("at least", json(limit)),
        Expected::LessThan(limit) => one("less than", json(limit)),
        Expected::AtMost(limit) => one("at most", json(limit)),
        Expected::Length(length) => one("length", self::expected(length)),
        Expected::Contains(items) => one("contains", list(items)),
        Expected::InAnyOrder(items) => one("in any order", list(items)),
        Expected::Each(item) => one("each", self::expected(item)),
        Expected::Exactly(value) => one("exactly", json(value)),
        Expected::List(items) => list(items),
        Expected::Part(entries) => {
            let shown = entries.iter().map(|(key, value)| entry(key, self::expected(value))).collect();
            Yaml::Map(shown, entries.is_empty())
        }
        Expected::All(parts) => {
            let merged = parts.iter().flat_map(|part| match self::expected(part) {
                Yaml::Map(entries, _) => entries,
                other => vec![entry("equals", other)],
            });
            Yaml::Map(merged.collect(), false)
        }
    }
}

/// Milliseconds in the largest unit that divides them.
pub(super) fn ms_in_words(ms: u64) -> String {
    let units = [(3_600_000, "hour"), (60_000, "minute"), (1_000, "second")];
    let (length, unit) = units.into_iter().find(|(length, _)| ms.is_multiple_of(*length)).unwrap_or((1, "millisecond"));
    plural(ms / length, unit)
}

pub(super) fn plural(count: u64, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: wire/directions)
    #[test]
    fn characters_that_turn_a_line_are_written_as_escapes_and_read_back() {
        let turned = "a\u{202e}b\u{2066}\u{61c}c: d";
        let tree =
            Yaml::Map(vec![entry(turned, text(turned)), entry("list", Yaml::List(vec![text(turned)], true))], false);
        let written = render(&tree);
        assert!(!written.chars().any(turns_direction), "{written:?}");
        let read: Json = serde_saphyr::from_str(&written).expect("YAML");
        assert_eq!(read, serde_json::json!({ turned: turned, "list": [turned] }), "{written}");
    }
}
