//! What SQLite's errors mean to those who have to do something about them.

use askback_hub::StoreError;
use rusqlite::ErrorCode;
use std::path::Path;

/// What went wrong with the database in this file.
pub(crate) fn explain(path: &Path, error: &rusqlite::Error) -> StoreError {
    if let rusqlite::Error::FromSqlConversionFailure(_, _, error) = error {
        return StoreError::Unreadable(error.to_string());
    }
    let why = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full(why),
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
    error.sqlite_error_code() == Some(ErrorCode::SystemIoFailure)
}

/// A value in the database that can't be what was written there.
pub(crate) fn unreadable(what: &str, error: impl std::fmt::Display) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, format!("{what}: {error}").into())
}
