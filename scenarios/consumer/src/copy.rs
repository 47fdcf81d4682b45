//! The copy itself: records by kind and id, what is to be read next, and which events were taken.
//!
//! Invariant: an event changes the copy only where it follows on what is held; everything else is read from the service,
//! whose answer decides. So no order of events, and no event that comes twice, can make the copy wrong for longer than a
//! read, and no single answer takes a record away. Absent on purpose: connections and time, which are `follow`'s; and what
//! positions are worth, which changes with every price and without an event: it is read when it is wanted.

use super::ask::{Ask, RecordKind};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Ids that are remembered: of events that were taken, and of records that were deleted.
const MOST_REMEMBERED: usize = 100_000;

/// The last ids of many.
#[derive(Clone, Debug, Default)]
struct Ids {
    known: BTreeSet<String>,
    in_order: VecDeque<String>,
}

impl Ids {
    /// Remembers an id; `false` when it is known.
    fn insert(&mut self, id: &str) -> bool {
        if !self.known.insert(id.to_owned()) {
            return false;
        }
        self.in_order.push_back(id.to_owned());
        if self.in_order.len() > MOST_REMEMBERED
            && let Some(oldest) = self.in_order.pop_front()
        {
            self.known.remove(&oldest);
        }
        true
    }
}

/// A copy of one client and its records.
#[derive(Clone, Debug, Default)]
pub struct Copy {
    client: String,
    held: BTreeMap<(RecordKind, String), Json>,
    /// Journeys that are known of, also while none is held.
    journeys: BTreeSet<String>,
    /// Until when everything of a kind is known: the latest change that a list has shown.
    since: BTreeMap<RecordKind, String>,
    asks: VecDeque<Ask>,
    /// Records that the service has not known of once; it is asked again before that is believed.
    doubted: BTreeSet<(RecordKind, String)>,
    /// Records whose deletion an event has reported; what comes late about them is read once more before it is believed.
    deleted: Ids,
    taken: Ids,
    events: u64,
}

impl Copy {
    /// An empty copy of what belongs to `client`.
    #[must_use]
    pub fn of(client: &str) -> Self {
        Self { client: client.to_owned(), ..Self::default() }
    }

    /// The client whose copy it is.
    #[must_use]
    pub fn client(&self) -> &str {
        &self.client
    }

    /// The records that are held.
    #[must_use]
    pub const fn held(&self) -> &BTreeMap<(RecordKind, String), Json> {
        &self.held
    }

    /// How many events were taken, each once.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// What is to be read next. The caller reports how that ended by `answered` or `ask_again`.
    pub fn next_ask(&mut self) -> Option<Ask> {
        self.asks.pop_front()
    }

    /// Whether something is still to be read.
    #[must_use]
    pub fn is_asking(&self) -> bool {
        !self.asks.is_empty()
    }

    /// There was no answer that helps: it is to be read later.
    pub fn ask_again(&mut self, ask: Ask) {
        self.ask(ask);
    }

    /// Where the client itself is deleted, nothing is left to ask for.
    fn ask(&mut self, ask: Ask) {
        if !self.asks.contains(&ask) && !self.deleted.known.contains(&self.client) {
            self.asks.push_back(ask);
        }
    }

    /// A journey that the partner has made, which no list will show.
    pub fn follow_journey(&mut self, id: &str) {
        self.journeys.insert(id.to_owned());
        self.ask(Ask::One(RecordKind::Journey, id.to_owned()));
    }

    /// Has everything read that may have changed unnoticed: lists from the last change that is surely known, and one by
    /// one what has no list.
    pub fn reconcile(&mut self) {
        for kind in RecordKind::LISTED {
            self.ask(Ask::List(kind, self.since.get(&kind).cloned()));
        }
        self.ask(Ask::One(RecordKind::Client, self.client.clone()));
        for id in self.journeys.clone() {
            self.ask(Ask::One(RecordKind::Journey, id));
        }
    }

