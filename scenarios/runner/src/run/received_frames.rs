//! What one connection to a server that is no fundsim has sent: whether its frames are as the API describes them, and agree
//! with each other and with another connection.
//!
//! Invariant: an id names one event; what an update comes from is the record as in its last event. Absent on purpose: whether
//! an event had to come, which stories say.

use crate::foreign::wrong_with_event;
use consumer::copy::kept;
use language::matching::{Mismatch, show};
use language::path;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// What it has sent.
#[derive(Default)]
pub(super) struct ReceivedFrames {
    ids: BTreeSet<String>,
    /// Records by their ids, as in their last events.
    records: BTreeMap<String, Json>,
    /// Every event by what it says, with its id.
    events: Vec<(Json, String)>,
}

impl ReceivedFrames {
    /// What is wrong with the next frame.
    pub(super) fn receive(&mut self, frame: &Json) -> Vec<Mismatch> {
        let faults = wrong_with_event(frame).into_iter();
        let mut faults: Vec<Mismatch> = faults.map(|(path, expected)| described(frame, path, expected)).collect();
        let kind = frame.get("eventType").and_then(Json::as_str).unwrap_or_default();
        let Some(id) = frame.get("eventId").and_then(Json::as_str) else { return faults };
        if !self.ids.insert(id.to_owned()) {
            let (path, expected) = (format!("{kind}.eventId"), "an id that is new on this connection".to_owned());
            faults.push(Mismatch { path, expected, got: id.to_owned() });
        }
        let payload = frame.get("payload").cloned().unwrap_or_default();
        faults.extend(self.follow(kind, &payload));
        self.events.push((payload, id.to_owned()));
        faults
    }

    /// Whether an event comes from where the record was.
    fn follow(&mut self, kind: &str, payload: &Json) -> Option<Mismatch> {
        let of = |state: &str| payload.get(state).cloned().map(kept);
        let (current, previous) = (of("current"), of("previous"));
        let id = current.as_ref().or(previous.as_ref())?.get("id")?.as_str()?.to_owned();
        let known = match current {
            Some(current) => self.records.insert(id, current),
            None => self.records.remove(&id),
        }?;
        let previous = previous.filter(|previous| *previous != known)?;
        let path = format!("{kind}.payload.previous");
        Some(Mismatch { path, expected: format!("last messages: {}", show(&known)), got: show(&previous) })
    }

    /// An event about one of these that another connection, open for as long, has not sent with the same id; and whether it
    /// may still do so.
    pub(super) fn event_missing_on(&self, other: &Self, is_own: impl Fn(&Json) -> bool) -> Option<(Mismatch, bool)> {
        let (frame, id) = self.events.iter().find(|(frame, id)| !other.ids.contains(id) && is_own(frame))?;
        let same = other.events.iter().find(|(there, _)| there == frame);
        let path = "the same event on two connections".to_owned();
        let got = same.map_or_else(|| format!("nothing of {}", show(frame)), |(_, id)| format!("eventId {id}"));
        Some((Mismatch { path, expected: format!("eventId {id}"), got }, same.is_none()))
    }
}

fn described(frame: &Json, path: String, expected: String) -> Mismatch {
    let kind = frame.get("eventType").and_then(Json::as_str).unwrap_or_default();
    let place = path.strip_prefix(kind).unwrap_or(&path).trim_start_matches('.');
    let part = if place.is_empty() { None } else { path::find(frame, place) };
    let got = show(part.as_deref().unwrap_or(frame));
    Mismatch { path, expected, got }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(kind: &str, id: u8, payload: Json) -> Json {
        json!({ "eventType": kind, "eventId": format!("63cfbf59-fe80-51a9-9496-d2ab690419{id:02}"), "payload": payload })
    }

    #[test]
    fn an_id_comes_once_and_an_update_from_where_the_record_was() {
        let order = |status: &str| json!({ "id": "o", "status": status });
        let create = event("order.create", 1, json!({ "current": order("received") }));
        let update = |id, from: &str, to: &str| {
            event("order.update", id, json!({ "previous": order(from), "current": order(to) }))
        };
        let is_reported = |frames: &[Json], path: &str, expected: &str| {
            let mut received = ReceivedFrames::default();
            let all: Vec<_> = frames.iter().map(|frame| received.receive(frame)).collect();
            all.concat().iter().any(|fault| fault.path == path && fault.expected.contains(expected))
        };
        assert!(is_reported(&[create.clone(), create.clone()], "order.create.eventId", "new on this connection"));
        let follows = |frames: &[Json]| !is_reported(frames, "order.update.payload.previous", "last messages");
        assert!(follows(&[create.clone(), update(2, "received", "pending"), update(3, "pending", "sent")]));
        assert!(follows(&[update(2, "pending", "sent")]), "nothing was received of it before");
        assert!(!follows(&[create.clone(), update(2, "pending", "pending")]));
        assert!(!follows(&[create, update(3, "pending", "sent")]), "one was left out");
    }

    #[test]
    fn two_connections_send_the_same_event_with_the_same_id() {
        let frame = |id| event("order.create", id, json!({ "current": { "id": "o" } }));
        let mut received = [ReceivedFrames::default(), ReceivedFrames::default(), ReceivedFrames::default()];
        for (received, id) in received.iter_mut().zip([1, 1, 2]) {
            received.receive(&frame(id));
        }
        let [one, same, other] = received;
        assert!(one.event_missing_on(&same, |_| true).is_none());
        assert!(one.event_missing_on(&other, |_| true).is_some_and(|(_, may_come)| !may_come));
        assert!(one.event_missing_on(&ReceivedFrames::default(), |_| true).is_some_and(|(_, may_come)| may_come));
        assert!(one.event_missing_on(&other, |_| false).is_none());
    }
}
