//! The copy itself: records by kind and id, what is to be read next, and what has been told already.
//!
//! Invariant: an event changes the copy only where it follows on what is held; everything else is read from the service,
//! whose answer decides. So no order of events, and no event told twice, can make the copy wrong for longer than a read.
//! Absent on purpose: connections and time, which are `follow`'s; and what positions are worth, which changes with every
//! price and without an event: it is read when it is wanted.

use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Events whose ids are remembered, to tell when one is told again.
const MOST_SEEN: usize = 100_000;

/// A kind of record that is held, by the noun of its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `account.*`.
    Account,
    /// `order.*`.
    Order,
    /// `cashTransaction.*`.
    CashTransaction,
    /// `fundTransaction.*`.
    FundTransaction,
    /// `journey.*`; there is no list of them, so the partner names those that it has made.
    Journey,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Account, Self::Order, Self::CashTransaction, Self::FundTransaction, Self::Journey];

    /// The noun of its events.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Order => "order",
            Self::CashTransaction => "cashTransaction",
            Self::FundTransaction => "fundTransaction",
            Self::Journey => "journey",
        }
    }

    /// Its path below the client.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Order => "order",
            Self::CashTransaction => "transaction/cash",
            Self::FundTransaction => "transaction/fund",
            Self::Journey => "journey",
        }
    }

    /// Whether there is a list of them.
    #[must_use]
    pub const fn is_listed(self) -> bool {
        !matches!(self, Self::Journey)
    }
}

/// What is to be read from the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// All of a kind that were modified from this instant on, that instant included; all there are without one.
    List(Kind, Option<String>),
    /// One record.
    One(Kind, String),
}

impl Ask {
    /// The path and query below the client.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::List(kind, None) => kind.path().to_owned(),
            Self::List(kind, Some(since)) => format!("{}?modifiedFrom={since}", kind.path()),
            Self::One(kind, id) => format!("{}/{id}", kind.path()),
        }
    }
}

/// A copy of one client's records.
#[derive(Clone, Debug, Default)]
pub struct Copy {
    held: BTreeMap<(Kind, String), Json>,
    /// Records that are gone for good; a late word of them changes nothing.
    gone: BTreeSet<(Kind, String)>,
    /// Until when everything of a kind is known: the latest change that a list has shown.
    since: BTreeMap<Kind, String>,
    asks: VecDeque<Ask>,
    seen: BTreeSet<String>,
    seen_in_order: VecDeque<String>,
}

impl Copy {
    /// The records that are held.
    #[must_use]
    pub const fn held(&self) -> &BTreeMap<(Kind, String), Json> {
        &self.held
    }

    /// What is to be read next. Whoever takes it says what came of it, by `answered` or `ask_again`.
    pub fn next_ask(&mut self) -> Option<Ask> {
        self.asks.pop_front()
    }

    /// Whether something is still to be read.
    #[must_use]
    pub fn is_asking(&self) -> bool {
        !self.asks.is_empty()
    }

    /// There was no answer: it is to be read later.
    pub fn ask_again(&mut self, ask: Ask) {
        self.asks.push_front(ask);
    }

    fn ask(&mut self, ask: Ask) {
        if !self.asks.contains(&ask) {
            self.asks.push_back(ask);
        }
    }

    /// A journey that the partner has made, which no list will show.
    pub fn follow_journey(&mut self, id: &str) {
        self.ask(Ask::One(Kind::Journey, id.to_owned()));
    }

    /// Has everything read that may have been missed: lists from the last change that is surely known, journeys one by one.
    pub fn reconcile(&mut self) {
        for kind in Kind::ALL.into_iter().filter(|kind| kind.is_listed()) {
            self.ask(Ask::List(kind, self.since.get(&kind).cloned()));
        }
        let journeys: Vec<String> = self.of(Kind::Journey).cloned().collect();
        journeys.into_iter().for_each(|id| self.ask(Ask::One(Kind::Journey, id)));
    }

    fn of(&self, kind: Kind) -> impl Iterator<Item = &String> {
        self.held.keys().filter(move |(known, _)| *known == kind).map(|(_, id)| id)
    }

