//! Generated runs by the thousand: made, judged, counted, shrunk and saved.
//!
//! # Generated runs
//!
//! > A seed gives a stage and steps; bindings turn a step into a command; the judge says what must come of it, and what came.
//!
//! | file | owns |
//! |---|---|
//! | `generate/step.rs` `step/journeys.rs` | one step: what is done, to what, by the names of earlier steps |
//! | `generate/draw.rs` `draw/` | which steps come, from a seed |
//! | `generate/bindings.rs` `bindings/` | what names stand for in a world, and the command of a step |
//! | `generate/plain.rs` `plain/` | plainer steps, for shrinking |
//! | `fuzz/stage.rs` | start, setup and settings of a run; a scenario file can name them |
//! | `fuzz/run.rs` `batch.rs` `failure.rs` `records.rs` | one run at world level, many of them, shrinking, runs kept to be repeated elsewhere |
//! | `fuzz/network/` | the same steps over a simulated network, against a reference world |
//! | `consumer/` | a partner's own copy, kept true by sockets or webhooks: `copy.rs` decides, `ask.rs` says what is asked for, `webhook.rs` checks posts, `follow.rs` connects and reads |
//! | `fuzz/consumer/` | weather around that consumer, and whether its copy equals the service's state then: `step.rs` what is drawn, `lines.rs` as a story says it, `run.rs` `ending.rs` the run and its end, `service.rs` `posts.rs` `recorder.rs` what lies between service and consumer, `judge.rs` what must be so |
//! | `fuzz/foreign/` | conversations with a server that is no fundsim, as scenario files: `ground.rs` what it has, `step.rs` what is drawn, `story.rs` what must come of it |
//! | `record/` | what a world has seen as a scenario file: `requests.rs` finds the word whose row sends just that, `pages.rs` what a person did, `names.rs` names for ids, `answers.rs` what is expected |
//! | `fuzz/story/` | a run as a scenario file: `requests.rs` has one place for each command, `claims.rs` what should have been so |
//! | `model/` `check/` | what should come of a command, and the laws |
//! | `model/money_in.rs` `check/money_in.rs` `payments.rs` | what must be charged, booked and told of every payment, with its code |
//! | `model/plan_runs.rs` `check/plans.rs` | what plans buy, and what they tell of their last run |
//! | `model/closings.rs` | who takes the last payout of a closing, and when it is paid again |
//! | `check/updates.rs` | that an update changes something readers see |
//! | `model/fee_pots.rs` | what is taken for clients, and paid on to them |
//! | `model/fees.rs` `check/fees.rs` | what accrues as midnights pass, what must be charged, sold and given back, and that it is |
//!
//! A new command costs a step with its binding, and its place in `fuzz/story/requests.rs`; `check/isolation.rs` and `check::name_of` do not
//! compile without it, and a test fails while no generated run has it accepted.
//!
//! Nothing here waits for a time to pass. Events are read up to the present after every step. Before anything is said about posts, and
//! before the clock or the receiver changes, the server has made every attempt that is due, which its log of deliveries tells.
//! So a transcript is the same on every driver, byte for byte.

pub mod batch;
pub mod consumer;
pub mod coverage;
mod failure;
pub mod foreign;
pub mod network;
pub mod records;
pub mod report;
mod run;
mod stage;
pub(crate) mod story;

pub use batch::{Kind, OnWorlds};
pub use coverage::{Coverage, TableCoverage};
pub use failure::{Failure, shrunk};
pub use run::{Outcome, Played, Watch, play, run, run_prepared};
pub use stage::{Prepared, Stage};
