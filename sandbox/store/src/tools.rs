//! What an operator does with a store that no server has open: check it, make it smaller, write its records out, take them in.
//!
//! Invariant: checking and writing out change no byte of the file. Absent on purpose: what a record means; a repair that leaves records out.

use std::fs;
use std::io::{BufRead, Read as _, Write};
use std::path::Path;
use std::sync::Arc;

use crate::engine::Engine;
use crate::folder;
use crate::queue::Limits;
use crate::records::{Records, survey};
use crate::refusal::{Damaged, OpenError, Position, StoreError, TransferError};
use crate::store::Store;

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Batches that can be read.
    pub batches: u64,
    /// Records that can be read.
    pub records: u64,
    /// Bytes that these batches have in the file.
    pub bytes: u64,
    /// Bytes of the file.
    pub file_bytes: u64,
    /// The first batch that cannot be read.
    pub damaged: Option<Damaged>,
}

/// Reads the whole log of a folder and checks each batch.
///
/// # Errors
/// When it has no store, when a process has it open, and when the engine cannot open it.
pub fn check(dir: &Path) -> Result<Checked, OpenError> {
    let engine = Arc::new(Engine::read_only(folder::open_present(dir)?)?);
    let file_bytes = length_of(dir)?;
    let found = survey(&engine);
    Ok(Checked {
        batches: found.batches,
        records: found.place.position,
        bytes: found.bytes,
        file_bytes,
        damaged: found.damaged,
    })
}

/// Makes the file of a folder as small as it can be; its bytes before and after.
///
/// # Errors
/// As `check`, and when a batch is damaged: such a file is left as it is.
pub fn compact(dir: &Path) -> Result<(u64, u64), OpenError> {
    let engine = Arc::new(Engine::open(folder::open_present(dir)?)?);
    let before = length_of(dir)?;
    if let Some(damaged) = survey(&engine).damaged {
        return Err(OpenError::Damaged(damaged));
    }
    let engine = Arc::into_inner(engine).ok_or_else(|| OpenError::Engine("it is being read".to_owned()))?;
    engine.compact().map_err(OpenError::Engine)?;
    Ok((before, length_of(dir)?))
}

/// Writes each record of a folder as one line, as it is; how many there were. What is before a damaged batch is written out before the error.
///
/// # Errors
/// As `check`, when a batch is damaged, when a record is no line, and as `out`.
pub fn export(dir: &Path, out: &mut impl Write) -> Result<u64, TransferError> {
    let engine = Arc::new(Engine::read_only(folder::open_present(dir)?)?);
    let mut count = 0;
    for record in Records::after(&engine, Position(0), Position(u64::MAX)) {
        let (at, record) = record?;
        if record.contains(&b'\n') || std::str::from_utf8(&record).is_err() {
            return Err(TransferError::NotALine(at));
        }
        out.write_all(&record)?;
        out.write_all(b"\n")?;
        count += 1;
    }
    out.flush()?;
    Ok(count)
}

/// Makes a store in a folder that is empty or absent, with each line as one record; how many there were. They are durable when this returns.
///
/// # Errors
/// When the folder is not empty, when a line is too long or no UTF-8, and when the disk fails. The folder has a part of the lines then.
pub fn import(dir: &Path, lines: impl BufRead) -> Result<u64, TransferError> {
    if dir.exists() && fs::read_dir(dir)?.next().is_some() {
        return Err(TransferError::NotEmpty(dir.to_owned()));
    }
    let limits = Limits::default();
    let store = Store::start(folder::open(dir)?, limits)?.store;
    let (mut lines, mut count, mut bytes) = (lines, 0, 0);
    loop {
        let mut line = Vec::new();
        // One more for the line break, and one by which a line that is too long is known.
        let read = lines.by_ref().take(limits.record as u64 + 2).read_until(b'\n', &mut line)?;
        if read == 0 {
            break;
        }
        line.pop_if(|last| *last == b'\n');
        count += 1;
        if line.len() > limits.record {
            return Err(StoreError::TooLarge(limits.record).into());
        }
        if std::str::from_utf8(&line).is_err() {
            return Err(TransferError::NotALine(Position(count)));
        }
        bytes += line.len();
        store.note(line);
        if bytes > limits.batch {
            store.wait();
            bytes = 0;
        }
    }
    store.finish();
    match store.why_sealed() {
        Some(why) => Err(StoreError::Sealed(why).into()),
        None => Ok(count),
    }
}

fn length_of(dir: &Path) -> Result<u64, OpenError> {
    Ok(fs::metadata(folder::file_of(dir))?.len())
}

#[cfg(test)]
mod tests;
