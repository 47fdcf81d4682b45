//! Orders between their arrival and their cut-off: placing, the first check, parking, releasing, canceling.
//!
//! Invariant: an order in a reserving state has its amount or units in `reserved` of its account, any other has not
//! (`machines::order::State::reserves`). Absent on purpose: what happens from the cut-off on, which is `dealing`.

mod bookings;
mod checks;
mod currency_fee;
pub(crate) mod dealing;
mod moves;
mod parking;
mod place;
mod requested;

pub(crate) use bookings::Execution;
pub use checks::problems;
pub(crate) use checks::{check, client_ref_problem};
pub(crate) use moves::{execute_order, park, step_order};
pub(crate) use parking::{first_check, is_closed, lapse};
pub(crate) use place::{accept, place, sell_for_platform, validate};
pub(crate) use requested::{cancel, hold, refuse_lever, release};
