//! Texts with `{name.path}` and `{amount * 2}` in them.
//!
//! Owns: their syntax and filling them in; what is between the braces is an `expression`. Invariant: a text that is nothing
//! but one reference takes the value with its kind, so `"{amount}"` can stand for a number; elsewhere the value is written
//! into the text. A resource in the place of a text is its id. `{{` and `}}` are plain braces.

use crate::expression::Expression;
pub use crate::expression::{Reference, TemplateError, is_name_character};
use crate::path;
use serde_json::Value as Json;
use std::borrow::Cow;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// As it is.
    Plain(&'a str),
    /// A single brace, written double.
    Brace(char),
    /// What is between braces.
    Value(Expression<'a>),
}

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
            found.push(Piece::Value(Expression::read(&after[..end])?));
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

/// Fills a text; one reference alone keeps the kind of its value.
///
/// # Errors
/// What is wrong with the text or its names.
pub fn fill(text: &str, names: &dyn Names) -> Result<Json, TemplateError> {
    let pieces = pieces(text)?;
    if let [Piece::Value(expression)] = pieces.as_slice() {
        return expression.value(&|reference| look_up(reference, names));
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

/// The names in a pattern: what is in braces and begins with a letter, since counts begin with a digit.
fn in_pattern(pattern: &str) -> Vec<(std::ops::Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = pattern[from..].find('{').map(|at| from + at) {
        let Some(end) = pattern[at..].find('}').map(|end| at + end) else { break };
        let inside = &pattern[at + 1..end];
        let escape = pattern[..at].strip_suffix(['x', 'u', 'U', 'p', 'P']).is_some_and(|before| before.ends_with('\\'));
        if !escape && inside.starts_with(char::is_alphabetic) {
            found.push((at..end + 1, inside));
        }
        from = end + 1;
    }
    found
}

/// Fills the names of a regular expression; their values match themselves.
///
/// # Errors
/// What is wrong with a name.
pub fn fill_pattern(pattern: &str, names: &dyn Names) -> Result<String, TemplateError> {
    let mut out = String::new();
    let mut from = 0;
    for (range, inside) in in_pattern(pattern) {
        out.push_str(&pattern[from..range.start]);
        out.push_str(&regex_lite::escape(&fill_text(&format!("{{{inside}}}"), names)?));
        from = range.end;
    }
    out.push_str(&pattern[from..]);
    Ok(out)
}

/// The names of a regular expression as one text, to be looked at like any other.
#[must_use]
pub fn names_of_pattern(pattern: &str) -> String {
    in_pattern(pattern).into_iter().map(|(_, inside)| format!("{{{inside}}}")).collect()
}

/// Whether a text has some value to be filled in.
#[must_use]
pub fn is_filled(text: &str) -> bool {
    pieces(text).is_ok_and(|pieces| pieces.iter().any(|piece| matches!(piece, Piece::Value(_))))
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

/// Fills a reference: `{...}` as a text, a saved name as its id, anything else as it is.
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
            Piece::Value(expression) => {
                let value = expression.value(&|reference| look_up(reference, names))?;
                let name = expression.references().first().map_or("", |reference| reference.name);
                out.push_str(&plain(name, &value)?);
            }
        }
    }
    Ok(out)
}

fn look_up(reference: &Reference<'_>, names: &dyn Names) -> Result<Json, TemplateError> {
    let value = names.get(reference.name).ok_or_else(|| TemplateError::Unknown(reference.name.to_owned()))?;
    path::find(value, reference.path).map(Cow::into_owned).ok_or_else(|| TemplateError::NoSuchPart {
        name: reference.name.to_owned(),
        path: reference.path.to_owned(),
        there: path::what_is_there(value, reference.path),
    })
}

fn plain(name: &str, value: &Json) -> Result<String, TemplateError> {
    match value {
        Json::String(text) => Ok(text.clone()),
        Json::Number(number) => Ok(number.to_string()),
        Json::Bool(value) => Ok(value.to_string()),
        Json::Object(entries) => match entries.get("id") {
            Some(Json::String(id)) => Ok(id.clone()),
            Some(Json::Number(id)) => Ok(id.to_string()),
            _ => Err(TemplateError::NotText(name.to_owned())),
        },
        Json::Null | Json::Array(_) => Err(TemplateError::NotText(name.to_owned())),
    }
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
            ("{amount + 0.01}", json!(100)),
            ("{anna.balance - 2 * 0.25} SEK", json!("12 SEK")),
            ("{anna.bankAccounts[?@.id == 'b-1'].id}", json!("b-1")),
        ];
        for (text, expected) in rows {
            assert_eq!(fill(text, &saved()), Ok(expected), "{text}");
        }
    }

    #[test]
    fn patterns_hold_counts_and_names() {
        let rows = [
            ("^[0-9]{4}-{amount}$", "^[0-9]{4}-99\\.99$"),
            ("a{2,3}", "a{2,3}"),
            (r"\x{7F}{anna.id}", r"\x{7F}a\-1"),
            (r"\u{A4}", r"\u{A4}"),
        ];
        for (pattern, expected) in rows {
            assert_eq!(fill_pattern(pattern, &saved()).as_deref(), Ok(expected), "{pattern}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        let rows = [
            ("{bert}", "nothing is saved as `bert`"),
            ("{anna.iban}", "`anna` has no `iban`: it has id, bankAccounts, balance"),
            ("{anna", "a brace in `{anna` has no partner"),
            ("anna}", "a brace in `anna}` has no partner"),
            ("{}", "`{}` is not a saved name"),
            (
                "{anna + 1}",
                "it has no value: `anna` is {\"id\":\"a-1\",\"bankAccounts\":[{\"id\":\"b-1\"}],\"balance\":12.5}",
            ),
            ("{amount +}", "`{amount +}` cannot be read as a sum; its signs have spaces around them"),
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
