//! The files that a story is made of.
//!
//! Invariant: a file that is named is one of them, also while it cannot be read. Absent on purpose: what is in them.

use super::golden_path;
use language::parse::{self, Files, OnDisk};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Remembers what was read.
#[derive(Default)]
struct Remembering(RefCell<BTreeSet<PathBuf>>);

impl Files for Remembering {
    fn read(&self, path: &Path) -> io::Result<String> {
        self.0.borrow_mut().insert(real(path));
        OnDisk.read(path)
    }
}

/// The story's own file, the files that it uses, and its golden, by their real paths.
#[must_use]
pub fn sources(story: &Path) -> BTreeSet<PathBuf> {
    let files = Remembering::default();
    if let Ok(source) = parse::source(story) {
        // What is wrong with it is reported when it is played.
        drop(parse::parse(&source, &files));
    }
    let mut sources = files.0.into_inner();
    sources.extend([real(story), real(&golden_path(story))]);
    sources
}

/// A path by which a file is known that may not be there at the moment.
#[must_use]
pub fn real(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    match (fs::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}
