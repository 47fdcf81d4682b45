//! What the server itself knows to be secret, anywhere: a client's secret in the place of a reference, a token in a path.
//!
//! Invariant: a secret of a world, or of one that it is a fork of, is found by its value, whatever its name. Absent on
//! purpose: names that say so (`log::is_secret`).

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::credentials::ClientSecret;

/// How signing keys begin.
const SIGNING_KEY: &str = "whsec_";

type Test = dyn Fn(&str) -> bool + Send + Sync;

/// Secrets that a world has given out. Clones share them.
#[derive(Clone)]
pub struct Masks {
    known: Arc<BTreeSet<String>>,
    is_link: Arc<Test>,
}

/// What a world has given out so far.
#[derive(Clone, Debug)]
pub struct GivenOut {
    /// The number of the world.
    pub world: u64,
    /// The client secrets of its partners.
    pub secrets: Vec<ClientSecret>,
    /// Which of its tokens.
    pub tokens: Range<u64>,
}

impl std::fmt::Debug for Masks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Masks").finish_non_exhaustive()
    }
}

impl Masks {
    /// Those that are known by their value, and links by what knows them.
    pub fn new(
        known: impl IntoIterator<Item = String>,
        is_link: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { known: Arc::new(known.into_iter().collect()), is_link: Arc::new(is_link) }
    }

    /// The text with `mask` in the place of secrets.
    #[must_use]
    pub fn over<'t>(&self, text: &'t str, mask: &str) -> Cow<'t, str> {
        let hidden: Vec<Range<usize>> = words(text).filter(|word| self.hides(&text[word.clone()])).collect();
        if hidden.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut shown = String::with_capacity(text.len());
        let mut rest = 0;
        for word in hidden {
            shown.push_str(&text[rest..word.start]);
            shown.push_str(mask);
            rest = word.end;
        }
        shown.push_str(&text[rest..]);
        Cow::Owned(shown)
    }

    fn hides(&self, word: &str) -> bool {
        let is_known = || self.known.contains(word) || self.known.contains(&word.to_lowercase());
        word.starts_with(SIGNING_KEY) || (self.is_link)(word) || is_known()
    }
}

/// Stretches of what secrets are made of.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let mut rest = 0;
    std::iter::from_fn(move || {
        let begin = rest + text[rest..].find(is_part)?;
        let mut end = begin + text[begin..].find(|letter| !is_part(letter)).unwrap_or(text.len() - begin);
        if text[begin..].starts_with(SIGNING_KEY) {
            // Base64 has further signs.
            let is_key = |letter: char| is_part(letter) || matches!(letter, '+' | '/' | '=' | '%');
            end = begin + text[begin..].find(|letter| !is_key(letter)).unwrap_or(text.len() - begin);
        }
        rest = end;
        Some(begin..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_the_server_issued_are_hidden_everywhere() {
        let masks = Masks::new(["abc-def".to_owned(), "Xy_9".to_owned()], |word| word == "link");
        for (text, shown) in [
            ("Xy_9", "***"),
            ("Bearer abc-def, twice ABC-DEF", "Bearer ***, twice ***"),
            ("/order/link?x=abc-def", "/order/***?x=***"),
            ("whsec_abc+/d==, Xy_9", "***, ***"),
            ("abc-defg links \u{e5}\u{e4} -", "abc-defg links \u{e5}\u{e4} -"),
        ] {
            assert_eq!(masks.over(text, "***"), shown, "{text}");
        }
    }
}
