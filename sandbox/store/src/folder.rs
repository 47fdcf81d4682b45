//! The folder of a store, and the one file in it.
//!
//! Invariant: only the owner of the process may read the file. Absent on purpose: what the file has inside.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use redb::backends::FileBackend;

use crate::disk::Disk;
use crate::refusal::OpenError;

/// The name of the file.
const FILE: &str = "fundsim.redb";

/// The path of the file of a store.
pub(crate) fn file_of(dir: &Path) -> PathBuf {
    dir.join(FILE)
}

/// Opens the file of a folder, and makes both where they are absent.
///
/// # Errors
/// As the system.
pub(crate) fn open(dir: &Path) -> Result<Arc<Disk>, OpenError> {
    if !dir.is_dir() {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(dir)?;
        dir.parent().map_or(Ok(()), sync_folder)?;
    }
    let path = file_of(dir);
    let is_new = !path.exists();
    let disk = open_file(&path)?;
    if is_new {
        sync_folder(dir)?;
    }
    Ok(disk)
}

/// Opens a file, and makes it where it is absent.
///
/// # Errors
/// As the system.
pub(crate) fn open_file(path: &Path) -> Result<Arc<Disk>, OpenError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    for_owner_only(&file)?;
    disk(file)
}

/// Where the file is written that will take the place of a store's.
pub(crate) fn new_file_of(dir: &Path) -> PathBuf {
    dir.join(format!("{FILE}.new"))
}

/// Puts a file in the place of a store's, all or nothing.
///
/// # Errors
/// As the system.
pub(crate) fn replace(dir: &Path, new: &Path) -> Result<(), OpenError> {
    fs::rename(new, file_of(dir))?;
    Ok(sync_folder(dir)?)
}

/// Opens the file of a folder that has one.
///
/// # Errors
/// `Missing` where it has none, and as the system.
pub(crate) fn open_present(dir: &Path) -> Result<Arc<Disk>, OpenError> {
    match OpenOptions::new().read(true).write(true).open(file_of(dir)) {
        Ok(file) => disk(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(OpenError::Missing(dir.to_owned())),
        Err(error) => Err(error.into()),
    }
}

fn disk(file: File) -> Result<Arc<Disk>, OpenError> {
    let backend = FileBackend::new(file).map_err(|error| OpenError::Engine(error.to_string()))?;
    Ok(Disk::new(backend))
}

/// Takes the rights of others away, which a file that was copied here may have.
#[cfg(unix)]
fn for_owner_only(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut rights = file.metadata()?.permissions();
    if rights.mode() & 0o077 != 0 {
        rights.set_mode(0o600);
        file.set_permissions(rights)?;
    }
    Ok(())
}

/// Makes names in a folder durable, where the system can.
fn sync_folder(dir: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
        File::open(dir)?.sync_all()?;
    }
    Ok(())
}
