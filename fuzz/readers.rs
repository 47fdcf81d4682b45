//! Every reader of bytes from outside, as one function each: whatever the bytes are, it answers and does not panic.

#![allow(dead_code, reason = "a target of the fuzzer uses one of them")]

use fuzz::records;
use hosting::memory::{Memory, MemoryBounds};
use hosting::worlds::WorldOrigin;
use hosting::{setup, snapshot_file};
use language::diagnostic::Source;
use language::parse::{self, Files};
use sim::rng::Seed;
use sim::time::Instant;
use std::io;
use std::path::Path;
use std::sync::Arc;
use wire::json::Node;

/// Reads bytes of one kind; what it cannot read it refuses.
pub type Reader = fn(&[u8]);

/// All of them, by the names of their targets and of the folders of their entries.
pub const READERS: &[(&str, Reader)] = &[
    ("snapshot", snapshot),
    ("setup", setup),
    ("scenario", scenario),
    ("kept_run", kept_run),
    ("json", json),
    ("value", value),
];

/// A world in a file; one that would take long to open is refused.
pub fn snapshot(bytes: &[u8]) {
    drop(snapshot_file::read(bytes, &little()));
}

/// What a world may take here.
fn little() -> Memory {
    Memory::new(MemoryBounds { world: 64 << 20, server: u64::MAX }, || 0)
}

/// A setup, and the world that it makes, unless that would take long.
pub fn setup(bytes: &[u8]) {
    if let Ok(setup) = setup::parse_text(bytes) {
        let origin =
            WorldOrigin { setup: Arc::new(setup.world), seed: Seed(1), start: Instant::from_ms(1_772_434_800_000) };
        drop(origin.set_aside(&little()).and_then(|_set_aside| origin.world()));
    }
}

/// A scenario file that uses no others.
pub fn scenario(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        drop(parse::parse(&Source::new("story.yaml", text), &None));
    }
}

/// A run that `fuzz --keep` has written.
pub fn kept_run(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        drop(records::repeat_text(text));
    }
}

/// The body of a request.
pub fn json(bytes: &[u8]) {
    drop(Node::parse(bytes));
}

/// A file of plain values: a configuration.
pub fn value(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        drop(parse::value(&Source::new("values.yaml", text)));
    }
}

/// Scenario files that name others find none.
struct None;

impl Files for None {
    fn read(&self, _: &Path) -> io::Result<String> {
        Err(io::ErrorKind::NotFound.into())
    }
}
