//! Masks over secrets.
//!
//! Invariant: a secret of a few characters is masked as a whole word only, since it may well be part of another one.

use std::borrow::Cow;

/// A secret of fewer characters is masked as a whole word only.
const LONG: usize = 8;

/// Secrets, each with the name that is shown for it.
#[derive(Default)]
pub(super) struct Masks(Vec<(String, String)>);

impl Masks {
    /// From here on `secret` is shown as `name`.
    pub(super) fn add(&mut self, secret: &str, name: &str) {
        if !secret.is_empty() && !self.0.iter().any(|(known, _)| known == secret) {
            self.0.push((secret.to_owned(), name.to_owned()));
            // Longer ones first: a secret may hold another one.
            self.0.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
        }
    }

    pub(super) fn applied<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.iter().fold(Cow::Borrowed(text), |text, (secret, name)| {
            if text.contains(secret.as_str()) { Cow::Owned(masked(&text, secret, name)) } else { text }
        })
    }
}

/// `text` with `name` for each `secret` in it.
fn masked(text: &str, secret: &str, name: &str) -> String {
    let ends =
        |outside: Option<char>, inside: Option<char>| !outside.is_some_and(of_word) || !inside.is_some_and(of_word);
    let mut out = String::with_capacity(text.len());
    let mut rest = 0;
    for (at, _) in text.match_indices(secret) {
        let end = at + secret.len();
        let begins = ends(text[..at].chars().next_back(), secret.chars().next());
        let is_whole = begins && ends(text[end..].chars().next(), secret.chars().next_back());
        if is_whole || secret.len() >= LONG {
            out.extend([&text[rest..at], name]);
            rest = end;
        }
    }
    out.push_str(&text[rest..]);
    out
}

const fn of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

/// The words of a text; ids and numbers of days are words.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !of_word(c)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_masked_where_it_is_a_whole_word() {
        for (text, shown) in [
            ("{\"token\":\"ab\"}", "{\"token\":\"*\"}"),
            ("Bearer ab", "Bearer *"),
            ("cab abc ab-1 ab", "cab abc ab-1 *"),
            ("/journey/ab?x=1", "/journey/*?x=1"),
        ] {
            assert_eq!(masked(text, "ab", "*"), shown);
        }
        assert_eq!(masked("http://h:1/x", "http://h:1", "{receiver}"), "{receiver}/x");
    }
}
