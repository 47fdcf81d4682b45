//! `/_sandbox`: the machinery of worlds, clocks, faults and looking back. No part of the partner API.
//!
//! Invariant: with an operator's token set, it opens everything, and a partner's token opens the partner's own world and
//! nothing else; without one set, all who reach the port may do everything (binding beyond loopback then needs `--open`).
//! Absent on purpose: any change that a partner, a customer or an outsider could cause; those are commands, and so is what
//! the operator decides of money in suspense.

mod advance;
mod books;
mod clock;
mod deliveries;
mod faults;
mod fees;
mod health;
mod inspect;
mod picture;
mod request;
mod settings;
mod suspense;
mod values;
mod webhooks;
mod worlds;

#[cfg(test)]
mod tests;

pub use self::worlds::{describe, line};
use crate::http::auth::Demand;
use crate::http::route::{Route, delete, get, patch, post};

/// The routes, a row each: who may call it, who answers.
#[rustfmt::skip]
pub(crate) fn routes() -> Vec<Route> {
    vec![
        get("/healthz", health::lives).open(),
        get("/readyz", health::is_ready).open(),
        get("/metrics", health::metrics).operator(),
        get("/_sandbox/worlds", worlds::list).operator(),
        post("/_sandbox/worlds", worlds::make).operator(),
        get("/_sandbox/worlds/{worldId}", worlds::read).own_world(Demand::Token),
        delete("/_sandbox/worlds/{worldId}", worlds::remove).own_world(Demand::Everything),
        post("/_sandbox/worlds/{worldId}/reset", worlds::reset).own_world(Demand::Everything),
        post("/_sandbox/worlds/{worldId}/fork", worlds::fork).own_world(Demand::Everything),
        get("/_sandbox/worlds/{worldId}/digest", worlds::digest).own_world(Demand::Token),
        get("/_sandbox/worlds/{worldId}/snapshots", worlds::snapshots).own_world(Demand::Token),
        post("/_sandbox/worlds/{worldId}/snapshots", worlds::snapshot).own_world(Demand::Everything),
        post("/_sandbox/worlds/{worldId}/snapshots/{id}/restore", worlds::restore).own_world(Demand::Everything),
        get("/_sandbox/worlds/{worldId}/clock", clock::show).own_world(Demand::Token),
        patch("/_sandbox/worlds/{worldId}/clock", clock::change).own_world(Demand::Everything),
        post("/_sandbox/worlds/{worldId}/clock/advance", clock::advance).own_world(Demand::Everything),
        get("/_sandbox/worlds/{worldId}/settings", settings::show_all).own_world(Demand::Token),
        patch("/_sandbox/worlds/{worldId}/settings", settings::change).own_world(Demand::Everything),
        get("/_sandbox/worlds/{worldId}/faults", faults::list).own_world(Demand::Token),
        post("/_sandbox/worlds/{worldId}/faults", faults::add).own_world(Demand::Everything),
        delete("/_sandbox/worlds/{worldId}/faults/{id}", faults::remove).own_world(Demand::Everything),
        get("/_sandbox/worlds/{worldId}/requests", inspect::requests).own_world(Demand::EveryRead),
        get("/_sandbox/worlds/{worldId}/events", inspect::events).own_world(Demand::EveryRead),
        get("/_sandbox/worlds/{worldId}/books", books::show).own_world(Demand::EveryRead),
        get("/_sandbox/worlds/{worldId}/accounts/{accountId}/picture.svg", picture::show).own_world(Demand::EveryRead),
        get("/_sandbox/worlds/{worldId}/fees", fees::of_clients).own_world(Demand::EveryRead),
        get("/_sandbox/worlds/{worldId}/fees/{accountId}", fees::of_account).own_world(Demand::EveryRead),
        get("/_sandbox/worlds/{worldId}/sockets", inspect::sockets).own_world(Demand::EveryRead),
        post("/_sandbox/worlds/{worldId}/sockets/close", inspect::close_sockets).own_world(Demand::Everything),
        get("/_sandbox/worlds/{worldId}/deliveries", deliveries::list).own_world(Demand::EveryRead),
        post("/_sandbox/worlds/{worldId}/deliveries/{id}/replay", deliveries::replay).own_world(Demand::Everything),
        get("/_sandbox/worlds/{worldId}/suspense", suspense::list).operator(),
        post("/_sandbox/worlds/{worldId}/suspense/{id}/allocate", suspense::allocate).operator(),
        post("/_sandbox/worlds/{worldId}/suspense/{id}/return", suspense::give_back).operator(),
        get("/_sandbox/worlds/{worldId}/webhooks", webhooks::list).own_world(Demand::EveryRead),
        post("/_sandbox/worlds/{worldId}/webhooks", webhooks::register).own_world(Demand::Everything),
        delete("/_sandbox/worlds/{worldId}/webhooks", webhooks::clear).own_world(Demand::Everything),
        delete("/_sandbox/worlds/{worldId}/webhooks/{id}", webhooks::remove).own_world(Demand::Everything),
    ]
}
