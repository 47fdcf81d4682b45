//! A scenario file as a tree that still knows where everything is written.
//!
//! Owns: reading YAML (the library does it) into one generic tree. Invariant: a number keeps the digits that were
//! written; no value passes through a binary float. Absent on purpose: any knowledge of what the words mean.

use crate::diagnostic::{Diagnostic, Source, Span};
use crate::exact::is_json_number;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Location, MergeKeyPolicy, Spanned};
use std::fmt;

/// One node of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its place in the file.
    pub span: Span,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Nothing, `~` or `null`.
    Null,
    /// `true` or `false`, and no other word.
    Bool(bool),
    /// A JSON number, digit for digit as written.
    Number(String),
    /// Any other scalar.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A map in the order of the file, without repeated keys.
    Map(Vec<(Key, Node)>),
}

/// A key with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The word.
    pub text: String,
    /// Its place in the file.
    pub span: Span,
}

impl NodeKind {
    /// What a reader would call it.
    #[must_use]
    pub const fn noun(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        }
    }
}

/// Most values of a file: more than the largest file has unless its aliases multiply them.
const MOST_NODES: usize = 4_000_000;

/// Reads a file.
///
/// # Errors
/// One diagnostic: syntax, a repeated key, an unknown alias, too deep or too large a document.
pub fn read(source: &Source) -> Result<Node, Box<Diagnostic>> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        reject_unsupported_tags: true,
        merge_keys: MergeKeyPolicy::Error,
        budget: serde_saphyr::budget! { max_nodes: MOST_NODES, max_events: 2 * MOST_NODES },
    };
    let raw: Spanned<Raw> =
        serde_saphyr::from_str_with_options(&source.text, options).map_err(|error| Box::new(syntax(source, &error)))?;
    Ok(settle(source, raw))
}

/// The library's view of a node, before numbers get their digits back.
enum Raw {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }
    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        Raw::deserialize(deserializer)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Number(value.to_string()))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Number(value.to_string()))
    }
    fn visit_i128<E>(self, value: i128) -> Result<Raw, E> {
        Ok(Raw::Number(value.to_string()))
    }
    fn visit_u128<E>(self, value: u128) -> Result<Raw, E> {
        Ok(Raw::Number(value.to_string()))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        // Only a stand-in: `settle` puts the written digits in its place.
        Ok(Raw::Number(value.to_string()))
    }
    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }
    fn visit_string<E>(self, value: String) -> Result<Raw, E> {
        Ok(Raw::Text(value))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Raw::Map(entries))
    }
}

/// Gives numbers their written digits and every node its span.
fn settle(source: &Source, raw: Spanned<Raw>) -> Node {
    let written = slice(source, raw.defined).map(str::trim);
    let kind = match raw.value {
        Raw::Null => NodeKind::Null,
        Raw::Bool(value) => NodeKind::Bool(value),
        Raw::Number(value) => match written {
            Some(text) if is_json_number(text) => NodeKind::Number(text.to_owned()),
            // `1_000`, `0x1F`, `.5` and the like: YAML reads them as numbers, the API has no such spelling.
            Some(text) => NodeKind::Text(text.to_owned()),
            None => NodeKind::Number(value),
        },
        Raw::Text(value) => match written {
            // Too many digits for the library's integers and floats: still the number that was written.
            Some(text) if text == value && is_json_number(text) => NodeKind::Number(value),
            _ => NodeKind::Text(value),
        },
        Raw::List(items) => NodeKind::List(items.into_iter().map(|item| settle(source, item)).collect()),
        Raw::Map(entries) => NodeKind::Map(
            entries
                .into_iter()
                .map(|(key, value)| {
                    let span = span_of(source, key.referenced, key.value.len());
                    (Key { text: key.value, span }, settle(source, value))
                })
                .collect(),
        ),
    };
    let length = match &kind {
        NodeKind::Text(text) | NodeKind::Number(text) => text.len(),
        _ => 1,
    };
    Node { kind, span: span_of(source, raw.referenced, length) }
}

fn slice(source: &Source, location: Location) -> Option<&str> {
    let start = usize::try_from(location.span().byte_offset()?).ok()?;
    let length = usize::try_from(location.span().byte_len()?).ok()?;
    source.text.get(start..start.checked_add(length)?)
}

