//! Keys and pastes as a terminal sends them.

use super::{USUAL, askback, askback_in, calm, shell};
use askback_testkit::screen::Screen;
use std::time::Duration;

const DATABASE: &[&str] =
    &["choice", "Which database?", "PostgreSQL (Recommended)", "SQLite", "--other", "--header", "Database"];

// Q4, Q5
#[test]
fn arrows_and_enter_choose_and_one_line_stays() {
    let mut screen = askback(DATABASE);
    screen.wait_for("> ● 1. PostgreSQL (Recommended)");
    assert!(!screen.shows_cursor() && screen.marks_pastes());
    screen.keys("\x1b[B\x1b[A\r");
    assert_eq!(screen.exit_status(), 0);
    assert_eq!(screen.text(), "✔ Database: PostgreSQL (Recommended)\nPostgreSQL (Recommended)");
    assert!(screen.shows_cursor() && !screen.marks_pastes() && screen.is_at_rest());
    assert!(screen.answers().is_empty(), "the terminal was asked something: {:?}", screen.answers());
}

// Q4
#[test]
fn a_digit_chooses_at_once_and_a_pasted_one_does_not() {
    let mut screen = askback(DATABASE);
    screen.wait_for("ask back");
    screen.paste("2\r");
    screen.wait_for("a paste chooses nothing");
    screen.keys("2");
    assert_eq!(screen.exit_status(), 0);
    assert!(screen.text().ends_with("SQLite"), "{}", screen.text());
}

// Q4, F13
#[test]
fn other_is_typed_with_a_real_cursor() {
    let mut screen = askback(DATABASE);
    screen.wait_for("ask back");
    screen.keys("3");
    screen.wait_for("Please specify:");
    screen.keys("Rédis\x1b[D\x1b[D\x7f");
    screen.wait_for("Please specify: Réis");
    screen.settle(Duration::from_millis(60));
    let row = screen.text().lines().position(|line| line.contains("specify")).unwrap();
    assert!(screen.shows_cursor());
    assert_eq!(screen.cursor(), (row, "│        Please specify: Ré".chars().count()));
    screen.keys("d\r");
    assert_eq!(screen.exit_status(), 0);
    assert_eq!(screen.text(), "✔ Database: Rédis\nRédis");
}

// Q4, F4
#[test]
fn several_are_toggled_with_space() {
    let mut screen = askback(&["choice", "Features?", "A", "B", "C", "--multi"]);
    screen.wait_for("(Select multiple with Space)");
    screen.keys("\x1b[B\x1b[B \x1b[A ");
    screen.wait_for("> ☑ B");
    screen.keys("\r");
    assert_eq!(screen.exit_status(), 0);
    assert!(screen.text().ends_with("\nC, B"), "{}", screen.text());
}

// Q4, L5
#[test]
fn escape_control_c_and_control_d_cancel() {
    for key in ["\x1b", "\x03", "\x04"] {
        let mut screen = askback(&["text", "Commit message?", "--header", "Commit"]);
        screen.wait_for("ask back");
        screen.keys("half");
        screen.wait_for("> half");
        screen.keys(key);
        assert_eq!(screen.exit_status(), 130, "{key:?}");
        assert_eq!(screen.text(), "✘ Commit: cancelled", "nothing on standard output");
        assert!(screen.is_at_rest());
    }
}

// L7
#[test]
fn a_question_back_declines_with_a_reason() {
    let mut screen = askback(&["approve", "Delete 3 files?", "--header", "Cleanup", "--json"]);
    screen.wait_for("? ask back");
    calm(&mut screen);
    screen.keys("?which ones?");
    screen.wait_for("> which ones?");
    screen.keys("\r");
    assert_eq!(screen.exit_status(), 1);
    let text = screen.text();
    assert!(text.starts_with("✘ Cleanup: asked back: which ones?"), "{text}");
    assert!(text.replace('\n', "").contains(r#""status":"declined""#) && text.contains("which ones?"), "{text}");
}

// T7
#[test]
fn an_approval_needs_a_letter_and_enter() {
    for (keys, status, answer) in [("a\r", 0, "approve"), ("R\r", 1, "reject"), ("\rx\r1\r", 0, "approve")] {
        let mut screen = askback(&["approve", "Delete 3 files?"]);
        screen.wait_for("[a] Approve  [r] Reject");
        calm(&mut screen);
        screen.keys(keys);
        assert_eq!(screen.exit_status(), status, "{keys:?}");
        assert_eq!(screen.text().lines().last(), Some(answer));
    }
}

// T7
#[test]
fn what_was_typed_before_a_prompt_never_answers_it() {
    for ask in ["confirm Deploy?", "approve Deploy?", "choice Deploy? yes no", "text Deploy?"] {
        let mut screen = shell(&format!("echo ready; sleep 0.5; askback {ask}; echo status $?"));
        screen.wait_for("ready");
        screen.keys("\ry\ra\r1\r\r");
        screen.wait_for("ask back");
        screen.settle(Duration::from_millis(400));
        assert!(
            !screen.text().contains("status"),
            "{ask} was answered by what was typed before it:\n{}",
            screen.text()
        );
        screen.keys("\x03");
        screen.wait_for("status 130");
    }
}

// T7
#[test]
fn keys_that_arrive_with_an_approval_are_ignored() {
    // Where the machine was so busy that the moment had passed, the keys were not too early.
    for _ in 0..20 {
        let start = std::time::Instant::now();
        let mut screen = askback(&["approve", "Delete 3 files?"]);
        screen.wait_for("ask back");
        screen.keys("a\r");
        if start.elapsed() < Duration::from_millis(200) {
            screen.settle(Duration::from_millis(400));
            assert!(screen.text().contains("ask back"), "{}", screen.text());
            screen.keys("r\r");
            assert_eq!(screen.exit_status(), 1);
            return;
        }
    }
    panic!("the machine is too busy for this test");
}

// T7, Q4
#[test]
fn a_pasted_letter_and_enter_do_not_approve() {
    let mut screen = askback(&["approve", "Delete 3 files?"]);
    screen.wait_for("ask back");
    calm(&mut screen);
    screen.paste("a\r");
    screen.wait_for("a paste decides nothing");
    screen.keys("\r");
    screen.wait_for("type a or 1 to approve, r or 2 to reject");
    screen.keys("r\r");
    assert_eq!(screen.exit_status(), 1);
}

// Q4
#[test]
fn a_form_ends_on_a_review() {
    let request = r#"{"title": "Setup", "questions": [
        {"type": "choice", "header": "Database", "message": "Which?", "options": ["SQLite", "PostgreSQL"]},
        {"type": "number", "header": "Port", "message": "Which port?", "min": 1, "max": 65535, "integer": true}]}"#;
    let mut screen = shell(&format!("askback ask <(echo '{request}'); echo status $?"));
    screen.wait_for("Question 1 of 2");
    screen.keys("2");
    screen.wait_for("Question 2 of 2");
    screen.keys("99999\r");
    screen.wait_for("99999 is too large");
    screen.keys("\x7f\r");
    screen.wait_for("> Submit");
    screen.keys("\x1b[A\x1b[A\r");
    screen.wait_for("● 2. PostgreSQL");
    screen.keys("1");
    screen.wait_for("Database: SQLite");
    screen.keys("\r");
    screen.wait_for("status 0");
    assert_eq!(screen.text(), "✔ Database: SQLite\n✔ Port: 9999\nSQLite\n9999\nstatus 0");
}

