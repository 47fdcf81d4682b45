//! A second account of a world, kept apart from it: the model, and the laws that the judge holds the world against.
//!
//! # Files
//!
//! | file | owns |
//! |---|---|
//! | `model/mod.rs` `books.rs` `files.rs` `expected.rs` | its own books of every account, order and transaction, and what is to come |
//! | `model/clients.rs` `journey_requests.rs` `answers.rs` | whether requests are accepted: about clients, plans, suspense and purges; for a journey; a customer's answers |
//! | `model/calendar.rs` `figures.rs` `prices.rs` | its own calendar and arithmetic, and the prices and rates that no model can know |
//! | `model/money_in.rs` `check/money_in.rs` `payments.rs` | what must be charged, booked and shown of every payment, with its code |
//! | `model/plan_runs.rs` `check/plans.rs` | what plans buy, and what they show of their last run |
//! | `model/closings.rs` | who takes the last payout of a closing, and when it is paid again |
//! | `check/updates.rs` | that an update changes something readers see |
//! | `model/fee_pots.rs` | what is taken for clients, and paid on to them |
//! | `model/fees.rs` `accruals.rs` `check/fees.rs` | what accrues as midnights pass, what must be charged, sold and given back, and that it is |
//! | `check/mod.rs` `acts.rs` `effects.rs` | the judge: what a command and its events may do |
//! | `check/sweep.rs` `clock.rs` `isolation.rs` | what is looked at as a whole: everything at once, the parting of time, what partners may see |
//! | `laws.rs` | the laws by name, the case that puts each to the test, and counts of these |
//! | `model/words.rs` | the words of the API's vocabularies, and how messages write values |
//! | `check/claim.rs` `naming.rs` | what an outsider would see of a broken one, names of commands |
//! | the rest of `check/` | the laws of one matter each: cash, units, orders, fees, journeys ... |
//!
//! It never knows how a run was made or carried out, and no rule is shared with the world: of `sim` it reads commands, events and queries,
//! and calls no flow.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! laws
//! model
//! check
//! ```

pub mod check;
pub mod laws;
pub mod model;
