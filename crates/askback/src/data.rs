//! Where things are kept between runs.

use std::io;
use std::path::{Path, PathBuf};

/// The folder for askback's data: `ASKBACK_DATA`, or the platform's own place for such things.
///
/// Two platforms, two lines: a crate would know ten more, and not our variable.
pub(crate) fn folder() -> io::Result<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || variable("HOME").filter(|home| home.is_absolute());
    let found = variable("ASKBACK_DATA").or_else(|| {
        if cfg!(target_os = "macos") {
            return home().map(|home| home.join("Library/Application Support/askback"));
        }
        let data = variable("XDG_DATA_HOME").filter(|folder| folder.is_absolute());
        data.or_else(|| home().map(|home| home.join(".local/share"))).map(|data| data.join("askback"))
    });
    found.ok_or_else(|| io::Error::other("there is no place to keep data: set ASKBACK_DATA or HOME to a folder"))
}

/// The sessions in it.
pub(crate) fn sessions(folder: &Path) -> PathBuf {
    folder.join("sessions")
}
