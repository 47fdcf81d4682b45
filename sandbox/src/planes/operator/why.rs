//! Why something is as it is: the changes that made it so, each with its cause and its events.
//!
//! Invariant: everything here is read from what the world and its host keep anyway; a bearer sees the events and requests that it
//! may see elsewhere. Absent on purpose: causes that are no longer kept; the answer marks them as missing.

mod chain;
mod explained;
mod subject;
mod words;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::Serialize;
use serde_json::Value;
use sim::event::Change;
use sim::input::{Act, Origin};
use sim::machines::{self, Machine};
use sim::records::{FundType, LedgerAccount};
use sim::{Delta, Event};
use utoipa::ToSchema;
use uuid::Uuid;

use self::chain::{Booking, Link, latest_links, links};
use self::explained::{Explained, explained};
use self::subject::Subject;
use super::compare::{FieldDifference, differing};
use super::deliveries::is_seen;
use super::request::{Bearer, HandlerResult, Target};
use super::values::{limit, moment};
use crate::planes::responses::json;
use deliveries::delivery::Delivery;
use deliveries::fault::DeliveryFault;
use deliveries::webhooks::resource;
use feed::log::{Cursor, EventEntry, Extent, Numbered};
use hosting::decision::HostDecision;
use hosting::request_log::LoggedRequest;
use hosting::worlds::{InputOrigin, InputRequest};
use surface::extract::Query;
use wire::error::ApiError;
use wire::values::number::{Money, Number};
use wire::values::text::{Id, Timestamp};

/// Explanation of the state of a resource, an event or a delivery.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Why {
    id: Id,
    /// What the id names: `event`, `delivery`, `webhook`, or a resource such as `order`.
    #[schema(value_type = String, examples("order"))]
    pub(super) what: &'static str,
    /// The resource whose changes these are.
    pub(super) resource: Id,
    /// Number of kept changes.
    pub(super) total: usize,
    /// Number of earlier events that are no longer kept. Changes among them are unknown.
    pub(super) forgotten: u64,
    /// Why there are no changes, when there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    note: Option<String>,
    /// The delivery, when the id names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    delivery: Option<ShownDelivery>,
    /// Why the resource is in its state; absent without an explanation.
    explanations: Vec<Explained>,
    /// The day on which an order settles, or is expected to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    settlement_day: Option<String>,
    /// The last changes, oldest first.
    pub(super) changes: Vec<ChangeShown>,
}

/// One change, and what caused it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WhyChange)]
pub(super) struct ChangeShown {
    /// Time of the world's clock.
    pub(super) at: Timestamp,
    /// Number of the input that caused it, which `fork` and `rewind` take where it is not from before a fork; null when nobody knows
    /// any more.
    #[schema(required = true)]
    pub(super) input: Option<u64>,
    /// What the input is: `command`, `time passes`, `settings`, `permissions`, `opening`, or the name of a decision of the host; null
    /// when it is no longer kept.
    #[schema(required = true)]
    pub(super) act: Option<String>,
    /// The command, in the program's words.
    #[schema(required = true)]
    pub(super) command: Option<String>,
    /// What fired when time passed; null when the input itself did it.
    #[schema(required = true, value_type = Option<String>)]
    pub(super) timer: Option<&'static str>,
    /// The request that asked for it, or that moved the clock; null when there was none, or when it is no longer kept.
    #[schema(required = true)]
    pub(super) request: Option<RequestShown>,
    /// What was booked, or settled, or aborted.
    pub(super) bookings: Vec<BookingShown>,
    /// The events of the change; none when it has no event, or when they are no longer kept.
    pub(super) events: Vec<EventShown>,
}

