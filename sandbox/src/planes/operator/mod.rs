//! `/_sandbox`: the machinery of worlds, clocks, faults and looking back. No part of the partner API.
//!
//! Invariant: with an operator's token set, it opens everything, and a partner's token opens the partner's own world and
//! nothing else; without one set, whoever reaches the port may do all (binding beyond loopback then needs `--open`).
//! Absent on purpose: any change that a partner, a customer or an outsider could cause; those are commands.

mod advance;
mod clock;
mod deliveries;
mod faults;
mod inspect;
mod request;
mod settings;
mod values;
mod webhooks;
mod worlds;

#[cfg(test)]
mod tests;

use axum::Router;

pub use self::worlds::{describe, line};
use crate::App;
use crate::wire::error::ApiError;

#[rustfmt::skip]
listed! {
    under "/_sandbox";
    get    "/worlds"                                => worlds::list;
    post   "/worlds"                                => worlds::make;
    get    "/worlds/{worldId}"                      => worlds::read;
    delete "/worlds/{worldId}"                      => worlds::remove;
    post   "/worlds/{worldId}/reset"                => worlds::reset;
    post   "/worlds/{worldId}/fork"                 => worlds::fork;
    get    "/worlds/{worldId}/digest"               => worlds::digest;
    get    "/worlds/{worldId}/snapshots"            => worlds::snapshots;
    post   "/worlds/{worldId}/snapshots"            => worlds::snapshot;
    post   "/worlds/{worldId}/snapshots/{id}/restore" => worlds::restore;
    get    "/worlds/{worldId}/clock"                => clock::show;
    patch  "/worlds/{worldId}/clock"                => clock::change;
    post   "/worlds/{worldId}/clock/advance"        => clock::advance;
    get    "/worlds/{worldId}/settings"             => settings::show_all;
    patch  "/worlds/{worldId}/settings"             => settings::change;
    get    "/worlds/{worldId}/faults"               => faults::list;
    post   "/worlds/{worldId}/faults"               => faults::add;
    delete "/worlds/{worldId}/faults/{id}"          => faults::remove;
    get    "/worlds/{worldId}/requests"             => inspect::requests;
    get    "/worlds/{worldId}/events"               => inspect::events;
    get    "/worlds/{worldId}/sockets"              => inspect::sockets;
    post   "/worlds/{worldId}/sockets/close"        => inspect::close_sockets;
    get    "/worlds/{worldId}/deliveries"           => deliveries::list;
    post   "/worlds/{worldId}/deliveries/{id}/replay" => deliveries::replay;
    get    "/worlds/{worldId}/webhooks"             => webhooks::list;
    post   "/worlds/{worldId}/webhooks"             => webhooks::register;
    delete "/worlds/{worldId}/webhooks"             => webhooks::clear;
    delete "/worlds/{worldId}/webhooks/{id}"        => webhooks::remove;
}

/// The routes under `/_sandbox`.
pub fn routes() -> Router<App> {
    // Routes nested here would otherwise fall through to pages of the framework.
    listed()
        .fallback(|| async { ApiError::not_found("there is nothing at this path") })
        .method_not_allowed_fallback(|| async { ApiError::not_found("this path does not answer to this method") })
}