    /// Has all lists read from their beginning: nothing else shows what was deleted unnoticed.
    pub fn read_everything(&mut self) {
        RecordKind::LISTED.into_iter().for_each(|kind| self.ask(Ask::List(kind, None)));
    }

    /// An event: its type, its `eventId` (the `webhook-id` of a webhook), and its payload. One that was taken before changes
    /// nothing.
    pub fn take_event(&mut self, event_type: &str, event_id: &str, payload: &Json) {
        if !self.taken.insert(event_id) {
            return;
        }
        self.events += 1;
        let noun = event_type.split('.').next().unwrap_or_default();
        if let Some(kind) = RecordKind::ALL.into_iter().find(|kind| kind.noun() == noun) {
            let record = |name| payload.get(name).filter(|record| !record.is_null()).cloned().map(kept);
            self.follow(kind, record("current"), record("previous"));
        }
    }

    /// Takes a change that follows on what is held; what does not is read.
    fn follow(&mut self, kind: RecordKind, current: Option<Json>, previous: Option<Json>) {
        let Some(id) = current.as_ref().or(previous.as_ref()).and_then(id_of) else { return };
        if kind == RecordKind::Journey {
            self.journeys.insert(id.clone());
        }
        let is_deleted = self.deleted.known.contains(&id);
        let key = (kind, id);
        match (self.held.get(&key), previous, current) {
            // Known already.
            (Some(held), _, Some(current)) if *held == current || modified(&current) < modified(held) => {}
            // The next change of what is held, and surely a later one.
            (Some(held), Some(previous), Some(current)) if *held == previous && modified(&current) > modified(held) => {
                self.held.insert(key, current);
            }
            (None, None, Some(current)) if !is_deleted => drop(self.held.insert(key, current)),
            (_, _, None) => self.delete(key),
            _ => self.ask(Ask::One(kind, key.1)),
        }
    }

    /// Takes the event of a deletion. A record that can still be read, as accounts and journeys can, comes back by the read
    /// that is asked for here.
    fn delete(&mut self, key: (RecordKind, String)) {
        self.deleted.insert(&key.1);
        self.held.remove(&key);
        if key.0 == RecordKind::Client {
            self.held.clear();
            self.asks.clear();
        }
        self.ask(Ask::One(key.0, key.1));
    }

    /// What the service has answered to `ask`. `false` when that settles nothing: it is asked for again, after a pause.
    pub fn answered(&mut self, ask: Ask, status: u16, body: Json) -> bool {
        match (ask, status, body) {
            (Ask::List(kind, since), 200, Json::Array(rows)) => self.listed(kind, since.is_none(), rows),
            (Ask::One(kind, id), 200, row) if id_of(&row).as_ref() == Some(&id) => self.is_now(kind, id, row),
            // One such answer may be somebody's mistake on the way.
            (Ask::One(kind, id), 400 | 404, _) if self.is_gone(kind, &id) => drop(self.held.remove(&(kind, id))),
            (ask, ..) => {
                self.ask(ask);
                return false;
            }
        }
        true
    }

    /// Whether the service does not know a record: it has answered so twice, or has sent the event of its deletion.
    fn is_gone(&mut self, kind: RecordKind, id: &str) -> bool {
        let key = (kind, id.to_owned());
        let is_gone = self.deleted.known.contains(id) || self.doubted.contains(&key);
        if is_gone {
            self.doubted.remove(&key)
        } else {
            self.doubted.insert(key)
        };
        is_gone
    }

    /// Takes a list. What a list of everything lacks is gone, or was made meanwhile: the service is asked.
    fn listed(&mut self, kind: RecordKind, is_everything: bool, rows: Vec<Json>) {
        let latest = rows.iter().filter_map(modified).max().map(str::to_owned);
        self.since.extend(latest.map(|latest| (kind, latest)));
        let mut lacking: BTreeSet<String> = BTreeSet::new();
        if is_everything {
            lacking.extend(self.held.keys().filter(|(known, _)| *known == kind).map(|(_, id)| id.clone()));
        }
        for row in rows {
            if let Some(id) = id_of(&row) {
                lacking.remove(&id);
                self.is_now(kind, id, row);
            }
        }
        lacking.into_iter().for_each(|id| self.ask(Ask::One(kind, id)));
    }

