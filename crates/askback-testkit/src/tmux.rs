//! A tmux server with one window and an interactive shell in it, in which `askback` is the tested binary.

use crate::command::no_data;
use crate::wait::PATIENCE;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The server. It is killed when the value is dropped.
#[derive(Debug)]
pub struct Tmux {
    socket: String,
}

impl Tmux {
    /// Starts a server with a window of this size; the name is unique among the tests of a process.
    pub fn new(program: &str, name: &str, columns: usize, rows: usize) -> Self {
        let tmux = Self { socket: format!("askback-{name}-{}", std::process::id()) };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let directory = Path::new(program).parent().unwrap().display();
        let data = no_data(program);
        let shell = format!(
            "env -u NO_COLOR PS1='$ ' LANG=C.UTF-8 PATH={directory}:$PATH ASKBACK_DATA={} bash --norc",
            data.display()
        );
        tmux.run(&["-f", "/dev/null", "new-session", "-d", "-s", "main", "-x", &columns, "-y", &rows, &shell]);
        tmux.run(&["set-option", "-g", "history-limit", "5000"]);
        tmux.wait_for("$");
        tmux
    }

    /// Runs a command of tmux; its output.
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux")
            .env("LC_ALL", "C.UTF-8")
            .args(["-u", "-L", &self.socket])
            .args(arguments)
            .output()
            .expect("tmux is installed");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Types a line.
    pub fn type_line(&self, line: &str) {
        self.run(&["send-keys", "-t", "main", "-l", line]);
        self.run(&["send-keys", "-t", "main", "Enter"]);
    }

    /// Presses keys, by tmux's names.
    pub fn keys(&self, keys: &[&str]) {
        self.run(&[&["send-keys", "-t", "main"], keys].concat());
    }

    /// The text of the window.
    pub fn text(&self) -> String {
        self.run(&["capture-pane", "-p", "-t", "main"])
    }

    /// Waits until the window shows a text.
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        self.wait_until(&format!("{text:?}"), |shown| shown.contains(text));
    }

    /// Waits until the text of the window meets a condition. Each look runs a process, which is pause enough.
    #[track_caller]
    pub fn wait_until(&self, what: &str, holds: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let text = self.text();
            if holds(&text) {
                return;
            }
            assert!(Instant::now() < deadline, "timed out waiting for {what}:\n{text}");
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = Command::new("tmux").args(["-L", &self.socket, "kill-server"]).status();
    }
}
