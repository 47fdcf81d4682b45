//! What happened in a world, in order, and who is sent it: the log of its inputs, the branches of that log, its events, the sockets
//! that read them, and the time outside the world.
//!
//! Absent on purpose: hosted worlds, which append and publish under their locks; deliveries, which read the events as sockets do.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! event_types, rights, signal, transport
//! input_log, session
//! lineage
//! log
//! sockets
//! ```

pub mod event_types;
pub mod input_log;
pub mod lineage;
pub mod log;
pub mod rights;
pub mod session;
pub mod signal;
pub mod sockets;
pub mod transport;
