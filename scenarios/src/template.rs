//! Texts with `{name.path}` in them.
//!
//! Owns: their syntax and filling them in. Invariant: a text that is nothing but one reference takes the value with its
//! kind, so `"{amount}"` can stand for a number; elsewhere the value is written into the text. A resource in the place of
//! a text is its id. `{{` and `}}` are plain braces.

use serde_json::Value as Json;
use std::fmt;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// As it is.
    Plain(&'a str),
    /// A single brace, written double.
    Brace(char),
    /// What stands between braces.
    Reference(Reference<'a>),
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
    /// No such name has been saved.
    Unknown(String),
    /// The name is known, but not this part of it.
    NoSuchPart {
        /// The name.
        name: String,
        /// The path that leads nowhere.
        path: String,
    },
    /// A list or a resource without id in the middle of a text.
    NotText(String),
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unbalanced(text) => write!(f, "a brace in `{text}` has no partner"),
            Self::BadName(text) => write!(f, "`{{{text}}}` names nothing"),
            Self::Unknown(name) => write!(f, "nothing is saved as `{name}`"),
            Self::NoSuchPart { name, path } => write!(f, "`{name}` has no `{path}`"),
            Self::NotText(name) => write!(f, "`{{{name}}}` is neither a text nor a number nor a resource with an id"),
        }
    }
}

impl std::error::Error for TemplateError {}

/// Where saved values come from.
pub trait Names {
    /// The value of a name.
    fn get(&self, name: &str) -> Option<&Json>;
}

/// Cuts a text into pieces.
///
/// # Errors
/// `Unbalanced` and `BadName`.
pub fn pieces(text: &str) -> Result<Vec<Piece<'_>>, TemplateError> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        if at > 0 {
            found.push(Piece::Plain(&rest[..at]));
        }
        let brace = if rest[at..].starts_with('{') { '{' } else { '}' };
        let after = &rest[at + 1..];
        if after.starts_with(brace) {
            found.push(Piece::Brace(brace));
            rest = &after[1..];
        } else if brace == '{' {
            let end = after.find('}').ok_or_else(|| TemplateError::Unbalanced(text.to_owned()))?;
            found.push(Piece::Reference(reference(&after[..end])?));
            rest = &after[end + 1..];
        } else {
            return Err(TemplateError::Unbalanced(text.to_owned()));
        }
    }
    if !rest.is_empty() {
        found.push(Piece::Plain(rest));
    }
    Ok(found)
}

fn reference(text: &str) -> Result<Reference<'_>, TemplateError> {
    let at = text.find(['.', '[']).unwrap_or(text.len());
    let name = text[..at].trim();
    let path = text[at..].trim_start_matches('.').trim();
    if name.is_empty() || !name.chars().all(is_name_character) {
        return Err(TemplateError::BadName(text.to_owned()));
    }
    Ok(Reference { name, path })
}

/// Whether a saved name may hold this character.
#[must_use]
pub fn is_name_character(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, ' ' | '-' | '_')
}

/// Fills a text; one reference alone keeps the kind of its value.
///
/// # Errors
/// What is wrong with the text or its names.
pub fn fill(text: &str, names: &dyn Names) -> Result<Json, TemplateError> {
    let pieces = pieces(text)?;
    if let [Piece::Reference(reference)] = pieces.as_slice() {
        return look_up(reference, names).cloned();
    }
    join(&pieces, names).map(Json::String)
}

/// Fills a text as text: a resource becomes its id.
///
/// # Errors
/// What is wrong with the text or its names.
pub fn fill_text(text: &str, names: &dyn Names) -> Result<String, TemplateError> {
    join(&pieces(text)?, names)
}

/// Fills every text of a value.
///
/// # Errors
/// What is wrong with a text or its names.
pub fn fill_json(value: &Json, names: &dyn Names) -> Result<Json, TemplateError> {
    Ok(match value {
        Json::String(text) => fill(text, names)?,
        Json::Array(items) => Json::Array(items.iter().map(|item| fill_json(item, names)).collect::<Result<_, _>>()?),
        Json::Object(entries) => {
            let filled = entries.iter().map(|(key, value)| Ok((key.clone(), fill_json(value, names)?)));
            Json::Object(filled.collect::<Result<_, TemplateError>>()?)
        }
        other => other.clone(),
    })
}

