//! The same in tmux, which reflows in its own way, under a shell with jobs.

use crate::ASKBACK;
use askback_testkit::tmux::Tmux;
use rustix::process::{Pid, Signal};
use std::time::Duration;

/// What is on the screen, with everything that has scrolled away.
fn history(tmux: &Tmux) -> String {
    tmux.run(&["capture-pane", "-p", "-S", "-", "-t", "main"])
}

/// A prompt is painted anew after its window has rested for 400 ms.
const REST: Duration = Duration::from_millis(550);

fn resize(tmux: &Tmux, columns: usize) {
    tmux.run(&["resize-window", "-t", "main", "-x", &columns.to_string(), "-y", "24"]);
}

/// Resizes the window, and lets it rest. The new frame may look like the one before, so that no text tells when it is there.
fn resize_and_rest(tmux: &Tmux, columns: usize) {
    resize(tmux, columns);
    std::thread::sleep(REST);
}

const LINES: &str = "clear; for i in $(seq 1 40); do echo \"line $i of the history\"; done";

fn is_whole(tmux: &Tmux, title: &str) {
    let history = history(tmux);
    assert_eq!(history.matches(title).count(), 1, "{title} should stand there once:\n{history}");
    for number in 1..=40 {
        assert_eq!(history.matches(&format!("line {number} of the history\n")).count(), 1, "line {number}:\n{history}");
    }
}

// S6
#[test]
fn the_window_may_change_its_size() {
    let tmux = Tmux::new(ASKBACK, "resize", 80, 24);
    tmux.type_line(&format!("{LINES}; askback choice 'Which one of these should it be, all things considered?' 'PostgreSQL (Recommended)' SQLite --header 'Data''base'"));
    tmux.wait_for("ask back");
    for columns in [60, 45, 30, 50, 80] {
        resize_and_rest(&tmux, columns);
    }
    is_whole(&tmux, "─ Database ─");
    for columns in (41..80).rev() {
        resize(&tmux, columns);
    }
    // A key paints at once what the window's rest would.
    tmux.keys(&["Down"]);
    tmux.wait_for("> ● 2. SQLite");
    is_whole(&tmux, "─ Database ─");
    tmux.keys(&["Enter"]);
    tmux.wait_for("✔ Database: SQLite");
}

// S6
#[test]
fn at_the_top_of_the_window_nothing_goes_to_the_history() {
    let tmux = Tmux::new(ASKBACK, "top", 80, 24);
    tmux.type_line("clear; askback text 'What is your na''me?' --header 'Na''me'");
    tmux.wait_for("ask back");
    tmux.keys(&["-l", "Ada"]);
    tmux.wait_for("> Ada");
    for columns in [60, 45, 80] {
        resize_and_rest(&tmux, columns);
    }
    assert_eq!(history(&tmux).matches("─ Name ─").count(), 1, "{}", history(&tmux));
    tmux.keys(&["Enter"]);
    tmux.wait_for("✔ Name: Ada");
    assert_eq!(history(&tmux).matches("─ Name ─").count(), 0, "{}", history(&tmux));
}

// S6
#[test]
fn control_z_gives_the_shell_back_and_fg_returns() {
    let tmux = Tmux::new(ASKBACK, "jobs", 80, 24);
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
    let tmux = Tmux::new(ASKBACK, "paste", 80, 24);
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
    let tmux = Tmux::new(ASKBACK, "kill", 80, 24);
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
    let tmux = Tmux::new(ASKBACK, "background", 80, 24);
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
    let tmux = Tmux::new(ASKBACK, "expiry", 80, 24);
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
    let tmux = Tmux::new(ASKBACK, "stopped", 80, 24);
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

// S6, F2
#[test]
fn many_lines_and_faces_survive_the_window_and_the_shell() {
    let tmux = Tmux::new(ASKBACK, "kinds", 80, 24);
    tmux.type_line(&format!("{LINES}; askback multiline 'What is new in this release?' --header 'No''tes'"));
    tmux.wait_for("ask back");
    tmux.keys(&["-l", "a line that is long enough to be wrapped in a window that is narrow, ❤️ and 👍🏽 in it"]);
    tmux.keys(&["Enter"]);
    tmux.keys(&["-l", "another"]);
    tmux.wait_for("another");
    for columns in [60, 45, 30, 50, 80] {
        resize_and_rest(&tmux, columns);
    }
    is_whole(&tmux, "─ Notes ─");
    tmux.keys(&["C-z"]);
    tmux.wait_for("Stopped");
    tmux.type_line("fg");
    tmux.wait_for("another");
    tmux.keys(&["C-s"]);
    tmux.wait_for("✔ Notes: a line");
    let rating = "askback rating 'How was it?' --style emoji --header 'Rat''ing' --low bad --high good";
    tmux.type_line(&format!("seq 30; {rating}"));
    tmux.wait_for("ask back");
    tmux.keys(&["Right", "Right"]);
    tmux.wait_for("[🙁]");
    for columns in [60, 30, 80] {
        resize_and_rest(&tmux, columns);
    }
    assert_eq!(history(&tmux).matches("─ Rating ─").count(), 1, "{}", history(&tmux));
    tmux.keys(&["Enter"]);
    tmux.wait_for("✔ Rating: 2");
}
