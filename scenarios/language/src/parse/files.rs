//! Where the text of files comes from.
//!
//! Invariant: no more is read than the largest file has, and nothing of what is no file. Absent on purpose: what a file says.

use std::io::{self, Read};
use std::path::Path;

/// Name that stands for standard input.
pub const STDIN: &str = "-";

/// Files larger than this are refused: room for the recording of some ten thousand requests.
pub const LARGEST_FILE: usize = 16 << 20;

/// Where used files come from.
pub trait Files {
    /// The text of a file.
    ///
    /// # Errors
    /// When it cannot be read.
    fn read(&self, path: &Path) -> io::Result<String>;
}

/// Files of the file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnDisk;

impl Files for OnDisk {
    fn read(&self, path: &Path) -> io::Result<String> {
        text_of(path, LARGEST_FILE)
    }
}

/// No files at all: for steps that run, and stories made by code.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &Path) -> io::Result<String> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// The text of a file, or of standard input, of at most so many bytes.
///
/// # Errors
/// When it cannot be read, is no file, is larger, or is no text.
pub fn text_of(path: &Path, largest: usize) -> io::Result<String> {
    // What is no file (a pipe, a device, a folder) may never end, or never begin.
    let is_stdin = path == Path::new(STDIN);
    if !is_stdin && !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
    }
    let source: Box<dyn Read> = if is_stdin { Box::new(io::stdin()) } else { Box::new(std::fs::File::open(path)?) };
    // One byte more shows that there is more, also where the size is not known.
    let mut bytes = Vec::new();
    source.take(largest as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > largest {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {largest} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8 text"))
}
