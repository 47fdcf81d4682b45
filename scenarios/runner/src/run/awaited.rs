//! Waiting for events: for how long, and which of them are a story's own.

use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::time::Duration;

/// How long an event of a server that is no fundsim is waited for: it may send its events when it likes.
pub(super) const LONGEST_WAIT_FOR_OTHERS: Duration = Duration::from_secs(3);
/// Between two looks.
pub(super) const LOOK: Duration = Duration::from_millis(250);

/// Whether a frame speaks of one of these.
pub(super) fn mentions(value: &Json, ids: &BTreeSet<String>) -> bool {
    match value {
        Json::String(text) => ids.contains(text),
        Json::Array(items) => items.iter().any(|item| mentions(item, ids)),
        Json::Object(entries) => entries.values().any(|value| mentions(value, ids)),
        _ => false,
    }
}
