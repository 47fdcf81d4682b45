//! Corporate actions: a fund is split, merged into another, or liquidated.
//!
//! An action is announced by lever and carried out later, on the first bank day without an order of the fund between its
//! cut-off and its settlement (rule: securities/corporate-action-day). Invariant: when it is carried out nothing of the fund
//! is reserved, pending or unsettled, so a position's units are its settled units. A split changes nobody's worth by more
//! than the rounding of units and price; a merger keeps worth and acquisition cost (invariants 15 and 16). Absent on
//! purpose: prices of the days between announcement and action, which come as on any day.

mod announce;
mod booked;
mod carrying_out;
mod concerned;
mod liquidation;
mod merger;
mod split;
mod turns;
mod waiting;

pub(crate) use announce::announce;
pub(crate) use carrying_out::{catch_up, end, go_on};
pub(crate) use turns::bring_up;
pub(crate) use waiting::look;
