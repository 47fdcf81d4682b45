//! A store that no server has open, written anew as small as it can be.
//!
//! Invariant: the new file is whole and durable before it takes the place of the old one, which stays as it is until then; nobody else opens
//! the store meanwhile. Absent on purpose: which records can be left out, which who asks decides.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::Engine;
use crate::folder::{self, NewFile};
use crate::queue::Limits;
use crate::records::{Records, survey};
use crate::refusal::{OpenError, Position, StoreError, TransferError};
use crate::store::Store;
use crate::tools::{Filling, length_of};

/// The store of a folder, held so that nobody else opens it.
#[derive(Debug)]
pub struct Held {
    dir: PathBuf,
    engine: Arc<Engine>,
}

impl Held {
    /// Holds the store of a folder. All records are read and checked once, and `look` sees each.
    ///
    /// # Errors
    /// When the folder has none, when a process has it open, when a batch is damaged, and as the system.
    pub fn of(dir: &Path, look: impl FnMut(&[u8])) -> Result<Self, OpenError> {
        let engine = Arc::new(Engine::open(folder::open_present(dir)?)?);
        match survey(&engine, look)?.damaged {
            Some(damaged) => Err(OpenError::Damaged(damaged)),
            None => Ok(Self { dir: dir.to_owned(), engine }),
        }
    }

    /// Its records, in order.
    #[must_use]
    pub fn records(&self) -> Records {
        Records::surveyed_after(&self.engine, Position(0), Position(u64::MAX))
    }

    /// Begins to write it anew, with its values and no record yet.
    ///
    /// # Errors
    /// As the system.
    pub fn anew(&self) -> Result<Anew<'_>, TransferError> {
        let (file, limits) = (folder::new_file(&self.dir)?, Limits::default());
        let filling = Filling::new(Store::start(file.open()?, Limits::default())?.store, &limits);
        for (name, value) in self.engine.values().map_err(StoreError::Unreadable)? {
            filling.store.set_meta(&name, &value)?;
        }
        Ok(Anew { of: self, filling, file })
    }
}

/// A store that is being written anew. Dropped, it changes nothing.
pub struct Anew<'held> {
    of: &'held Held,
    filling: Filling,
    /// Goes after what writes to it.
    file: NewFile,
}

impl Anew<'_> {
    /// Appends a record. Positions are counted anew.
    pub fn add(&mut self, record: Vec<u8>) {
        self.filling.add(record);
    }

    /// Puts it in the place of the store; the bytes of the file before and after.
    ///
    /// # Errors
    /// As the system; the store is as it was then.
    pub fn end(self) -> Result<(u64, u64), TransferError> {
        let Self { of: Held { dir, .. }, filling, file } = self;
        let before = length_of(dir)?;
        filling.end()?;
        file.take_place()?;
        Ok((before, length_of(dir)?))
    }
}

#[cfg(test)]
mod tests;
