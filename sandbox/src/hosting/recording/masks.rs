//! What the server itself knows to be secret, wherever it stands: a client's secret in the place of a reference, a token in a path.
//!
//! Invariant: a secret of a world, or of one that it is a twin of, is found by its value, whatever name it stands under. Absent on
//! purpose: names that say so (`log::is_secret`).

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::hosting::log::MASK;
use crate::hosting::secrets::{JOURNEY_TOKEN_LENGTH, ServerKey};
use crate::hosting::worlds::WorldId;

/// Tokens of a world that are looked for, the latest: older ones have ended.
const MOST_TOKENS: u64 = 10_000;

/// How signing keys begin.
const SIGNING_KEY: &str = "whsec_";

/// Secrets that a world has given out. Clones share them.
#[derive(Clone, Debug)]
pub struct Masks {
    known: Arc<BTreeSet<String>>,
    key: ServerKey,
}

/// What a world has given out so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenOut {
    /// The world.
    pub world: WorldId,
    /// How many partners it has.
    pub partners: u64,
    /// Which of its tokens.
    pub tokens: Range<u64>,
}

impl Masks {
    /// Those that worlds have given out, and others by name.
    pub fn new(key: ServerKey, given_out: &[GivenOut], others: impl IntoIterator<Item = String>) -> Self {
        let mut known: BTreeSet<String> = others.into_iter().collect();
        for GivenOut { world, partners, tokens } in given_out {
            known.extend((0..*partners).map(|index| key.client_secret(*world, index).reveal().to_owned()));
            let first = tokens.start.max(tokens.end.saturating_sub(MOST_TOKENS));
            known.extend((first..tokens.end).map(|count| key.access_token(*world, count).to_string()));
        }
        Self { known: Arc::new(known), key }
    }

    /// The text with masks in the place of secrets.
    #[must_use]
    pub fn over<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let hidden: Vec<Range<usize>> = words(text).filter(|word| self.hides(&text[word.clone()])).collect();
        if hidden.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut shown = String::with_capacity(text.len());
        let mut rest = 0;
        for word in hidden {
            shown.push_str(&text[rest..word.start]);
            shown.push_str(MASK);
            rest = word.end;
        }
        shown.push_str(&text[rest..]);
        Cow::Owned(shown)
    }

    fn hides(&self, word: &str) -> bool {
        let is_link = || word.len() == JOURNEY_TOKEN_LENGTH && self.key.read_journey_token(word).is_some();
        word.starts_with(SIGNING_KEY)
            || is_link()
            || self.known.contains(word)
            || self.known.contains(&word.to_lowercase())
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
    use sim::ids::JourneyId;

    #[test]
    fn what_the_server_has_given_out_is_hidden_wherever_it_stands() {
        let key = ServerKey::fixed(&[3; 32]);
        let world = WorldId::from_number(2);
        let given_out = GivenOut { world, partners: 1, tokens: 5..7 };
        let masks = Masks::new(key.clone(), &[given_out], ["payer-token".to_owned()]);
        let secret = key.client_secret(world, 0).reveal().to_owned();
        let token = key.access_token(world, 6).to_string();
        let link = key.journey_token(WorldId::from_number(9), JourneyId::from_u128(4)).reveal().to_owned();
        for (text, shown) in [
            (secret.clone(), "***"),
            (format!("Bearer {token}, twice {}", token.to_uppercase()), "Bearer ***, twice ***"),
            (format!("/order/{link}?x={token}"), "/order/***?x=***"),
            ("whsec_abc+/d==, payer-token".to_owned(), "***, ***"),
            (key.access_token(world, 7).to_string(), &*key.access_token(world, 7).to_string()),
            ("nothing here: \u{e5}\u{e4}\u{f6} -".to_owned(), "nothing here: \u{e5}\u{e4}\u{f6} -"),
        ] {
            assert_eq!(masks.over(&text), shown, "{text}");
        }
    }
}
