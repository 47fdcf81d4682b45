//! Worlds as they are hosted: made, locked, read, advanced, and what stands around each: its clock, its subscribers, its
//! deliveries, its tokens, its faults.
//!
//! Absent on purpose: routing and handling of requests, and any decision about money or states.

pub mod allowlist;
pub mod clock;
pub mod credentials;
pub mod current;
pub mod decision;
pub mod deliveries;
pub mod event_types;
pub mod faults;
pub mod feed;
pub mod guesses;
pub mod input_log;
pub mod lineage;
pub mod log;
pub mod long_work;
pub mod memory;
pub mod metrics;
pub mod network;
pub mod origin;
pub mod partners_may;
pub mod quotas;
pub mod reach;
pub mod recording;
pub mod replay;
pub mod request_log;
pub mod rights;
pub mod secrets;
pub mod setup;
pub(crate) mod signal;
pub mod signature;
pub mod snapshot_file;
pub mod snapshot_name;
pub mod telemetry;
pub mod tokens;
pub mod transport;
pub mod world_id;
pub mod worlds;
