//! What came to the consumer, written down beside it.
//!
//! Invariant: what is noted is what the consumer was handed, at that moment. Absent on purpose: what should have come.

use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// A record of what came.
#[derive(Clone, Debug, Default)]
pub(super) struct Recorder {
    /// Ids of events.
    pub(super) ids: BTreeSet<String>,
    /// Events that came again.
    pub(super) again: u64,
    /// Reads that were answered.
    pub(super) reads: u64,
    /// Records that the service did not know when they were read, and how often.
    unknown: BTreeMap<String, u32>,
    /// What came again under another id.
    pub(super) renamed: Option<String>,
    /// Whether there is no outage: nothing but hours ends sockets.
    pub(super) is_calm: bool,
    /// Whether there was a moment with no outage without a socket.
    pub(super) was_without_socket: bool,
    open: usize,
    /// The id of each (type, payload).
    id_of: BTreeMap<(String, String), String>,
}

impl Recorder {
    /// Notes an event; the same change has the same id on every connection.
    pub(super) fn note(&mut self, kind: &str, id: &str, payload: &Json) {
        if id.is_empty() {
            return;
        }
        if !self.ids.insert(id.to_owned()) {
            self.again += 1;
        }
        // A change that shows nothing may come twice within an instant; events about instruments concern no single record.
        let shows_nothing = payload.get("current") == payload.get("previous");
        if shows_nothing || kind.starts_with("instrument.") {
            return;
        }
        let first = self.id_of.entry((kind.to_owned(), payload.to_string())).or_insert_with(|| id.to_owned());
        if *first != id {
            self.renamed.get_or_insert(format!("{kind} came as {first} and again as {id}"));
        }
    }

    /// Notes the answer to a read.
    pub(super) fn note_read(&mut self, path: &str, status: u16) {
        self.reads += 1;
        if matches!(status, 400 | 404) {
            let id = path.rsplit('/').next().unwrap_or_default();
            *self.unknown.entry(id.to_owned()).or_default() += 1;
        }
    }

    /// Records that the service did not know more than once.
    pub(super) fn denied(&self) -> BTreeSet<String> {
        self.unknown.iter().filter(|(_, times)| **times > 1).map(|(id, _)| id.clone()).collect()
    }

    /// Notes a message of a socket.
    pub(super) fn note_message(&mut self, message: &Json) {
        let text = |name: &str| message.get(name).and_then(Json::as_str).unwrap_or_default();
        let payload = message.get("payload").cloned().unwrap_or_default();
        self.note(text("eventType"), text("eventId"), &payload);
    }

    /// A socket was opened.
    pub(super) const fn opened(&mut self) {
        self.open += 1;
    }

    /// A socket was closed, by either side.
    pub(super) const fn closed(&mut self) {
        self.open -= 1;
        self.was_without_socket |= self.is_calm && self.open == 0;
    }
}
