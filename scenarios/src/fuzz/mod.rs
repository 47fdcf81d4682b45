//! Generated runs by the thousand: made, judged, counted, shrunk and saved.

pub mod coverage;
mod run;

pub use coverage::{Coverage, TableCoverage};
pub use run::{Outcome, Stage, Watch, run};
