//! Generated runs by the thousand: made, judged, counted, shrunk and saved.

pub mod batch;
pub mod coverage;
mod failure;
pub mod report;
mod run;
mod story;

pub use coverage::{Coverage, TableCoverage};
pub use failure::{Failure, shrunk};
pub use run::{Outcome, Prepared, Stage, Watch, run, run_prepared};
