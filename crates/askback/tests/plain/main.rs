//! Plain mode in a real pty, and in tmux: questions told in lines and answered by lines, without one control sequence.

#![expect(clippy::unwrap_used, reason = "what fails in a test should fail it")]

use askback_testkit::screen::{Screen, Size};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

mod chat;
mod demo;
mod early;
mod expect;
mod forms;
mod hostile;
mod jobs;
mod kinds;
mod pipes;
mod shells;
mod time;
mod typed;

const ASKBACK: &str = env!("CARGO_BIN_EXE_askback");
/// Nothing is ever painted over, so that a test sees all there was in a window that is tall enough.
const TALL: Size = Size { columns: 120, rows: 200 };
/// What stands where a line can be typed, on a row of its own.
const INVITATION: &[u8] = b"\n> ";
const CONTROL_C: &str = "\x03";
const CONTROL_D: &str = "\x04";

/// How plain mode is asked for.
#[derive(Debug, Clone, Copy)]
enum Way {
    Flag,
    Variable,
    DumbTerminal,
}

impl Way {
    fn variables(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Flag => &[],
            Self::Variable => &[("ACCESSIBLE", "1")],
            Self::DumbTerminal => &[("TERM", "dumb")],
        }
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Flag => &["--plain"],
            Self::Variable | Self::DumbTerminal => &[],
        }
    }
}

/// A terminal in which askback asks in lines. Whatever happens on it, no control sequence does.
struct Plain(Screen);

impl Plain {
    /// Runs askback with `--plain`.
    fn askback(arguments: &[&str]) -> Self {
        Self(Screen::run(TALL, &[], ASKBACK, &[arguments, &["--plain"]].concat()).unwrap())
    }

    /// Runs askback in a shell that takes its answer from standard output, and says it with the exit status.
    fn answered(way: Way, arguments: &[&str]) -> Self {
        let line = format!("answer=$({ASKBACK} \"$@\"); echo \"status $? <$answer>\"");
        let arguments = [&["--norc", "-c", &line, "shell"], arguments, way.arguments()].concat();
        Self(Screen::run(TALL, way.variables(), "bash", &arguments).unwrap())
    }

    /// Runs a line of shell, in which `askback` is our binary in plain mode.
    fn shell(line: &str) -> Self {
        let line = format!("askback() {{ {ASKBACK} \"$@\" --plain; }}\n{line}");
        Self(Screen::run(TALL, &[], "bash", &["--norc", "-c", &line]).unwrap())
    }

    /// Waits for the invitation: the last thing that was written.
    fn invited(&mut self) {
        self.0.wait_until("the invitation", |screen| screen.raw().ends_with(INVITATION));
    }

    /// Waits for the invitation, types, and sees that something comes of it.
    fn typed(&mut self, keys: &str) {
        self.invited();
        let before = self.0.raw().len();
        self.0.keys(keys);
        self.0.wait_until("what was typed", |screen| screen.raw().len() > before);
    }

    /// Answers with a line, when it is time to.
    fn line(&mut self, line: &str) {
        self.typed(&format!("{line}\r"));
    }

    /// Waits for the end, and sees that the terminal is as it was.
    fn ends_with(&mut self, status: i32) {
        assert_eq!(self.0.exit_status(), status, "{}", self.0.text());
        assert!(self.0.is_at_rest(), "{}", self.0.text());
    }
}

impl Deref for Plain {
    type Target = Screen;

    fn deref(&self) -> &Screen {
        &self.0
    }
}

impl DerefMut for Plain {
    fn deref_mut(&mut self) -> &mut Screen {
        &mut self.0
    }
}

impl Drop for Plain {
    /// What holds for every test here.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(!self.0.raw().contains(&0x1b), "a control sequence: {:?}", String::from_utf8_lossy(self.0.raw()));
            assert!(self.0.answers().is_empty(), "the terminal was asked something: {:?}", self.0.answers());
        }
    }
}

/// A folder that is there for one test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("askback-plain-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a file, and gives its path.
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A file of the examples.
fn example(name: &str) -> String {
    let path = root().join("examples").join(name);
    path.canonicalize().unwrap().to_string_lossy().into_owned()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}
