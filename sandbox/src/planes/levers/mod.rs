//! Levers: what people and companies outside the partner API cause, under `/simulations` and with a partner's token.
//!
//! Invariant: every lever is a command and answers the changed resource in its public shape; what the state does not
//! allow is 409 and changes nothing. Absent on purpose: shortcuts into the world, and the machinery of the sandbox itself,
//! which is `operator`.

pub mod accounts;
pub mod bank_accounts;
pub mod instruments;
pub mod journeys;
pub mod orders;
pub mod payouts;
pub mod purge;
pub mod screening;
pub mod transfers;
