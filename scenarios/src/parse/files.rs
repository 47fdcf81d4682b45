//! Where the text of files comes from.
//!
//! Invariant: a file that is too large is refused unread. Absent on purpose: what stands in a file.

use std::io;
use std::path::Path;

/// Files larger than this are refused unread.
pub const LARGEST_FILE: usize = 1 << 20;

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
        let size = std::fs::metadata(path)?.len();
        if usize::try_from(size).map_or(true, |size| size > LARGEST_FILE) {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {LARGEST_FILE} bytes")));
        }
        let bytes = std::fs::read(path)?;
        String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8 text"))
    }
}
