//! The same in tmux, which reflows in its own way, under a shell with jobs.

use super::ASKBACK;
use rustix::process::{Pid, Signal};
use std::process::Command;
use std::time::{Duration, Instant};

/// A tmux server of its own, with one window.
struct Tmux {
    socket: String,
}

impl Tmux {
    fn new(name: &str, columns: usize, rows: usize) -> Self {
        let tmux = Self { socket: format!("askback-{name}-{}", std::process::id()) };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let shell = format!("env -u NO_COLOR PS1='$ ' LANG=C.UTF-8 PATH={}:$PATH bash --norc", folder());
        tmux.run(&["-f", "/dev/null", "new-session", "-d", "-s", "main", "-x", &columns, "-y", &rows, &shell]);
        tmux.run(&["set-option", "-g", "history-limit", "5000"]);
        tmux.wait_for("$");
        tmux
    }

    fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux")
            .env("LC_ALL", "C.UTF-8")
            .args(["-u", "-L", &self.socket])
            .args(arguments)
            .output()
            .expect("tmux is installed");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn type_line(&self, line: &str) {
        self.run(&["send-keys", "-t", "main", "-l", line]);
        self.run(&["send-keys", "-t", "main", "Enter"]);
    }

    fn keys(&self, keys: &[&str]) {
        self.run(&[&["send-keys", "-t", "main"], keys].concat());
    }

    fn text(&self) -> String {
        self.run(&["capture-pane", "-p", "-t", "main"])
    }

    fn history(&self) -> String {
        self.run(&["capture-pane", "-p", "-S", "-", "-t", "main"])
    }

