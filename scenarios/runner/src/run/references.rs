//! References that a partner gives, kept apart from those of other runs on a server that lives on.
//!
//! Invariant: a story reads the references that it has written; on the way out each has an ending of the run's own, which is
//! taken off whatever comes in. Absent on purpose: references too long for an ending, whose length is what a story tries.

use serde_json::Value as Json;
use std::borrow::Cow;

/// The field.
const CLIENT_REF: &str = "clientRef";

/// Longest reference that gets an ending.
const LONGEST: usize = 64;

/// The ending of a run's references.
pub(super) struct References {
    ending: String,
}

impl References {
    /// Endings by a number that no other run has.
    pub(super) fn of(number: u128) -> Self {
        Self { ending: format!("-{number:x}") }
    }

    /// A body as it goes out.
    pub(super) fn body_out(&self, text: String) -> String {
        let Ok(mut body) = serde_json::from_str::<Json>(&text) else { return text };
        let has_changed = change(&mut body, &|text| self.is_own(text).then(|| format!("{text}{}", self.ending)));
        if has_changed { body.to_string() } else { text }
    }

    /// A path and query as they go out.
    pub(super) fn path_out(&self, path: &str) -> String {
        let Some((path, query)) = path.split_once('?') else { return path.to_owned() };
        let pair = |pair| match str::split_once(pair, '=') {
            Some((CLIENT_REF, value)) if self.is_own(value) => Cow::Owned(format!("{pair}{}", self.ending)),
            _ => Cow::Borrowed(pair),
        };
        format!("{path}?{}", query.split('&').map(pair).collect::<Vec<_>>().join("&"))
    }

    /// A body or a frame as it came in.
    pub(super) fn take_in(&self, body: &mut Json) {
        change(body, &|text| text.strip_suffix(&self.ending).map(str::to_owned));
    }

    fn is_own(&self, text: &str) -> bool {
        !text.is_empty() && text.len() <= LONGEST
    }
}

/// Gives references in it, however deep, another text where there is one; whether there was.
fn change(value: &mut Json, other: &impl Fn(&str) -> Option<String>) -> bool {
    match value {
        // Every one of them, also after one that has changed.
        Json::Array(items) => items.iter_mut().filter_map(|item| change(item, other).then_some(())).count() > 0,
        Json::Object(entries) => entries.iter_mut().fold(false, |changed, (key, value)| {
            let text = value.as_str().filter(|_| key == CLIENT_REF).and_then(other);
            let here = text.is_some();
            if let Some(text) = text {
                *value = Json::String(text);
            }
            change(value, other) || changed || here
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_go_out_with_an_ending_and_come_in_without() {
        let references = References::of(0xabc);
        let long = "x".repeat(LONGEST + 1);
        let body = json!({ "payments": [{ "clientRef": "march", "amount": 1.50 }, { "clientRef": long, "n": 7 }], "clientRef": "" });
        let out = references.body_out(body.to_string());
        assert_eq!(out, body.to_string().replace("march", "march-abc"));
        let mut back: Json = serde_json::from_str(&out).expect("JSON");
        references.take_in(&mut back);
        assert_eq!(back, body);
        assert_eq!(references.body_out("{\"clientRef\":".to_owned()), "{\"clientRef\":");
        assert_eq!(references.path_out("/order?clientRef=a&limit=2"), "/order?clientRef=a-abc&limit=2");
        assert_eq!(references.path_out("/order"), "/order");
    }
}
