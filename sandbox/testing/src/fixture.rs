//! Files in `fixtures/` that a version has written once, and that every later one must read.
//!
//! Invariant: such a file is never written anew; with `FUNDSIM_TEST_BLESS=1` one is written where there is none. Absent on purpose: what is in them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// One of them.
#[derive(Debug)]
pub struct Fixture(PathBuf);

impl Fixture {
    /// The one at this path below `fixtures/`.
    #[must_use]
    pub fn of(path: &str) -> Self {
        Self(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(path))
    }

    /// Whether it is to be written: there is none, and that was asked for.
    #[must_use]
    pub fn is_to_be_written(&self) -> bool {
        env::var_os("FUNDSIM_TEST_BLESS").is_some() && !self.0.exists()
    }

    /// Writes it.
    ///
    /// # Panics
    /// When that is not possible.
    pub fn write(&self, contents: impl AsRef<[u8]>) {
        fs::write(&self.0, contents).unwrap_or_else(|error| panic!("{}: {error}", self.0.display()));
    }

    /// What it holds.
    ///
    /// # Panics
    /// When it cannot be read.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        fs::read(&self.0).unwrap_or_else(|error| {
            panic!("{}: {error}; FUNDSIM_TEST_BLESS=1 writes a file that is not there", self.0.display())
        })
    }

    /// What it holds, where that is text.
    ///
    /// # Panics
    /// When it cannot be read, or is no text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8(self.bytes()).expect("text")
    }
}