/// Fills a reference: `{...}` as a text, a saved name as its id, anything else as it stands.
///
/// # Errors
/// What is wrong with the text or its names.
pub fn fill_ref(text: &str, names: &dyn Names) -> Result<String, TemplateError> {
    if text.contains('{') {
        return fill_text(text, names);
    }
    match names.get(text) {
        Some(value) => plain(text, value),
        None => Ok(text.to_owned()),
    }
}

fn join(pieces: &[Piece<'_>], names: &dyn Names) -> Result<String, TemplateError> {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Plain(text) => out.push_str(text),
            Piece::Brace(brace) => out.push(*brace),
            Piece::Reference(reference) => out.push_str(&plain(reference.name, look_up(reference, names)?)?),
        }
    }
    Ok(out)
}

fn look_up<'n>(reference: &Reference<'_>, names: &'n dyn Names) -> Result<&'n Json, TemplateError> {
    let value = names.get(reference.name).ok_or_else(|| TemplateError::Unknown(reference.name.to_owned()))?;
    at_path(value, reference.path)
        .ok_or_else(|| TemplateError::NoSuchPart { name: reference.name.to_owned(), path: reference.path.to_owned() })
}

fn plain(name: &str, value: &Json) -> Result<String, TemplateError> {
    match value {
        Json::String(text) => Ok(text.clone()),
        Json::Number(number) => Ok(number.to_string()),
        Json::Bool(value) => Ok(value.to_string()),
        Json::Object(entries) => match entries.get("id") {
            Some(Json::String(id)) => Ok(id.clone()),
            _ => Err(TemplateError::NotText(name.to_owned())),
        },
        Json::Null | Json::Array(_) => Err(TemplateError::NotText(name.to_owned())),
    }
}

/// Follows `a.b[0].c` into a value. An empty path is the value itself; a key that is written just so comes before a path.
#[must_use]
pub fn at_path<'v>(value: &'v Json, path: &str) -> Option<&'v Json> {
    if let Some(found) = value.as_object().and_then(|entries| entries.get(path)) {
        return Some(found);
    }
    let mut here = value;
    for part in path.split(['.', '[']).map(|part| part.trim_end_matches(']').trim()) {
        if part.is_empty() {
            continue;
        }
        here = match here {
            Json::Object(entries) => entries.get(part)?,
            Json::Array(items) => items.get(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(here)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    struct Saved(Json);

    impl Names for Saved {
        fn get(&self, name: &str) -> Option<&Json> {
            self.0.get(name)
        }
    }

    fn saved() -> Saved {
        Saved(json!({
            "anna": { "id": "a-1", "bankAccounts": [{ "id": "b-1" }], "balance": 12.50 },
            "amount": 99.99,
            "client 2": { "id": "c-2" },
            "list": [1],
        }))
    }

    #[test]
    fn texts_are_filled() {
        let rows = [
            ("plain", json!("plain")),
            ("{anna.id}", json!("a-1")),
            ("/account/{anna}/value", json!("/account/a-1/value")),
            ("{anna.bankAccounts[0].id}", json!("b-1")),
            ("{amount}", json!(99.99)),
            ("is {amount} SEK", json!("is 99.99 SEK")),
            ("{client 2.id}", json!("c-2")),
            ("{{anna}}", json!("{anna}")),
            ("{list[0]}", json!(1)),
        ];
        for (text, expected) in rows {
            assert_eq!(fill(text, &saved()), Ok(expected), "{text}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        let rows = [
            ("{bert}", "nothing is saved as `bert`"),
            ("{anna.iban}", "`anna` has no `iban`"),
            ("{anna", "a brace in `{anna` has no partner"),
            ("anna}", "a brace in `anna}` has no partner"),
            ("{}", "`{}` names nothing"),
            ("x {list}", "`{list}` is neither a text nor a number nor a resource with an id"),
        ];
        for (text, message) in rows {
            assert_eq!(fill(text, &saved()).map_err(|error| error.to_string()), Err(message.to_owned()), "{text}");
        }
    }

    #[test]
    fn references_may_leave_the_braces_out() {
        for (text, expected) in
            [("anna", "a-1"), ("{anna}", "a-1"), ("{anna.id}", "a-1"), ("SE0SBX000016SEK", "SE0SBX000016SEK")]
        {
            assert_eq!(fill_ref(text, &saved()).as_deref(), Ok(expected), "{text}");
        }
    }
}
