//! Generated runs by the thousand: made, judged, counted, shrunk and saved.
//!
//! # Files
//!
//! > A seed gives a stage and steps; bindings turn a step into a command; the judge says what must follow, and what has followed.
//!
//! | file | owns |
//! |---|---|
//! | `generate/step.rs` `step/journeys.rs` | one step: what is done, to what, by the names of earlier steps |
//! | `generate/draw.rs` `draw/` | which steps come, from a seed |
//! | `generate/meeting.rs` `profile.rs` `draw/meetings.rs` | which rare meetings there are, which of them a seed has again and again, and their steps |
//! | `generate/bindings.rs` `bindings/` | what names mean in a world, and the command of a step |
//! | `generate/simpler.rs` `simpler/` | simpler steps, for shrinking |
//! | `stage.rs` | start, setup and settings of a run; a scenario file can name them |
//! | `run.rs` `batch.rs` `failure.rs` `finding.rs` `records.rs` | one run at world level, many of them, shrinking, whether the story of a failure shows it, runs kept to be repeated elsewhere |
//! | `network/` | the same steps over a simulated network, against a reference world; `drills.rs` what becomes of queued webhooks |
//! | `consumer/` | outages around the partner that the crate `consumer` is, and whether its copy equals the service's state then: `step.rs` what is drawn, `lines.rs` as a story says it, `run.rs` `ending.rs` the run and its end, `service.rs` `posts.rs` `recorder.rs` what lies between service and consumer, `judge.rs` what must be so; its tests run three instances, too (`several.rs`) |
//! | `host/` | acts of a server's host between a partner's work: `step.rs` `draw.rs` what is drawn, `model.rs` what the host must hold, `rights.rs` what a token opens, `run.rs` the run |
//! | `foreign/` | conversations with a server that is no fundsim, as scenario files: `ground.rs` what it has, `step.rs` what is drawn, `story.rs` what must follow |
//! | `exercise/` | an application under test: `map.rs` how it is used and what it holds, `bad_days.rs` what goes wrong, `step.rs` what is drawn, `story.rs` a run as a scenario file |
//! | `story/` | a run as a scenario file: `requests.rs` has one place for each command, `claims.rs` what should have been so |
//! | `shrink.rs` | fewer and simpler steps that still fail |
//! | `figures.rs` `figures/laws.csv` | how often the case of each law was met in runs of fixed seeds |
//! | `coverage.rs` `coverage/pairs.rs` `report.rs` `report/` | what runs have met, and the report of a batch: as data that parts add up to, in words, as a page |
//!
//! A new command costs a step with its binding, and its place in `story/requests.rs`; `check/isolation.rs` and `check::name_of` of `oracle` do not
//! compile without it, and a test fails while no generated run has it accepted.
//!
//! Nothing here waits for a time to pass. Events are read up to the present after one to eight calm steps. Before posts are judged, and
//! before the clock or the receiver changes, the server has made every attempt that is due, which its log of deliveries
//! shows. So a transcript is the same on every driver, byte for byte.
//!
//! It never knows how a rule of the service is implemented: what must follow from a step is the oracle's.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! coverage, shrink
//! exercise, generate
//! run_setup
//! run, story
//! failure
//! figures, finding
//! batch
//! consumer, foreign, host, network
//! records
//! report
//! ```

pub mod batch;
pub mod consumer;
pub mod coverage;
pub mod exercise;
mod failure;
pub mod figures;
mod finding;
pub mod foreign;
pub mod generate;
pub mod host;
pub mod network;
#[cfg(test)]
mod rare_points;
pub mod records;
pub mod report;
mod run;
mod run_setup;
pub mod shrink;
pub(crate) mod story;

pub use batch::{OnWorlds, RunKind};
pub use coverage::{Coverage, TableCoverage};
pub use failure::{Failure, Level, shrunk};
pub use finding::Finding;
pub use run::{Played, RunOutcome, Watch, judged, play, run, run_prepared};
pub use run_setup::{Prepared, RunSetup};
pub use story::Story;
