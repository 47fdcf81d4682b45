//! What the sockets must show: every event of the reference world, once, in order, and each beginning where the one before ended.
//!
//! Invariant: judged only at calm moments, when every open socket has shown all events that the server has. Absent on
//! purpose: events about instruments, which go to everybody who offers them.

use super::expectation::expectation;
use super::readable::{self, Readable};
use indexmap::{IndexMap, IndexSet};
use language::ast::{EventPattern, Expected, part};
use oracle::check::Law;
use oracle::model::Status;
use runner::remote::{Frame, Frames};
use rustc_hash::FxBuildHasher;
use serde::Deserialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;
use sim::event::{Change, Event};
use sim::ids::{ClientId, OrderId};
use sim::{World, query};
use std::collections::BTreeMap;

/// A client by the numbers of its partner and its own.
pub(super) type ClientNumbers = (usize, usize);

/// An event that a socket must show.
#[derive(Clone, Debug)]
struct Due {
    id: String,
    kind: &'static str,
    order: Option<(OrderId, &'static str)>,
    payload: Readable,
}

/// What was shown otherwise than it was to be.
#[derive(Debug)]
pub(super) struct Mismatch {
    pub(super) law: Law,
    pub(super) what: String,
    /// The order it is about, with the statuses that its events were to show since the last look.
    pub(super) order: Option<(OrderId, Vec<&'static str>)>,
    /// The event that a client of a partner should have received, where it received another.
    pub(super) event: Option<Box<(usize, usize, EventPattern)>>,
}

/// The sockets of all clients.
#[derive(Clone, Debug)]
pub(super) struct Feeds {
    pub(super) client_numbers: BTreeMap<ClientId, ClientNumbers>,
    due: BTreeMap<ClientNumbers, Vec<Due>>,
    seen: IndexSet<(ClientNumbers, String), FxBuildHasher>,
    /// The last record of each resource, as it was sent.
    latest: IndexMap<(ClientNumbers, String), Box<RawValue>, FxBuildHasher>,
    /// Whose events a second socket shows.
    twice: Option<ClientNumbers>,
    /// Whose events a socket shows whose token may read only some resources, and which.
    narrow: Option<(ClientNumbers, &'static [&'static str])>,
}

/// The name of the socket that shows the same as another.
pub(super) const SECOND: &str = "second";
/// The name of the socket whose token may read only some resources.
pub(super) const NARROW: &str = "narrow";

/// Scopes of tokens that may read only some resources, each with these.
pub(super) const NARROW_SCOPES: &[(&str, &[&str])] = &[
    ("account:read", &["account"]),
    ("transaction:read", &["transaction"]),
    ("order:read", &["order"]),
    ("journey:read", &["journey"]),
    ("client:read", &["client"]),
    ("order:read account:read", &["order", "account"]),
    ("instrument:read,transaction:read", &["instrument", "transaction"]),
];

/// The resource that a token must be able to read for its socket to show such an event (rule: auth/token-scope).
fn resource_of(kind: &str) -> &str {
    match kind.split('.').next().unwrap_or_default() {
        "cashTransaction" | "fundTransaction" => "transaction",
        noun => noun,
    }
}

impl Feeds {
    pub(super) fn new(world: &World) -> Self {
        let mut client_numbers = BTreeMap::new();
        for (p, partner) in query::partners(world).enumerate() {
            for (c, client) in query::clients_of(world, partner.id).enumerate() {
                client_numbers.insert(client.id, (p + 1, c + 1));
            }
        }
        Self {
            client_numbers,
            due: BTreeMap::new(),
            seen: IndexSet::default(),
            latest: IndexMap::default(),
            twice: None,
            narrow: None,
        }
    }

    /// Notes the events that the reference world has sent.
    pub(super) fn expect(&mut self, world: &World, events: &[Event]) {
        for event in events {
            let Some(numbers) = event.client.and_then(|client| self.client_numbers.get(&client)) else { continue };
            let order = match &event.change {
                Change::Order(delta) => Some((delta.latest().id, Status::of(*delta.latest().state).word())),
                _ => None,
            };
            let Some(payload) = readable::payload(world, event) else { continue };
            let due = Due { id: event.public_id(world.seed()).to_string(), kind: event.kind(), order, payload };
            self.due.entry(*numbers).or_default().push(due);
        }
    }

