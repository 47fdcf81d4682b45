//! A batch as the file has it: an envelope of fixed length, and the records behind it, compressed.
//!
//! ```text
//! magic 2 | envelope 1 | codec 1 | count 4 | id 16 | chain 16 | length 4 | crc32c 4 | body
//! ```
//!
//! Numbers are little-endian. `length` is that of the body before it was compressed, and bounds what reading it takes. `crc32c` covers all
//! the other bytes. `chain` hashes the chain of the batch before with the body, so it says which log this is and that no batch is missing.
//! `id` hashes the chain with the position. The body has each record after its length.
//!
//! Invariant: the same records after the same place are the same bytes. What `unpack` accepts is what `pack` was given.
//! Absent on purpose: where batches are kept; what a record means; randomness.

use std::cell::RefCell;
use std::io;

use sha2::{Digest as _, Sha256};
use zstd::bulk::{Compressor, Decompressor};

const MAGIC: [u8; 2] = *b"fB";
const ENVELOPE: u8 = 1;
/// The body is one frame of zstd.
const ZSTD: u8 = 1;
const LEVEL: i32 = 1;
/// Bytes of the envelope.
const HEAD: usize = 48;
/// Where the crc32c is.
const CRC: std::ops::Range<usize> = 44..48;
/// Bytes of the length before each record.
const PREFIX: usize = 4;

/// A record has this many bytes at most: 512 MiB.
pub(crate) const LARGEST_RECORD: usize = 512 << 20;
/// A body has this many bytes at most: one record of the largest size, or many small ones.
const LARGEST_BODY: usize = LARGEST_RECORD + (16 << 20);

thread_local! {
    /// Making one costs more than most batches do, so each thread keeps its own.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    /// Likewise.
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// What is kept, made by `make` when nothing is.
fn kept_or<T>(kept: &mut Option<T>, make: impl FnOnce() -> io::Result<T>) -> io::Result<&mut T> {
    match kept {
        Some(kept) => Ok(kept),
        None => Ok(kept.insert(make()?)),
    }
}

/// The end of a part of a log: its last record, and the chain up to there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The last record; 0 where there is none.
    pub position: u64,
    /// What tells this log from another that has as many records.
    pub chain: [u8; 16],
}

impl Place {
    fn after(self, count: u64, body: &[u8]) -> Self {
        let position = self.position.saturating_add(count);
        Self { position, chain: hash(&[&self.chain, body]) }
    }

    fn id(self) -> [u8; 16] {
        hash(&[&self.chain, &self.position.to_le_bytes()])
    }
}

/// The first 16 bytes of the SHA-256 of `parts`, one after the other.
fn hash(parts: &[&[u8]]) -> [u8; 16] {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    std::array::from_fn({
        let hash = hash.finalize();
        move |at| hash[at]
    })
}

/// Records of one batch, as they were before they were compressed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Body {
    bytes: Vec<u8>,
    count: u32,
}

impl Body {
    /// Takes one record more.
    ///
    /// # Errors
    /// When the batch would be larger than one can be.
    pub fn push(&mut self, record: &[u8]) -> io::Result<()> {
        let length = u32::try_from(record.len()).ok().filter(|_| record.len() <= LARGEST_RECORD);
        let count = self.count.checked_add(1);
        let is_room = self.bytes.len() + PREFIX + record.len() <= LARGEST_BODY;
        let (Some(length), Some(count), true) = (length, count, is_room) else {
            return Err(io::Error::other("a batch is larger than it can be"));
        };
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend(record);
        self.count = count;
        Ok(())
    }

    /// How many records there are.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The record that begins at this byte, and where the next one begins. None at the end, and where no record begins.
    pub(crate) fn record_at(&self, at: usize) -> Option<(&[u8], usize)> {
        let (length, rest) = self.bytes.get(at..)?.split_first_chunk::<PREFIX>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        Some((rest.get(..length)?, at + PREFIX + length))
    }

    /// The records, in order.
    pub fn records(&self) -> impl Iterator<Item = &[u8]> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let (record, next) = self.record_at(at)?;
            at = next;
            Some(record)
        })
    }

    /// The batch that the body is after `before`, as it is kept, and where that leads.
    ///
    /// # Errors
    /// When it cannot be compressed.
    pub fn pack(&self, before: Place) -> io::Result<(Place, Vec<u8>)> {
        let place = before.after(u64::from(self.count), &self.bytes);
        let length = u32::try_from(self.bytes.len()).map_err(io::Error::other)?;
        let body =
            COMPRESSOR.with_borrow_mut(|kept| kept_or(kept, || Compressor::new(LEVEL))?.compress(&self.bytes))?;
        let mut batch = Vec::with_capacity(HEAD + body.len());
        batch.extend(MAGIC);
        batch.extend([ENVELOPE, ZSTD]);
        batch.extend(self.count.to_le_bytes());
        batch.extend(place.id());
        batch.extend(place.chain);
        batch.extend(length.to_le_bytes());
        batch.extend([0; CRC.end - CRC.start]);
        batch.extend(body);
        seal(&mut batch);
        Ok((place, batch))
    }
}