// Q4
#[test]
fn a_burst_of_keys_answers_one_question_of_a_form() {
    let request = r#"{"questions": [{"type": "choice", "message": "First?", "options": ["a", "b"]},
        {"type": "choice", "message": "Second?", "options": ["c", "d"]}]}"#;
    let mut screen = shell(&format!("askback ask <(echo '{request}')"));
    screen.wait_for("Question 1 of 2");
    screen.keys("\r\r\r\r");
    screen.wait_for("Question 2 of 2");
    screen.settle(Duration::from_millis(200));
    assert!(screen.text().contains("Second?"), "{}", screen.text());
}

// Q4
#[test]
fn two_tabs_in_one_read_move_twice_and_what_decides_does_not_count() {
    let request = r#"{"questions": [{"type": "choice", "message": "First?", "options": ["a", "b"]},
        {"type": "approval", "message": "Second?"}, {"type": "number", "message": "Third?"}]}"#;
    let mut screen = shell(&format!("askback ask <(echo '{request}')"));
    screen.wait_for("Question 1 of 3");
    screen.keys("\t\t");
    screen.wait_for("Question 3 of 3");
    // Back over the approval, which is not decided by what was typed before it was seen.
    screen.keys("\x1b[Z\x1b[A\r1\r\x1b[Z");
    screen.wait_for("Question 1 of 3");
    screen.keys("\t\t\t");
    screen.wait_for("Are these your answers?");
    assert_eq!(screen.text().matches("not answered yet").count(), 3, "{}", screen.text());
}

// Q4, F14
#[test]
fn a_tab_that_is_pasted_for_other_becomes_a_space() {
    let mut screen = askback(DATABASE);
    screen.wait_for("ask back");
    screen.keys("3");
    screen.wait_for("Please specify:");
    screen.paste("my\town\ndatabase\n");
    screen.wait_for("line ends and tabs were pasted as spaces");
    screen.keys("\r");
    screen.wait_for("my own database");
    assert_eq!(screen.exit_status(), 0);
}

// Q4
#[test]
fn what_the_terminal_says_late_is_no_key_and_a_torn_paste_locks_nothing() {
    let mut screen = askback(DATABASE);
    screen.wait_for("ask back");
    screen.keys("\x1b]11;rgb:1e1e/1e1e/1e1e\x07\x1bP>|xterm(2)\x1b\\\x1b[M 1!");
    screen.settle(Duration::from_millis(150));
    assert!(screen.text().contains("> ● 1. PostgreSQL"), "{}", screen.text());
    screen.keys("\x1b[200~abc");
    screen.settle(Duration::from_millis(1_300));
    screen.keys("\x03");
    assert_eq!(screen.exit_status(), 130);
}

// Q8
#[test]
fn an_error_flashes_and_the_frame_calms_down_by_itself() {
    let arguments = ["number", "Which port?", "--max", "10", "--header", "Port"];
    let mut screen = askback_in(USUAL, &[("COLORTERM", "truecolor")], &arguments);
    screen.wait_for("ask back");
    let error_bar = "\x1b[38;2;248;113;113m│";
    let usual_bar = "\x1b[38;2;129;140;248m│";
    let painted = |screen: &Screen, from: usize| String::from_utf8_lossy(&screen.raw()[from..]).into_owned();
    assert!(painted(&screen, 0).contains(usual_bar) && !painted(&screen, 0).contains(error_bar));
    screen.keys("99\r");
    screen.wait_for("99 is too large");
    assert!(painted(&screen, 0).contains(error_bar), "{:?}", painted(&screen, 0));
    let then = screen.raw().len();
    screen.settle(Duration::from_millis(800));
    assert!(painted(&screen, then).contains(usual_bar), "{:?}", painted(&screen, then));
    assert!(screen.text().contains("99 is too large"), "{}", screen.text());
}
