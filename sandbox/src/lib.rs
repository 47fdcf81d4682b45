//! The HTTP, WebSocket and page surface of a fundsim world.
//!
//! A request becomes a command, the world decides, events are facts, subscribers receive them. Absent on purpose: any decision
//! about money or states, which are the world's.
//!
//! # Crates and rooms
//!
//! The crates in this folder use only those below them in this table. The heads of their `lib.rs` list their files.
//!
//! | crate | owns | never knows |
//! |---|---|---|
//! | `sandbox` (this one) | `planes/`: who may call (`partner/`, `levers/`, `operator/`, `site/` with `/`, `/docs`, `/guide` and `/look`, `console/`), their routes, `router.rs`, which puts them together, `responses.rs`, which renders the reply to every command | how bytes come in |
//! | `pages/` | the hosted pages of journeys and mobile payments | routes of other planes |
//! | `surface/` | connections, requests, rows of routes, who calls, the description of the API | what is answered |
//! | `hosting/` | worlds behind their locks, and the server's parts for each | HTTP routes, pages |
//! | `guide/` | the documents as a book | routes, the frame of a page |
//! | `look/` | colours, type and parts of all pages | what a page says |
//! | `drawing/` | PDF documents, pictures, QR codes | HTTP, hosting |
//! | `wire/` | shapes, their readers, and the one table of errors | routes, worlds that are hosted |
//! | `testing/` | what the tests of several crates share | |

pub mod planes;

#[cfg(test)]
#[path = "../tests/conformance/mod.rs"]
mod conformance;
#[cfg(test)]
mod end_to_end;
#[cfg(test)]
extern crate self as sandbox;
#[cfg(test)]
mod testing;

pub use self::planes::router::{Plane, asyncapi, openapi, openapi_for_validators, openapi_of, rows};
pub use self::planes::{CHAPTERS, app, llms};
use sim::machines::Machine;

/// Every machine of a world, and that of deliveries.
pub fn machines() -> impl Iterator<Item = &'static dyn Machine> {
    let delivery: &'static dyn Machine = &deliveries::machine::TABLE;
    sim::machines::MACHINES.iter().copied().chain([delivery])
}