    /// An event: its type, its `eventId` (the `webhook-id` of a webhook), and its payload. `false` when it was told before.
    pub fn told(&mut self, event_type: &str, event_id: &str, payload: &Json) -> bool {
        if !self.seen.insert(event_id.to_owned()) {
            return false;
        }
        self.seen_in_order.push_back(event_id.to_owned());
        if self.seen_in_order.len() > MOST_SEEN
            && let Some(oldest) = self.seen_in_order.pop_front()
        {
            self.seen.remove(&oldest);
        }
        let noun = event_type.split('.').next().unwrap_or_default();
        if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.noun() == noun) {
            let record = |name| payload.get(name).filter(|record| !record.is_null()).cloned().map(kept);
            self.follow(kind, record("current"), record("previous"));
        }
        true
    }

    /// Takes a change that follows on what is held; what does not is read.
    fn follow(&mut self, kind: Kind, current: Option<Json>, previous: Option<Json>) {
        let Some(id) = current.as_ref().or(previous.as_ref()).and_then(id_of) else { return };
        let key = (kind, id);
        if self.gone.contains(&key) {
            return;
        }
        match (self.held.get(&key), previous, current) {
            // Known already.
            (Some(held), _, Some(current)) if *held == current || modified(&current) < modified(held) => {}
            // The next change of what is held, and surely a later one.
            (Some(held), Some(previous), Some(current)) if *held == previous && modified(&current) > modified(held) => {
                self.held.insert(key, current);
            }
            (None, None, Some(current)) => drop(self.held.insert(key, current)),
            _ => self.ask(Ask::One(kind, key.1)),
        }
    }

    /// What the service has answered to `ask`: a record or a list of them, or that there is no such record.
    pub fn answered(&mut self, ask: &Ask, status: u16, body: Json) {
        match (ask, status, body) {
            (Ask::List(kind, _), 200, Json::Array(rows)) => {
                let latest = rows.iter().filter_map(modified).max().map(str::to_owned);
                self.since.extend(latest.map(|latest| (*kind, latest)));
                rows.into_iter().for_each(|row| self.is_now(*kind, row));
            }
            (Ask::One(kind, _), 200, row) => self.is_now(*kind, row),
            (Ask::One(kind, id), 400 | 404, _) => {
                let key = (*kind, id.clone());
                self.held.remove(&key);
                self.gone.insert(key);
            }
            _ => {}
        }
    }

    /// What the service says is so: what is held gives way, unless an event has told of something later meanwhile.
    fn is_now(&mut self, kind: Kind, row: Json) {
        let Some(id) = id_of(&row) else { return };
        let (key, row) = ((kind, id), kept(row));
        let ambiguous = match self.held.get(&key) {
            Some(held) if modified(&row) < modified(held) => return,
            // Two changes of one instant: which is the later one, the next answer tells.
            Some(held) => *held != row && modified(held) == modified(&row),
            None => false,
        };
        if ambiguous {
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
        copy.held().get(&(Kind::Order, "o".to_owned())).and_then(|row| row["status"].as_str()).map(str::to_owned)
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
            assert!(copy.told(kind, &at.to_string(), payload));
            assert!(!copy.told(kind, &at.to_string(), payload), "the same event once more");
        }
        assert_eq!((held(&copy), asks(&mut copy)), (Some("c".to_owned()), vec![]));
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
                copy.told(events[at].0, &at.to_string(), &events[at].1);
                for ask in asks(&mut copy) {
                    copy.answered(&ask, 200, now.clone());
                }
            }
            // What was lost without a trace is found by the next reconciliation.
            copy.reconcile();
            for ask in asks(&mut copy) {
                let rows = if ask == Ask::List(Kind::Order, None) { json!([now]) } else { json!([]) };
                copy.answered(&ask, 200, rows);
            }
            assert_eq!((held(&copy), asks(&mut copy)), (Some("c".to_owned()), vec![]), "{order:?}");
        }
    }

    #[test]
    fn two_changes_of_one_instant_are_settled_by_reading() {
        let (first, second) = (row("a", 1), row("b", 1));
        let mut copy = Copy::default();
        copy.told("order.create", "1", &json!({ "current": first }));
        copy.told("order.update", "2", &update(&first, &second));
        let one = Ask::One(Kind::Order, "o".to_owned());
        assert_eq!(asks(&mut copy), std::slice::from_ref(&one));
        copy.answered(&one, 200, second.clone());
        assert_eq!(
            (held(&copy), asks(&mut copy)),
            (Some("b".to_owned()), vec![one.clone()]),
            "an answer that differs is asked for again"
        );
        copy.answered(&one, 200, second);
        assert_eq!((held(&copy), asks(&mut copy)), (Some("b".to_owned()), vec![]));
    }

    #[test]
    fn a_record_that_is_gone_stays_gone_however_late_a_word_of_it_comes() {
        let (rows, events) = life();
        let mut copy = Copy::default();
        copy.told(events[0].0, "0", &events[0].1);
        copy.told("order.delete", "9", &json!({ "previous": rows[2] }));
        for ask in asks(&mut copy) {
            copy.answered(&ask, 400, json!({ "error": "invalid_request" }));
        }
        copy.told(events[1].0, "1", &events[1].1);
        assert_eq!((held(&copy), asks(&mut copy)), (None, vec![]));
    }

    #[test]
    fn lists_are_asked_for_from_the_last_change_that_a_list_has_shown() {
        let mut copy = Copy::default();
        copy.reconcile();
        assert_eq!(copy.next_ask(), Some(Ask::List(Kind::Account, None)));
        let orders = copy.next_ask().expect("orders");
        assert_eq!(orders.path(), "order");
        copy.answered(&orders, 200, json!([row("a", 3), row("a", 1)]));
        // An event does not move it: others before it may have been missed.
        copy.told(
            "order.create",
            "1",
            &json!({ "current": { "id": "p", "modifiedDate": "2026-03-03T07:00:00.000Z" } }),
        );
        asks(&mut copy);
        copy.reconcile();
        let orders = asks(&mut copy).into_iter().find(|ask| ask.path().starts_with("order")).expect("orders");
        assert_eq!(orders.path(), "order?modifiedFrom=2026-03-02T07:00:03.000Z");
        assert_eq!(Ask::One(Kind::CashTransaction, "t".to_owned()).path(), "transaction/cash/t");
    }
}
