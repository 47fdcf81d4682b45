//! Places in the log, and why a call was refused.
//!
//! Invariant: each reason is a sentence that the operator can read, and names what can be done where something can.
//! Absent on purpose: reasons of those who use the log; numbers of HTTP.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// The place of a record in the log, from 1; 0 is before the first record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(pub u64);

/// Where a log stops being readable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// The last record that can be read, of those before the damage.
    pub after: Position,
    /// What is wrong with the batch that follows it, or with the file.
    pub what: String,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the log is damaged after record {}: {}", self.after.0, self.what)
    }
}

/// Why a record or a value was not taken, or not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// The disk is slower than what comes; the same call may succeed later.
    Busy,
    /// A record has this many bytes at most.
    TooLarge(usize),
    /// Nothing is written any more, for this reason. A record that was waiting may be in the file all the same.
    Sealed(String),
    /// `finish` was called.
    Finished,
    /// The store keeps this name of a value for itself.
    Reserved(&'static str),
    /// The value cannot be read.
    Unreadable(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy => f.write_str("too many records wait for the disk; try again"),
            Self::TooLarge(most) => write!(f, "a record has at most {most} bytes"),
            Self::Sealed(why) => write!(f, "the store is sealed: {why}"),
            Self::Finished => f.write_str("the store is being closed"),
            Self::Reserved(name) => write!(f, "the store keeps the value `{name}` for itself"),
            Self::Unreadable(why) => write!(f, "the file cannot be read: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}

/// Why records could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// A batch is not what was written. The store is sealed from then on.
    Damaged(Damaged),
    /// The file could not be read. The store is sealed from then on.
    Unreadable(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(damaged) => damaged.fmt(f),
            Self::Unreadable(why) => write!(f, "the file cannot be read: {why}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Why a folder could not be opened.
#[derive(Debug)]
pub enum OpenError {
    /// Another process, or another store of this one, has it open.
    AlreadyOpen,
    /// There is no store in this folder.
    Missing(PathBuf),
    /// The file is no store, or a store of a format that this build does not know.
    Format(String),
    /// A batch is damaged, and what was asked for needs all of them.
    Damaged(Damaged),
    /// The system refused.
    Io(io::Error),
    /// The engine could not open the file.
    Engine(String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AlreadyOpen => f.write_str("another process has this store open; stop it, or use another folder"),
            Self::Missing(dir) => write!(f, "there is no store in {}", dir.display()),
            Self::Format(what) => f.write_str(what),
            Self::Damaged(damaged) => damaged.fmt(f),
            Self::Io(error) => error.fmt(f),
            Self::Engine(what) => write!(f, "the file of the store cannot be opened: {what}"),
        }
    }
}

impl std::error::Error for OpenError {}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Why records could not be written out as lines, or taken in from lines.
#[derive(Debug)]
pub enum TransferError {
    /// The folder could not be opened.
    Open(OpenError),
    /// The log could not be read.
    Read(ReadError),
    /// The log did not keep what it was given.
    Store(StoreError),
    /// The lines could not be read or written.
    Io(io::Error),
    /// Lines are taken into an empty folder only; this one is not empty.
    NotEmpty(PathBuf),
    /// This record is no line of text: it is not UTF-8, or it has a line break.
    NotALine(Position),
}

impl fmt::Display for TransferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(error) => error.fmt(f),
            Self::Read(error) => error.fmt(f),
            Self::Store(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
            Self::NotEmpty(dir) => write!(f, "{} is not empty; name a folder that is empty or absent", dir.display()),
            Self::NotALine(at) => write!(f, "record {} is not one line of UTF-8", at.0),
        }
    }
}

impl std::error::Error for TransferError {}

impl From<OpenError> for TransferError {
    fn from(error: OpenError) -> Self {
        Self::Open(error)
    }
}

impl From<ReadError> for TransferError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<StoreError> for TransferError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<io::Error> for TransferError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
