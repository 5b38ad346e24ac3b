//! What SQLite's errors mean to those who have to do something about them.

use askback_hub::StoreError;
use rusqlite::{ErrorCode, ffi};
use std::io;
use std::path::Path;

/// What went wrong with the database in this file.
pub(crate) fn explain(path: &Path, error: &rusqlite::Error) -> StoreError {
    if let rusqlite::Error::FromSqlConversionFailure(_, _, error) = error {
        return StoreError::Unreadable(error.to_string());
    }
    let why = error.to_string();
    if is_full(error) {
        return StoreError::Full(why);
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked(why),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            StoreError::Damaged { store: path.display().to_string(), why }
        }
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            StoreError::Unusable { store: path.display().to_string(), why }
        }
        _ => StoreError::Failed(why),
    }
}

/// Whether what the disk says can't be believed any more. After a sync that failed, the next one may succeed without
/// having written what the first did not.
pub(crate) fn leaves_no_trust(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::SystemIoFailure) && !is_full(error)
}

/// Whether the disk or the user's quota has no room for what was to be written. To be asked on the thread that got the error, and
/// before it does anything else: SQLite calls an exceeded quota a failed write, and only the system's error tells them apart.
pub(crate) fn is_full(error: &rusqlite::Error) -> bool {
    let is_write = |code| [ffi::SQLITE_IOERR_WRITE, ffi::SQLITE_IOERR_SHMSIZE].contains(&code);
    match error.sqlite_error() {
        Some(error) if error.code == ErrorCode::DiskFull => true,
        // A failed sync stays what it is: nobody knows what it has left unwritten.
        Some(error) if is_write(error.extended_code) => has_no_room(&io::Error::last_os_error()),
        _ => false,
    }
}

/// Whether this is the error of a full disk or of an exceeded quota.
pub(crate) fn has_no_room(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// A value in the database that can't be what was written there.
pub(crate) fn unreadable(what: &str, error: impl std::fmt::Display) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, format!("{what}: {error}").into())
}
