//! A value that must be read.
//!
//! Invariant: it is made for every event and every read, so that it hashes nothing and copies no names. It becomes JSON where something
//! else was read, for posts, and where somebody reads who has no right to. Absent on purpose: how values are printed.

use language::ast::number;
use serde_json::Value as Json;

/// A value that must be read.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(PartialEq, Eq))]
pub(in crate::network) enum Readable {
    Null,
    Flag(bool),
    /// A number as it is written.
    Number(String),
    /// A text of the program's own: a word of the API.
    Word(&'static str),
    Text(String),
    List(Vec<Self>),
    /// An object: its fields by name, each once.
    Fields(Vec<(&'static str, Self)>),
}

impl From<&Readable> for Json {
    fn from(value: &Readable) -> Self {
        match value {
            Readable::Null => Self::Null,
            Readable::Flag(flag) => Self::Bool(*flag),
            Readable::Number(text) => number(text),
            Readable::Word(word) => Self::from(*word),
            Readable::Text(text) => Self::from(text.as_str()),
            Readable::List(items) => items.iter().map(Self::from).collect(),
            Readable::Fields(fields) => {
                fields.iter().map(|(name, value)| ((*name).to_owned(), Self::from(value))).collect()
            }
        }
    }
}

impl FromIterator<Self> for Readable {
    fn from_iter<I: IntoIterator<Item = Self>>(items: I) -> Self {
        Self::List(items.into_iter().collect())
    }
}

/// The value that tests write as JSON; its names live as long as they do.
#[cfg(test)]
impl From<&Json> for Readable {
    fn from(json: &Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(flag) => Self::Flag(*flag),
            Json::Number(number) => Self::Number(number.to_string()),
            Json::String(text) => Self::Text(text.clone()),
            Json::Array(items) => items.iter().map(Self::from).collect(),
            Json::Object(fields) => {
                let field = |(name, value): (&String, &Json)| (&*name.clone().leak(), Self::from(value));
                Self::Fields(fields.iter().map(field).collect())
            }
        }
    }
}
