//! The HTTP, WebSocket and page surface of a fundsim world.
//!
//! A request becomes a command, the world decides, events are facts, subscribers are told. Absent on purpose: any decision
//! about money or states, which are the world's.
//!
//! # Rooms
//!
//! | room | owns |
//! |---|---|
//! | `planes/` | who may call: `partner/` (resources, and the feed under `subscribe/`), `levers/`, `operator/`, `pages/`; `site/`, the pages `/` and `/docs`; `console/`, the page that works a world over the other planes, files as they are served; each has its routes, `router.rs` puts them together, `responses.rs` renders the reply to every command |
//! | `planes/pages/` | hosted pages: `build.rs` makes a page of a step, `parts.rs` says how much of it one page shows, `present.rs` words its fields, `funds.rs` tells of funds, `signed.rs` of what is signed; `order.rs` is one use of the identity on another device, `other_device.rs` its pages; `total.js` and `waits.js` are the only scripts, allowed by hash |
//! | `http/` | `server` (bytes, bounds), `service` (around each request), `admission` (host names, other origins), `route` (what a row of a route says), `auth` (who calls), `token_endpoint`, `extract`, `body`, `openapi`, `shared` (what handlers share) |
//! | `hosting/` | `worlds/` (a world behind its lock: read, submit, advance); `world_id`, `snapshot_name` and `event_types`, which name things; `origin` (what a world is made from); `signature`; and what stands around a world: `clock`, `feed/`, `deliveries/`, `faults`, `input_log`, `lineage`, `replay`, `snapshot_file`, `long_work`, `request_log`, `recording`, `tokens`, `rights`, `allowlist`, `reach` (whether others can reach the server), `memory` (bounds of worlds and of the server), `partners_may` (what partners may do to a world that they share), `quotas` (what a partner may hold at once), `credentials` (what a setup names, a key makes and a snapshot file keeps), `guesses` (wrong secrets and their waits), `secrets`, `setup/`, `transport` |
//! | `wire/` | shapes, their readers, and the one table of errors |
//! | `pdf/` | agreements as tagged documents, in Swedish or English |
//! | `qr/` | tokens of mobile payments as QR codes |
//! | `picture/` | the life of an account as an SVG: facts from the world's history, drawn with a plotting library |

pub mod planes;

pub use {hosting, surface, wire};

#[cfg(test)]
#[path = "../tests/conformance/mod.rs"]
mod conformance;
#[cfg(test)]
mod end_to_end;
#[cfg(test)]
extern crate self as sandbox;
#[cfg(test)]
mod testing;

pub use self::planes::app;
pub use self::planes::router::{Plane, asyncapi, openapi, openapi_for_validators, openapi_of, rows};
use sim::machines::Machine;
pub use surface::{App, Shared, Surface, SurfaceConfig, serve};

/// Every machine of a world, and that of deliveries.
pub fn machines() -> impl Iterator<Item = &'static dyn Machine> {
    let delivery: &'static dyn Machine = &hosting::deliveries::machine::TABLE;
    sim::machines::MACHINES.iter().copied().chain([delivery])
}
