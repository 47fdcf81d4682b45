//! Generated runs by the thousand: made, judged, counted, shrunk and saved.

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
