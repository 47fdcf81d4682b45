//! Events as sockets show them to a generated run.
//!
//! Invariant: an event is kept as it was sent, and read no further than its judge does. Absent on purpose: frames that stories
//! expect, which `session` keeps as values.

use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// An event as a socket showed it.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The partner's number.
    pub partner: usize,
    /// The client's number.
    pub client: usize,
    /// Its `eventId`; empty where that is no text.
    pub id: String,
    /// Its `eventType`; empty where that is no text.
    pub kind: String,
    /// Its `payload`, `null` where it has none.
    pub payload: Box<RawValue>,
    /// The frame itself.
    pub text: Utf8Bytes,
}

/// Events as sockets showed them, each socket's in their order.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// Those of the first socket of each client.
    pub first: Vec<Frame>,
    /// Those of further sockets, by name.
    pub named: BTreeMap<String, Vec<Frame>>,
}

/// What every frame has.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    /// `Some(None)` where it is `null`.
    #[serde(default, deserialize_with = "given")]
    event_id: Option<Option<String>>,
    #[serde(default)]
    event_type: String,
    payload: Option<Box<RawValue>>,
}

fn given<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(reader).map(Some)
}

/// What a frame is about.
pub(super) enum FrameKind {
    /// Something about the world.
    Event(Frame),
    /// Something about the connection: a heartbeat.
    Heartbeat,
    /// Anything else about the connection.
    Other,
}

impl FrameKind {
    /// What a frame is about that the socket of this client has shown.
    pub(super) fn of((partner, client): (usize, usize), text: Utf8Bytes) -> Self {
        let (id, kind, payload) = match serde_json::from_str(&text) {
            Ok(Head { event_id: Some(id), event_type, payload }) => (id.unwrap_or_default(), event_type, payload),
            Ok(Head { event_id: None, event_type, .. }) if event_type == "heartbeat" => return Self::Heartbeat,
            Ok(_) => return Self::Other,
            // An event of another form must not go unseen.
            Err(_) => match serde_json::from_str::<Json>(&text) {
                Ok(frame) if frame.get("eventId").is_some() => {
                    let part = |name: &str| frame.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
                    let payload = frame.get("payload").and_then(|payload| to_raw_value(payload).ok());
                    (part("eventId"), part("eventType"), payload)
                }
                _ => return Self::Other,
            },
        };
        let payload = payload.unwrap_or_else(|| RawValue::NULL.to_owned());
        Self::Event(Frame { partner, client, id, kind, payload, text })
    }
}

impl Frames {
    /// Takes in an event that the first socket of its client, or a named one, has shown.
    pub(super) fn push(&mut self, socket: Option<&str>, frame: Frame) {
        match socket {
            None => self.first.push(frame),
            Some(name) => self.named.entry(name.to_owned()).or_default().push(frame),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_names_an_event_is_one_whatever_its_form() {
        let event = |text: &str| match FrameKind::of((1, 2), Utf8Bytes::from(text)) {
            FrameKind::Event(frame) => Some((frame.id, frame.kind, frame.payload.get().to_owned())),
            FrameKind::Heartbeat | FrameKind::Other => None,
        };
        let read = |id: &str, kind: &str, payload: &str| Some((id.to_owned(), kind.to_owned(), payload.to_owned()));
        let rows = [
            (r#"{"eventId":"a","eventType":"b","payload":{"c": 1.00}}"#, read("a", "b", r#"{"c": 1.00}"#)),
            (r#"{"eventType":"b","eventId":"a"}"#, read("a", "b", "null")),
            (r#"{"eventId":1,"eventType":"b","payload":{}}"#, read("", "b", "{}")),
            (r#"{"eventId":"a","eventType":1,"payload":[]}"#, read("a", "", "[]")),
            (r#"{"eventId":null,"eventType":"b"}"#, read("", "b", "null")),
            (r#"{"eventId":"a","eventId":"b"}"#, read("b", "", "null")),
            (r#"{"eventType":"heartbeat"}"#, None),
            (r#"{"eventType":"replayed"}"#, None),
            ("no JSON", None),
        ];
        for (text, expected) in rows {
            assert_eq!(event(text), expected, "{text}");
        }
        assert!(matches!(FrameKind::of((1, 1), r#"{"eventType":"heartbeat"}"#.into()), FrameKind::Heartbeat));
    }
}