/// A booking in the ledger: cash from one account to another, or units in or out of one.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WhyBooking)]
pub(super) struct BookingShown {
    pub(super) transaction: Id,
    /// Who pays: the id of an account, or the platform's account as the books call it; null where units come from a fund.
    #[schema(required = true)]
    pub(super) debit: Option<String>,
    /// Who receives; null where units go to a fund.
    #[schema(required = true)]
    pub(super) credit: Option<String>,
    /// SEK, of cash.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) amount: Option<Money>,
    /// The fund, of units.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) instrument: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) units: Option<Number>,
    /// What one unit was worth, once that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    price: Option<Number>,
    /// `pending`, `settled` or `aborted`.
    #[schema(value_type = String, examples("settled"))]
    pub(super) state: &'static str,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WhyRequest)]
pub(super) struct RequestShown {
    pub(super) request_id: u64,
    /// The route that answered it.
    #[schema(required = true, value_type = Option<String>)]
    pub(super) route: Option<&'static str>,
    /// What the log of requests has of it, which keeps those that show a partner's token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) logged: Option<RequestLogged>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = WhyRequestLogged)]
pub(super) struct RequestLogged {
    at: Timestamp,
    pub(super) method: String,
    /// Path and query, without secrets.
    pub(super) path: String,
    /// Status of the answer; null if the connection was dropped.
    #[schema(required = true)]
    pub(super) status: Option<u16>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WhyEvent)]
pub(super) struct EventShown {
    number: u64,
    event_id: Id,
    #[schema(value_type = String, examples("order.update"))]
    pub(super) event_type: &'static str,
    /// The id of what changed.
    pub(super) resource: Id,
    /// Its status afterwards, where it has one.
    #[schema(required = true, value_type = Option<String>)]
    pub(super) status: Option<Value>,
    /// Its status before.
    #[schema(required = true, value_type = Option<String>)]
    pub(super) previous_status: Option<Value>,
    /// The amount of a transaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    amount: Option<Value>,
    /// What else became different, where something changed.
    changed: Vec<FieldChanged>,
    /// The rows of the table of states that were taken, in order.
    pub(super) moves: Vec<Move>,
    /// Callbacks and webhooks that deliver it.
    pub(super) deliveries: Vec<ShownDelivery>,
}

/// A field of what changed, but for its status and the instant of the change.
#[derive(Serialize, ToSchema)]
#[schema(as = WhyField)]
struct FieldChanged {
    /// Its path in the resource, such as `positions[0].units`.
    path: String,
    /// Null when it was not there.
    #[schema(required = true)]
    before: Option<Value>,
    /// Null when it is not there any more.
    #[schema(required = true)]
    after: Option<Value>,
}

/// A row of a table of states, as `fundsim explain` shows it.
#[derive(Serialize, ToSchema)]
#[schema(as = WhyMove)]
pub(super) struct Move {
    /// The table: what `explain` calls it.
    #[schema(value_type = String, examples("orders"))]
    table: &'static str,
    pub(super) from: String,
    pub(super) on: String,
    pub(super) to: String,
    /// What the move does besides.
    effect: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WhyDelivery)]
pub(super) struct ShownDelivery {
    id: Id,
    /// `queued`, `delivered`, `refused` or `deadLetter`.
    pub(super) status: String,
    url: String,
    queued: Timestamp,
    pub(super) attempts_made: u32,
    /// What a fault rule did to it last, such as `drop` or `delay`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    fault: Option<&'static str>,
    /// Whether it is a callback of a journey.
    #[serde(skip)]
    pub(super) is_callback: bool,
}

/// Events looked at before others have their turn.
const PIECE: usize = 10_000;

/// `GET /_sandbox/worlds/{worldId}/why/{id}`
pub(super) async fn show(target: Target, query: Query) -> HandlerResult {
    let most = query.read(limit)?;
    let id = Uuid::try_parse(target.item.as_deref().unwrap_or_default());
    let id = id.map_err(|_| unknown(&target.world.subscribers.feed.log().extent()))?;
    Ok(json(&explain(&target, id, most).await?))
}