    /// Takes a record as the service has answered it: it replaces what is held, unless an event has brought a later change
    /// meanwhile.
    fn is_now(&mut self, kind: RecordKind, id: String, row: Json) {
        let (key, row) = ((kind, id), kept(row));
        self.doubted.remove(&key);
        let is_ambiguous = match self.held.get(&key) {
            Some(held) if modified(&row) < modified(held) => return,
            // Two changes of one instant: the next answer shows which is the later one.
            Some(held) => *held != row && modified(held) == modified(&row),
            // It may have been read before its deletion.
            None => row.get("deleted") != Some(&Json::Bool(true)) && self.deleted.known.contains(&key.1),
        };
        if is_ambiguous {
            self.ask(Ask::One(kind, key.1.clone()));
        }
        self.held.insert(key, row);
    }
}

fn id_of(record: &Json) -> Option<String> {
    record.get("id").and_then(Json::as_str).map(str::to_owned)
}

/// A record without what prices make of it.
#[must_use]
pub fn kept(mut record: Json) -> Json {
    for position in record.get_mut("positions").and_then(Json::as_array_mut).into_iter().flatten() {
        if let Json::Object(position) = position {
            position.remove("value");
            position.remove("closePrice");
        }
    }
    record
}

/// When a record was changed last; texts of one form, which sort as instants do.
fn modified(record: &Json) -> Option<&str> {
    record.get("modifiedDate").and_then(Json::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn row(status: &str, modified: u32) -> Json {
        json!({ "id": "o", "status": status, "modifiedDate": format!("2026-03-02T07:00:0{modified}.000Z") })
    }

    fn update(from: &Json, to: &Json) -> Json {
        json!({ "current": to, "previous": from })
    }

    fn held(copy: &Copy) -> Option<String> {
        copy.held().get(&(RecordKind::Order, "o".to_owned())).and_then(|row| row["status"].as_str()).map(str::to_owned)
    }

    fn asks(copy: &mut Copy) -> Vec<Ask> {
        std::iter::from_fn(|| copy.next_ask()).collect()
    }

    /// The life of an order: created, then changed at each second.
    fn life() -> (Vec<Json>, Vec<(&'static str, Json)>) {
        let rows: Vec<Json> = ["a", "b", "c"].iter().zip(1..).map(|(status, at)| row(status, at)).collect();
        let mut events = vec![("order.create", json!({ "current": rows[0] }))];
        events.extend(rows.windows(2).map(|pair| ("order.update", update(&pair[0], &pair[1]))));
        (rows, events)
    }

    #[test]
    fn events_in_order_are_followed_without_a_single_read() {
        let (mut copy, (_, events)) = (Copy::default(), life());
        for (at, (kind, payload)) in events.iter().enumerate() {
            copy.take_event(kind, &at.to_string(), payload);
            copy.take_event(kind, &at.to_string(), payload);
        }
        assert_eq!((held(&copy), asks(&mut copy)), (Some("c".to_owned()), vec![]));
        assert_eq!(copy.events(), 3, "each was sent twice");
    }

    #[test]
    fn whatever_the_order_and_whatever_is_lost_what_is_read_decides() {
        let (rows, events) = life();
        let now = rows.last().expect("a last row");
        let orders: [&[usize]; 8] =
            [&[2, 1, 0], &[1, 2, 0], &[2, 0, 1], &[0, 2], &[2], &[0, 2, 1], &[1, 0, 2], &[0, 1]];
        for order in orders {
            let mut copy = Copy::default();
            for &at in order {
                copy.take_event(events[at].0, &at.to_string(), &events[at].1);
                for ask in asks(&mut copy) {
                    copy.answered(ask, 200, now.clone());
                }
            }
            // What was lost without a trace is found by the next reconciliation.
            copy.reconcile();
            for ask in asks(&mut copy) {
                let answer = match &ask {
                    Ask::List(RecordKind::Order, None) => json!([now]),
                    Ask::List(..) => json!([]),
                    Ask::One(_, id) => json!({ "id": id }),
                };
                copy.answered(ask, 200, answer);
            }
            assert_eq!((held(&copy), asks(&mut copy)), (Some("c".to_owned()), vec![]), "{order:?}");
        }
    }

    #[test]
    fn two_changes_of_one_instant_are_settled_by_reading() {
        let (first, second) = (row("a", 1), row("b", 1));
        let mut copy = Copy::default();
        copy.take_event("order.create", "1", &json!({ "current": first }));
        copy.take_event("order.update", "2", &update(&first, &second));
        let one = Ask::One(RecordKind::Order, "o".to_owned());
        assert_eq!(asks(&mut copy), std::slice::from_ref(&one));
        copy.answered(one.clone(), 200, second.clone());
        assert_eq!(
            (held(&copy), asks(&mut copy)),
            (Some("b".to_owned()), vec![one.clone()]),
            "an answer that differs is asked for again"
        );
        copy.answered(one, 200, second);
        assert_eq!((held(&copy), asks(&mut copy)), (Some("b".to_owned()), vec![]));
    }

    const ONE: fn() -> Ask = || Ask::One(RecordKind::Order, "o".to_owned());

    /// A copy that holds the order as it was made, with nothing to be read.
    fn holding() -> Copy {
        let mut copy = Copy::of("c");
        copy.take_event("order.create", "0", &life().1[0].1);
        copy
    }

    #[test]
    fn a_record_that_is_deleted_stays_so_however_late_a_word_of_it_comes() {
        let (rows, events) = life();
        let deleted = json!({ "previous": rows[2] });
        for late in [0, 1] {
            let mut copy = if late == 0 { Copy::of("c") } else { holding() };
            copy.take_event("order.delete", "9", &deleted);
            assert_eq!(held(&copy), None);
            // An answer that was under way by then does not stay.
            assert!(copy.answered(ONE(), 200, rows[2].clone()));
            copy.take_event(events[late].0, "late", &events[late].1);
            for ask in asks(&mut copy) {
                assert!(copy.answered(ask, 404, json!({ "error": "not_found" })), "once is enough after the event");
            }
            assert_eq!((held(&copy), asks(&mut copy)), (None, vec![]));
        }
    }

    #[test]
    fn what_can_be_read_after_its_deletion_is_held_as_it_is_read() {
        let mut copy = Copy::of("c");
        let (open, closed) = (json!({ "id": "a", "deleted": false }), json!({ "id": "a", "deleted": true }));
        copy.take_event("account.create", "1", &json!({ "current": open }));
        copy.take_event("account.delete", "2", &json!({ "previous": open }));
        for ask in asks(&mut copy) {
            copy.answered(ask, 200, closed.clone());
        }
        assert_eq!((copy.held().values().next(), copy.is_asking()), (Some(&closed), false));
    }

    #[test]
    fn one_answer_of_404_is_checked_again_and_the_next_event_is_still_applied() {
        let (rows, events) = life();
        for status in [400, 404] {
            let mut copy = holding();
            assert!(!copy.answered(ONE(), status, Json::Null), "it is asked again");
            assert_eq!((held(&copy), asks(&mut copy)), (Some("a".to_owned()), vec![ONE()]));
            copy.take_event(events[1].0, "1", &events[1].1);
            assert_eq!(held(&copy), Some("b".to_owned()));
            // Answered twice, it is believed; and an event brings the record back.
            assert!(copy.answered(ONE(), status, Json::Null));
            assert_eq!(held(&copy), None);
            copy.take_event(events[2].0, "2", &events[2].1);
            for ask in asks(&mut copy) {
                assert!(copy.answered(ask, 200, rows[2].clone()));
            }
            assert_eq!((held(&copy), asks(&mut copy)), (Some("c".to_owned()), vec![]));
        }
    }

    #[test]
    fn a_list_that_is_none_is_asked_for_again() {
        let list = Ask::List(RecordKind::Order, None);
        for (status, body) in [(400, json!({})), (404, json!({})), (200, json!({ "rows": [] })), (500, json!([]))] {
            let mut copy = holding();
            assert!(!copy.answered(list.clone(), status, body));
            assert_eq!((held(&copy), asks(&mut copy)), (Some("a".to_owned()), vec![list.clone()]));
        }
    }

    #[test]
    fn a_deletion_without_an_event_is_found_by_a_full_list() {
        let list = |since: Option<&str>| Ask::List(RecordKind::Order, since.map(str::to_owned));
        let mut copy = holding();
        copy.answered(list(Some("2026-03-02T07:00:01.000Z")), 200, json!([]));
        assert!(!copy.is_asking(), "that nothing has changed says nothing of what is gone");
        copy.read_everything();
        assert_eq!(asks(&mut copy).len(), 4);
        copy.answered(list(None), 200, json!([]));
        assert_eq!(asks(&mut copy), [ONE()], "an event may have told of it while the list was on its way");
        copy.answered(ONE(), 404, Json::Null);
        copy.answered(ONE(), 404, Json::Null);
        assert_eq!(held(&copy), None);
    }

    #[test]
    fn journeys_and_the_client_are_read_one_by_one_whether_or_not_they_were_there() {
        let mut copy = Copy::of("c");
        copy.follow_journey("j");
        for ask in asks(&mut copy).into_iter().flat_map(|ask| [ask.clone(), ask]) {
            copy.answered(ask, 404, Json::Null);
        }
        asks(&mut copy);
        copy.reconcile();
        let paths: Vec<String> = asks(&mut copy).iter().skip(4).map(|ask| ask.path("c")).collect();
        assert_eq!(paths, ["/v2/partner/client/c", "/v2/partner/client/c/journey/j"]);
        copy.answered(Ask::One(RecordKind::Client, "c".to_owned()), 200, json!({ "id": "c", "modifiedDate": "1" }));
        let changed = json!({ "id": "c", "modifiedDate": "2" });
        copy.take_event("client.update", "1", &update(&json!({ "id": "c", "modifiedDate": "1" }), &changed));
        assert_eq!((copy.held().values().next(), copy.is_asking()), (Some(&changed), false));
        copy.take_event("client.delete", "2", &json!({ "previous": changed }));
        copy.reconcile();
        assert!(copy.held().is_empty() && !copy.is_asking(), "nothing is left to ask for");
    }

    #[test]
    fn what_is_remembered_of_events_and_deletions_is_bounded() {
        let mut ids = Ids::default();
        for at in 0..=MOST_REMEMBERED {
            assert!(ids.insert(&at.to_string()));
        }
        assert_eq!((ids.known.len(), ids.in_order.len()), (MOST_REMEMBERED, MOST_REMEMBERED));
        assert!(!ids.insert("1") && ids.insert("0"), "the oldest goes first");
    }

    #[test]
    fn lists_are_asked_for_from_the_last_change_that_a_list_has_shown() {
        let mut copy = Copy::default();
        copy.reconcile();
        assert_eq!(copy.next_ask(), Some(Ask::List(RecordKind::Account, None)));
        let orders = copy.next_ask().expect("orders");
        assert_eq!(orders.path("c"), "/v2/partner/client/c/order");
        copy.answered(orders, 200, json!([row("a", 3), row("a", 1)]));
        // An event does not move it: others before it may have been missed.
        copy.take_event(
            "order.create",
            "1",
            &json!({ "current": { "id": "p", "modifiedDate": "2026-03-03T07:00:00.000Z" } }),
        );
        asks(&mut copy);
        copy.reconcile();
        let paths: Vec<String> = asks(&mut copy).iter().map(|ask| ask.path("c")).collect();
        let orders = "/v2/partner/client/c/order?modifiedFrom=2026-03-02T07:00:03.000Z".to_owned();
        assert!(paths.contains(&orders), "{paths:?}");
        let one = Ask::One(RecordKind::CashTransaction, "t".to_owned());
        assert_eq!(one.path("c"), "/v2/partner/client/c/transaction/cash/t");
    }
}