    /// How many events the sockets are still to show.
    pub(super) fn awaited(&self) -> usize {
        self.due.values().map(Vec::len).sum()
    }

    /// The sockets are new: what was sent before is not sent again, and the last record of each resource is not known.
    pub(super) fn begin_anew(&mut self) {
        self.due.clear();
        self.latest.clear();
        self.seen.clear();
    }

    /// The events of this client are shown by a second socket too.
    pub(super) const fn show_twice(&mut self, numbers: ClientNumbers) {
        self.twice = Some(numbers);
    }

    /// Of the events of this client a socket shows those about these resources.
    pub(super) const fn show_in_part(&mut self, numbers: ClientNumbers, resources: &'static [&'static str]) {
        self.narrow = Some((numbers, resources));
    }

    /// The socket of a token that may read only some resources shows their events, all of them, in their order, and no other.
    fn is_in_part(&self, frames: &[Frame], due: &BTreeMap<ClientNumbers, Vec<Due>>) -> Result<(), Mismatch> {
        let Some((numbers, resources)) = self.narrow else { return Ok(()) };
        let wrong = |what: String| Err(Mismatch { law: Law::Isolation, what, order: None, event: None });
        let whose =
            format!("a socket of client {} of partner {} that may read {}", numbers.1, numbers.0, resources.join(", "));
        if let Some(frame) = frames.iter().find(|frame| !resources.contains(&resource_of(&frame.kind))) {
            return wrong(format!("{whose} showed `{}`", frame.kind));
        }
        let expected = due.get(&numbers).into_iter().flatten();
        let expected = expected.filter(|due| resources.contains(&resource_of(due.kind))).map(|due| due.id.as_str());
        if expected.eq(frames.iter().filter(|frame| is_about_a_client(frame)).map(|frame| frame.id.as_str())) {
            return Ok(());
        }
        wrong(format!("{whose} did not show just the events about these"))
    }

    /// The second socket shows what the first of its client shows, in the same order.
    fn is_echoed(&self, frames: &[Frame], again: &[Frame]) -> Result<(), Mismatch> {
        let Some(numbers) = self.twice else { return Ok(()) };
        let first = frames.iter().filter(|frame| (frame.partner, frame.client) == numbers);
        if first.map(|frame| &frame.text).eq(again.iter().map(|frame| &frame.text)) {
            return Ok(());
        }
        let what = format!("two sockets of client {} of partner {} show something else", numbers.1, numbers.0);
        Err(Mismatch { law: Law::EventCorrespondence, what, order: None, event: None })
    }

    /// Holds what came in against what was due, and what further sockets showed against the first; how many events came.
    pub(super) fn judge(&mut self, frames: &Frames) -> Result<u64, Mismatch> {
        let of = |name: &str| frames.named.get(name).map_or(&[][..], Vec::as_slice);
        self.is_echoed(&frames.first, of(SECOND))?;
        let due = std::mem::take(&mut self.due);
        self.is_in_part(of(NARROW), &due)?;
        let frames: Vec<&Frame> = frames.first.iter().filter(|frame| is_about_a_client(frame)).collect();
        for frame in &frames {
            self.is_next(frame, &due)?;
        }
        for frame in &frames {
            check_fields_of_event(frame, &due)?;
        }
        for &numbers in self.client_numbers.values() {
            let shown = frames.iter().filter(|frame| (frame.partner, frame.client) == numbers);
            let shown: Vec<&str> = shown.map(|frame| frame.id.as_str()).collect();
            let none = Vec::new();
            let expected = due.get(&numbers).unwrap_or(&none);
            if !expected.iter().map(|due| due.id.as_str()).eq(shown.iter().copied()) {
                let missing = expected.iter().find(|due| !shown.contains(&due.id.as_str()));
                let what = match missing {
                    Some(due) => {
                        format!("client {} of partner {} did not receive `{}`", numbers.1, numbers.0, due.kind)
                    }
                    None => format!(
                        "client {} of partner {} received too many events, or out of order",
                        numbers.1, numbers.0
                    ),
                };
                let order = missing.and_then(|due| due.order).map(|(id, _)| (id, statuses(expected, id)));
                return Err(Mismatch { law: Law::EventCorrespondence, what, order, event: None });
            }
        }
        Ok(frames.len() as u64)
    }

