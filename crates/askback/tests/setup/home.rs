//! A home folder of somebody who has agents.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) const ASKBACK: &str = env!("CARGO_BIN_EXE_askback");

pub(crate) struct Home {
    folder: tempfile::TempDir,
}

/// What a command said, and how it ended.
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: i32,
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("project")).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `askback setup`, run in a project by somebody who has askback on their path.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(ASKBACK);
        command
            .arg("setup")
            .args(arguments.split(' '))
            .current_dir(self.path("project"))
            .env("HOME", self.folder.path())
            .env("PATH", Path::new(ASKBACK).parent().unwrap())
            .env("ASKBACK_DATA", self.path("data"))
            .env_remove("CLAUDE_CONFIG_DIR")
            .env_remove("CODEX_HOME")
            .env_remove("QWEN_HOME")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn setup(&self, arguments: &str) -> Said {
        said(&mut self.command(arguments))
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.path(name)).unwrap().permissions().mode() & 0o777
    }

    /// A copy of askback in a folder. Another process makes it: a program that somebody still has open for writing can't be run.
    pub(crate) fn install(&self, folder: &str) -> PathBuf {
        fs::create_dir_all(self.path(folder)).unwrap();
        let program = self.path(folder).join("askback");
        assert!(Command::new("cp").arg(ASKBACK).arg(&program).status().unwrap().success());
        program
    }

    /// Every file in a folder, by name.
    pub(crate) fn listed(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(folder)) else { return Vec::new() };
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

pub(crate) fn said(command: &mut Command) -> Said {
    let output = command.output().unwrap();
    Said {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        status: output.status.code().unwrap(),
    }
}
