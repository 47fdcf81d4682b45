//! Worlds as they are hosted: made, locked, read, advanced, and the parts of the server for each: its clock, its tokens, its faults.
//!
//! Absent on purpose: routing and handling of requests, any decision about money or states, what subscribers are sent (`feed`) and what
//! receivers are (`deliveries`).
//!
//! # The log of a world
//!
//! > Every change is appended to the log and carried out from there; the answer is its outcome.
//!
//! `feed/src/input_log.rs` has the log as a trait (append a batch, read after a position: first what is kept, then what comes; head, snapshot,
//! trim; errors that say retry or never) and one in memory, which the server has on every driver and which a keeper may keep on a disk.
//! `worlds/handle/turns.rs` appends an input under the world's lock and carries it out once it is kept and its turn has come: commands,
//! the clock's slices (`Act::AdvanceBy`), and `decision.rs`, all that the host decides and that can
//! change an answer: settings, faults, the allowlist, webhooks, the clock's mode, snapshots, restore, rewind, reset, forks. A read moves the clock
//! without an input while nothing is due. `replay.rs` makes the world again from its origin, or a snapshot of its log, and the inputs after it.
//!
//! # The journal of a server
//!
//! > Everything that can change an answer is an entry of the journal; doing the entries again makes the same server.
//!
//! `journal.rs` declares the entries: a world made, forked, taken in, dropped; an input with its instant and request; a token issued; a
//! fault rule tried; an attempt of a delivery. `worlds/recovery.rs` does them again, on the ways on which they happened. `fundsim serve
//! --data` hands in the file that keeps them; without a journal nothing is written and nothing waits.
//!
//! The log keeps a snapshot after 16,384 inputs, or two for each record of the world where that is more: the copy stays a part of what the
//! inputs cost. It keeps the last inputs, at least as many as `inputsKept` says, down to the snapshot before them. So a world
//! can be read as it was after any of them, or at any instant (`worlds/handle/rewind.rs`).
//!
//! `feed/src/lineage.rs` knows where a present came from. Each reset, restore, rewind and fork begins a branch of the log,
//! which names the point that it continues from. One walk back over the branches answers all who ask: the plan of a replay
//! (ranges of inputs, from the latest snapshot that leads there), the range in which the clock showed an instant, and whether
//! an input or an event led to the present. The feed, the recording and `why` keep theirs by position and ask. A fork has its
//! parent's log and branches up to where it was made, and a decision of its own that leads there. Inputs are carried out
//! again in pieces, outside of the lock. `snapshot_file.rs` writes a world for another process.
//!
//! What takes long and waits for nothing (making a world, replays, snapshot files, comparing) goes through `long_work.rs`: on the spot, unless the
//! server was configured to have threads for it, as `fundsim serve` is. A run that must be the same twice has it on the spot.
//!
//! What goes wrong on purpose is `faults.rs`: rules about requests, sockets and deliveries, with `faults/pattern.rs` (names) and
//! `faults/bundles.rs` (kinds of day). The surface asks it about requests once it knows their world (`surface/src/service/faults.rs`), a
//! subscription about the event that it is about to send, the worker of deliveries about the attempt that it is about to make.
//!
//! What partners have met of a world is counted in `coverage.rs` as it happens: the surface counts answers and sockets, a world what its
//! clients' records go through (`World::note_visits`), the worker of deliveries its attempts.
//!
//! Which request caused an input is kept beside the log, and an event names its input, its timer and the rows of the state table that
//! it took (`Event::moves`): `planes/operator/why.rs` reads a chain out of that.
//! Runs at world level keep a plain list of inputs (`Record` in `scenarios/oracle/src/check/clock.rs`): such a world has no surface, so no subscriber has
//! to be notified of an input while it is kept.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! allowlist, clock, coverage, current, faults, guesses, long_work, memory, metrics, panics, partners_may, snapshot_name, world_id
//! decision, log, quotas, secrets, tokens
//! credentials, request_log, telemetry
//! setup
//! journal, origin, recording
//! replay, snapshot_file
//! worlds
//! testing
//! ```

pub mod allowlist;
pub mod clock;
pub mod coverage;
pub mod credentials;
pub mod current;
pub mod decision;
pub mod faults;
pub mod guesses;
pub mod journal;
pub mod log;
pub mod long_work;
pub mod memory;
pub mod metrics;
pub mod origin;
pub mod panics;
pub mod partners_may;
pub mod quotas;
pub mod recording;
pub mod replay;
pub mod request_log;
pub mod secrets;
pub mod setup;
pub mod snapshot_file;
pub mod snapshot_name;
pub mod telemetry;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod tokens;
pub mod world_id;
pub mod worlds;
