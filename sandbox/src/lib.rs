//! The HTTP, WebSocket and page surface of a fundsim world.
//!
//! A request becomes a command, the world decides, events are facts, subscribers are told. Absent on purpose: any decision
//! about money or states, which are the world's.

pub mod hosting;
pub mod http;
pub mod pdf;
pub mod picture;
pub mod planes;
pub mod qr;
pub mod wire;

#[cfg(test)]
#[path = "../tests/conformance/mod.rs"]
mod conformance;
#[cfg(test)]
extern crate self as sandbox;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod testing;

pub use self::http::server::serve;
pub use self::http::service::Surface;
pub use self::http::shared::{App, Shared, SurfaceConfig};
pub use self::planes::app;
pub use self::planes::router::{Plane, asyncapi, openapi, openapi_for_validators, openapi_of, rows};
use sim::machines::Machine;

/// Every machine of a world, and that of deliveries.
pub fn machines() -> impl Iterator<Item = &'static dyn Machine> {
    let delivery: &'static dyn Machine = &hosting::deliveries::machine::TABLE;
    sim::machines::MACHINES.iter().copied().chain([delivery])
}
