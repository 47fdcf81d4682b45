//! Looking back and around: requests, events, sockets.

use std::sync::atomic::Ordering;

use axum::extract::RawQuery;
use serde_json::{Value, json};
use sim::ids::ClientId;

use super::request::{Body, HandlerResult, Target, json as answer};
use super::values::{moment, window};
use crate::hosting::feed::Ending;
use crate::hosting::feed::log::{Cursor, Extent, ReadResult};
use crate::wire::error::ApiError;
use crate::wire::shape::{by, integer, shape};
use crate::wire::words::one_of;

/// `GET /_sandbox/worlds/{worldId}/requests`: the last ones, newest first.
pub(super) async fn requests(target: Target, RawQuery(query): RawQuery) -> HandlerResult {
    let (_, limit) = window(query.as_deref())?;
    let (total, lines) = target.world.request_log.last(limit);
    let lines = lines.into_iter().filter(|line| line.partner.is_none_or(|partner| target.sees(partner))).map(|line| {
        json!({
            "requestId": line.id,
            "at": moment(line.at),
            "method": line.method.as_str(),
            "path": &line.target,
            "status": line.status,
        })
    });
    Ok(answer(&json!({ "total": total, "requests": lines.collect::<Value>() })))
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
