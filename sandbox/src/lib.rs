//! The HTTP, WebSocket and page surface of a fundsim world.

pub mod error;
pub mod setup;
pub mod wire;
