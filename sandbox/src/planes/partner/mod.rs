//! Handlers of the partner API: extract, convert, submit or read, render. By topic; `routes` has them all.
//!
//! Invariant: the world is let go before anything is rendered, and nothing here decides about money or states. The
//! order of refusals is that of the row and then of the lines: credentials, the right, ids in the path and the type of the
//! body, the client, query and body, then the world.

pub mod accounts;
pub mod clients;
pub mod journeys;
pub mod orders;
pub mod payments;
pub mod plans;
pub(crate) mod routes;
pub mod securities;
pub mod subscribe;
pub mod system;
