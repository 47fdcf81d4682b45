//! `fundsim replay`: kept runs, repeated and held against their digests.

use crate::exit::{FAILED, UNUSABLE, WELL};
use crate::fuzz::is_report;
use crate::out;
use fuzz::records::{self, NotRepeated};
use std::io;
use std::path::{Path, PathBuf};

/// Repeats kept runs, in the order of their names.
pub(crate) fn replay(paths: &[PathBuf]) -> u8 {
    let files = paths.iter().map(|path| files(path)).collect::<io::Result<Vec<_>>>();
    let files: Vec<PathBuf> = match files {
        Ok(files) => files.concat(),
        Err(error) => return out::refuse(&error.to_string()),
    };
    if files.is_empty() {
        return out::refuse("there are no kept runs; `fundsim fuzz --seeds 1..101 --keep DIR` writes some");
    }
    let (mut failed, mut unusable) = (0, 0);
    for file in &files {
        let Err(why) = records::repeat(file) else { continue };
        out::say(&format!("{}: {why}\n", file.display()));
        match why {
            NotRepeated::Failed(_) => failed += 1,
            NotRepeated::Unusable(_) => unusable += 1,
        }
    }
    let repeated = files.len() - unusable;
    let unread = if unusable == 0 { String::new() } else { format!("; {unusable} could not be read") };
    out::say(&format!(
        "{repeated} runs repeated, from their inputs and from worlds half-way; {failed} failed{unread}\n"
    ));
    match (failed, unusable) {
        (0, 0) => WELL,
        (0, _) => UNUSABLE,
        _ => FAILED,
    }
}

/// A file, or every kept run of a folder.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "json") && !is_report(&path) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
