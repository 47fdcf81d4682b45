//! Why something is as it is: the changes that made it so, each with what caused it and what was told of it.
//!
//! Invariant: everything here is read from what the world and its host keep anyway; a bearer sees the events and requests that it
//! may see elsewhere. Absent on purpose: causes that are no longer kept, which are said to be missing.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::Serialize;
use serde_json::Value;
use sim::event::Change;
use sim::input::{Act, Cause, Origin};
use sim::machines::{self, Machine};
use sim::{Delta, Event};
use utoipa::ToSchema;
use uuid::Uuid;

use super::deliveries::is_seen;
use super::request::{Bearer, HandlerResult, Target};
use super::values::{limit, moment};
use crate::hosting::deliveries::delivery::Delivery;
use crate::hosting::deliveries::webhooks::resource;
use crate::hosting::faults::DeliveryFault;
use crate::hosting::feed::log::{Cursor, Entry, ReadResult};
use crate::hosting::request_log::LoggedRequest;
use crate::hosting::worlds::Asked;
use crate::http::extract::Query;
use crate::planes::responses::json;
use crate::wire::error::ApiError;
use crate::wire::text::{Id, Timestamp};

/// How something came to be as it is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Why {
    id: Id,
    /// What the id names: `event`, `delivery`, or a resource such as `order`.
    #[schema(value_type = String, examples("order"))]
    what: &'static str,
    /// The resource whose changes these are.
    resource: Id,
    /// How many changes there were of those that are kept.
    total: usize,
    /// Events of before that were let go; changes among them are not known any more.
    forgotten: u64,
    /// The last changes, oldest first.
    changes: Vec<ChangeShown>,
}

/// One change, and what caused it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WhyChange)]
struct ChangeShown {
    /// Time of the world.
    at: Timestamp,
    /// Number of the input that caused it; `fork` and `rewind` take it.
    input: u64,
    /// What the input is: `command`, `time passes`, `settings`, `permissions`, `opening`, or a decision of the host; null when it is
    /// no longer kept.
    #[schema(required = true)]
    act: Option<String>,
    /// The command, in the program's words.
    #[schema(required = true)]
    command: Option<String>,
    /// What fired when time passed; null when the input itself did it.
    #[schema(required = true, value_type = Option<String>)]
    timer: Option<&'static str>,
    /// The request that asked for it, or that moved the clock; null when there was none, or when it is no longer kept.
    #[schema(required = true)]
    request: Option<RequestShown>,
    events: Vec<EventShown>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WhyRequest)]
struct RequestShown {
    request_id: u64,
    /// The route that answered it.
    #[schema(required = true, value_type = Option<String>)]
    route: Option<&'static str>,
    /// What the log of requests has of it, which keeps those that show a partner's token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    logged: Option<RequestLogged>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = WhyRequestLogged)]
struct RequestLogged {
    at: Timestamp,
    method: String,
    /// Path and query, without secrets.
    path: String,
    /// Null when the connection was dropped instead of an answer.
    #[schema(required = true)]
    status: Option<u16>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WhyEvent)]
struct EventShown {
    number: u64,
    event_id: Id,
    #[schema(value_type = String, examples("order.update"))]
    event_type: &'static str,
    /// The id of what changed.
    resource: Id,
    /// Its status afterwards, where it has one.
    #[schema(required = true, value_type = Option<String>)]
    status: Option<Value>,
    /// Its status before.
    #[schema(required = true, value_type = Option<String>)]
    previous_status: Option<Value>,
    /// The amount of a transaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    amount: Option<Value>,
    /// The rows of the table of states that were taken, in order.
    moves: Vec<Move>,
    /// Callbacks and webhooks that tell it.
    deliveries: Vec<DeliveryTold>,
}

/// A row of a table of states, as `fundsim explain` shows it.
#[derive(Serialize, ToSchema)]
#[schema(as = WhyMove)]
struct Move {
    /// The table: what `explain` calls it.
    #[schema(value_type = String, examples("orders"))]
    table: &'static str,
    from: String,
    on: String,
    to: String,
    /// What the move does besides.
    effect: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WhyDelivery)]
struct DeliveryTold {
    id: Id,
    /// `queued`, `delivered`, `refused` or `deadLetter`.
    status: String,
    url: String,
    queued: Timestamp,
    attempts_made: u32,
    /// What a fault rule did to it last, such as `drop` or `delay`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    fault: Option<&'static str>,
}

/// Events looked at before others have their turn.
const PIECE: usize = 10_000;

/// What an id names.
struct Subject {
    what: &'static str,
    /// The resources whose changes are told.
    own: BTreeSet<Uuid>,
    resource: Uuid,
    /// The last event of the chain; the newest there is when none.
    until: Option<u64>,
}