/// The last `most` changes of what has this id.
pub(super) async fn explain(target: &Target, id: Uuid, most: usize) -> Result<Why, ApiError> {
    let log = target.world.subscribers.feed.log();
    let entries = entries(target).await?;
    let extent = log.extent();
    let subject = Subject::find(target, id, &entries)?.ok_or_else(|| unknown(&extent))?;
    let mut chain = links(&target.world, &subject, &entries)?;
    let total = chain.len();
    chain.drain(..total.saturating_sub(most));
    let mut stood = IndexMap::default();
    let changes = chain.iter().map(|link| describe(target, link, &mut stood)).collect::<Result<_, _>>()?;
    let (explanations, settlement_day) = explained(target, subject.resource)?;
    Ok(Why {
        id: Id(id),
        what: subject.what,
        resource: Id(subject.resource),
        total,
        forgotten: extent.forgotten,
        note: (total == 0).then(|| nothing(&subject, &extent)),
        delivery: subject.delivery.as_ref().map(delivery),
        explanations,
        settlement_day,
        changes,
    })
}

/// The last changes of a world, whatever they are about.
pub(super) struct LatestChanges {
    /// Changes with events that are kept.
    pub(super) total: usize,
    /// Earlier events that are no longer kept.
    pub(super) forgotten: u64,
    /// Oldest first.
    pub(super) changes: Vec<ChangeShown>,
}

/// The last `most` changes that have events.
pub(super) async fn latest(target: &Target, most: usize) -> Result<LatestChanges, ApiError> {
    let entries = entries(target).await?;
    let forgotten = target.world.subscribers.feed.log().extent().forgotten;
    let (total, links) = latest_links(&entries, most);
    let mut stood = IndexMap::default();
    let changes = links.iter().map(|link| describe(target, link, &mut stood)).collect::<Result<_, _>>()?;
    Ok(LatestChanges { total, forgotten, changes })
}

fn unknown(extent: &Extent) -> ApiError {
    let what = "id names no event, resource, delivery or webhook of this world";
    match extent.forgotten {
        0 => ApiError::not_found(what),
        gone => ApiError::not_found(format!("{what}; {gone} earlier events are no longer kept")),
    }
}

/// Why there is nothing to list.
fn nothing(subject: &Subject, extent: &Extent) -> String {
    match (subject.is_test, extent.forgotten) {
        (true, _) => "a test message, which has no event".to_owned(),
        (false, 0) => "it has no events since the start of the world".to_owned(),
        (false, gone) => format!("no event of it is kept; {gone} earlier events are no longer kept"),
    }
}

/// Every event that the bearer may see, with its number.
async fn entries(target: &Target) -> Result<Vec<Numbered>, ApiError> {
    let clients = target.clients()?;
    let is_seen = |event: &Event| match (&clients, event.client) {
        (Some(clients), Some(client)) => clients.contains(&client),
        _ => true,
    };
    let mut start = Cursor(0);
    let mut found = Vec::new();
    loop {
        let piece = target.world.subscribers.feed.log().look_back(start, PIECE);
        let Some((last, _)) = piece.last() else { return Ok(found) };
        start = Cursor(last + 1);
        found.extend(piece.into_iter().filter(|(_, entry)| is_seen(&entry.event)));
        tokio::task::yield_now().await;
    }
}

/// The state of each resource in its last event.
type Stood = IndexMap<Uuid, String, FxBuildHasher>;

