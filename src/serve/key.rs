//! The key of a server that starts: public, drawn, or kept in a file (rule: auth/server-key).
//!
//! Invariant: where others can reach the server, its key is known to nobody else; a file that others can read or write is no
//! place for one. Absent on purpose: what is made of the key.

use super::config::Config;
use super::data::Data;
use hosting::secrets::{KEY_LENGTH, ServerKey, drawn};
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a server's key comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It is the one that everybody knows.
    Public,
    /// It was drawn for this start.
    Drawn,
    /// A file keeps it.
    Kept(PathBuf),
    /// A folder keeps it, with the worlds.
    Data(PathBuf),
    #[cfg_attr(not(feature = "several"), expect(dead_code, reason = "such a build has no log"))]
    /// The log of several instances keeps it, with the worlds; and where the leader is reached, if this is another.
    Log(Option<Arc<str>>),
}

/// The key of a server with this configuration, and where it comes from.
///
/// # Errors
/// Why there is none, in words.
pub(super) fn of(config: &Config, data: Option<&Data>, is_private: bool) -> Result<(ServerKey, Origin), String> {
    let no_randomness = |error| format!("no randomness for secrets: {error}");
    let named = named(config)?;
    if let Some(data) = data {
        return Ok((data.key(named)?, Origin::Data(data.folder().to_owned())));
    }
    match (&config.key_file, named) {
        (Some(path), Some(named)) => Ok((ServerKey::kept(&named).map_err(no_randomness)?, Origin::Kept(path.clone()))),
        _ if is_private => Ok((ServerKey::public().map_err(no_randomness)?, Origin::Public)),
        _ => Ok((ServerKey::random().map_err(no_randomness)?, Origin::Drawn)),
    }
}

/// The key in the file that is named.
///
/// # Errors
/// Why there is none, in words.
pub(super) fn named(config: &Config) -> Result<Option<[u8; KEY_LENGTH]>, String> {
    let named = |path: &PathBuf| kept(path).map_err(|why| format!("--key-file {}: {why}", path.display()));
    config.key_file.as_ref().map(named).transpose()
}

/// The key in a file; a new one in a new file where there is none.
fn kept(path: &Path) -> Result<[u8; KEY_LENGTH], String> {
    match read(path) {
        Err(Unread::Missing) => {
            make(path).map_err(|error| format!("it cannot be made: {error}"))?;
            read(path).map_err(|unread| unread.to_string())
        }
        read => read.map_err(|unread| unread.to_string()),
    }
}

/// Why a file gives no key.
enum Unread {
    Missing,
    Why(String),
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("it no longer exists"),
            Self::Why(why) => f.write_str(why),
        }
    }
}

/// Permissions that a key's file must not have: any for everybody, and writing for the group. Containers are often given
/// secrets that their group can read.
pub(super) const TOO_OPEN: u32 = 0o027;

/// Digits of a key, two for each byte.
const DIGITS: usize = 2 * KEY_LENGTH;

fn read(path: &Path) -> Result<[u8; KEY_LENGTH], Unread> {
    let why = |why: String| Unread::Why(why);
    // A pipe that nobody writes to would be waited for.
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Unread::Missing,
        _ => why(format!("it cannot be read: {error}")),
    })?;
    if !metadata.is_file() {
        return Err(why("it is not a file".to_owned()));
    }
    let unread = |error| why(format!("it cannot be read: {error}"));
    let file = File::open(path).map_err(unread)?;
    let mode = file.metadata().map_err(unread)?.mode();
    if mode & TOO_OPEN != 0 {
        return Err(why(format!(
            "others on this machine can read or write it (mode {:o}); say `chmod 600 {}`",
            mode & 0o777,
            path.display()
        )));
    }
    let mut text = String::new();
    file.take(2 * DIGITS as u64).read_to_string(&mut text).map_err(unread)?;
    key_of(text.trim_end()).ok_or_else(|| {
        why(format!(
            "it must hold {DIGITS} hexadecimal digits and nothing else, as `openssl rand -hex {KEY_LENGTH}` writes"
        ))
    })
}

fn key_of(text: &str) -> Option<[u8; KEY_LENGTH]> {
    if text.len() != DIGITS || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut key = [0; KEY_LENGTH];
    for (byte, pair) in key.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(key)
}

/// Makes a file with a new key, whole or not at all; where another server has just made one, that stays.
fn make(path: &Path) -> io::Result<()> {
    let key = drawn().map_err(|error| io::Error::other(error.to_string()))?;
    let text: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    let name = path.file_name().ok_or_else(|| io::Error::other("it has no name"))?.to_string_lossy();
    let whole = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&whole)?;
        writeln!(file, "{text}")?;
        file.sync_all()?;
        match std::fs::hard_link(&whole, path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            linked => linked,
        }
    })();
    let removed = std::fs::remove_file(&whole);
    written.and(removed)
}
