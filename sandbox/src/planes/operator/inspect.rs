//! Looking back and around: requests, events, sockets.

use std::sync::atomic::Ordering;

use axum::extract::RawQuery;
use serde_json::{Value, json};
use sim::ids::ClientId;

use super::request::{Body, HandlerResult, Target, bad, json as answer};
use super::values::{moment, window};
use crate::hosting::feed::Ending;
use crate::hosting::feed::log::{Cursor, Extent, ReadResult};
use crate::hosting::request_log::{KeptBody, LoggedRequest};
use crate::hosting::transport::millis;
use crate::http::auth::form::Parameters;
use crate::wire::error::ApiError;
use crate::wire::shape::{by, integer, shape};
use crate::wire::words::one_of;

/// Which requests are to be listed.
struct Wanted {
    limit: usize,
    after: Option<u64>,
    method: Option<String>,
    status: Option<u16>,
    path: Option<String>,
}

impl Wanted {
    fn of(query: Option<&str>) -> Result<Self, ApiError> {
        let (_, limit) = window(query)?;
        let given = Parameters::from_form(query.unwrap_or_default().as_bytes()).map_err(ApiError::invalid_request)?;
        let after = given.get("after").map(str::parse).transpose();
        let status = given.get("status").map(str::parse).transpose();
        Ok(Self {
            limit,
            after: after.map_err(|_| bad("after", "must be a request-id"))?,
            method: given.get("method").map(str::to_ascii_uppercase),
            status: status.map_err(|_| bad("status", "must be a status"))?,
            path: given.get("path").map(str::to_owned),
        })
    }

    fn picks(&self, line: &LoggedRequest) -> bool {
        self.after.is_none_or(|after| line.id > after)
            && self.method.as_ref().is_none_or(|method| *method == line.method.as_str())
            && self.status.is_none_or(|status| line.status == Some(status))
            && self.path.as_ref().is_none_or(|path| line.target.contains(path.as_str()))
    }
}

/// `GET /_sandbox/worlds/{worldId}/requests`: the last ones, newest first; those after a `request-id`, of a method or a status, or
/// whose path holds a text (rule: wire/request-log).
pub(super) async fn requests(target: Target, RawQuery(query): RawQuery) -> HandlerResult {
    let wanted = Wanted::of(query.as_deref())?;
    let sees = |line: &LoggedRequest| line.partner.is_none_or(|partner| target.sees(partner));
    let (total, lines) = target.world.request_log.last(wanted.limit, |line| sees(line) && wanted.picks(line));
    let lines = lines.into_iter().map(|line| {
        json!({
            "requestId": line.id,
            "at": moment(line.at),
            "method": line.method.as_str(),
            "path": &line.target,
            "status": line.status,
            "milliseconds": millis(line.took),
            "sent": line.sent.as_ref().map(body),
            "answered": line.answered.as_ref().map(body),
        })
    });
    Ok(answer(&json!({ "total": total, "requests": lines.collect::<Value>() })))
}

/// A kept body: as JSON where all of it is there, as text otherwise.
fn body(kept: &KeptBody) -> Value {
    let whole = if kept.is_whole { serde_json::from_str::<Value>(&kept.text).ok() } else { None };
    match whole {
        Some(json) => json!({ "length": kept.length, "json": json }),
        None => json!({ "length": kept.length, "text": kept.text, "isWhole": kept.is_whole }),
    }
}

/// `GET /_sandbox/worlds/{worldId}/events`: from `start` on, or the last ones, oldest first. How many of those asked for
/// were let go is said as `missed`.
pub(super) async fn events(target: Target, RawQuery(query): RawQuery) -> HandlerResult {
    let (start, limit) = window(query.as_deref())?;
    let log = target.world.feed.log();
    let extent = log.extent();
    let (first, end) = (extent.first.0, extent.end.0);
    let missed = start.map_or(0, |start| extent.missed(Cursor(start)));
    let start = start.unwrap_or_else(|| end.saturating_sub(limit as u64)).max(first);
    let entries = match log.read(Cursor(start), limit) {
        ReadResult::Some(entries) => entries,
        ReadResult::Nothing | ReadResult::Gone => Vec::new(),
    };
    let shown = target.world.read(|state| {
        let own = |client: ClientId| sim::query::client(state, client).is_none_or(|client| target.sees(client.partner));
        let entries = (start..).zip(&entries).filter(|(_, entry)| entry.event.client.is_none_or(own));
        let shown = entries.map(|(number, entry)| {
            let message = entry.message(|event| target.world.message(state, event));
            json!({
                "number": number,
                "at": entry.event.at.to_string(),
                "client": entry.event.client.map(|client| client.to_string()),
                "event": serde_json::from_str::<Value>(&message).unwrap_or_default(),
            })
        });
        shown.collect::<Value>()
    })?;
    let mut listed = kept(&extent);
    (listed["total"], listed["missed"], listed["events"]) = (end.into(), missed.into(), shown);
    Ok(answer(&listed))
}

/// What is kept of the world's events, and what was let go (rule: events/events-kept).
pub(super) fn kept(extent: &Extent) -> Value {
    json!({
        "first": extent.first.0,
        "kept": extent.kept(),
        "limit": extent.limit,
        "forgotten": extent.forgotten,
    })
}

/// `GET /_sandbox/worlds/{worldId}/sockets`
pub(super) async fn sockets(target: Target) -> HandlerResult {
    let own = own_sockets(&target)?;
    let open = target.world.feed.open_sockets();
    let shown = open.iter().filter(|socket| own(socket.client)).map(|socket| {
        json!({
            "id": socket.id,
            "client": socket.client.to_string(),
            "opened": moment(socket.opened),
            "sent": socket.sent.load(Ordering::Relaxed),
            "stalled": socket.stalled.load(Ordering::Relaxed),
        })
    });
    Ok(answer(&shown.collect()))
}

/// Which clients' sockets the bearer may see and end.
fn own_sockets(target: &Target) -> Result<impl Fn(ClientId) -> bool, ApiError> {
    let foreign = |world: &sim::World| {
        let foreign = sim::query::clients(world).filter(|client| !target.sees(client.partner));
        foreign.map(|client| client.id).collect::<Vec<_>>()
    };
    let foreign = target.world.read(foreign)?;
    Ok(move |client| !foreign.contains(&client))
}

/// Ways to end a socket.
const ENDINGS: [(&str, Ending); 3] = [("graceful", Ending::Graceful), ("drop", Ending::Cut), ("stall", Ending::Stall)];

shape! {
    /// Which sockets to end, and how.
    pub(super) struct Close {
        how: Ending = or(Ending::Graceful) "how" as by(one_of(&ENDINGS));
        client: Option<ClientId> = optional "client";
        id: Option<u64> = optional "id" as integer(0..=u64::MAX);
    }
}

/// `POST /_sandbox/worlds/{worldId}/sockets/close`
pub(super) async fn close_sockets(target: Target, Body(given): Body<Close>) -> HandlerResult {
    let own = own_sockets(&target)?;
    let ended = target.world.feed.end(given.how, |socket| {
        own(socket.client)
            && given.client.is_none_or(|client| client == socket.client)
            && given.id.is_none_or(|id| id == socket.id)
    });
    Ok(answer(&json!({ "closed": ended })))
}
