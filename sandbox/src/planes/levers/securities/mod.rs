//! The fund companies and the ceding custodians: prices and flags of funds, corporate actions, transfers of units.

pub mod actions;
pub mod instruments;
pub mod transfers;
