//! Instruments with their prices; transfers of units, and the custodians that they come from.

pub mod instruments;
pub mod transfers;
