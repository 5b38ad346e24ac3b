//! The library in a real terminal, by its own examples.

#![expect(clippy::unwrap_used, reason = "what fails in a test should fail it")]

use askback_screen::{Screen, Size};
use std::path::PathBuf;
use std::time::Duration;

const USUAL: Size = Size { columns: 80, rows: 24 };

/// An example, which cargo builds before it runs the tests.
fn example(name: &str, arguments: &[&str]) -> Screen {
    let test = std::env::current_exe().unwrap();
    let program: PathBuf = test.ancestors().nth(2).unwrap().join("examples").join(name);
    assert!(program.exists(), "{} is not built", program.display());
    Screen::run(USUAL, &[], &program.to_string_lossy(), arguments).unwrap()
}

// L1
#[test]
fn a_prompt_can_be_withdrawn_from_outside() {
    let mut screen = example("live", &["0"]);
    assert_eq!(screen.exit_status(), 0);
    assert_eq!(screen.text(), "✔ Database: answered by reviewer on the page\nWithdrawn");
    assert!(screen.is_at_rest() && screen.shows_cursor() && !screen.marks_pastes());
}

// S6
#[test]
fn lines_go_by_above_a_live_prompt() {
    let mut screen = example("live", &["3000", "forever"]);
    screen.wait_for("line 3000 of the work");
    screen.wait_for("ask back");
    screen.settle(Duration::from_millis(100));
    let history = screen.history();
    for number in 1..=3000 {
        let line = format!("line {number} of the work that goes on meanwhile\n");
        assert_eq!(history.matches(&line).count(), 1, "{line}");
    }
    assert_eq!(history.matches("╭─ Database ─╮").count(), 1, "one prompt, below everything:\n{}", screen.text());
    assert!(screen.text().find("line 3000") < screen.text().find("Database"));
    screen.keys("\x1b[B\r");
    assert_eq!(screen.exit_status(), 0);
    assert!(screen.text().contains("✔ Database: SQLite"), "{}", screen.text());
}

// S6
#[test]
fn a_panic_leaves_a_terminal_that_works_and_a_message_that_can_be_read() {
    let mut screen = example("stream", &["panic"]);
    screen.wait_for("Proceed?");
    assert!(!screen.is_at_rest());
    assert_eq!(screen.exit_status(), 101);
    assert!(screen.is_at_rest() && screen.shows_cursor() && !screen.marks_pastes());
    assert!(screen.text().contains("something else went wrong"), "{}", screen.text());
}

// T7, T8, T9
#[test]
fn the_requests_of_a_stream_have_a_look_of_their_own() {
    let mut screen = example("stream", &[]);
    screen.wait_for("[a] Approve  [r] Reject");
    screen.settle(Duration::from_millis(350));
    screen.keys("a\r");
    screen.wait_for("▸ 1) Fix the test first\n  2) Skip it\n──────\n  r) Reject");
    screen.keys("2");
    screen.wait_for("(type r or /reject to abort)");
    screen.keys("\r");
    screen.wait_for("input is required");
    screen.keys("/reject\r");
    assert_eq!(screen.exit_status(), 0);
    let text = screen.text();
    assert!(text.contains("answered: [\"approve\"]") && text.contains("answered: [\"Skip it\"]"), "{text}");
    assert!(text.ends_with("✘ Which branch? rejected\ndeclined: []"), "{text}");
}

// Q5, F2, F6, F7, F8, F9, F10
#[test]
fn single_questions_have_typed_answers() {
    let mut screen = example("questions", &[]);
    screen.wait_for("called?");
    screen.keys("shop\r");
    screen.wait_for("Which database?");
    screen.keys("\x1b[B\r");
    screen.wait_for("Which features?");
    screen.keys(" \x1b[B \r");
    screen.wait_for("Create shop with SQLite and Dark mode, Offline?");
    screen.settle(Duration::from_millis(350));
    screen.keys("y\r");
    screen.wait_for("creating shop");
    for (asked, keys) in [
        ("What is it about?", "cups\rand plates\x13"),
        ("Where does it run?", "osk\r"),
        ("How many visitors?", "1e3\r"),
        ("From which day on?", "2026-02-28\r"),
        ("Whose is it?", "ada@example.com\r"),
        ("How was it to be asked?", "5\r"),
    ] {
        screen.wait_for(asked);
        screen.wait_for("ask back");
        screen.keys(keys);
    }
    assert_eq!(screen.exit_status(), 0);
    let text = screen.text();
    assert!(text.contains("2 lines; 1000 visitors in Osaka from 28.02.2026 on, for ada@example.com"), "{text}");
    assert!(text.ends_with("5 of 5"), "{text}");
}

// Q4, L1
#[test]
fn a_flood_of_lines_keeps_nobody_from_leaving() {
    let mut screen = example("live", &["30000000", "forever"]);
    screen.wait_for("line 1000");
    screen.keys("\x1b");
    assert_eq!(screen.exit_status(), 0);
    assert!(screen.text().contains("✘ Database: cancelled"), "{}", screen.text());
}