/// `GET /_sandbox/worlds/{worldId}/why/{id}`
pub(super) async fn show(target: Target, query: Query) -> HandlerResult {
    let most = query.read(limit)?;
    let id = target.item_id()?;
    let entries = entries(&target).await?;
    let subject = subject(&target, id, &entries)?;
    let mut changes = changes(&subject, &entries);
    let total = changes.len();
    changes.drain(..total.saturating_sub(most));
    let mut stood = IndexMap::default();
    let shown = changes.iter().map(|change| describe(&target, change, &mut stood)).collect::<Result<_, _>>()?;
    let forgotten = target.world.feed.log().extent().forgotten;
    Ok(json(&Why { id: Id(id), what: subject.what, resource: Id(subject.resource), total, forgotten, changes: shown }))
}

/// Every event that the bearer may see, with its number.
async fn entries(target: &Target) -> Result<Vec<(u64, Arc<Entry>)>, ApiError> {
    let log = target.world.feed.log();
    let clients = target.clients()?;
    let is_seen = |event: &Event| match (&clients, event.client) {
        (Some(clients), Some(client)) => clients.contains(&client),
        _ => true,
    };
    let mut at = log.extent().first.0;
    let mut found = Vec::new();
    while let ReadResult::Some(piece) = log.read(Cursor(at), PIECE) {
        let numbered = (at..).zip(piece);
        let before = at;
        for (number, entry) in numbered {
            at = number + 1;
            if is_seen(&entry.event) {
                found.push((number, entry));
            }
        }
        if at == before {
            break;
        }
        tokio::task::yield_now().await;
    }
    Ok(found)
}

fn subject(target: &Target, id: Uuid, entries: &[(u64, Arc<Entry>)]) -> Result<Subject, ApiError> {
    let of_event = |what, number: u64, event: &Event| {
        let resource = resource(event);
        let own = std::iter::once(resource).chain(reference_of(event)).collect();
        Subject { what, own, resource, until: Some(number) }
    };
    let newest = entries.iter().rev().find(|(_, entry)| resource(&entry.event) == id);
    if let Some((_, entry)) = newest {
        let noun = entry.event.kind().split('.').next().unwrap_or_default();
        return Ok(Subject { what: noun, until: None, ..of_event(noun, 0, &entry.event) });
    }
    let seed = target.world.origin().seed;
    let by_event_id = |wanted: Uuid| entries.iter().rev().find(|(_, entry)| entry.event.public_id(seed) == wanted);
    if let Some((number, entry)) = by_event_id(id) {
        return Ok(of_event("event", *number, &entry.event));
    }
    let delivery = target.world.deliveries.look(|queue| queue.get(id).cloned());
    let told = delivery.and_then(|delivery| {
        let notification = delivery.notification;
        match notification.ordering_key.webhook {
            Some(_) => by_event_id(notification.webhook_id).cloned(),
            // A callback tells the last that happened to its journey by then.
            None => {
                let is_it = |entry: &Entry| {
                    resource(&entry.event) == notification.ordering_key.resource
                        && entry.event.at <= notification.occurred
                };
                entries.iter().rev().find(|(_, entry)| is_it(entry)).cloned()
            }
        }
    });
    match told {
        Some((number, entry)) => Ok(of_event("delivery", number, &entry.event)),
        None => Err(ApiError::not_found("id names no event, resource or delivery of which something is kept")),
    }
}

/// What a transaction refers to: its order, payment, withdrawal.
fn reference_of(event: &Event) -> Option<Uuid> {
    let reference = match &event.change {
        Change::CashTransaction(delta) => delta.latest().reference.as_deref(),
        Change::FundTransaction(delta) => delta.latest().reference.as_deref(),
        _ => None,
    };
    reference.and_then(|reference| Uuid::try_parse(reference).ok())
}

/// What a changed record names besides itself.
fn names(event: &Event) -> Vec<Uuid> {
    let account = match &event.change {
        Change::CashTransaction(delta) => Some(delta.latest().account),
        Change::FundTransaction(delta) => Some(delta.latest().account),
        Change::Order(delta) => Some(delta.latest().account),
        _ => None,
    };
    reference_of(event).into_iter().chain(account.map(|account| account.as_uuid())).collect()
}

/// Events of one cause that belong together.
type Told = Vec<(u64, Arc<Entry>)>;

