//! Funds: what their companies do to them, and units that come from other custodians.

pub(crate) mod actions;
pub(crate) mod custody;
pub(crate) mod fund_checks;
pub(crate) mod market;
pub(crate) mod transfers;
