//! A copy of the project, in which mutants are made and tested.

use crate::Done;
use crate::project::{self, root};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The copy, with a target folder of its own.
pub(super) struct WorkingCopy {
    folder: PathBuf,
}

impl WorkingCopy {
    /// The copy below the target folder; [`Self::refresh`] makes it.
    pub(super) fn new() -> Self {
        Self { folder: root().join("target/mutants") }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where cargo builds the copy.
    pub(super) fn target(&self) -> PathBuf {
        self.folder.with_file_name("mutants-target")
    }

    /// Makes the copy like the original. What is the same already keeps its time, so that little is built again.
    pub(super) fn refresh(&self) -> Done {
        let files = project::files()?;
        if self.folder.exists() {
            let kept: Vec<PathBuf> = files.iter().map(|file| self.folder.join(file)).collect();
            remove_others(&self.folder, &kept)
                .map_err(|error| format!("can't tidy {}: {error}", self.folder.display()))?;
        }
        for file in files {
            let (from, to) = (root().join(&file), self.folder.join(&file));
            let failed = |error: std::io::Error| format!("can't copy {file}: {error}");
            let text = std::fs::read(&from).map_err(failed)?;
            if std::fs::read(&to).is_ok_and(|there| there == text) {
                continue;
            }
            let folder = to.parent().unwrap_or(&self.folder);
            std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&to, text)).map_err(failed)?;
        }
        Ok(())
    }

    /// Runs cargo in the copy.
    pub(super) fn cargo(&self, arguments: &[&str]) -> Result<Output, String> {
        Command::new("cargo")
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.target())
            .output()
            .map_err(|error| format!("can't run cargo: {error}"))
    }
}

/// What was deleted or has another name now is not to be tested.
fn remove_others(folder: &Path, kept: &[PathBuf]) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(&path, kept)?;
        } else if !kept.contains(&path) && path.file_name().is_none_or(|name| name != "Cargo.lock") {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}