fn describe(target: &Target, link: &Link, stood: &mut Stood) -> Result<ChangeShown, ApiError> {
    let first = link.events.first();
    let origin = link.origin.clone().or_else(|| {
        let (number, entry) = first?;
        target.world.input_origin(*number, entry.event.cause.input)
    });
    let (act, command) = match &origin {
        _ if link.input == Some(0) => (Some("opening".to_owned()), None),
        None => (None, None),
        Some(origin) => acted(origin),
    };
    let request = origin.and_then(|origin| origin.request).and_then(|request| request_of(target, request));
    let timer = first.and_then(|(_, entry)| match entry.event.cause.by {
        Origin::Timer(timer) => Some(timer.what()),
        Origin::Request(_) => None,
    });
    let events = link.events.iter().map(|(number, entry)| event(target, *number, entry, stood));
    let events = events.collect::<Result<_, _>>()?;
    let bookings = link.bookings.iter().map(booking).collect();
    Ok(ChangeShown { at: Timestamp(link.at), input: link.input, act, command, timer, request, bookings, events })
}

/// What an input is, and its command.
fn acted(origin: &InputOrigin) -> (Option<String>, Option<String>) {
    match &origin.input.act {
        Act::Apply(command) => (Some("command".to_owned()), Some(word(&format!("{command:?}")))),
        Act::Advance | Act::AdvanceBy(_) => (Some("time passes".to_owned()), None),
        Act::Configure(_) => (Some("settings".to_owned()), None),
        Act::Permit(..) => (Some("permissions".to_owned()), None),
        Act::RequireSignatures(..) => (Some("settings".to_owned()), None),
        Act::Surface(decision) => (Some(HostDecision::name(decision)), None),
    }
}

fn booking(booking: &Booking) -> BookingShown {
    let transaction = Id(booking.id());
    let state = |is_settled: bool, is_aborted: bool| match (is_settled, is_aborted) {
        (_, true) => "aborted",
        (true, false) => "settled",
        (false, false) => "pending",
    };
    let account = |account: &LedgerAccount| match account {
        LedgerAccount::Investor(account) => account.to_string(),
        LedgerAccount::Platform(role) => role.name().to_owned(),
    };
    match booking {
        Booking::Cash(record) => BookingShown {
            transaction,
            debit: Some(account(&record.debit)),
            credit: Some(account(&record.credit)),
            amount: Some(Money(record.amount)),
            instrument: None,
            units: None,
            price: None,
            state: state(record.settlement.is_some(), record.aborted.is_some()),
        },
        Booking::Units(record) => {
            let own = Some(record.account.to_string());
            let (debit, credit) = if record.kind == FundType::Subscription { (None, own) } else { (own, None) };
            BookingShown {
                transaction,
                debit,
                credit,
                amount: None,
                instrument: Some(record.instrument.to_string()),
                units: Some(Number(record.units.get())),
                price: record.price.map(|price| Number(price.get())),
                state: state(record.settlement.is_some(), record.aborted.is_some()),
            }
        }
    }
}

/// The name before the fields.
fn word(debug: &str) -> String {
    debug.chars().take_while(char::is_ascii_alphanumeric).collect()
}

fn request_of(target: &Target, request: InputRequest) -> Option<RequestShown> {
    let is_seen = |request: &LoggedRequest| match &target.bearer {
        Bearer::Partner(caller) if target.shared => request.partner == Some(caller.partner),
        Bearer::Partner(_) | Bearer::Operator => true,
    };
    let (_, found) = target.world.edge.request_log.last(1, |logged| logged.id == request.request);
    let found = found.into_iter().next();
    // Who else asked is not everybody's business; of a request that is no longer logged nobody knows whose it was.
    if !found.as_ref().map_or(target.operates(), is_seen) {
        return None;
    }
    let logged = found.map(|request| RequestLogged {
        at: moment(request.at),
        method: request.method.to_string(),
        path: request.target.to_string(),
        status: request.status,
    });
    Some(RequestShown { request_id: request.request, route: request.route, logged })
}

