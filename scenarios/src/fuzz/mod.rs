//! Generated runs by the thousand: made, judged, counted, shrunk and saved.

pub mod coverage;
mod failure;
mod run;
mod story;

pub use coverage::{Coverage, TableCoverage};
pub use failure::{Failure, shrunk};
pub use run::{Outcome, Prepared, Stage, Watch, run, run_prepared};
