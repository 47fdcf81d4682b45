//! A second account of a world, told apart from it: the model, and the laws that the judge holds the world against.
//!
//! # Files
//!
//! | file | owns |
//! |---|---|
//! | `model/mod.rs` `books.rs` `files.rs` `outlook.rs` | its own books of every account, order and transaction, and what is to come |
//! | `model/calendar.rs` `figures.rs` `prices.rs` | its own calendar and arithmetic, and the prices and rates that no model can know |
//! | `model/fees.rs` `fee_*.rs` `money_*.rs` `plan_runs.rs` `withdrawals.rs` | its own account of fees, money in and out, and plans |
//! | `check/mod.rs` `acts.rs` `effects.rs` | the judge: what a command and its events may do |
//! | `check/sweep.rs` `clock.rs` `isolation.rs` | what is looked at as a whole: everything at once, the parting of time, what partners may see |
//! | `check/invariants.rs` `claim.rs` `naming.rs` | the laws by number, what an outsider would see of a broken one, names of commands |
//! | the rest of `check/` | the laws of one matter each: cash, units, orders, fees, journeys ... |
//!
//! It never knows how a run was made or carried out, and no rule is shared with the world: of `sim` it reads commands, events and queries,
//! and calls no flow.

pub mod check;
pub mod model;
