//! What nobody may read in a file: by the names of fields and parameters, and in URLs.
//!
//! Absent on purpose: what the world itself has given out, which is found by its value (`hosting::recording::masks`).

use hosting::log::{MASK, is_like_url, is_secret, url_without_secrets};
use serde_json::Value as Json;
use std::borrow::Cow;

/// Whether a field holds a secret. Numbers of persons are none here: a story cannot be played without them.
pub(super) fn is_hidden(key: &str) -> bool {
    is_secret(key) && !["ssn", "executorref"].contains(&key.to_ascii_lowercase().as_str())
}

/// Whether a field with this value holds a secret: whether something is so is none, whatever the field's name.
pub(super) fn is_hidden_value(key: &str, value: &Json) -> bool {
    !matches!(value, Json::Null | Json::Bool(_)) && is_hidden(key)
}

/// A text that stands for itself.
pub(super) fn literal(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// A text without what a URL or a parameter in it must not show.
pub(super) fn shown_in_url(text: &str) -> Cow<'_, str> {
    let shown =
        if is_like_url(text) { Cow::Owned(url_without_secrets(text).into_string()) } else { Cow::Borrowed(text) };
    match without_parameters(&shown) {
        Some(masked) => Cow::Owned(masked),
        None if *shown == *text => Cow::Borrowed(text),
        None => shown,
    }
}

/// A text without the values of `name=value` where the name is that of a secret; `None` where there is nothing to leave out.
fn without_parameters(text: &str) -> Option<String> {
    const SEPARATORS: &[char] = &['&', ';', ',', ' ', '?', '#', '\n'];
    if !text.contains('=') {
        return None;
    }
    let mut shown = String::with_capacity(text.len());
    let mut is_masked = false;
    for part in text.split_inclusive(SEPARATORS) {
        let (pair, separator) = part.split_at(part.trim_end_matches(SEPARATORS).len());
        match pair.split_once('=') {
            Some((name, value)) if is_hidden(name) && value != MASK && !value.trim_matches('=').is_empty() => {
                shown.extend([name, "=", MASK]);
                is_masked = true;
            }
            _ => shown.push_str(pair),
        }
        shown.push_str(separator);
    }
    is_masked.then_some(shown)
}

/// Characters that nobody has read; where they speak of a secret nobody knows where it begins.
pub(super) fn unread(text: &str) -> Cow<'_, str> {
    const SPEAKS: [&str; 11] = [
        "secret",
        "token",
        "password",
        "pwd",
        "key",
        "jwt",
        "credential",
        "authorization",
        "/journey/",
        "/pay/",
        "signature",
    ];
    let spoken = text.to_ascii_lowercase();
    if SPEAKS.iter().any(|word| spoken.contains(word)) { Cow::Owned(MASK.to_owned()) } else { shown_in_url(text) }
}
