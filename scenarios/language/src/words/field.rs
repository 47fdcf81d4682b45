//! Fields of a step: their kinds, and where their values go.
//!
//! Owns: the columns of the table. Invariant: a field says once what it may hold; reader, schema, `explain` and the request
//! follow. Absent on purpose: reading (`parse::request`), describing (`schema`) and sending (`runner::requests`).

use serde_json::{Map, Value as Json};

/// A field of a step.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in a story.
    pub name: &'static str,
    /// Another spelling of the name.
    pub alias: Option<&'static str>,
    /// Its path in the body of the request; dots lead into maps.
    pub api: &'static str,
    /// What it may hold.
    pub kind: WordFieldType,
    /// Whether it must be given, and what is sent when it is not.
    pub presence: Presence,
    /// What it means, in a few words.
    pub about: &'static str,
}

/// What a field may hold. A text with a saved value in braces may take the place of each of them.
#[derive(Clone, Copy, Debug)]
pub enum WordFieldType {
    /// A text; numbers are taken as they are written.
    Text,
    /// A text, or null.
    TextOrNull,
    /// A number, kept to its last digit.
    Number,
    /// A number of units, or `everything` for the whole position.
    Units,
    /// A whole number from 1 up.
    Count,
    /// True or false.
    Flag,
    /// A day, `YYYY-MM-DD`.
    Day,
    /// A saved name with or without braces, or an id.
    Reference,
    /// A journey; the request names the delivery of its callback.
    CallbackOf,
    /// One of these words.
    OneOf(fn() -> Vec<&'static str>),
    /// Types of events, with `*` for anything: one, or a list.
    EventTypes,
    /// Instruments and their units.
    Positions,
    /// IBANs, or maps of `BANK_ACCOUNT`: one, or a list.
    BankAccounts,
    /// Steps of a journey and their answers.
    Answers,
    /// Names and values.
    Map,
    /// Anything.
    Value,
}

/// Whether a field must be given.
#[derive(Clone, Copy, Debug)]
pub enum Presence {
    /// It must.
    Required,
    /// It may; otherwise it is not sent.
    Optional,
    /// It may; otherwise this is sent.
    Usual(Usual),
    /// It cannot; this is always sent.
    Fixed(&'static str),
}

/// What is sent for a field that is not given.
#[derive(Clone, Copy, Debug)]
pub enum Usual {
    /// This text.
    Text(&'static str),
    /// This number.
    Number(u32),
    /// The id of the client that acts.
    Client,
    /// An address on the partner's own server.
    Receiver(&'static str),
    /// The account's first bank account.
    BankAccount,
    /// The account's owner.
    Owner,
}

/// A field that must be given.
#[must_use]
pub const fn required(name: &'static str, kind: WordFieldType, about: &'static str) -> Field {
    Field { name, alias: None, api: name, kind, presence: Presence::Required, about }
}

/// A field that may be given.
#[must_use]
pub const fn optional(name: &'static str, kind: WordFieldType, about: &'static str) -> Field {
    Field { presence: Presence::Optional, ..required(name, kind, about) }
}

/// A field of the request that stories do not write.
#[must_use]
pub const fn fixed(name: &'static str, value: &'static str) -> Field {
    Field { presence: Presence::Fixed(value), ..required(name, WordFieldType::Text, "") }
}

/// Puts a value into a body; dots lead into maps.
pub fn put(body: &mut Map<String, Json>, path: &str, value: Json) {
    match path.split_once('.') {
        None => drop(body.insert(path.to_owned(), value)),
        Some((first, rest)) => {
            if let Json::Object(inner) = body.entry(first).or_insert_with(|| Json::Object(Map::new())) {
                put(inner, rest, value);
            }
        }
    }
}

impl Field {
    /// Under this name in the request.
    #[must_use]
    pub const fn sent_as(mut self, api: &'static str) -> Self {
        self.api = api;
        self
    }

    /// Also written like this.
    #[must_use]
    pub const fn or_written(mut self, alias: &'static str) -> Self {
        self.alias = Some(alias);
        self
    }

    /// What is sent when it is not given.
    #[must_use]
    pub const fn usually(mut self, usual: Usual) -> Self {
        self.presence = Presence::Usual(usual);
        self
    }

    /// Whether it must be given.
    #[must_use]
    pub const fn is_required(&self) -> bool {
        matches!(self.presence, Presence::Required)
    }

    /// Whether stories write it.
    #[must_use]
    pub const fn is_written(&self) -> bool {
        !matches!(self.presence, Presence::Fixed(_))
    }

    /// Whether it is called so.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.is_written() && (self.name == name || self.alias == Some(name))
    }
}

impl WordFieldType {
    /// The kind in words.
    #[must_use]
    pub fn noun(self) -> String {
        let noun = match self {
            Self::Text => "a text",
            Self::TextOrNull => "a text, or null",
            Self::Number => "a number",
            Self::Units => "a number, or `everything`",
            Self::Count => "a whole number from 1",
            Self::Flag => "true or false",
            Self::Day => "a day such as 2026-03-02",
            Self::Reference => "a saved name or an id",
            Self::CallbackOf => "a journey",
            Self::OneOf(words) => {
                let words: Vec<_> = words().iter().map(|word| format!("`{word}`")).collect();
                return format!("one of {}", words.join(", "));
            }
            Self::EventTypes => "types of events, such as `order.*`",
            Self::Positions => "instruments and their units",
            Self::BankAccounts => "IBANs, or maps of `iban`, `validated` and `mandateStatus`",
            Self::Answers => "steps of the journey and their answers",
            Self::Map => "names and values",
            Self::Value => "anything",
        };
        noun.to_owned()
    }
}
