//! From bytes to a handler and back: connections, what is done around every request, who calls, and how requests are read.
//!
//! Absent on purpose: what is answered, which the handlers of `planes` say.

pub mod admission;
pub mod auth;
pub mod body;
pub mod extract;
pub mod openapi;
pub mod route;
pub mod server;
pub mod service;
pub mod shared;
pub mod token_endpoint;
