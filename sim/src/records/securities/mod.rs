//! Funds, what is done to them, and transfers from custodians.

pub(super) mod corporate_action;
pub(super) mod instrument;
pub(super) mod transfer;
