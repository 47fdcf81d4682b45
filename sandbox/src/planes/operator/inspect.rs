//! Looking back and around: requests, events, sockets.

use std::sync::atomic::Ordering;

use serde::Serialize;
use serde_json::Value;
use sim::ids::ClientId;

use super::request::{Body, HandlerResult, Target};
use super::search::{self, Sought, sought};
use super::values::{limit, moment, start};
use crate::planes::responses::json;
use feed::log::{Cursor, EventEntry, Extent};
use feed::sockets::Ending;
use feed::transport::millis;
use hosting::request_log::{KeptBody, LoggedRequest};
use surface::extract::Query;
use utoipa::ToSchema;
use utoipa::openapi::schema::Type;
use wire::query::Parameters;
use wire::rows::shape::{integer, plain, shape};
use wire::values::text::{Id, Timestamp};
use wire::words::of_words;

/// Requests that the world has received.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestLog {
    /// Number of requests since the start.
    total: u64,
    /// The number to continue with as `start`.
    next: u64,
    /// With `start`: whether all requests from there on are still kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    is_whole: Option<bool>,
    requests: Vec<RequestLine>,
}

/// One request.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RequestLine {
    /// The `request-id` of its answer.
    request_id: u64,
    at: Timestamp,
    method: String,
    /// Path and query, without secrets.
    path: String,
    /// Status of the answer; null if the connection was dropped.
    #[schema(required = true)]
    status: Option<u16>,
    /// Duration in milliseconds.
    milliseconds: u64,
    /// Body of the request, if it had one.
    #[schema(required = true)]
    sent: Option<LoggedBody>,
    /// Body of the answer, if it had one.
    #[schema(required = true)]
    answered: Option<LoggedBody>,
}

/// A body, within bounds and without secrets.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LoggedBody {
    length: u64,
    /// The whole body, if it is JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = serde_json::Value, required = false)]
    json: Option<Value>,
    /// The beginning of the body, otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    text: Option<String>,
    /// Whether the body is complete here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    is_whole: Option<bool>,
}

/// Events that happened.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventList {
    /// Number of the first that is kept.
    first: u64,
    kept: u64,
    /// Number of events kept at most.
    limit: usize,
    /// Number that are no longer kept.
    forgotten: u64,
    /// Number of events since the start.
    total: u64,
    /// Number that match the query and are no longer kept.
    missed: u64,
    /// With `search`: number of the first event searched. Continue with it as `before`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    looked_from: Option<u64>,
    events: Vec<EventLine>,
}

/// One event.
#[derive(Serialize, ToSchema)]
struct EventLine {
    number: u64,
    at: Timestamp,
    /// Client of the event; null for events of all clients.
    #[schema(required = true)]
    client: Option<Id>,
    /// The message as sockets receive it.
    #[schema(value_type = Object)]
    event: Value,
}

/// Events kept of a world, and the number no longer kept (rule: events/events-kept).
#[derive(Serialize, ToSchema)]
pub(crate) struct EventLog {
    /// Number of the first that is kept.
    first: u64,
    kept: u64,
    /// Number of events kept at most.
    limit: usize,
    /// Number that are no longer kept.
    forgotten: u64,
}

/// An event socket that is open.
#[derive(Serialize, ToSchema)]
pub(crate) struct OpenSocket {
    id: u64,
    client: Id,
    opened: Timestamp,
    /// Messages that the server has sent on it.
    sent: u64,
    /// Whether a fault rule or a request has silenced it.
    stalled: bool,
}

/// How many sockets were closed.
#[derive(Serialize, ToSchema)]
pub(crate) struct SocketsClosed {
    closed: usize,
}

/// The parameters of a listing of events.
pub(crate) fn window(query: &mut Parameters<'_>) -> (Option<u64>, usize, Option<Sought>) {
    (start(query), limit(query), sought(query))
}

/// Which requests are to be listed.
pub(crate) struct Wanted {
    start: Option<u64>,
    limit: usize,
    after: Option<u64>,
    method: Option<String>,
    status: Option<u16>,
    path: Option<String>,
}

/// The parameters of a listing of requests.
pub(crate) fn wanted(query: &mut Parameters<'_>) -> Wanted {
    let whole = || plain(Type::Integer).minimum(Some(0)).into();
    let status = || plain(Type::Integer).minimum(Some(100)).maximum(Some(599)).into();
    let start_about = "The number to start from, oldest first, in the order of the answers; the last ones, newest first, when left out.";
    Wanted {
        start: query.read("start", start_about, ("a whole number", whole), |text| text.parse().ok()),
        limit: limit(query),
        after: query
            .read("after", "Only those after this `request-id`.", ("a request-id", whole), |text| text.parse().ok()),
        method: query.text("method", "Only of this method.").map(|method| method.to_ascii_uppercase()),
        status: query.read("status", "Only with this status.", ("a status", status), |text| {
            text.parse().ok().filter(|status| (100..=599).contains(status))
        }),
        path: query.text("path", "Only requests whose path contains this text."),
    }
}

impl Wanted {
    fn picks(&self, line: &LoggedRequest) -> bool {
        self.after.is_none_or(|after| line.id > after)
            && self.method.as_ref().is_none_or(|method| *method == line.method.as_str())
            && self.status.is_none_or(|status| line.status == Some(status))
            && self.path.as_ref().is_none_or(|path| line.target.contains(path.as_str()))
    }
}

