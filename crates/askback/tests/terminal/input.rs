//! Options and windows that nobody would wish for.

use super::{ASKBACK, askback_in, calm, shell};
use askback_testkit::screen::{Screen, Size};

fn said(line: &str) -> (i32, String) {
    let line = line.replace("ASKBACK", ASKBACK);
    let mut screen = Screen::run(Size { columns: 160, rows: 24 }, &[], "bash", &["--norc", "-c", &line]).unwrap();
    (screen.exit_status(), screen.text())
}

// S3, F15
#[test]
fn options_that_are_no_options_are_explained() {
    for (line, status, text) in [
        ("head -c 100000 /dev/urandom | ASKBACK choice Which?", 2, "bytes that are no UTF-8"),
        ("printf 'a\\0b\\nc\\n' | ASKBACK choice Which?", 2, "line 1 of standard input"),
        ("seq 1 1000000 | ASKBACK choice Which?", 2, "100000"),
        ("head -c 20000000 /dev/zero | tr '\\0' x | ASKBACK choice Which?", 2, "more than 8388608 bytes"),
        ("(head -c 5000 /dev/zero | tr '\\0' x; echo; echo b) | ASKBACK choice Which?", 2, "line 1 of standard input"),
        ("printf '' | ASKBACK choice Which?", 2, "has no options"),
        ("ASKBACK choice Which?", 2, "there are no options"),
        ("printf 'a\\n\\nb\\na\\n' | ASKBACK choice Which?", 2, "line 4 of standard input"),
    ] {
        let (exit, said) = said(line);
        assert_eq!(exit, status, "{line}: {said}");
        assert!(said.contains(text), "{line}: {said}");
    }
}

// S3
#[test]
fn a_hundred_thousand_options_are_a_list_like_any_other() {
    let mut screen = shell("seq 1 100000 | askback choice 'Which number?'");
    screen.wait_for("> ● 1");
    assert!(screen.text().contains("more"), "{}", screen.text());
    screen.keys("99999");
    screen.wait_for("> ● 99999");
    screen.keys("\r");
    assert_eq!(screen.exit_status(), 0);
    assert!(screen.text().ends_with("99999"), "{}", screen.text());
}

// Q3
#[test]
fn a_tiny_window_will_do() {
    let tiny = Size { columns: 10, rows: 3 };
    let mut screen =
        askback_in(tiny, &[], &["choice", "Which database?", "PostgreSQL", "SQLite", "--header", "Database"]);
    screen.wait_for(">");
    screen.keys("\x1b[B");
    screen.wait_for(">SQLite");
    screen.keys("\r");
    assert_eq!(screen.exit_status(), 0);
    assert!(screen.history().contains("SQLite"));
    let mut screen = askback_in(tiny, &[], &["approve", "Delete everything?"]);
    screen.wait_for("?");
    calm(&mut screen);
    // The question itself is longer than this window, and is read to its end before it is approved.
    for _ in 0..3 {
        screen.keys("\x1b[6~");
        screen.settle(std::time::Duration::from_millis(50));
    }
    screen.keys("a\r");
    assert_eq!(screen.exit_status(), 0);
}

// Q3
#[test]
fn a_terminal_that_does_not_say_what_it_is_will_do() {
    let mut screen = askback_in(
        Size { columns: 80, rows: 24 },
        &[("TERM", ""), ("COLORTERM", ""), ("LANG", "")],
        &["choice", "Which?", "a", "b"],
    );
    screen.wait_for("> (*) 1. a");
    screen.keys("\x1b[B\r");
    assert_eq!(screen.exit_status(), 0);
    assert!(screen.text().ends_with("\nb"), "{}", screen.text());
}
