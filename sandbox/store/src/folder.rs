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

/// A file that is to take the place of a store's. Dropped before that, it is removed.
pub(crate) struct NewFile {
    path: PathBuf,
    /// The file whose place it takes.
    of: PathBuf,
}

/// A new file beside that of a store, which is the same user's. What is left of an earlier one is removed.
///
/// # Errors
/// As the system; also when the file of the store is another user's, and cannot be given to that one.
pub(crate) fn new_file(dir: &Path) -> Result<NewFile, OpenError> {
    // The store's may be a link to a file elsewhere.
    let of = fs::canonicalize(file_of(dir))?;
    let path = of.with_extension("redb.new");
    if path.exists() {
        fs::remove_file(&path)?;
    }
    let new = NewFile { path, of };
    drop(open_file(&new.path)?);
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let [old, now] = [fs::metadata(&new.of)?, fs::metadata(&new.path)?];
        if (old.uid(), old.gid()) != (now.uid(), now.gid()) {
            std::os::unix::fs::chown(&new.path, Some(old.uid()), Some(old.gid()))?;
        }
    }
    Ok(new)
}

impl NewFile {
    /// Opens it.
    ///
    /// # Errors
    /// As the system.
    pub(crate) fn open(&self) -> Result<Arc<Disk>, OpenError> {
        open_file(&self.path)
    }

    /// Puts it in the place of the store's, all or nothing.
    ///
    /// # Errors
    /// As the system.
    pub(crate) fn take_place(self) -> Result<(), OpenError> {
        fs::rename(&self.path, &self.of)?;
        Ok(self.of.parent().map_or(Ok(()), sync_folder)?)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // Once it has taken the place, there is none of this name.
        drop(fs::remove_file(&self.path));
    }
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
