//! A list that changes by itself in a real terminal, by an example that lets things happen at times its arguments give.

#![expect(clippy::unwrap_used, reason = "what fails in a test should fail it")]

use askback_screen::{Screen, Size};
use std::path::PathBuf;
use std::time::Duration;

const USUAL: Size = Size { columns: 80, rows: 24 };
/// The time after which what has come into the focus can be opened, and a little more.
const CALM: Duration = Duration::from_millis(400);

fn inbox(happenings: &[&str]) -> Screen {
    inbox_in(USUAL, &[], happenings)
}

fn inbox_in(size: Size, variables: &[(&str, &str)], happenings: &[&str]) -> Screen {
    // Without anything to happen the example has a story of its own.
    let happenings = if happenings.is_empty() { &["600000:empty"] } else { happenings };
    Screen::run(size, variables, &example(), happenings).unwrap()
}

/// The example, which cargo builds before it runs the tests.
fn example() -> String {
    let test = std::env::current_exe().unwrap();
    let program: PathBuf = test.ancestors().nth(2).unwrap().join("examples/inbox");
    assert!(program.exists(), "{} is not built", program.display());
    program.to_string_lossy().into_owned()
}

/// Waits for a text that stands still for as long as it takes to be opened.
fn see(screen: &mut Screen, text: &str) {
    screen.wait_for(text);
    screen.settle(CALM);
}

/// Waits for the end, and sees that the terminal is as it was.
fn end(screen: &mut Screen) {
    assert_eq!(screen.exit_status(), 0, "{}", screen.text());
    assert!(screen.is_at_rest() && screen.shows_cursor() && !screen.marks_pastes());
    assert_eq!(screen.answers(), [""; 0], "the terminal is never asked anything");
}

// Q3, Q4
#[test]
fn a_list_is_opened_answered_and_closed_and_leaves_only_the_answers() {
    let mut screen = inbox(&[]);
    see(&mut screen, "> Which database?");
    assert!(!screen.shows_cursor() && !screen.is_at_rest());
    screen.keys("\x1b[B\r");
    screen.wait_for("esc cancel");
    assert!(!screen.text().contains("pending"), "{}", screen.text());
    // The last of them was typed before the list was there again.
    screen.keys("OAuth\r\r\rd");
    see(&mut screen, "2 pending");
    assert!(!screen.text().contains("look again"), "{}", screen.text());
    assert!(screen.text().starts_with("✔ Which authentication method? OAuth\n2 pending\n"), "{}", screen.text());
    assert!(screen.text().contains("> Is this the right folder?"), "{}", screen.text());
    screen.keys("d");
    screen.wait_for("dismissed 3");
    screen.keys("q");
    end(&mut screen);
    assert_eq!(screen.history(), "✔ Which authentication method? OAuth\nover");
}

// L1, S5
#[test]
fn what_others_answer_goes_above_and_the_focus_stays() {
    let mut screen = inbox(&["700:ask=One more?", "300:answer=1", "300:answer=2"]);
    see(&mut screen, "> Which database?");
    screen.keys("j");
    screen.wait_for("> Which authentication method?");
    screen.wait_for("One more?");
    screen.wait_for("✔ Which database? answered by reviewer (page)");
    assert!(screen.text().contains("> Which authentication method?"), "{}", screen.text());
    screen.wait_for("✔ Which authentication method? answered by reviewer (page)");
    screen.keys("\r");
    screen.wait_for("look again");
    assert!(screen.text().contains("> Is this the right folder?"), "{}", screen.text());
    screen.settle(CALM);
    screen.keys("\r");
    screen.wait_for("esc cancel");
    screen.keys("\x1b");
    see(&mut screen, "1 pending");
    screen.keys("\x1b");
    end(&mut screen);
    let expected = "✔ Which database? answered by reviewer (page)\n✔ Which authentication method? answered by reviewer (page)\n\
                    ✘ Is this the right folder? cancelled\nover";
    assert_eq!(screen.history(), expected);
}

// L1, T3
#[test]
fn a_prompt_that_others_answer_is_taken_away() {
    let mut screen = inbox(&["1500:answer=2", "300:answer=1"]);
    see(&mut screen, "> Which database?");
    screen.keys("\r");
    screen.wait_for("esc cancel");
    screen.keys("half an ans");
    screen.wait_for("✔ Which authentication method? answered by reviewer (page)");
    see(&mut screen, "> Is this the right folder?");
    assert!(screen.text().contains("✔ Which database? answered by reviewer (page)\n1 pending"), "{}", screen.text());
    screen.keys("\x04");
    end(&mut screen);
    assert!(screen.history().ends_with("✔ Which database? answered by reviewer (page)\nover"), "{}", screen.history());
}

// L1, Q10, T3
#[test]
fn in_plain_mode_it_is_taken_away_too() {
    let mut screen = inbox_in(USUAL, &[("ACCESSIBLE", "1")], &["1500:answer=2", "300:answer=1"]);
    let invited = |screen: &Screen| screen.raw().ends_with(b"\n> ");
    screen.wait_for("3. Is this the right folder?");
    screen.wait_until("the list", invited);
    screen.keys("1\r");
    screen.wait_for("Ctrl+C cancels.");
    screen.wait_for("✔ Which authentication method? answered by reviewer (page)");
    screen.wait_for("ok: Which database? answered by reviewer (page)\n1 pending\n1. Is this the right folder?");
    screen.wait_until("the list", invited);
    screen.keys("\x03");
    end(&mut screen);
}

