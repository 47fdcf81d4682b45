//! Generated runs of journeys: started, walked, left and failed in any order, with what outsiders do to the accounts,
//! bank accounts, mandates and transfers that come of them.
//!
//! Invariant: as for all generated runs, the steps are the replay. Absent on purpose: judging, which is `check`.

pub(in crate::fuzz) mod cast;
mod draw;
mod run;
mod step;
pub(in crate::fuzz) mod story;

pub use draw::Walks;
pub use run::{OnJourneys, run, shrunk};
pub use step::{JourneyNo, Start, Walk, options};
