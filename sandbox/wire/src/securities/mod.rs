//! Mutual funds with their prices; transfers of units from custodians.

pub mod instruments;
pub mod transfers;
