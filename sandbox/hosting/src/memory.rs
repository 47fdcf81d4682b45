//! How much memory worlds may take: each by itself, and all of the server together (rule: wire/memory).
//!
//! A world is reckoned by what it has: its records and the inputs that are kept. The server is measured from outside, by what the
//! process has taken. Invariant: nothing is refused that only reads, or that gives memory back. Absent on purpose: measuring,
//! which the host of the server does.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use wire::error::ApiError;

/// What a record of a world takes, with its place in the indexes and its events: an estimate, rounded up.
const RECORD: u64 = 2_000;
/// What an input takes that is kept.
const INPUT: u64 = 500;
/// What a file that is brought takes for each of its bytes, while it is read.
const BYTE_OF_FILE: u64 = 4;

/// Bounds, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryBounds {
    /// Of one world.
    pub world: u64,
    /// Of the process.
    pub server: u64,
}

/// The bounds, and how much the process takes. Clones share what is set aside.
#[derive(Clone)]
pub struct Memory {
    bounds: MemoryBounds,
    taken: Arc<dyn Fn() -> u64 + Send + Sync>,
    set_aside: Arc<AtomicU64>,
}

impl Default for Memory {
    /// Without a bound.
    fn default() -> Self {
        Self::new(MemoryBounds { world: u64::MAX, server: u64::MAX }, || 0)
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bounds.fmt(f)
    }
}

/// What a world takes that has so many records and keeps so many inputs.
pub(crate) const fn of_world(records: u64, inputs: u64) -> u64 {
    records.saturating_mul(RECORD).saturating_add(inputs.saturating_mul(INPUT))
}

impl Memory {
    /// Within `bounds`, where `taken` answers what the process takes, in bytes; it is asked often.
    pub fn new(bounds: MemoryBounds, taken: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self { bounds, taken: Arc::new(taken), set_aside: Arc::default() }
    }

    /// Whether a world that takes so much may grow.
    ///
    /// # Errors
    /// 503 when it, or the whole server, is at its bound.
    pub(crate) fn admits(&self, of_world: u64) -> Result<(), ApiError> {
        if of_world >= self.bounds.world {
            return Err(ApiError::unavailable(format!(
                "this world has all the memory that it may take ({}); it can be read, rewound, reset or dropped",
                shown(self.bounds.world)
            )));
        }
        self.admits_more(0)
    }

    /// Whether the server may take so much more.
    ///
    /// # Errors
    /// 503 when it may not.
    pub(crate) fn admits_more(&self, bytes: u64) -> Result<(), ApiError> {
        let taken = (self.taken)().saturating_add(self.set_aside.load(Ordering::Relaxed));
        // At the bound itself there is no room, not even for nothing.
        if taken.saturating_add(bytes) < self.bounds.server || self.bounds.server == u64::MAX {
            return Ok(());
        }
        Err(ApiError::unavailable(format!(
            "the server has all the memory that it may take ({}); worlds can be read, reset or dropped",
            shown(self.bounds.server)
        )))
    }

    /// Sets memory aside for a world that will take about so much, until what is answered is dropped.
    ///
    /// # Errors
    /// 503 when one world, or the server, may not take it, with how much it would be.
    pub fn for_world(&self, bytes: u64) -> Result<SetAside, ApiError> {
        let MemoryBounds { world, server } = self.bounds;
        let would = |most: &str| {
            ApiError::unavailable(format!("the world would take about {} of memory, and {most}", shown(bytes)))
        };
        if bytes >= world && world != u64::MAX {
            return Err(would(&format!("a world may take {}", shown(world))));
        }
        self.set_aside(bytes).map_err(|full| match self.admits_more(0) {
            Ok(()) => would(&format!("the server may take {} in all", shown(server))),
            Err(_) => full,
        })
    }

    /// Sets memory aside for a file of so many bytes, until what is answered is dropped.
    ///
    /// # Errors
    /// 503 when there is not so much.
    pub fn for_file(&self, length: u64) -> Result<SetAside, ApiError> {
        self.set_aside(length.saturating_mul(BYTE_OF_FILE))
    }

    fn set_aside(&self, bytes: u64) -> Result<SetAside, ApiError> {
        self.admits_more(bytes)?;
        self.set_aside.fetch_add(bytes, Ordering::Relaxed);
        Ok(SetAside { of: Arc::clone(&self.set_aside), bytes })
    }
}

/// Memory that is set aside.
#[derive(Debug)]
pub struct SetAside {
    of: Arc<AtomicU64>,
    bytes: u64,
}

impl Drop for SetAside {
    fn drop(&mut self) {
        self.of.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

fn shown(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        mib => format!("{mib} MiB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: wire/memory)
    #[test]
    fn what_is_set_aside_for_files_counts_until_it_is_dropped() {
        let memory = Memory::new(MemoryBounds { world: 1_000, server: 10_000 }, || 1_000);
        memory.admits(999).expect("room");
        let world = memory.admits(1_000).expect_err("no room");
        assert_eq!(world.status.as_u16(), 503);
        let one = memory.for_file(2_000).expect("room for one");
        let refused = memory.clone().for_file(2_000).expect_err("none for another");
        assert!(refused.description.contains("the server has all the memory"), "{}", refused.description);
        drop(one);
        memory.for_file(2_000).expect("room again");
    }
}
