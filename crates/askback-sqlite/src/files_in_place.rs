//! Whether the database and its write-ahead log are still the files that were opened. SQLite does not notice when one of them is
//! removed or replaced, and what it goes on to write is lost with the process.

use crate::beside::beside;
use std::path::{Path, PathBuf};

/// The files of a database by their numbers on the disk.
#[derive(Debug)]
pub(crate) struct FilesInPlace([(PathBuf, Option<FileId>); 2]);

/// The device and the number of a file.
type FileId = (u64, u64);

/// Reads no times of the file. Linux gives a file whose times were read exact ones with the next write, and each sync of the write-ahead log
/// then writes them, too: 8 KiB written and synced took 121 us instead of 83.
#[cfg(target_os = "linux")]
fn id(path: &Path) -> Option<FileId> {
    use rustix::fs::{AtFlags, CWD, StatxFlags, makedev, statx};
    let found = statx(CWD, path, AtFlags::empty(), StatxFlags::INO).ok()?;
    Some((makedev(found.stx_dev_major, found.stx_dev_minor), found.stx_ino))
}

#[cfg(not(target_os = "linux"))]
fn id(path: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    path.metadata().ok().map(|found| (found.dev(), found.ino()))
}

impl FilesInPlace {
    pub(crate) fn of(database: &Path) -> Self {
        Self([database.to_owned(), beside(database, "-wal")].map(|path| {
            let id = id(&path);
            (path, id)
        }))
    }

    /// The first file that was removed or replaced.
    pub(crate) fn missing(&mut self) -> Option<&Path> {
        self.0.iter_mut().find_map(|(path, known)| match (*known, id(path)) {
            // SQLite makes the write-ahead log with the first write.
            (None, now) => {
                *known = now;
                None
            }
            (known, now) => (known != now).then_some(&**path),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{remove_file, rename, write};

    // L2
    #[test]
    fn file_that_is_removed_or_replaced_is_missed_and_one_that_is_made_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (database, log) = (folder.path().join("hub.db"), folder.path().join("hub.db-wal"));
        write(&database, "").unwrap();
        let mut files = FilesInPlace::of(&database);
        assert_eq!(files.missing(), None);
        write(&log, "").unwrap();
        assert_eq!(files.missing(), None);
        write(&log, "longer").unwrap();
        assert_eq!(files.missing(), None);
        write(folder.path().join("copy"), "").unwrap();
        rename(folder.path().join("copy"), &log).unwrap();
        assert_eq!(files.missing(), Some(&*log));
        remove_file(&database).unwrap();
        assert_eq!(files.missing(), Some(&*database));
    }
}