    fn wait_for(&self, text: &str) {
        let start = Instant::now();
        while !self.text().contains(text) {
            assert!(start.elapsed() < Duration::from_secs(20), "waited in vain for {text:?}:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    fn resize(&self, columns: usize, rows: usize, pause: Duration) {
        self.run(&["resize-window", "-t", "main", "-x", &columns.to_string(), "-y", &rows.to_string()]);
        std::thread::sleep(pause);
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = Command::new("tmux").args(["-L", &self.socket, "kill-server"]).status();
    }
}

fn folder() -> String {
    std::path::Path::new(ASKBACK).parent().unwrap().display().to_string()
}

const LINES: &str = "clear; for i in $(seq 1 40); do echo \"line $i of the history\"; done";

fn is_whole(tmux: &Tmux, title: &str) {
    let history = tmux.history();
    assert_eq!(history.matches(title).count(), 1, "{title} should stand there once:\n{history}");
    for number in 1..=40 {
        assert_eq!(history.matches(&format!("line {number} of the history\n")).count(), 1, "line {number}:\n{history}");
    }
}

// S6
#[test]
fn the_window_may_change_its_size() {
    let tmux = Tmux::new("resize", 80, 24);
    tmux.type_line(&format!("{LINES}; askback choice 'Which one of these should it be, all things considered?' 'PostgreSQL (Recommended)' SQLite --header 'Data''base'"));
    tmux.wait_for("ask back");
    for columns in [60, 45, 30, 50, 80] {
        tmux.resize(columns, 24, Duration::from_millis(550));
    }
    is_whole(&tmux, "─ Database ─");
    for columns in (41..80).rev() {
        tmux.resize(columns, 24, Duration::from_millis(8));
    }
    // A key paints at once what the window's rest would.
    tmux.keys(&["Down"]);
    tmux.wait_for("> ● SQLite");
    is_whole(&tmux, "─ Database ─");
    tmux.keys(&["Enter"]);
    tmux.wait_for("✔ Database: SQLite");
}

// S6
#[test]
fn control_z_gives_the_shell_back_and_fg_returns() {
    let tmux = Tmux::new("jobs", 80, 24);
    tmux.type_line("clear; askback text 'What is your na''me?'");
    tmux.wait_for("ask back");
    tmux.keys(&["-l", "half"]);
    tmux.wait_for("> half");
    tmux.keys(&["C-z"]);
    tmux.wait_for("Stopped");
    assert!(!tmux.text().contains("ask back"), "the frame is gone:\n{}", tmux.text());
    tmux.type_line("echo the shell is $((20 + 22))");
    tmux.wait_for("the shell is 42");
    tmux.type_line("fg");
    tmux.wait_for("> half");
    tmux.keys(&["-l", " and more"]);
    tmux.wait_for("> half and more");
    assert_eq!(tmux.text().matches("your name?").count(), 1, "{}", tmux.text());
    tmux.keys(&["Enter"]);
    tmux.wait_for("✔ What is your name? half and more\nhalf and more\n$");
}

// Q4
#[test]
fn a_paste_never_answers() {
    let tmux = Tmux::new("paste", 80, 24);
    tmux.type_line("clear; askback choice 'Which?' one two three; echo status $?");
    tmux.wait_for("ask back");
    tmux.run(&["set-buffer", "2\n"]);
    tmux.run(&["paste-buffer", "-p", "-t", "main"]);
    tmux.wait_for("a paste chooses nothing");
    tmux.keys(&["3"]);
    tmux.wait_for("status 0");
    assert!(tmux.text().contains("✔ Which? three"), "{}", tmux.text());
}

// S6
#[test]
fn a_stopped_prompt_may_also_be_killed() {
    let tmux = Tmux::new("kill", 80, 24);
    tmux.type_line("clear; askback confirm 'Dep''loy?'");
    tmux.wait_for("ask back");
    tmux.keys(&["C-z"]);
    tmux.wait_for("Stopped");
    tmux.type_line("kill %1; wait; echo it is $((20 + 22)); stty -a | grep -o ' icanon'");
    tmux.wait_for("it is 42");
    tmux.wait_for("\n icanon");
    assert!(!tmux.text().contains("ask back"), "{}", tmux.text());
}

// S6
#[test]
fn a_prompt_in_the_background_waits_until_it_is_in_front() {
    let tmux = Tmux::new("background", 80, 24);
    tmux.type_line("clear; askback text 'What is your na''me?'");
    tmux.wait_for("ask back");
    tmux.keys(&["C-z"]);
    tmux.wait_for("Stopped");
    tmux.type_line("bg; sleep 0.5; echo it is $((20 + 22))");
    tmux.wait_for("it is 42");
    assert!(!tmux.text().contains("ask back"), "it painted from the background:\n{}", tmux.text());
    tmux.type_line("fg");
    tmux.wait_for("ask back");
    assert_eq!(tmux.text().matches("your name?").count(), 1, "{}", tmux.text());
    tmux.keys(&["-l", "Ada"]);
    tmux.keys(&["Enter"]);
    tmux.wait_for("✔ What is your name? Ada");
}

// S6, L4
#[test]
fn a_prompt_in_the_background_still_expires() {
    let tmux = Tmux::new("expiry", 80, 24);
    tmux.type_line("clear; askback text 'What is your na''me?' --timeout 2s");
    tmux.wait_for("ask back");
    tmux.keys(&["C-z"]);
    tmux.wait_for("Stopped");
    tmux.type_line("bg; wait %1; echo status $?");
    tmux.wait_for("status 124");
}

// S6, L4
#[test]
fn a_prompt_that_was_stopped_from_outside_ends_in_the_background_too() {
    let tmux = Tmux::new("stopped", 80, 24);
    tmux.type_line("clear; askback text 'What is your na''me?' --timeout 2s");
    tmux.wait_for("ask back");
    let shell = tmux.run(&["display-message", "-p", "-t", "main", "#{pane_pid}"]).trim().to_owned();
    let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children")).unwrap();
    let prompt = children.split_whitespace().next().and_then(|id| id.parse().ok()).and_then(Pid::from_raw).unwrap();
    rustix::process::kill_process(prompt, Signal::STOP).unwrap();
    tmux.wait_for("Stopped");
    tmux.type_line("bg; wait %1; echo status $?");
    tmux.wait_for("status 124");
}
