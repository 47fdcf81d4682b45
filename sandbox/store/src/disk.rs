//! The storage below the engine: it has one owner, which can end all writing, and keeps the lock of the file until it goes.
//!
//! The engine refuses to read, too, after an error of the disk. `View::over` lets it open the same storage once more: what that view
//! writes goes into memory, so the engine repairs its own copy and reads on, and no byte of the storage changes.
//!
//! Invariant: after `seal` nothing is written, synced or resized by this process. Absent on purpose: what the bytes mean.

use std::collections::BTreeMap;
use std::io;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use redb::{BackendError, StorageBackend};

/// A storage with what ended writing to it.
#[derive(Debug)]
pub(crate) struct Disk {
    storage: Box<dyn StorageBackend>,
    sealed: OnceLock<String>,
}

impl Disk {
    /// Takes the storage.
    pub(crate) fn new(storage: impl StorageBackend) -> Arc<Self> {
        Arc::new(Self { storage: Box::new(storage), sealed: OnceLock::new() })
    }

    /// Ends all writing; the first reason is kept.
    pub(crate) fn seal(&self, why: impl FnOnce() -> String) -> &str {
        self.sealed.get_or_init(why)
    }

    /// Why nothing is written any more.
    pub(crate) fn why_sealed(&self) -> Option<&str> {
        self.sealed.get().map(String::as_str)
    }

    fn writable(&self) -> io::Result<&dyn StorageBackend> {
        match self.sealed.get() {
            Some(why) => Err(io::Error::other(why.clone())),
            None => Ok(&*self.storage),
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Releases the lock of the file, which the end of the process would release as well.
        drop(self.storage.close());
    }
}

/// The storage as the engine gets it.
#[derive(Debug)]
pub(crate) struct View {
    disk: Arc<Disk>,
    /// What is written instead of the storage.
    over: Option<Mutex<Overlay>>,
    /// Whether another view has taken the lock of the file already.
    is_locked: bool,
}

/// What was written over a storage, by pages.
#[derive(Debug)]
struct Overlay {
    /// None until it was changed.
    length: Option<u64>,
    /// The shortest length so far: the storage's bytes from here on no longer count.
    kept: u64,
    pages: BTreeMap<u64, Box<[u8]>>,
}

const PAGE: u64 = 4096;
const PAGE_BYTES: usize = 4096;

impl View {
    /// The storage itself.
    pub(crate) fn through(disk: &Arc<Disk>) -> Self {
        Self { disk: Arc::clone(disk), over: None, is_locked: false }
    }

    /// The storage to be read only: it takes the lock of the file and writes into memory.
    pub(crate) fn read_only(disk: &Arc<Disk>) -> Self {
        let overlay = Overlay { length: None, kept: u64::MAX, pages: BTreeMap::new() };
        Self { disk: Arc::clone(disk), over: Some(Mutex::new(overlay)), is_locked: false }
    }

    /// As `read_only`, beside a view that has taken the lock.
    pub(crate) fn over(disk: &Arc<Disk>) -> Self {
        Self { is_locked: true, ..Self::read_only(disk) }
    }

    fn overlay(&self) -> Option<MutexGuard<'_, Overlay>> {
        self.over.as_ref().map(|over| over.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Overlay {
    fn length(&self, disk: &Disk) -> io::Result<u64> {
        self.length.map_or_else(|| disk.storage.len(), Ok)
    }

    /// Fills `out` with what the storage has from a byte on, and with zeros behind that.
    fn read_stored(&self, disk: &Disk, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let stored = disk.storage.len()?.min(self.kept).saturating_sub(offset);
        let stored = usize::try_from(stored).unwrap_or(usize::MAX).min(out.len());
        let (stored, behind) = out.split_at_mut(stored);
        behind.fill(0);
        if stored.is_empty() { Ok(()) } else { disk.storage.read(offset, stored) }
    }

    fn read(&self, disk: &Disk, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let length = self.length(disk)?;
        let end = offset.checked_add(out.len() as u64).filter(|end| *end <= length);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        self.read_stored(disk, offset, out)?;
        for (at, page) in self.pages.range(offset / PAGE * PAGE..end) {
            // The part of the page that was asked for, and where it goes.
            let from = usize::try_from(offset.saturating_sub(*at)).unwrap_or(PAGE_BYTES);
            let to = usize::try_from(at.saturating_sub(offset)).unwrap_or(out.len());
            let count = (PAGE_BYTES - from).min(out.len() - to);
            out[to..to + count].copy_from_slice(&page[from..from + count]);
        }
        Ok(())
    }

    fn write(&mut self, disk: &Disk, offset: u64, data: &[u8]) -> io::Result<()> {
        let end = offset.checked_add(data.len() as u64).ok_or(io::ErrorKind::InvalidInput)?;
        let (mut place, mut rest) = (offset, data);
        while !rest.is_empty() {
            let at = place / PAGE * PAGE;
            let mut page = vec![0; PAGE_BYTES].into_boxed_slice();
            match self.pages.remove(&at) {
                Some(written) => page = written,
                None => self.read_stored(disk, at, &mut page)?,
            }
            let from = usize::try_from(place - at).unwrap_or_default();
            let (now, later) = rest.split_at(rest.len().min(PAGE_BYTES - from));
            page[from..from + now.len()].copy_from_slice(now);
            self.pages.insert(at, page);
            (place, rest) = (place + now.len() as u64, later);
        }
        self.length = Some(self.length(disk)?.max(end));
        Ok(())
    }

    /// A new length. What was cut off is zero when it comes back.
    fn set_length(&mut self, length: u64) {
        self.length = Some(length);
        self.kept = self.kept.min(length);
        self.pages.retain(|at, _| *at < length);
        if let Some((at, page)) = self.pages.iter_mut().next_back() {
            let kept = usize::try_from(length - at).unwrap_or(PAGE_BYTES).min(PAGE_BYTES);
            page[kept..].fill(0);
        }
    }
}

impl StorageBackend for View {
    fn len(&self) -> io::Result<u64> {
        match self.overlay() {
            Some(over) => over.length(&self.disk),
            None => self.disk.storage.len(),
        }
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        match self.overlay() {
            Some(over) => over.read(&self.disk, offset, out),
            None => self.disk.storage.read(offset, out),
        }
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        match self.overlay() {
            Some(mut over) => {
                over.set_length(length);
                Ok(())
            }
            None => self.disk.writable()?.set_len(length),
        }
    }

    fn sync_data(&self) -> io::Result<()> {
        match self.over {
            Some(_) => Ok(()),
            None => self.disk.writable()?.sync_data(),
        }
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        match self.overlay() {
            Some(mut over) => over.write(&self.disk, offset, data),
            None => self.disk.writable()?.write(offset, data),
        }
    }

    /// The disk itself ends with its owner.
    fn close(&self) -> io::Result<()> {
        Ok(())
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        if self.is_locked { Ok(true) } else { self.disk.storage.try_lock_range(start, end) }
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        if self.is_locked { Ok(true) } else { self.disk.storage.try_lock_shared_range(start, end) }
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        if self.is_locked { Ok(()) } else { self.disk.storage.lock_range(start, end) }
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        if self.is_locked { Ok(()) } else { self.disk.storage.lock_shared_range(start, end) }
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        if self.is_locked { Ok(()) } else { self.disk.storage.unlock_range(start, end) }
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        if self.is_locked { Ok(false) } else { self.disk.storage.query_lock_range(start, end) }
    }
}

#[cfg(test)]
mod tests;
