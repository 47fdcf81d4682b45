//! What an operator does with a store that no server has open: check it, write its records out, take them in.
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
    let found = survey(&engine, |_| {})?;
    Ok(Checked {
        batches: found.batches,
        records: found.place.position,
        bytes: found.bytes,
        file_bytes,
        damaged: found.damaged,
    })
}

/// Writes each record of a folder as one line, as it is; how many there were. What is before a damaged batch is written out before the error.
///
/// # Errors
/// As `check`, when a batch is damaged, when a record is no line, and as `out`.
pub fn export(dir: &Path, out: &mut impl Write) -> Result<u64, TransferError> {
    let engine = Arc::new(Engine::read_only(folder::open_present(dir)?)?);
    let mut count = 0;
    for record in Records::all(&engine) {
        let (at, record) = record?;
        write_line(at, &record, out)?;
        count += 1;
    }
    out.flush()?;
    Ok(count)
}

/// Writes a record as one line, as it is.
///
/// # Errors
/// When it is no line, and as `out`.
pub fn write_line(at: Position, record: &[u8], out: &mut impl Write) -> Result<(), TransferError> {
    if record.contains(&b'\n') || std::str::from_utf8(record).is_err() {
        return Err(TransferError::NotALine(at));
    }
    out.write_all(record)?;
    out.write_all(b"\n")?;
    Ok(())
}

/// Each line as one record.
///
/// # Errors
/// When a line is too long or no UTF-8, and as `lines`.
pub fn records_of(mut lines: impl BufRead) -> impl Iterator<Item = Result<Vec<u8>, TransferError>> {
    let most = Limits::default().record;
    let mut count = 0;
    let mut next = move || {
        let mut line = Vec::new();
        // One more for the line break, and one by which a line that is too long is known.
        if lines.by_ref().take(most as u64 + 2).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        line.pop_if(|last| *last == b'\n');
        count += 1;
        if line.len() > most {
            return Err(StoreError::TooLarge(most).into());
        }
        if std::str::from_utf8(&line).is_err() {
            return Err(TransferError::NotALine(Position(count)));
        }
        Ok(Some(line))
    };
    std::iter::from_fn(move || next().transpose())
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
    let store = Store::start(folder::open(dir)?, Limits::default())?.store;
    let mut filling = Filling::new(store, &limits);
    let mut count = 0;
    for record in records_of(lines) {
        filling.add(record?);
        count += 1;
    }
    filling.end()?;
    Ok(count)
}

/// Writes many records into a store without waiting for each.
pub(crate) struct Filling {
    pub(crate) store: Store,
    /// Bytes that may wait.
    most: usize,
    bytes: usize,
}

impl Filling {
    /// Of a store that was just opened.
    pub(crate) const fn new(store: Store, limits: &Limits) -> Self {
        Self { store, most: limits.batch, bytes: 0 }
    }

    /// Appends a record.
    pub(crate) fn add(&mut self, record: Vec<u8>) {
        self.bytes += record.len();
        self.store.note(record);
        if self.bytes > self.most {
            self.store.wait();
            self.bytes = 0;
        }
    }

    /// Waits until all of them are durable.
    ///
    /// # Errors
    /// When they are not.
    pub(crate) fn end(self) -> Result<(), StoreError> {
        self.store.finish();
        self.store.why_sealed().map_or(Ok(()), |why| Err(StoreError::Sealed(why)))
    }
}

pub(crate) fn length_of(dir: &Path) -> Result<u64, OpenError> {
    Ok(fs::metadata(folder::file_of(dir))?.len())
}

#[cfg(test)]
mod tests;