fn event(target: &Target, number: u64, entry: &EventEntry, stood: &mut Stood) -> Result<EventShown, ApiError> {
    let event = &entry.event;
    let message = target.world.read(|state| entry.message(|event| target.world.message(state, event)))?;
    let message: Value = serde_json::from_str(&message).unwrap_or_default();
    let field = |side: &str, name: &str| message["payload"][side].get(name).filter(|value| !value.is_null()).cloned();
    let id = event.public_id(target.world.identity.origin().seed);
    let resource_id = resource(event);
    let moves = moves(event, stood);
    // Of what happens to a journey at one instant, a callback shows the end.
    let is_notified = moves.iter().any(|row| row.effect == "Notify");
    let is_callback = |row: &Delivery| {
        let notification = &row.notification;
        is_notified
            && notification.ordering_key.webhook.is_none()
            && notification.ordering_key.resource == resource_id
            && notification.occurred == event.at
    };
    let clients = target.clients()?;
    let deliveries = target.world.subscribers.deliveries.look(|queue| {
        let rows = queue.rows().filter(|row| row.notification.webhook_id == id || is_callback(row));
        rows.filter(|row| is_seen(clients.as_deref(), row)).map(delivery).collect()
    });
    let is_transaction = matches!(event.change, Change::CashTransaction(_) | Change::FundTransaction(_));
    Ok(EventShown {
        number,
        event_id: Id(id),
        event_type: event.kind(),
        resource: Id(resource_id),
        status: field("current", "status"),
        previous_status: field("previous", "status"),
        amount: field("current", "amount").filter(|_| is_transaction),
        changed: changed(&message["payload"]),
        moves,
        deliveries,
    })
}

fn delivery(row: &Delivery) -> ShownDelivery {
    ShownDelivery {
        id: Id(row.notification.id),
        status: row.status.name().to_owned(),
        url: row.notification.url.to_string(),
        queued: moment(row.queued),
        attempts_made: row.made,
        fault: row.fault().map(DeliveryFault::word),
        is_callback: row.notification.ordering_key.webhook.is_none(),
    }
}

/// What a change made different, besides what other fields of the answer show.
fn changed(payload: &Value) -> Vec<FieldChanged> {
    if !payload["previous"].is_object() {
        return Vec::new();
    }
    let mut found = Vec::new();
    differing("", Some(&payload["previous"]), Some(&payload["current"]), &mut found);
    found.retain(|field| !["status", "modifiedDate"].contains(&field.path.as_str()));
    let own = |field: FieldDifference| FieldChanged { path: field.path, before: field.here, after: field.there };
    found.into_iter().map(own).collect()
}

/// The rows since the state in the resource's last event, those without events included.
fn moves(event: &Event, stood: &mut Stood) -> Vec<Move> {
    let Some((table, before, after)) = states(event) else { return Vec::new() };
    let rows = table.rows();
    let mut taken: Vec<_> = event.moves.rows().filter_map(|row| rows.get(row).cloned()).collect();
    let last = stood.insert(resource(event), after);
    if let (Some(last), Some(before)) = (last, before) {
        let mut between = rows.iter().filter(|[from, _, to, _]| last != before && *from == last && *to == before);
        if let (Some(silent), None) = (between.next(), between.next()) {
            taken.insert(0, silent.clone());
        }
    }
    taken.into_iter().map(|[from, on, to, effect]| Move { table: table.topic(), from, on, to, effect }).collect()
}

/// The table of what changed, with its state before and after, in the words of the table.
fn states(event: &Event) -> Option<(&'static dyn Machine, Option<String>, String)> {
    macro_rules! of {
        ($machine:ident, $delta:expr) => {{
            let before = match $delta {
                Delta::Updated { previous, .. } => Some(format!("{:?}", *previous.state)),
                Delta::Created(_) | Delta::Deleted(_) => None,
            };
            Some((&machines::$machine::TABLE as &dyn Machine, before, format!("{:?}", *$delta.latest().state)))
        }};
    }
    match &event.change {
        Change::Order(delta) => of!(order, delta),
        Change::Account(delta) => of!(account, delta),
        Change::Journey(delta) => of!(journey, delta),
        _ => None,
    }
}
