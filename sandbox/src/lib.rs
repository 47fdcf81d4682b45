//! The HTTP, WebSocket and page surface of a fundsim world.
//!
//! A request becomes a command, the world decides, events are facts, subscribers are told. Absent on purpose: any decision
//! about money or states, which are the world's.

#[macro_use]
mod listed;

pub mod auth;
pub mod body;
pub mod clock;
pub mod deliveries;
pub mod directory;
pub mod error;
pub mod extract;
pub mod faults;
pub mod feed;
pub mod handlers;
pub mod log;
pub mod openapi;
pub mod operator;
pub mod pages;
pub mod pdf;
pub mod period;
pub mod request_log;
pub mod router;
pub mod secrets;
pub mod server;
pub mod setup;
mod signal;
pub mod simulations;
pub mod surface;
pub mod transport;
pub mod wire;
pub mod worlds;

mod app;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod testing;

pub use app::{App, ROUTES, Shared, SurfaceConfig, app};
pub use server::serve;
pub use surface::Surface;
