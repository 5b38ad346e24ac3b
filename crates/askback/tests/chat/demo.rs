//! The demo, in a terminal and without one.

use super::{ASKBACK, CONTROL_C, DOWN, ESCAPE, decide};
use askback_testkit::screen::{Screen, Size};

const TALL: Size = Size { columns: 80, rows: 60 };
/// Submits a text of several lines.
const ALT_ENTER: &str = "\x1b\r";

fn demo() -> Screen {
    let mut screen = Screen::run(TALL, &[], ASKBACK, &["demo"]).unwrap();
    screen.wait_for("Where should rendered pages be kept?");
    screen
}

/// Submits a form from its review, which ignores keys at first.
fn submit(screen: &mut Screen) {
    screen.wait_for("> Submit");
    screen.settle(super::CALM);
    screen.keys("\r");
}

// T3
#[test]
fn the_answers_change_what_the_agent_does() {
    let mut screen = demo();
    screen.keys(DOWN);
    screen.keys("\r");
    screen.wait_for("What may be kept?");
    screen.keys(" ");
    for _ in 0..3 {
        screen.keys(DOWN);
    }
    screen.keys(" ");
    screen.wait_for("Please specify");
    screen.keys("Opening hours\r");
    screen.wait_for("Other: Opening hours");
    screen.keys("\r");
    screen.wait_for("lru_cache");
    decide(&mut screen, "a");
    screen.wait_for("What should the commit say?");
    screen.keys("Keep pages\r");
    screen.wait_for("Run the tests first?");
    decide(&mut screen, "n");
    screen.wait_for("Where should it go?");
    screen.keys("2");
    submit(&mut screen);
    screen.wait_for("On which day should it go live?");
    screen.keys("2027-03-01\r");
    screen.wait_for("Which data centre gets it first?");
    screen.keys("Cape Town\r");
    screen.wait_for("How many percent of the visitors there, at first?");
    screen.keys("25\r");
    screen.wait_for("What should they say?");
    screen.wait_for("From a cache now: Product pages, Opening hours.");
    screen.keys("\rMore to come.");
    screen.keys(ALT_ENTER);
    screen.wait_for("Which address should hear of it?");
    screen.keys("team@example.com\r");
    submit(&mut screen);
    screen.wait_for("How was it to be asked?");
    screen.keys("4\r");
    screen.wait_for("The agent is done. You decided:");
    assert_eq!(screen.exit_status(), 0);
    assert!(screen.is_at_rest());
    let shown = screen.history().replace('\n', " ");
    for text in [
        "In memory; it keeps: Product pages, Opening hours",
        "\"Keep pages\" is on main",
        "You chose not to run the tests",
        "Cape Town gets it on 2027-03-01, for 25 percent of the visitors there, and team@example.com will hear of it.",
        "4 of 5: then I go on asking.",
        "Cache: In memory",
        "Notes: Keep pages From a cache now: Product pages, Opening hours. More to come.",
    ] {
        assert!(shown.contains(text), "{text}: {}", screen.history());
    }
    assert!(!shown.contains("pytest"), "{shown}");
}

// T3, T7
#[test]
fn a_rejected_patch_is_not_written() {
    let mut screen = demo();
    screen.keys("1");
    screen.wait_for("What may be kept?");
    screen.keys(" \r");
    screen.wait_for("redis import Redis");
    decide(&mut screen, "r");
    screen.wait_for("Then I leave products.py as it is.");
    screen.wait_for("The agent is done.");
    assert_eq!(screen.exit_status(), 0);
    assert!(!screen.history().contains("write_file"), "{}", screen.history());
}

// L5, T3
#[test]
fn what_is_cancelled_is_not_released() {
    let mut screen = demo();
    screen.keys("1");
    screen.wait_for("What may be kept?");
    screen.keys(" \r");
    screen.wait_for("redis import Redis");
    decide(&mut screen, "a");
    screen.wait_for("What should the commit say?");
    screen.keys("Keep pages\r");
    screen.wait_for("Run the tests first?");
    decide(&mut screen, "n");
    screen.wait_for("Where should it go?");
    screen.keys("2");
    submit(&mut screen);
    screen.wait_for("On which day should it go live?");
    screen.keys(ESCAPE);
    screen.wait_for("Nothing is released");
    screen.wait_for("How was it to be asked?");
    screen.keys(ESCAPE);
    screen.wait_for("The agent is done. You decided:");
    assert_eq!(screen.exit_status(), 0);
    let shown = screen.history();
    assert!(shown.contains("Before I release: cancelled") && shown.contains("Asked: cancelled"), "{shown}");
    assert!(!shown.contains("deploy"), "{shown}");
}

// T6
#[test]
fn control_c_ends_the_demo() {
    let mut screen = demo();
    screen.keys(CONTROL_C);
    assert_eq!(screen.exit_status(), 130);
    assert!(screen.is_at_rest());
    assert!(screen.history().contains("The agent was stopped."), "{}", screen.history());
}

/// Plays the demo without a terminal, in a locale.
fn play(locale: &str) -> String {
    let mut command = std::process::Command::new(ASKBACK);
    command.args(["demo", "--no-input"]).env("LC_ALL", locale).stdin(std::process::Stdio::null());
    let output = command.output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{printed}");
    printed
}

// T3
#[test]
fn without_input_it_plays_to_its_end() {
    let printed = play("C.UTF-8");
    for text in [
        "✔ Cache: Redis (Recommended)",
        "✔ Content: Product pages, Prices, Opening hours",
        "│ +from redis import Redis",
        "✔ Patch: approve",
        "pytest tests",
        "deploy --on 2027-03-01 --in 'Frankfurt' --percent 10 --tell team@example.com",
        "✔ Notes: Cache product pages From a cache now: Product pages, Opening hours.",
        "✔ Asked: 5",
        "The agent is done. You decided:",
    ] {
        assert!(printed.contains(text), "{text}: {printed}");
    }
    let printed = play("C");
    assert!(printed.is_ascii() && printed.contains("[ok] Patch: approve"), "{printed}");
}

// S6
#[test]
fn without_a_terminal_it_says_how_to_play_it() {
    let output = std::process::Command::new(ASKBACK).arg("demo").stdin(std::process::Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(69));
    assert!(String::from_utf8_lossy(&output.stderr).contains("askback demo --no-input"));
}