    /// That a frame is new and continues from the one before.
    fn is_next(&mut self, frame: &Frame, due: &BTreeMap<ClientNumbers, Vec<Due>>) -> Result<(), Mismatch> {
        let (numbers, id, kind) = ((frame.partner, frame.client), &frame.id, &frame.kind);
        let parts = serde_json::from_str(frame.payload.get());
        let Parts { current, previous } = *parts.as_ref().unwrap_or(&Parts::default());
        let resource = current.or(previous).map(id_of).unwrap_or_default();
        let mismatch = |law, what| {
            let order = OrderId::parse(&resource).ok().filter(|_| kind.starts_with("order."));
            let order = order.map(|order| (order, due.get(&numbers).map_or_else(Vec::new, |due| statuses(due, order))));
            Err(Mismatch { law, what, order, event: None })
        };
        if parts.is_err() {
            let what = format!("the payload of event {id}, `{kind}`, is no object, or has a field twice");
            return mismatch(Law::EventCorrespondence, what);
        }
        if !self.seen.insert((numbers, id.clone())) {
            return mismatch(Law::EventIdentity, format!("event {id}, `{kind}` of {resource}, was sent twice"));
        }
        // What positions are worth changes without an event.
        if kind.starts_with("account.") {
            return Ok(());
        }
        let before = current.and_then(|it| self.latest.insert((numbers, resource.clone()), it.to_owned()));
        match (before, previous) {
            (Some(before), Some(previous)) if !are_alike(&before, previous) => {
                mismatch(Law::EventCorrespondence, format!("an update of {resource} began where no update had ended"))
            }
            _ => Ok(()),
        }
    }
}

/// The resource as it is and as it was, as they were sent.
#[derive(Clone, Copy, Default, Deserialize)]
struct Parts<'a> {
    #[serde(borrow)]
    current: Option<&'a RawValue>,
    #[serde(borrow)]
    previous: Option<&'a RawValue>,
}

/// The id of a resource; empty where it has none.
fn id_of(resource: &RawValue) -> String {
    #[derive(Deserialize)]
    struct Identified {
        id: String,
    }
    serde_json::from_str::<Identified>(resource.get()).map(|it| it.id).unwrap_or_default()
}

/// Whether two texts say the same.
fn are_alike(one: &RawValue, other: &RawValue) -> bool {
    let value = |it: &RawValue| serde_json::from_str::<Json>(it.get()).ok();
    one.get() == other.get() || value(one).is_some_and(|one| Some(one) == value(other))
}

/// Whether an event is about something of its client's, and not about instruments, which are everybody's.
fn is_about_a_client(frame: &Frame) -> bool {
    frame.kind != "instrument.reloaded"
}

/// Compares an event, field by field, with the reference world's.
fn check_fields_of_event(frame: &Frame, due: &BTreeMap<ClientNumbers, Vec<Due>>) -> Result<(), Mismatch> {
    let (numbers, id) = ((frame.partner, frame.client), frame.id.as_str());
    let Some(due) = due.get(&numbers).and_then(|due| due.iter().find(|due| due.id == id)) else { return Ok(()) };
    if frame.kind == due.kind && readable::is_text_of(frame.payload.get(), &due.payload) {
        return Ok(());
    }
    let (mut payload, expected) =
        (serde_json::from_str(frame.payload.get()).unwrap_or_default(), Json::from(&due.payload));
    readable::take_links(&mut payload);
    if payload == expected && frame.kind == due.kind {
        return Ok(());
    }
    let what = format!("event {id}, `{}`, has {}", due.kind, language::matching::show(&payload));
    let frame = part([("eventId", Expected::from(id)), ("payload", expectation(&expected, &payload))]);
    let event = Some(Box::new((numbers.0, numbers.1, EventPattern { kind: due.kind.to_owned(), frame })));
    Err(Mismatch { law: Law::EventCorrespondence, what, order: None, event })
}