fn span_of(source: &Source, location: Location, length: usize) -> Span {
    let line = u32::try_from(location.line()).unwrap_or(1).max(1);
    let column = u32::try_from(location.column()).unwrap_or(1).max(1);
    let exact = location.span();
    match (exact.byte_offset(), exact.byte_len()) {
        (Some(offset), len) => {
            let offset = usize::try_from(offset).unwrap_or(0);
            let len = len.and_then(|len| usize::try_from(len).ok()).filter(|len| *len > 0).unwrap_or(length);
            source.span(offset, len, line, column)
        }
        (None, _) => source.span(source.offset_of(line, column), length, line, column),
    }
}

fn syntax(source: &Source, error: &serde_saphyr::Error) -> Diagnostic {
    let error = error.without_snippet();
    let (line, column) = error.location().map_or((1, 1), |place| (place.line(), place.column()));
    let line = u32::try_from(line).unwrap_or(1).max(1);
    let column = u32::try_from(column).unwrap_or(1).max(1);
    let span = source.span(source.offset_of(line, column), 1, line, column);
    let (message, hint) = explain(error);
    Diagnostic::new(source, span, message).label("here").maybe_hint(hint)
}

fn explain(error: &serde_saphyr::Error) -> (String, Option<String>) {
    use serde_saphyr::Error;
    match error {
        Error::DuplicateMappingKey { key, .. } => (
            key.as_ref().map_or_else(|| "a key appears twice".to_owned(), |key| format!("`{key}` appears twice")),
            Some("a map holds each word once; write a second step for the second one".to_owned()),
        ),
        Error::Eof { .. } => {
            ("the file is empty".to_owned(), Some("a scenario begins with `scenario:` and its title".to_owned()))
        }
        Error::MultipleDocuments { .. } => {
            ("more than one document".to_owned(), Some("one story a file: remove the `---` between them".to_owned()))
        }
        other => {
            let text = other.to_string();
            let text = text.split(" at line ").next().unwrap_or(&text).trim().to_owned();
            let hint = text
                .contains("mapping")
                .then(|| "a text that holds `{`, `: ` or ` #` needs quotes, as in \"{order.id}\"".to_owned());
            (format!("this is not YAML: {text}"), hint)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(text: &str) -> Node {
        read(&Source::new("x.yaml", text)).expect("well formed")
    }

    fn value_of(text: &str) -> NodeKind {
        let NodeKind::Map(mut entries) = node(text).kind else { panic!("a map") };
        entries.remove(0).1.kind
    }

    #[test]
    fn numbers_keep_every_digit_that_was_written() {
        for written in
            ["10000.00", "123456789012.1234567", "0.10", "-5", "1e3", "340282366920938463463374607431768211456789"]
        {
            assert_eq!(value_of(&format!("a: {written}")), NodeKind::Number(written.to_owned()), "{written}");
        }
    }

    #[test]
    fn quoted_numbers_and_foreign_spellings_stay_text() {
        for (written, text) in [("\"10\"", "10"), ("'1.5'", "1.5"), ("1_000", "1_000"), ("0x1F", "0x1F"), (".5", ".5")]
        {
            assert_eq!(value_of(&format!("a: {written}")), NodeKind::Text(text.to_owned()), "{written}");
        }
    }

    #[test]
    fn days_instants_and_words_like_no_stay_text() {
        for written in ["2026-03-02", "2026-03-02T08:00:00+01:00", "no", "on", "14:00"] {
            assert_eq!(value_of(&format!("a: {written}")), NodeKind::Text(written.to_owned()), "{written}");
        }
    }

    #[test]
    fn keys_with_spaces_dots_and_braces_work_and_know_their_place() {
        let NodeKind::Map(entries) = node("x: 1\nexpect order {order}: settled\npayload.current.status: a").kind else {
            panic!("a map")
        };
        assert_eq!(entries[1].0.text, "expect order {order}");
        assert_eq!((entries[1].0.span.line, entries[1].0.span.column), (2, 1));
        assert_eq!(entries[2].0.text, "payload.current.status");
    }
}
