//! Multiline, number, email, date, dropdown and rating: what holds for every prompt holds for each of them.

use super::resize::{FAST, HISTORY, drag, history_is_whole, once};
use super::{USUAL, askback, askback_in, shell, shell_in};
use askback_testkit::screen::Size;
use rustix::process::Signal;
use std::path::Path;
use std::time::Duration;

/// A command with a header, what a person types, what submits it, and the answer.
struct Kind {
    arguments: &'static [&'static str],
    typed: &'static str,
    submit: &'static str,
    written: &'static str,
    /// What stays on the screen.
    stays: &'static str,
}

const KINDS: &[Kind] = &[
    Kind {
        arguments: &["multiline", "What is new in this release, for those who use it?", "--header", "Topic"],
        typed: "one\rtwo",
        submit: "\x1b\r",
        written: "one\ntwo",
        stays: "✔ Topic: one two",
    },
    Kind {
        arguments: &[
            "number",
            "Which port should the server listen on?",
            "--header",
            "Topic",
            "--min",
            "-5",
            "--step",
            "0.1",
        ],
        typed: "0.2\x1b[A",
        submit: "\r",
        written: "0.3",
        stays: "✔ Topic: 0.3",
    },
    Kind {
        arguments: &["email", "Who should review this change?", "--header", "Topic", "--domain", "company.com"],
        typed: "ada\x1b[C",
        submit: "\r",
        written: "ada@company.com",
        stays: "✔ Topic: ada@company.com",
    },
    Kind {
        arguments: &[
            "date",
            "On which day should it be shipped to everybody?",
            "--header",
            "Topic",
            "--max",
            "2026-12-31",
        ],
        typed: "2026-01-31\x1b[D\x1b[A",
        submit: "\r",
        written: "2026-02-28",
        stays: "✔ Topic: 2026-02-28",
    },
    Kind {
        arguments: &[
            "dropdown",
            "Which country is the server in?",
            "Norway",
            "New Zealand",
            "Nepal",
            "--header",
            "Topic",
        ],
        typed: "nze",
        submit: "\r",
        written: "New Zealand",
        stays: "✔ Topic: New Zealand",
    },
    Kind {
        arguments: &[
            "rating",
            "How was it to be asked?",
            "--header",
            "Topic",
            "--style",
            "emoji",
            "--low",
            "bad",
            "--high",
            "great",
        ],
        typed: "3\x1b[C",
        submit: "\r",
        written: "4",
        stays: "✔ Topic: 4",
    },
];

// F2, F6, F7, F8, F9, F10, Q5
#[test]
fn each_is_answered_and_one_line_stays() {
    for kind in KINDS {
        let mut screen = askback(kind.arguments);
        screen.wait_for("ask back");
        screen.keys(kind.typed);
        screen.keys(kind.submit);
        assert_eq!(screen.exit_status(), 0, "{}", screen.text());
        assert_eq!(screen.text(), format!("{}\n{}", kind.stays, kind.written));
        assert!(screen.is_at_rest() && screen.shows_cursor() && !screen.marks_pastes());
        assert!(screen.answers().is_empty(), "the terminal was asked something");
    }
}

// Q4
#[test]
fn a_paste_with_a_line_end_answers_none_of_them() {
    for (kind, pasted) in KINDS.iter().zip(["x\r\n", "7\r", "ada@company.com\r", "2026-01-24\r", "Nepal\r", "3\r"]) {
        let mut screen = askback(kind.arguments);
        screen.wait_for("ask back");
        screen.paste(pasted);
        screen.wait_for(pasted.trim_end());
        screen.settle(Duration::from_millis(100));
        assert!(screen.text().contains("ask back"), "it is still asked:\n{}", screen.text());
        screen.keys(kind.submit);
        assert_eq!(screen.exit_status(), 0);
        assert_eq!(screen.text().lines().last(), Some(pasted.trim_end()));
    }
}

// T7
#[test]
fn what_was_typed_before_answers_none_of_them() {
    for kind in KINDS {
        let quoted: Vec<String> = kind.arguments.iter().map(|argument| format!("'{argument}'")).collect();
        let mut screen = shell(&format!("echo ready; sleep 0.8; askback {}; echo status $?", quoted.join(" ")));
        screen.wait_for("ready");
        screen.keys("\r1\r2026-01-24\r\x1b\r\r");
        screen.wait_for("ask back");
        screen.settle(Duration::from_millis(150));
        assert!(!screen.text().contains("status"), "{}", screen.text());
        screen.keys("\x03");
        screen.wait_for("status 130");
    }
}

// Q4
#[test]
fn escape_control_c_and_control_d_cancel_each_of_them() {
    for kind in KINDS {
        for key in ["\x1b", "\x03", "\x04"] {
            let mut screen = askback(kind.arguments);
            screen.wait_for("ask back");
            screen.keys(kind.typed);
            screen.keys(key);
            assert_eq!(screen.exit_status(), 130, "{:?} {key:?}\n{}", kind.arguments, screen.text());
            assert_eq!(screen.text(), "✘ Topic: cancelled");
        }
    }
}

