//! Generated runs through the simulated network: the real server, real connections, bad weather, crashes.
//!
//! Owns: the client's side of the laws. A twin of the world is kept beside the server's: whatever was answered is done to
//! the twin too, so that at any calm moment both have the same fingerprint. Invariant: a run has an operating-system thread
//! of its own, and its steps are its replay. Absent on purpose: the laws of worlds, which the world level checks.

mod draw;
mod events;
mod expectation;
mod lists;
mod look;
mod network_run;
mod posts;
mod readable;
mod run;
mod step;
mod strangers;

pub use draw::Trials;
pub use run::{OverNetwork, run, shrunk};
pub use step::{LISTS, List, Look, RESOURCES, Resource, Rule, Stranger, Trial};