/// `GET /_sandbox/worlds/{worldId}/requests`: the last ones, newest first, or from a number on, oldest first; those after a `request-id`,
/// of a method or a status, or whose path holds a text (rule: wire/request-log).
pub(super) async fn requests(target: Target, query: Query) -> HandlerResult {
    let wanted = query.read(wanted)?;
    let sees = |partner| target.sees_request_of(partner);
    let log = &target.world.edge.request_log;
    let (total, next, is_whole, lines) = match wanted.start {
        Some(start) => {
            let reading = log.from(start, wanted.limit, sees, |line| wanted.picks(line));
            let lines = reading.lines.into_iter().map(|(_, line)| line).collect();
            (reading.total, reading.next, Some(reading.is_whole), lines)
        }
        None => {
            let (total, lines) = log.last(wanted.limit, |line| sees(line.partner) && wanted.picks(line));
            (total, total + 1, None, lines)
        }
    };
    let requests = lines.into_iter().map(|line| RequestLine {
        request_id: line.id,
        at: moment(line.at),
        method: line.method.to_string(),
        path: line.target.to_string(),
        status: line.status,
        milliseconds: millis(line.took),
        sent: line.sent.as_ref().map(LoggedBody::of),
        answered: line.answered.as_ref().map(LoggedBody::of),
    });
    Ok(json(&RequestLog { total, next, is_whole, requests: requests.collect() }))
}

impl LoggedBody {
    /// A kept body: as JSON where all of it is there, as text otherwise.
    fn of(kept: &KeptBody) -> Self {
        let text = kept.text();
        let whole = if kept.is_whole() { serde_json::from_str::<Value>(&text).ok() } else { None };
        let length = kept.length();
        match whole {
            Some(json) => Self { length, json: Some(json), text: None, is_whole: None },
            None => Self { length, json: None, text: Some(text.into_string()), is_whole: Some(kept.is_whole()) },
        }
    }
}

/// `GET /_sandbox/worlds/{worldId}/events`: from `start` on, or the last ones, oldest first; or the last ones that hold the words of
/// `search`. How many of those asked for were let go is shown as `missed`.
pub(super) async fn events(target: Target, query: Query) -> HandlerResult {
    let (start, limit, sought) = query.read(window)?;
    let log = target.world.subscribers.feed.log();
    let extent = log.extent();
    let end = extent.end.0;
    let missed = start.map_or(0, |start| extent.missed(Cursor(start)));
    let (entries, looked_from) = match sought {
        Some(sought) => {
            let found = search::find(&target, &sought, limit).await?;
            (found.events, Some(found.from))
        }
        None => (log.look_back(start.map_or_else(|| log.last(limit), Cursor), limit), None),
    };
    let shown = target.world.read(|state| {
        let own = |client: ClientId| target.sees_client(client);
        let entries = entries.iter().filter(|(_, entry)| entry.event.client.is_none_or(own));
        entries.map(|(number, entry)| line(&target, state, *number, entry)).collect()
    })?;
    let EventLog { first, kept, limit, forgotten } = kept(&extent);
    Ok(json(&EventList { first, kept, limit, forgotten, total: end, missed, looked_from, events: shown }))
}

fn line(target: &Target, state: &sim::World, number: u64, entry: &EventEntry) -> EventLine {
    let message = entry.message(|event| target.world.message(state, event));
    EventLine {
        number,
        at: Timestamp(entry.event.at),
        client: entry.event.client.map(|client| Id(client.as_uuid())),
        event: serde_json::from_str(&message).unwrap_or_default(),
    }
}

/// What is kept of the world's events, and what was let go (rule: events/events-kept).
pub(super) fn kept(extent: &Extent) -> EventLog {
    EventLog { first: extent.first.0, kept: extent.kept, limit: extent.limit, forgotten: extent.forgotten }
}

/// `GET /_sandbox/worlds/{worldId}/sockets`
pub(super) async fn sockets(target: Target) -> HandlerResult {
    let open = target.world.subscribers.feed.open_sockets();
    let shown = open.iter().filter(|socket| target.sees(socket.partner)).map(|socket| OpenSocket {
        id: socket.id,
        client: Id(socket.client.as_uuid()),
        opened: moment(socket.opened),
        sent: socket.sent.load(Ordering::Relaxed),
        stalled: socket.stalled.load(Ordering::Relaxed),
    });
    Ok(json(&shown.collect::<Vec<_>>()))
}

/// Ways to end a socket.
pub(super) const ENDINGS: [(&str, Ending); 6] = [
    ("graceful", Ending::Graceful),
    ("close", Ending::Cut),
    ("drop", Ending::Cut),
    ("stall", Ending::Stall),
    ("cutInFrame", Ending::CutInFrame),
    ("cap", Ending::Cap),
];

shape! {
    /// Which sockets to close, and how. Default: all sockets.
    pub(crate) struct CloseRequest {
        /// `graceful` when left out.
        how: Ending = or(Ending::Graceful) "how" as of_words(ENDINGS);
        /// Only this client's.
        client: Option<ClientId> = optional "client";
        /// Only the socket with this id.
        id: Option<u64> = optional "id" as integer(0..=u64::MAX);
    }
}

/// `POST /_sandbox/worlds/{worldId}/sockets/close`
pub(super) async fn close_sockets(target: Target, Body(given): Body<CloseRequest>) -> HandlerResult {
    let ended = target.world.subscribers.feed.end(given.how, |socket| {
        target.sees(socket.partner)
            && given.client.is_none_or(|client| client == socket.client)
            && given.id.is_none_or(|id| id == socket.id)
    });
    Ok(json(&SocketsClosed { closed: ended }))
}
