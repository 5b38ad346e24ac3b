//! Whether the disk has room for a request.

use crate::beside::beside;
use crate::failure::has_no_room;
use crate::limits::ROOM_BYTES;
use askback_hub::StoreError;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Fails unless a file beside the database can grow by as much as a request needs. It is removed again, and not synced: the
/// system says at once when a disk or a quota is full.
pub(crate) fn check(path: &Path) -> Result<(), StoreError> {
    let probe = beside(path, ".probe");
    let written = write(&probe);
    let removed = std::fs::remove_file(&probe);
    written.and(removed).map_err(|error| match has_no_room(&error) {
        true => StoreError::Full(error.to_string()),
        false => StoreError::Unusable { store: path.display().to_string(), why: error.to_string() },
    })
}

fn write(probe: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(probe)?;
    file.write_all(&[0; ROOM_BYTES])
}

#[cfg(test)]
mod tests {
    use super::*;

    // S3
    #[test]
    fn disk_with_room_passes_and_nothing_stays_there() {
        let folder = tempfile::tempdir().unwrap();
        check(&folder.path().join("hub.db")).unwrap();
        assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
        let error = check(&folder.path().join("missing/hub.db")).unwrap_err();
        assert!(matches!(error, StoreError::Unusable { .. }), "{error}");
    }
}