// S6
#[test]
fn a_signal_leaves_the_terminal_as_it_was_under_each_of_them() {
    for kind in KINDS {
        let mut screen = askback(kind.arguments);
        screen.wait_for("ask back");
        screen.keys(kind.typed);
        screen.settle(Duration::from_millis(50));
        screen.signal(Signal::TERM);
        assert_eq!(screen.exit_status(), 143);
        assert!(screen.is_at_rest() && screen.shows_cursor() && !screen.marks_pastes());
        assert_eq!(screen.text(), "", "nothing is left on the screen");
    }
}

// S6
#[test]
fn each_survives_a_window_that_changes() {
    for kind in KINDS {
        let quoted: Vec<String> = kind.arguments.iter().map(|argument| format!("'{argument}'")).collect();
        let mut screen = shell_in(USUAL, &[], &format!("{HISTORY}askback {}", quoted.join(" ")));
        screen.wait_for("ask back");
        screen.keys(kind.typed);
        screen.settle(Duration::from_millis(50));
        drag(&mut screen, &[(60, 24), (45, 24), (30, 24), (50, 24), (80, 24)], FAST);
        once(&screen, "─ Topic ─");
        history_is_whole(&screen);
        screen.keys(kind.submit);
        assert_eq!(screen.exit_status(), 0);
        once(&screen, kind.stays);
    }
}

// Q3
#[test]
fn a_tiny_window_will_do_for_each_of_them() {
    for kind in KINDS {
        let mut screen = askback_in(Size { columns: 10, rows: 3 }, &[], kind.arguments);
        screen.wait_until("the prompt", askback_testkit::screen::Screen::marks_pastes);
        screen.keys(kind.typed);
        screen.settle(Duration::from_millis(100));
        screen.keys(kind.submit);
        assert_eq!(screen.exit_status(), 0, "{:?}\n{}", kind.arguments, screen.text());
        assert!(
            String::from_utf8_lossy(screen.raw()).replace("\r\n", "\n").contains(kind.written),
            "{}",
            screen.text()
        );
    }
}

// Q3
#[test]
fn without_colours_and_letters_beyond_ascii_each_can_be_used() {
    for kind in KINDS {
        let variables = [("LANG", "C"), ("NO_COLOR", "1")];
        let mut screen = askback_in(USUAL, &variables, kind.arguments);
        screen.wait_for("ask back");
        screen.keys(kind.typed);
        screen.settle(Duration::from_millis(50));
        assert!(screen.raw().is_ascii(), "{}", screen.text());
        screen.keys(kind.submit);
        assert_eq!(screen.exit_status(), 0);
    }
}

// S2
#[test]
fn hostile_labels_are_marked_in_them_too() {
    let nasty = "x\u{202e}y\u{200b}";
    for arguments in [
        vec!["rating", "Well?", "--low", nasty, "--high", nasty],
        vec!["dropdown", "Well?", nasty, "b"],
        vec!["email", "Well?", "--placeholder", nasty],
        vec!["multiline", "Well?", "--initial", nasty],
    ] {
        let mut screen = askback(&arguments);
        screen.wait_for("ask back");
        let raw = String::from_utf8_lossy(screen.raw()).into_owned();
        assert!(!raw.contains('\u{202e}'), "{arguments:?}");
        assert!(screen.text().contains("x<U+202E>y"), "{}", screen.text());
        screen.keys("\x03");
        assert_eq!(screen.exit_status(), 130);
    }
}

// F6, F8, F10, F15
#[test]
fn a_command_that_can_t_be_asked_says_why() {
    for (line, said) in [
        ("number Port? --min 5 --max 1", "`max` is below `min`"),
        ("number Port? --min inf", "expected a number such as 0.5"),
        ("number Port? --step 0", "the step is not above 0"),
        ("date When? --min 2026-02-30", "is not a calendar day"),
        ("rating How? --max 50", "has 50 places"),
        ("email Who? --domain '@x'", "is not a domain"),
        ("dropdown Which? < /dev/null", "has no options"),
        ("multiline Notes? --max-length 0", "--max-length"),
        ("rating How? --style hearts", "possible values: stars, numbers, emoji"),
    ] {
        let mut screen = shell(&format!("askback {line}; echo status $?"));
        screen.wait_for("status 2");
        assert!(screen.text().contains(said), "{line}:\n{}", screen.text());
    }
}

// F9
#[test]
fn the_script_of_the_readme_asks_for_a_whole_release() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/release.sh");
    let folder = Path::new(super::ASKBACK).parent().unwrap();
    let mut screen = shell(&format!("PATH='{}':$PATH bash '{}'; echo status $?", folder.display(), script.display()));
    for (asked, keys) in [
        ("Release which branch?", "cache\r"),
        ("What has to pass before?", " \x1b[B \r"),
        ("Ship on which day?", "2026-12-01\r"),
        ("How many percent", "\x1b[A\r"),
        ("Whom to tell?", "ops\x1b[C\r"),
    ] {
        screen.wait_for(asked);
        screen.wait_for("ask back");
        screen.keys(keys);
    }
    screen.wait_for("Release feature/cache on 2026-12-01?");
    super::calm(&mut screen);
    screen.keys("y\r");
    screen.wait_for("feature/cache goes to 15 % on 2026-12-01, after: Tests, Linter. ops@example.com");
    screen.wait_for("status 0");
}
