//! A log of records in one file of a folder, which outlives the process. A record is bytes.
//!
//! Invariant: positions grow by one from 1, in the order of the calls. A record whose append has resolved is there whenever the file is opened
//! again, and all before it are. After the first failure to write, this process writes nothing again, and the records that were durable
//! can still be read.
//!
//! Absent on purpose: worlds, and what a record means; a clock, timers and randomness; a flag for weaker durability; removing records
//! while the store is in use.
//!
//! # Files
//!
//! > A record waits in the queue; the committer packs all that waits into one batch and commits it; then the record is answered.
//!
//! | file | owns |
//! |---|---|
//! | `envelope.rs` | a batch as bytes: what it has, what is checked when it is read |
//! | `queue.rs` | what waits, in order and within bounds |
//! | `committer.rs` | what writes, in a thread of its own; sealing after a failure |
//! | `records.rs` | reading, batch by batch, each checked |
//! | `engine.rs` | tables of redb: batches by the position of their last record, values by name |
//! | `disk.rs` | the storage below redb: it can be sealed, and read over memory |
//! | `folder.rs` | the folder and its one file, `fundsim.redb` |
//! | `store.rs` | `Store`: the calls |
//! | `tools.rs` | check, export, import |
//! | `compaction.rs` | `Held`: a store written anew, with some of its records |
//! | `refusal.rs` | positions, and all errors |
//! | `ahead.rs` | reading in a thread what somebody works on in another |
//! | `testing.rs` | what tests share: numbers by seed, a disk that fails, a folder that goes |
//!
//! The value `format` says which format the file has; another format than the one that this build knows is refused by its name.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! ahead, disk, envelope, refusal
//! engine, folder, queue
//! committer, records
//! store
//! tools
//! compaction, testing
//! ```

mod ahead;
mod committer;
mod compaction;
mod disk;
mod engine;
mod envelope;
mod folder;
mod queue;
mod records;
mod refusal;
mod store;
mod tools;

#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use ahead::in_parts;
pub use compaction::{Anew, Held};
pub use envelope::{Body, Place, unpack};
pub use queue::Kept;
pub use records::Records;
pub use refusal::{Damaged, OpenError, Position, ReadError, StoreError, TransferError};
pub use store::{Opened, Store};
pub use tools::{Checked, check, export, import, records_of, write_line};
