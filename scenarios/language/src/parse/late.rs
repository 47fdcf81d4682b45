//! Steps whose words hold saved values: `advance: "{n} bank days"`, `receiver: "answers {status}"`.
//!
//! Such a step is kept as it is written and read once its names have values (`filled`). Absent on purpose: fields and
//! expectations, which are filled in where they are written.

use crate::template::is_filled;
use serde_json::Value as Json;

/// Words of which every text may hold values.
const WORDS: &[&str] =
    &["advance", "wait", "receiver", "network", "server", "open socket", "close socket", "expect socket closed"];

/// Fields of other words that decide what a step is.
const FIELDS: &[(&str, &str)] =
    &[("identify", "outcome"), ("identify", "device"), ("sign", "outcome"), ("sign", "device")];

/// Whether a step can only be read when it runs.
pub(super) fn is_late(word: &str, value: &Json) -> bool {
    let by_field = FIELDS.iter().any(|(of, field)| *of == word && value.get(*field).is_some_and(holds_value));
    by_field || WORDS.contains(&word) && holds_value(value)
}

/// Whether some text of a value holds a saved one.
pub(super) fn holds_value(value: &Json) -> bool {
    match value {
        Json::String(text) => is_filled(text),
        Json::Array(items) => items.iter().any(holds_value),
        Json::Object(entries) => entries.values().any(holds_value),
        _ => false,
    }
}
