//! A tmux server of its own with one window and a shell with jobs in it, in which `askback` is our binary.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(20);

/// The server, which ends with the test.
pub(crate) struct Tmux {
    socket: String,
}

impl Tmux {
    pub(crate) fn new(name: &str, columns: usize, rows: usize) -> Self {
        let tmux = Self { socket: format!("askback-{name}-{}", std::process::id()) };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let folder = Path::new(env!("CARGO_BIN_EXE_askback")).parent().unwrap().display();
        let nowhere = concat!(env!("CARGO_TARGET_TMPDIR"), "/no-hub");
        let shell =
            format!("env -u NO_COLOR PS1='$ ' LANG=C.UTF-8 PATH={folder}:$PATH ASKBACK_DATA={nowhere} bash --norc");
        tmux.run(&["-f", "/dev/null", "new-session", "-d", "-s", "main", "-x", &columns, "-y", &rows, &shell]);
        tmux.run(&["set-option", "-g", "history-limit", "5000"]);
        tmux.wait_for("$");
        tmux
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux")
            .env("LC_ALL", "C.UTF-8")
            .args(["-u", "-L", &self.socket])
            .args(arguments)
            .output()
            .expect("tmux is installed");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub(crate) fn type_line(&self, line: &str) {
        self.run(&["send-keys", "-t", "main", "-l", line]);
        self.run(&["send-keys", "-t", "main", "Enter"]);
    }

    pub(crate) fn keys(&self, keys: &[&str]) {
        self.run(&[&["send-keys", "-t", "main"], keys].concat());
    }

    pub(crate) fn text(&self) -> String {
        self.run(&["capture-pane", "-p", "-t", "main"])
    }

    pub(crate) fn wait_for(&self, text: &str) {
        let start = Instant::now();
        while !self.text().contains(text) {
            assert!(start.elapsed() < PATIENCE, "waited in vain for {text:?}:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(30));
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = Command::new("tmux").args(["-L", &self.socket, "kill-server"]).status();
    }
}