/// The statuses that an order's updates were to show, each event once.
fn statuses(due: &[Due], order: OrderId) -> Vec<&'static str> {
    let mut once: IndexMap<&str, &'static str, FxBuildHasher> = IndexMap::default();
    for event in due.iter().filter(|event| event.kind == "order.update") {
        if let Some((_, status)) = event.order.filter(|(id, _)| *id == order) {
            once.insert(&event.id, status);
        }
    }
    once.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_setup::RunSetup;
    use serde_json::json;
    use serde_json::value::to_raw_value;

    /// An event that the first client of the first partner was shown.
    fn shown(id: &str, kind: &str, payload: &Json) -> Frame {
        let text = json!({ "eventId": id, "eventType": kind, "payload": payload }).to_string().into();
        let payload = to_raw_value(payload).expect("a value is JSON");
        Frame { partner: 1, client: 1, id: id.to_owned(), kind: kind.to_owned(), payload, text }
    }

    #[test]
    fn a_field_an_update_or_an_event_that_is_not_as_it_must_be_is_seen() {
        let order = |status: &str| json!({ "id": "o", "status": status, "amount": 1.5 });
        let created = json!({ "current": order("received") });
        let updated = json!({ "previous": order("received"), "current": order("sent") });
        let due = |id: &str, kind, payload: &Json| Due {
            id: id.to_owned(),
            kind,
            order: None,
            payload: Readable::from(payload),
        };
        let judged = |frames: &[(&str, &str, &Json)]| {
            let mut feeds = Feeds::new(&RunSetup::plain(1).world());
            let all = vec![due("a", "order.create", &created), due("b", "order.update", &updated)];
            feeds.due = BTreeMap::from([((1, 1), all)]);
            let first = frames.iter().map(|(id, kind, payload)| shown(id, kind, payload)).collect();
            feeds.judge(&Frames { first, ..Frames::default() }).map_err(|mismatch| mismatch.what)
        };
        let (create, update) = (("a", "order.create", &created), ("b", "order.update", &updated));
        assert_eq!(judged(&[create, update]), Ok(2));
        let linked = |mut payload: Json| {
            for resource in payload.as_object_mut().into_iter().flat_map(|parts| parts.values_mut()) {
                resource["url"] = json!("http://host/journey/secret");
            }
            payload
        };
        let (with_link, from_link) = (linked(created.clone()), linked(updated.clone()));
        let linked = [("a", "order.create", &with_link), ("b", "order.update", &from_link)];
        assert_eq!(judged(&linked), Ok(2), "a link holds a secret, and is left out");
        let more = json!({ "current": { "id": "o", "status": "received", "amount": 1.5, "units": null } });
        let gap = json!({ "previous": order("pending"), "current": order("sent") });
        for (frames, found) in [
            (vec![create], "did not receive `order.update`"),
            (vec![update, create], "out of order"),
            (vec![create, update, ("c", "order.update", &updated)], "began where no update had ended"),
            (vec![create, create, update], "was sent twice"),
            (vec![("a", "order.update", &created), update], "event a, `order.create`, has"),
            (vec![("a", "order.create", &more)], "event a, `order.create`, has"),
            (vec![create, ("b", "order.update", &gap)], "began where no update had ended"),
            (vec![("a", "order.create", &Json::Null)], "is no object, or has a field twice"),
        ] {
            let what = judged(&frames).expect_err(found);
            assert!(what.contains(found), "{what}");
        }
    }

    #[test]
    fn two_texts_are_alike_when_they_say_the_same() {
        let text = |json: &str| RawValue::from_string(json.to_owned()).expect("JSON");
        let are = |one: &str, other: &str| are_alike(&text(one), &text(other));
        assert!(are(r#"{"a":1,"b":"c"}"#, r#"{"b":"\u0063", "a":1}"#));
        assert!(!are(r#"{"a":1}"#, r#"{"a":1.0}"#));
        // No value can be made of either.
        assert!(!are(r#"{"a":"\ud800"}"#, r#"{"b":"\ud800"}"#));
    }

    #[test]
    fn a_socket_that_shows_more_or_less_than_its_token_may_read_is_seen() {
        let mut feeds = Feeds::new(&RunSetup::plain(1).world());
        feeds.show_in_part((1, 1), &["order"]);
        let due = |id: &str, kind| Due { id: id.to_owned(), kind, order: None, payload: Readable::Null };
        let due = BTreeMap::from([((1, 1), vec![due("a", "order.create"), due("b", "account.update")])]);
        let frame = |id: &str, kind: &str| shown(id, kind, &Json::Null);
        let judged = |frames: &[Frame]| feeds.is_in_part(frames, &due).map_err(|mismatch| mismatch.law);
        assert_eq!(judged(&[frame("a", "order.create")]), Ok(()));
        assert_eq!(judged(&[]), Err(Law::Isolation));
        assert_eq!(judged(&[frame("a", "order.create"), frame("b", "account.update")]), Err(Law::Isolation));
    }
}
