//! Handlers of the partner API: extract, convert, submit or read, render. One file a resource; `routes` has them all.
//!
//! Invariant: the world is let go before anything is rendered, and nothing here decides about money or states. The
//! order of refusals is that of the row and then of the lines: credentials, the right, ids in the path and the type of the
//! body, the client, query and body, then the world.

pub mod accounts;
pub mod agreements;
pub mod clients;
pub mod instructions;
pub mod instruments;
pub mod journeys;
pub mod mobile_payments;
pub mod orders;
pub mod performance;
pub mod plans;
pub(crate) mod routes;
pub mod subscribe;
pub mod system;
pub mod transactions;
pub mod withdrawals;
