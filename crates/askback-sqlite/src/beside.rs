//! The files beside a database.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A file beside a database, which has its name and an ending.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}
