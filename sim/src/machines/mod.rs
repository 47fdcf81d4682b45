//! Life cycles: one machine, one file, one table. Anything not in a table is forbidden.
//!
//! `MACHINES` is the list that coverage, reports, golden tables and what is explained derive from: a new machine is one
//! file and one entry here.

#[macro_use]
mod table;

pub mod account;
pub mod bank_account;
pub mod instruction;
pub mod journey;
pub mod mandate;
pub mod mobile_payment;
pub mod order;
pub mod payment;
pub mod submission;
pub mod suspense;
pub mod transfer;

pub use table::{Current, Lifecycle, Machine, Moves, Noted, Table, Transition, Visits};

/// Every machine of a world.
pub const MACHINES: &[&dyn Machine] = &[
    &order::TABLE,
    &account::TABLE,
    &journey::TABLE,
    &submission::TABLE,
    &mandate::TABLE,
    &bank_account::TABLE,
    &transfer::TABLE,
    &suspense::TABLE,
    &mobile_payment::TABLE,
    &instruction::TABLE,
    &payment::TABLE,
];
