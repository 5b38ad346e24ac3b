//! Where agents keep their configuration, by the variables that they look at themselves.

use std::io;
use std::path::PathBuf;

/// The folder that a variable names, if it is set.
pub(super) fn variable(name: &str) -> io::Result<Option<PathBuf>> {
    let Some(value) = std::env::var_os(name) else { return Ok(None) };
    if value.is_empty() {
        let why = format!("{name} is empty, which agents take for one folder or another: unset it, or name a folder");
        return Err(io::Error::other(why));
    }
    // Where it is relative, so it is for the agent.
    std::path::absolute(value).map(Some)
}

/// The person's own folder.
pub(super) fn home() -> io::Result<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    home.ok_or_else(|| io::Error::other("there is no home folder: set HOME to yours"))
}
