//! Conversations in a real pty: chat with a model's server, with programs and with scripts, and the demo.

#![expect(clippy::unwrap_used, reason = "what fails in a test should fail it")]

use askback_testkit::model::ModelServer;
use askback_testkit::screen::{Screen, Size};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

mod agents;
mod commands;
mod demo;
mod model;
mod page;
mod streams;

const ASKBACK: &str = env!("CARGO_BIN_EXE_askback");
const USUAL: Size = Size { columns: 80, rows: 40 };
/// Keys are ignored for a quarter of a second after an approval or a confirm appears.
const CALM: Duration = Duration::from_millis(350);
const DOWN: &str = "\x1b[B";
const ESCAPE: &str = "\x1b";
const CONTROL_C: &str = "\x03";
const CONTROL_D: &str = "\x04";

/// A folder that is there for one test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("askback-chat-{}-{number}", std::process::id()));
        std::fs::create_dir_all(path.join("work")).unwrap();
        Self(path)
    }

    /// Where the agent works.
    fn work(&self) -> PathBuf {
        self.0.join("work")
    }

    /// Writes a file for the agent, and gives its path.
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    }

    /// The saved sessions.
    fn sessions(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.0.join("data/sessions")).into_iter().flatten().flatten();
        files.map(|file| file.path()).collect()
    }

    /// The only saved session.
    fn session(&self) -> String {
        let sessions = self.sessions();
        assert_eq!(sessions.len(), 1, "{sessions:?}");
        std::fs::read_to_string(&sessions[0]).unwrap()
    }

    /// Runs `askback chat` in the folder.
    fn chat(&self, arguments: &[&str]) -> Screen {
        self.chat_with(&[], arguments)
    }

    fn chat_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Screen {
        let data = self.0.join("data").to_string_lossy().into_owned();
        let mut variables = variables.to_vec();
        variables.push(("ASKBACK_DATA", data.as_str()));
        let line = format!("cd '{}' && exec {ASKBACK} chat \"$@\"", self.work().display());
        let arguments = [&["-c", line.as_str(), "chat"], arguments].concat();
        Screen::run(USUAL, &variables, "bash", &arguments).unwrap()
    }

    /// Runs it with a model on a local server.
    fn chat_with_model(&self, server: &ModelServer) -> Screen {
        self.chat_with(&[("ANTHROPIC_API_KEY", "a-key"), ("ANTHROPIC_BASE_URL", server.url())], &[])
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What stands where a message can be typed.
const READY: &str = "Type a message";

/// Says something when it is time to.
fn say(screen: &mut Screen, message: &str) {
    screen.wait_for(READY);
    screen.keys(message);
    screen.wait_for(message);
    screen.keys("\r");
}

/// Types into an approval or a confirm, which ignore keys at first.
fn decide(screen: &mut Screen, key: &str) {
    screen.settle(CALM);
    screen.keys(key);
    screen.keys("\r");
}

/// A file of the examples.
fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/agents").join(name);
    path.canonicalize().unwrap().to_string_lossy().into_owned()
}
