//! Generated runs of journeys: started, walked, left and failed in any order, with what outsiders do to the accounts,
//! bank accounts, mandates and transfers that come of them.
//!
//! Owns: the laws of journeys (27 to 32, 35, 36, 49). Invariant: as for all generated runs, the steps are the replay.
//! Absent on purpose: the laws of orders and money, which the order runs check.

pub(in crate::fuzz) mod cast;
mod draw;
mod run;
mod step;
pub(in crate::fuzz) mod story;
mod watch;

pub use draw::Walks;
pub use run::{OnJourneys, run, shrunk};
pub use step::{JourneyNo, Start, Walk, options};