/// The changes of the subject, oldest first, each with what else it changed of what the subject names or what names it.
fn changes(subject: &Subject, entries: &[(u64, Arc<Entry>)]) -> Vec<Told> {
    let within = entries.iter().take_while(|(number, _)| subject.until.is_none_or(|until| *number <= until));
    let within: Vec<_> = within.collect();
    let mut found = Vec::new();
    for change in within.chunk_by(|(_, one), (_, other)| one.event.cause == other.event.cause) {
        let own: Vec<&Event> = change
            .iter()
            .map(|(_, entry)| &entry.event)
            .filter(|event| subject.own.contains(&resource(event)))
            .collect();
        if own.is_empty() {
            continue;
        }
        let named: BTreeSet<Uuid> = own.iter().flat_map(|event| names(event)).collect();
        let belongs = |event: &Event| {
            let id = resource(event);
            subject.own.contains(&id) || named.contains(&id) || names(event).iter().any(|id| subject.own.contains(id))
        };
        found.push(
            change
                .iter()
                .filter(|(_, entry)| belongs(&entry.event))
                .map(|(number, entry)| (*number, Arc::clone(entry)))
                .collect(),
        );
    }
    found
}

/// The state in which each resource was last told to stand.
type Stood = IndexMap<Uuid, String, FxBuildHasher>;

fn describe(target: &Target, change: &Told, stood: &mut Stood) -> Result<ChangeShown, ApiError> {
    let first = &change[0].1.event;
    let Cause { input: number, by } = first.cause;
    let kept = target.world.input(number);
    let (act, command) = match kept.as_ref().map(|(input, _)| &input.act) {
        _ if number == 0 => (Some("opening".to_owned()), None),
        None => (None, None),
        Some(Act::Apply(command)) => (Some("command".to_owned()), Some(word(&format!("{command:?}")))),
        Some(Act::Advance | Act::AdvanceBy(_)) => (Some("time passes".to_owned()), None),
        Some(Act::Configure(_)) => (Some("settings".to_owned()), None),
        Some(Act::Permit(..)) => (Some("permissions".to_owned()), None),
        Some(Act::Surface(decision)) => (Some(decision.chars().filter(char::is_ascii_alphabetic).collect()), None),
    };
    let request = kept.and_then(|(_, request)| request).and_then(|asked| request_of(target, asked));
    Ok(ChangeShown {
        at: Timestamp(first.at),
        input: number,
        act,
        command,
        timer: match by {
            Origin::Timer(timer) => Some(timer.what()),
            Origin::Request(_) => None,
        },
        request,
        events: change.iter().map(|(number, entry)| event(target, *number, entry, stood)).collect::<Result<_, _>>()?,
    })
}

/// The name before the fields.
fn word(debug: &str) -> String {
    debug.chars().take_while(char::is_ascii_alphanumeric).collect()
}

fn request_of(target: &Target, asked: Asked) -> Option<RequestShown> {
    let is_seen = |request: &LoggedRequest| match &target.bearer {
        Bearer::Partner(caller) if target.shared => request.partner == Some(caller.partner),
        Bearer::Partner(_) | Bearer::Operator => true,
    };
    let (_, found) = target.world.request_log.last(1, |request| request.id == asked.request);
    let found = found.into_iter().next();
    // Who else asked is not everybody's business.
    if found.as_ref().is_some_and(|request| !is_seen(request)) {
        return None;
    }
    let logged = found.map(|request| RequestLogged {
        at: moment(request.at),
        method: request.method.to_string(),
        path: request.target.to_string(),
        status: request.status,
    });
    Some(RequestShown { request_id: asked.request, route: asked.route, logged })
}

fn event(target: &Target, number: u64, entry: &Entry, stood: &mut Stood) -> Result<EventShown, ApiError> {
    let event = &entry.event;
    let message = target.world.read(|state| entry.message(|event| target.world.message(state, event)))?;
    let message: Value = serde_json::from_str(&message).unwrap_or_default();
    let field = |side: &str, name: &str| message["payload"][side].get(name).filter(|value| !value.is_null()).cloned();
    let id = event.public_id(target.world.origin().seed);
    let told = resource(event);
    let is_callback = |row: &Delivery| {
        let notification = &row.notification;
        notification.ordering_key.webhook.is_none()
            && notification.ordering_key.resource == told
            && notification.occurred == event.at
    };
    let clients = target.clients()?;
    let deliveries = target.world.deliveries.look(|queue| {
        let rows = queue.rows().filter(|row| row.notification.webhook_id == id || is_callback(row));
        rows.filter(|row| is_seen(clients.as_deref(), row))
            .map(|row| DeliveryTold {
                id: Id(row.notification.id),
                status: row.status.name().to_owned(),
                url: row.notification.url.to_string(),
                queued: moment(row.queued),
                attempts_made: row.made,
                fault: row.fault().map(DeliveryFault::word),
            })
            .collect()
    });
    let is_transaction = matches!(event.change, Change::CashTransaction(_) | Change::FundTransaction(_));
    Ok(EventShown {
        number,
        event_id: Id(id),
        event_type: event.kind(),
        resource: Id(told),
        status: field("current", "status"),
        previous_status: field("previous", "status"),
        amount: field("current", "amount").filter(|_| is_transaction),
        moves: moves(event, stood),
        deliveries,
    })
}

/// The rows that led here from where the resource was last told to stand, those that nobody was told of included.
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
