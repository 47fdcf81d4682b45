//! Several instances of a server over one log: one of them leads, the others follow and forward.
//!
//! Invariant: at most one instance answers of its worlds at any time, and what it has answered as done is in the log that the next one begins
//! with. Each instance does the entries of the log again as they come, so the next leader has the worlds already. Absent on purpose: worlds,
//! which are `hosting`'s; what entries mean, which is `hosting::journal`'s; consensus, which is the log's own.
//!
//! # Files
//!
//! > The leader appends; the followers read; a leader that is silent for too long is followed by another.
//!
//! | file | owns |
//! |---|---|
//! | `log.rs` | what a shared log can do, and its head |
//! | `lease.rs` | how long a leader believes that it leads |
//! | `appender.rs` | entries that wait for the log |
//! | `lead.rs` | a term: batches, signs of life, unknown outcomes |
//! | `role.rs` | what an instance does at the moment |
//! | `forward.rs` | requests to the leader, sockets included |
//! | `front.rs` | what answers requests: the leader's surface, or the way to it |
//! | `life.rs` | follow, claim, lead, begin anew |
//! | `tools.rs` | what an operator does with a log that no instance uses |
//! | `postgres.rs` | a log in PostgreSQL, by the feature of that name |
//! | `address.rs` | the URL of a log in etcd |
//! | `members.rs` | the member of etcd that is asked, and what refusals mean |
//! | `etcd.rs` | a log in etcd, by the feature of that name |
//! | `engines.rs` | which log a URL names |
//! | `memory.rs` | a log in memory that fails by a seed, for tests |
//! | `conformance.rs` | what every log does, and the journal of a leader on it, for the tests of each |
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! address, appender, forward, lease, log
//! lead, members, memory, postgres, role
//! conformance, etcd, front
//! engines, life
//! tools
//! ```

#[cfg(feature = "etcd")]
mod address;
mod appender;
#[cfg(any(test, feature = "testing"))]
pub mod conformance;
mod engines;
#[cfg(feature = "etcd")]
mod etcd;
mod forward;
mod front;
mod lead;
mod lease;
mod life;
mod log;
#[cfg(feature = "etcd")]
mod members;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
#[cfg(feature = "postgres")]
mod postgres;
mod role;
pub mod tools;

#[cfg(test)]
mod planted;
#[cfg(test)]
mod switching;
#[cfg(test)]
mod tests;

pub use engines::open;
pub use front::Instance;
pub use lease::{LEASE, SILENCE, Wall};
pub use life::{Host, Life};
pub use log::{Batch, Head, Leader, SharedLog, Term};