/// Writes the crc32c of a batch.
fn seal(batch: &mut [u8]) {
    let crc = crc_of(batch);
    batch[CRC].copy_from_slice(&crc.to_le_bytes());
}

fn crc_of(batch: &[u8]) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c(&batch[..CRC.start]), &batch[CRC.end..])
}

/// The fixed part of a batch.
struct Envelope<'a> {
    count: u32,
    id: [u8; 16],
    chain: [u8; 16],
    length: usize,
    body: &'a [u8],
}

/// Reads an envelope.
///
/// # Errors
/// What is wrong with it, in words.
fn open(batch: &[u8]) -> Result<Envelope<'_>, String> {
    let (head, body) = batch.split_at_checked(HEAD).ok_or("it is shorter than its envelope")?;
    let number = |at: usize| u32::from_le_bytes(std::array::from_fn(|next| head[at + next]));
    let hash = |at: usize| std::array::from_fn(|next| head[at + next]);
    if head[..2] != MAGIC {
        return Err("it does not begin as a batch".to_owned());
    }
    if head[2] != ENVELOPE {
        return Err(format!("its envelope is of version {}, and this build reads version {ENVELOPE}", head[2]));
    }
    if head[3] != ZSTD {
        return Err(format!("its codec is {}, and this build reads codec {ZSTD}", head[3]));
    }
    if number(CRC.start) != crc_of(batch) {
        return Err("its crc32c does not fit its bytes".to_owned());
    }
    let length = usize::try_from(number(40)).map_err(|error| error.to_string())?;
    if length > LARGEST_BODY {
        return Err(format!("it claims {length} bytes of records, and at most {LARGEST_BODY} are possible"));
    }
    Ok(Envelope { count: number(4), id: hash(8), chain: hash(24), length, body })
}

/// The place that a batch says it leads to, without reading its records.
///
/// # Errors
/// What is wrong with it, in words.
pub(crate) fn place_of(position: u64, batch: &[u8]) -> Result<Place, String> {
    open(batch).map(|envelope| Place { position, chain: envelope.chain })
}

/// A batch whose records were read. It may be of another log, or of another place.
#[derive(Debug)]
pub(crate) struct Unplaced {
    /// The position of its last record, by which it is kept.
    last: u64,
    id: [u8; 16],
    /// The chain that it says it leads to.
    chain: [u8; 16],
    body: Body,
}

impl Unplaced {
    /// Reads the batch whose last record is `last`, whatever comes before it.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn read(last: u64, batch: &[u8]) -> Result<Self, String> {
        let envelope = open(batch)?;
        let bytes = DECOMPRESSOR
            .with_borrow_mut(|kept| kept_or(kept, Decompressor::new)?.decompress(envelope.body, envelope.length))
            .map_err(|error| format!("its records cannot be decompressed into {} bytes: {error}", envelope.length))?;
        if bytes.len() != envelope.length {
            return Err(format!("it has {} bytes of records, and its envelope says {}", bytes.len(), envelope.length));
        }
        let body = Body { bytes, count: envelope.count };
        let (mut found, mut at) = (0, 0);
        while at < body.bytes.len() {
            let (_, next) = body.record_at(at).ok_or("a record in it is longer than the batch")?;
            (found, at) = (found + 1, next);
        }
        if found == 0 || found != u64::from(envelope.count) {
            return Err(format!("it has {found} records, and its envelope says {}", envelope.count));
        }
        Ok(Self { last, id: envelope.id, chain: envelope.chain, body })
    }

    /// Bytes of its records.
    pub(crate) const fn length(&self) -> usize {
        self.body.bytes.len()
    }

    /// The records, if the batch follows `before`, and where it leads.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn following(self, before: Place) -> Result<(Place, Body), String> {
        let place = before.after(u64::from(self.body.count), &self.body.bytes);
        self.check(place)?;
        Ok((place, self.body))
    }

    /// The same, in a log whose chain was followed before: the records are not hashed again.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn placed_after(self, before: Place) -> Result<(Place, Body), String> {
        let position = before.position.saturating_add(u64::from(self.body.count));
        let place = Place { position, chain: self.chain };
        self.check(place)?;
        Ok((place, self.body))
    }

    /// Whether the batch is the one that leads to `place`.
    fn check(&self, place: Place) -> Result<(), String> {
        if place.position != self.last {
            return Err(format!("it ends at record {}, and is kept as if it ended at {}", place.position, self.last));
        }
        if place.chain != self.chain {
            return Err("it does not continue the batch before it".to_owned());
        }
        if place.id() != self.id {
            return Err("its id is not that of its place".to_owned());
        }
        Ok(())
    }
}

/// Reads the batch whose last record is `last`, which follows `before`.
///
/// # Errors
/// What is wrong with it, in words.
pub fn unpack(before: Place, last: u64, batch: &[u8]) -> Result<(Place, Body), String> {
    Unplaced::read(last, batch)?.following(before)
}

#[cfg(test)]
mod tests;