// L1, T3
#[test]
fn a_prompt_taken_away_before_it_appears_leaves_its_line() {
    for variables in [&[][..], &[("ACCESSIBLE", "1")]] {
        let mut screen = inbox_in(USUAL, variables, &["0:early"]);
        see(&mut screen, "Which database?");
        screen.keys(if variables.is_empty() { "\r" } else { "1\r" });
        see(&mut screen, "2 pending");
        let sign = if variables.is_empty() { "✔" } else { "ok:" };
        let said = format!("somebody was faster\n{sign} Which database? answered by reviewer (page)\n2 pending\n");
        assert!(screen.text().contains(&said), "{}", screen.text());
        screen.keys("\x04");
        end(&mut screen);
        assert!(!screen.history().contains("cancel"), "{}", screen.history());
    }
}

// S5, S6
#[test]
fn what_was_typed_before_does_nothing_and_nothing_typed_later_is_lost() {
    let mut screen = inbox(&["500:busy=600", "600000:empty"]);
    screen.keys("ddd\r\r");
    see(&mut screen, "> Which database?");
    assert!(screen.text().contains("3 pending"), "{}", screen.text());
    // While nobody looks, keys wait for whoever does.
    screen.keys("j");
    screen.wait_for("> Which authentication method?");
    screen.keys("j/folder");
    screen.wait_for("/ folder");
    assert!(screen.shows_cursor() && screen.text().contains("> Is this the right folder?"), "{}", screen.text());
    screen.paste("x\rq");
    screen.wait_for("/ folderx q");
    screen.keys("\x1b");
    screen.wait_for("q close");
    screen.keys("\x03");
    end(&mut screen);
    assert!(screen.history().ends_with("over") && !screen.history().contains("pending"), "{}", screen.history());
}

// Q3
#[test]
fn a_list_fits_any_window() {
    let mut screen =
        inbox_in(Size { columns: 10, rows: 3 }, &[("LANG", "C"), ("NO_COLOR", "1")], &["300:ask=Another one?"]);
    screen.wait_for(">Which...");
    assert_eq!(screen.text(), ">Which...\n shop ...");
    screen.resize(Size { columns: 40, rows: 12 });
    screen.wait_for("4 pending");
    screen.settle(CALM);
    assert_eq!(screen.text().matches("Which database?").count(), 1, "{}", screen.text());
    screen.keys("q");
    end(&mut screen);
    assert!(screen.raw().is_ascii());
}

// S6
#[test]
fn the_shell_may_have_the_terminal_for_a_while() {
    has_the_terminal_for_a_while(&[], "> Which database?");
}

// S6, Q10
#[test]
fn the_shell_may_have_it_in_plain_mode_too() {
    has_the_terminal_for_a_while(&[("ACCESSIBLE", "1")], "1. Which database?");
}

fn has_the_terminal_for_a_while(variables: &[(&str, &str)], first: &str) {
    let line = format!("set -m; {} 600000:empty; echo STOPPED; sleep 0.5; fg; echo status $?", example());
    let mut screen = Screen::run(USUAL, variables, "bash", &["--norc", "-c", &line]).unwrap();
    see(&mut screen, first);
    screen.keys("\x1a");
    screen.wait_for("STOPPED");
    assert!(screen.is_at_rest() && screen.shows_cursor());
    screen.wait_until("the list is there again", |screen| {
        screen.text().split_once("STOPPED").is_some_and(|(_, after)| after.contains(first))
    });
    screen.settle(CALM);
    assert!(!screen.is_at_rest() || !variables.is_empty());
    screen.keys("q");
    if !variables.is_empty() {
        screen.keys("\r");
    }
    screen.wait_for("status 0");
    assert!(screen.is_at_rest() && screen.shows_cursor() && !screen.marks_pastes());
}

// Q10
#[test]
fn in_plain_mode_a_list_is_told_once_and_answered_by_lines() {
    let mut screen = inbox_in(USUAL, &[("TERM", "dumb")], &["700:ask=One more?", "300:answer=1", "600000:empty"]);
    let invited = |screen: &Screen| screen.raw().ends_with(b"\n> ");
    screen.wait_for("3. Is this the right folder?");
    screen.wait_until("the list", invited);
    screen.wait_for("✔ Which database? answered by reviewer (page)");
    screen.wait_until("the invitation again", invited);
    screen.keys("1\r");
    screen.wait_for("Number 1 is no longer there; type l to list again.");
    screen.wait_until("the invitation again", invited);
    screen.keys("d 3\r");
    screen.wait_for("Dismissed 3.");
    screen.wait_until("the list", invited);
    screen.keys("2\r");
    screen.wait_for("Ctrl+C cancels.");
    screen.wait_until("the question", invited);
    screen.keys("yes\r");
    screen.wait_for("ok: One more? yes");
    screen.wait_until("the list", invited);
    screen.keys("q\r");
    end(&mut screen);
    assert!(!screen.raw().contains(&0x1b));
    let expected = "3 pending\n\
1. Which database?\n   shop, claude-code, number 1\n\
2. Which authentication method?\n   shop, claude-code, number 2\n\
3. Is this the right folder?\n   nobody is waiting, shop, claude-code, number 3\n";
    assert!(screen.history().starts_with(expected), "{}", screen.history());
    assert_eq!(screen.history().matches("pending\n").count(), 3, "at first, and after something was done");
}
