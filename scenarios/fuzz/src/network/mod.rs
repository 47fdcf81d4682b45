//! Generated runs through the simulated network: the real server, real connections, outages, crashes.
//!
//! Owns: the client's side of the laws. A reference world is kept beside the server's: whatever was answered is done to
//! it too, so that at any calm moment both have the same fingerprint. Invariant: a run has an operating-system thread
//! of its own, and its steps are its replay. Absent on purpose: the laws of worlds, which the world level checks.

mod at_once;
mod draw;
mod drills;
mod events;
mod expectation;
mod lists;
mod narrow;
mod network_run;
mod pending;
mod posts;
mod readable;
mod reads;
mod run;
mod step;
mod unanswered;
mod unauthorised;

pub use draw::NetworkSteps;
pub use run::{OverNetwork, run, shrunk};
pub use step::{LISTS, List, MidFlightOutage, NetworkStep, RESOURCES, Read, Resource, Rule, UnauthorisedCaller};
