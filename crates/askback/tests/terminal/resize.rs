//! Windows that change their size under a prompt: its title is there once, and what was above it stays.

use super::{askback_in, shell_in};
use askback_testkit::screen::{Screen, Size};
use std::time::Duration;

pub(super) const HISTORY: &str = "for i in $(seq 1 40); do echo \"line $i of the history\"; done; ";
const CHOICE: &str = "askback choice 'Which database should we use for the orders of the new shop?' 'PostgreSQL (Recommended)' \
                      MongoDB SQLite --other --header Database";

pub(super) fn once(screen: &Screen, text: &str) {
    let history = screen.history();
    assert_eq!(history.matches(text).count(), 1, "{text:?} should stand there once:\n{history}");
}

pub(super) fn history_is_whole(screen: &Screen) {
    let history = screen.history();
    for number in 1..=40 {
        let line = format!("line {number} of the history");
        assert_eq!(history.matches(&line).count(), 1, "{line}\n{history}");
    }
}

/// Changes the size as a drag does, and waits until the prompt has been painted anew.
pub(super) fn drag(screen: &mut Screen, sizes: &[(usize, usize)], pause: Duration) {
    for (columns, rows) in sizes {
        screen.resize(Size { columns: *columns, rows: *rows });
        screen.settle(pause);
    }
    screen.settle(Duration::from_millis(700));
}

const SLOW: Duration = Duration::from_millis(600);
pub(super) const FAST: Duration = Duration::from_millis(10);

// S6
#[test]
fn a_list_survives_every_width() {
    for pause in [FAST, SLOW] {
        let mut screen = shell_in(Size { columns: 80, rows: 24 }, &[], &format!("{HISTORY}{CHOICE}"));
        screen.wait_for("ask back");
        drag(&mut screen, &[(60, 24), (45, 24), (30, 24), (50, 24), (80, 24)], pause);
        once(&screen, "Database");
        once(&screen, "PostgreSQL");
        history_is_whole(&screen);
        screen.keys("\x1b[B\r");
        assert_eq!(screen.exit_status(), 0, "{}", screen.text());
        once(&screen, "Database: MongoDB");
    }
}

// S6
#[test]
fn a_drag_leaves_no_trail() {
    let sizes: Vec<(usize, usize)> = (41..80).rev().map(|columns| (columns, 24)).collect();
    let mut screen = shell_in(Size { columns: 80, rows: 24 }, &[], &format!("{HISTORY}{CHOICE}"));
    screen.wait_for("ask back");
    drag(&mut screen, &sizes, FAST);
    once(&screen, "Database");
    history_is_whole(&screen);
}

// S6
#[test]
fn what_is_painted_too_late_for_a_drag_leaves_no_trail() {
    let mut screen = shell_in(Size { columns: 80, rows: 24 }, &[], &format!("{HISTORY}{CHOICE}"));
    screen.wait_for("ask back");
    // The window is narrower already when the terminal gets to read what was painted for it.
    for columns in (22..80).rev() {
        screen.resize(Size { columns, rows: 24 });
        std::thread::sleep(Duration::from_millis(5));
    }
    screen.settle(Duration::from_millis(700));
    drag(&mut screen, &[(80, 24)], SLOW);
    once(&screen, "Database");
    history_is_whole(&screen);
}

// S6
#[test]
fn a_text_being_typed_survives_every_width() {
    for pause in [FAST, SLOW] {
        let line =
            format!("{HISTORY}askback text 'What should the message of this commit say, in one line?' --header Commit");
        let mut screen = shell_in(Size { columns: 80, rows: 24 }, &[], &line);
        screen.wait_for("ask back");
        screen.keys("a message that is long enough to be wrapped in a narrow window");
        screen.wait_for("window");
        drag(&mut screen, &[(60, 24), (45, 24), (30, 24), (50, 24), (80, 24)], pause);
        once(&screen, "Commit");
        history_is_whole(&screen);
        screen.keys("\r");
        assert_eq!(screen.exit_status(), 0);
    }
}

// S6
#[test]
fn a_height_that_changes_leaves_no_trail() {
    let mut screen = shell_in(Size { columns: 80, rows: 24 }, &[], &format!("{HISTORY}{CHOICE}"));
    screen.wait_for("ask back");
    drag(&mut screen, &[(80, 14), (80, 9), (80, 6), (80, 24), (80, 30)], SLOW);
    once(&screen, "Database");
    history_is_whole(&screen);
}

// S6
#[test]
fn a_key_does_not_wait_for_the_window_to_rest() {
    let mut screen = askback_in(Size { columns: 80, rows: 24 }, &[], &["choice", "Which?", "one", "two"]);
    screen.wait_for("ask back");
    screen.resize(Size { columns: 60, rows: 24 });
    screen.keys("\x1b[B");
    screen.wait_for("> ● 2. two");
    once(&screen, "Which?");
}

// S6, Q3
#[test]
fn a_context_as_wide_as_the_window_survives_a_narrower_one() {
    let path = std::env::temp_dir().join(format!("askback-wide-{}.diff", std::process::id()));
    let lines: String = (1..=6).map(|number| format!("+line {number} {}.\n", "x".repeat(111))).collect();
    std::fs::write(&path, lines).unwrap();
    let line = format!("{HISTORY}askback approve 'Apply this patch?' --header Patch --context '{}'", path.display());
    for pause in [FAST, SLOW] {
        let mut screen = shell_in(Size { columns: 200, rows: 50 }, &[], &line);
        screen.wait_for("ask back");
        assert!(screen.text().contains(&format!("+line 6 {}.\n", "x".repeat(111))), "{}", screen.text());
        super::calm(&mut screen);
        screen.keys("a");
        screen.wait_for("? a");
        drag(&mut screen, &[(160, 50), (110, 50), (70, 50), (90, 50), (200, 50)], pause);
        once(&screen, "─ Patch ─");
        (1..=6).for_each(|number| once(&screen, &format!("+line {number} ")));
        history_is_whole(&screen);
        screen.keys("\r");
        assert_eq!(screen.exit_status(), 0, "{}", screen.text());
    }
    std::fs::remove_file(path).unwrap();
}
