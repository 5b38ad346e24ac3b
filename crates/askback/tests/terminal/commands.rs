//! Output, exit statuses, files and pipes.

use super::{ASKBACK, askback, askback_in, calm, shell};
use askback_testkit::command;
use askback_testkit::screen::Size;
use std::process::Output;

const FEATURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/features.json");

/// Runs askback with pipes and no terminal.
fn piped(arguments: &[&str], input: &str) -> Output {
    command::piped(ASKBACK, arguments, input.as_bytes())
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A file that is there for one test.
fn file(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("askback-{}-{name}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

// S6
#[test]
fn without_a_terminal_nobody_can_be_asked() {
    for kind in ["confirm", "approve", "text"] {
        let arguments = [kind, "Deploy?", "--via", "terminal"];
        let output = piped(&arguments, "");
        assert_eq!(output.status.code(), Some(69), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(said(&output).contains("nobody can be asked: there is no terminal here"), "{}", said(&output));
    }
}

// S6
#[test]
fn the_answer_alone_goes_to_standard_output() {
    let mut screen = shell("answer=$(askback text 'Name?' --header Name); echo \"status $? and <$answer>\"");
    screen.wait_for("ask back");
    screen.keys("Ada  \r");
    screen.wait_for("status 0 and <Ada  >");
    assert_eq!(screen.text(), "✔ Name: Ada\nstatus 0 and <Ada  >");
}

// S6
#[test]
fn one_of_standard_input_and_standard_error_is_enough() {
    let mut screen = shell("seq 1 3 | askback choice 'Which number?' | tr 1-3 a-c; echo end");
    screen.wait_for("> ● 1. 1");
    screen.keys("\x1b[B\r");
    screen.wait_for("end");
    assert!(screen.text().contains("\nb\nend"), "{}", screen.text());
    let mut screen = shell("askback choice 'Which number?' 1 2 2> /dev/null; echo status $?");
    screen.wait_for("> ● 1. 1");
    screen.keys("\r");
    screen.wait_for("status 0");
    let mut screen = shell("seq 1 3 | askback choice 'Which number?' --via terminal 2> /dev/null; echo status $?");
    screen.wait_for("status 69");
}

// F5
#[test]
fn a_confirm_that_says_no_fails() {
    for (key, status) in [("y", 0), ("n", 1)] {
        let mut screen = askback(&["confirm", "Deploy?"]);
        screen.wait_for("[y] Yes  [n] No");
        calm(&mut screen);
        screen.keys(key);
        screen.keys("\r");
        assert_eq!(screen.exit_status(), status);
        assert_eq!(screen.text(), if status == 0 { "✔ Deploy? Yes\nyes" } else { "✔ Deploy? No\nno" });
    }
}

// L4, L5
#[test]
fn silence_expires_and_uses_only_a_declared_default() {
    let mut screen = askback(&["text", "Name?", "--timeout", "1"]);
    assert_eq!(screen.exit_status(), 124);
    assert!(String::from_utf8_lossy(screen.raw()).contains("0:01 left"), "it was counted down");
    assert_eq!(screen.text(), "✘ Name? nobody answered within 1s");
    let mut screen = askback(&["choice", "Which?", "a", "b", "--timeout", "1s", "--default", "b", "--header", "X"]);
    assert_eq!(screen.exit_status(), 0);
    assert_eq!(screen.text(), "✘ X: nobody answered within 1s; the default is used: b\nb");
    let mut screen = askback(&["confirm", "Deploy?", "--timeout", "1s", "--default", "no"]);
    assert_eq!(screen.exit_status(), 1, "a default of no lets nothing pass");
}

// L4
#[test]
fn a_default_that_would_consent_is_refused() {
    for arguments in [
        ["approve", "Go?", "--timeout", "9", "--default", "approve"],
        ["confirm", "Go?", "--timeout", "9", "--default", "yes"],
    ] {
        let output = piped(&arguments, "");
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains("--> --default"), "{}", said(&output));
    }
    let output = piped(&["text", "Name?", "--default", "x"], "");
    assert_eq!(output.status.code(), Some(2), "a default needs a timeout");
}

// F15
#[test]
fn scripted_answers_are_checked_like_a_persons() {
    let answers = file("answers.json", r#"{"db": "SQLite", "Which features?": ["A", "B"], "3": "reject"}"#);
    let request = file(
        "request.json",
        r#"{"questions": [{"id": "db", "type": "choice", "message": "Which database?", "options": ["SQLite", "Oracle"]},
            {"type": "choice", "message": "Which features?", "options": ["A", "B"], "multiSelect": true},
            {"type": "approval", "message": "Go?"}]}"#,
    );
    let output = piped(&["ask", &request, "--answers", &answers], "");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), b"SQLite\nA, B\nreject\n".as_slice()));
    let output = piped(&["ask", &request, "--answers", &answers, "--json"], "");
    let json = String::from_utf8(output.stdout).unwrap();
    assert!(json.contains(r#""status":"declined""#) && json.contains(r#""surface":"cli""#), "{json}");
    let output = piped(&["text", "Name?", "--answers", &answers], "");
    assert_eq!(output.status.code(), Some(69), "a question it lacks");
    assert!(said(&output).contains("has no answer to \"Name?\""), "{}", said(&output));
    let wrong = file("wrong.json", r#"{"Which?": "c"}"#);
    let output = piped(&["choice", "Which?", "a", "b", "--answers", &wrong], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("\"c\" is not an option"), "{}", said(&output));
    for path in [answers, request, wrong] {
        std::fs::remove_file(path).unwrap();
    }
}

// Q3
#[test]
fn the_context_is_shown_whole_and_can_be_scrolled() {
    let text: String = (1..=100).map(|number| format!("+line {number}\n")).collect();
    let diff = file("plan.diff", &format!("--- a\n+++ b\n{text}"));
    let mut screen = askback(&["approve", "Apply it?", "--context", &diff]);
    screen.wait_for("pgup/pgdn");
    assert!(screen.text().contains("Apply it?") && screen.text().contains("of 103 rows"), "{}", screen.text());
    calm(&mut screen);
    let mut seen = screen.text();
    while !screen.text().contains("–103 of 103 rows") {
        let before = screen.text();
        screen.keys("\x1b[6~");
        screen.wait_until("the next rows", |screen| screen.text() != before);
        screen.settle(std::time::Duration::from_millis(40));
        seen.push_str(&screen.text());
    }
    for number in 1..=100 {
        assert!(seen.contains(&format!("+line {number}\n")), "line {number} was never on the screen");
    }
    screen.keys("\x1b[5~a\r");
    assert_eq!(screen.exit_status(), 0);
    assert_eq!(screen.text(), "✔ Apply it? Approve\napprove");
    std::fs::remove_file(diff).unwrap();
}

// F15
#[test]
fn a_wrong_request_names_the_argument() {
    for (arguments, place) in [
        (vec!["choice", "Which?", "a", "b", "a"], "--> option 3"),
        (vec!["choice", "Which?", "a"], "--> the options"),
        (vec!["text", ""], "--> MESSAGE"),
        (vec!["text", "x", "--header", "a very long header that nobody could show in a chip"], "--> --header"),
        (vec!["choice", "Which?", "a", "b", "--initial", "c"], "--> --initial"),
        (vec!["text", "x", "--context", "/no/such/file"], "can't read /no/such/file"),
        (vec!["text", "--hlep"], "unexpected argument '--hlep'"),
        (vec!["ask", FEATURES, "--timeout", "2s", "--default", "SQLite"], "--> --default"),
        (vec!["choice", "x", "--context", "-"], "standard input can be read only once"),
        (vec!["text", "x", "--timeout", "soon"], "expected a duration such as 90, 45s, 10m or 1h30m"),
    ] {
        let output = piped(&arguments, "a\nb\n");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(said(&output).contains(place), "{arguments:?}: {}", said(&output));
    }
}

// Q3
#[test]
fn no_color_and_ascii_are_honoured() {
    let size = Size { columns: 80, rows: 24 };
    let mut screen = askback_in(size, &[("NO_COLOR", "1")], &["choice", "Which?", "a", "b", "--header", "X"]);
    screen.wait_for("ask back");
    let raw = String::from_utf8_lossy(screen.raw()).into_owned();
    assert!(!raw.contains("\x1b[38") && !raw.contains("\x1b[9") && !raw.contains(";5;"), "{raw:?}");
    let mut screen = askback_in(size, &[("LANG", "C")], &["choice", "Which é?", "a", "b", "--multi"]);
    screen.wait_for("> [ ] a");
    assert!(screen.raw().is_ascii(), "{}", screen.text());
    assert!(screen.text().contains("Which <U+00E9>?"));
}

// F0, F14
#[test]
fn the_flags_of_a_command_reach_its_prompt() {
    let mut screen = askback(&["approve", "Go?", "--labels", "Ship it", "Hold"]);
    screen.wait_for("│ [a] Ship it (approve)\n│ [r] Hold (reject)");
    let mut screen = askback(&["text", "Name?", "--placeholder", "Ada"]);
    screen.wait_for("> Ada");
    let mut screen = askback(&["text", "Name?", "--initial", "Ada", "--max-length", "3"]);
    screen.wait_for("> Ada");
    screen.keys("!\r");
    screen.wait_for("at most 3 characters");
    let mut screen = askback(&["choice", "Which?", "a", "b", "--initial", "b"]);
    screen.wait_for("> ● 2. b");
    let mut screen =
        shell("echo '{\"type\": \"text\", \"message\": \"From a pipe?\"}' | askback ask - --context <(echo some code)");
    screen.wait_for("From a pipe?");
    assert!(screen.text().contains("(code)\n┆ some code"), "{}", screen.text());
}
