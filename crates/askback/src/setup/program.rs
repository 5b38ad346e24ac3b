//! How an agent is to call this program.

use crate::error::CliError;
use crate::shell::quoted;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What it is called where it is found by its name.
const NAME: &str = "askback";

/// This program, as another one starts it: by its name if that finds it, else by its path.
pub(super) struct Program(String);

impl Program {
    pub(super) fn this() -> Result<Self, CliError> {
        let path = std::env::current_exe()?.canonicalize()?;
        let folders = std::env::var_os("PATH").unwrap_or_default();
        if found(std::env::split_paths(&folders)).is_some_and(|found| found == path) {
            return Ok(Self(NAME.to_owned()));
        }
        let Some(path) = path.to_str() else {
            return Err(CliError::wrong("the path of this program is no UTF-8 text: put askback on your PATH"));
        };
        Ok(Self(path.to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether another machine would not find it.
    pub(super) fn is_of_this_machine(&self) -> bool {
        self.0 != NAME
    }

    /// The same for a shell.
    pub(super) fn in_shell(&self) -> String {
        quoted(&self.0)
    }
}

/// The program that the name stands for. What is relative on the path is another one in another folder.
fn found(folders: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    let programs = folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join(NAME));
    programs.filter(|program| is_executable(program)).find_map(|program| program.canonicalize().ok())
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    // S3
    #[test]
    fn a_name_stands_for_the_first_program_of_that_name() {
        let folder = tempfile::tempdir().unwrap();
        let folders = ["none", "notes", "bin", "late"].map(|name| folder.path().join(name));
        for folder in &folders[1..] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join(NAME), "").unwrap();
        }
        for folder in &folders[2..] {
            std::fs::set_permissions(folder.join(NAME), std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let expected = folders[2].join(NAME).canonicalize().unwrap();
        assert_eq!(found(folders.into_iter()), Some(expected));
        assert_eq!(found([PathBuf::from(".")].into_iter()), None);
    }
}
