//! The terminal inbox, in a real terminal.

use crate::ASKBACK;
use askback_testkit::home::{Home, signal};
use askback_testkit::screen::Screen;
use askback_testkit::wait::wait_until;
use std::time::Duration;

/// The list ignores Enter for a moment after it has changed, and decisions ignore keys.
const CALM: Duration = Duration::from_millis(350);

fn open(home: &Home) -> Screen {
    let mut screen = home.screen(&["inbox"]);
    screen.wait_for("q close");
    screen
}

fn press(screen: &mut Screen, keys: &str) {
    screen.settle(CALM);
    screen.keys(keys);
}

// L1, L3
#[test]
fn a_person_answers_and_the_waiter_returns_at_once() {
    let home = Home::with_hub(ASKBACK);
    let id = home.ask(
        r#"{"type": "choice", "message": "Which database?", "options": ["PostgreSQL", "SQLite"], "room": "shop"}"#,
    );
    let mut screen = open(&home);
    std::thread::scope(|scope| {
        let waiter = scope.spawn(|| home.call("GET", &format!("/requests/{id}?wait=60"), "asker", ""));
        press(&mut screen, "\r");
        screen.wait_for("○ 2. SQLite");
        screen.keys("\x1b[B\r");
        let (status, outcome) = waiter.join().unwrap();
        assert_eq!((status, outcome["response"].as_str()), (200, Some("SQLite")));
        assert_eq!(outcome["surface"], "terminal");
    });
    screen.wait_for("✔ Which database? SQLite");
    screen.wait_for("Nothing is waiting for you.");
    press(&mut screen, "q");
    assert_eq!(screen.exit_status(), 0);
}

// L1
#[test]
fn questions_come_and_go_while_somebody_looks() {
    let home = Home::with_hub(ASKBACK);
    let mut screen = open(&home);
    screen.wait_for("Nothing is waiting for you.");
    let id = home.ask(r#"{"type": "text", "message": "Which region?", "room": "shop"}"#);
    screen.wait_for("> Which region?");
    screen.wait_for("1 pending");
    home.answer(&id, "Europe");
    screen.wait_for("Which region? answered by reviewer (http): Europe");
    screen.wait_for("0 pending");
    // One that is open when somebody else answers it.
    let id = home.ask(r#"{"type": "text", "message": "Which planet?", "room": "shop", "from": "rita"}"#);
    screen.wait_for("> Which planet?");
    // S9: a claim to be somebody is shown as one.
    screen.wait_for("reviewer's agents (calls itself \"rita\")");
    press(&mut screen, "\r");
    screen.wait_for("Question from reviewer's agents (calls itself \"rita\") in shop");
    screen.wait_for("ask back");
    home.answer(&id, "Earth");
    screen.wait_for("Which planet? answered by reviewer (http)");
    screen.wait_for("0 pending");
}

// L7, L1
#[test]
fn a_question_is_declined_cancelled_or_put_back() {
    let home = Home::with_hub(ASKBACK);
    let ask = |message: &str| home.ask(&format!(r#"{{"type": "text", "message": "{message}", "room": "shop"}}"#));
    let (back, declined, cancelled) = (ask("Back?"), ask("Declined?"), ask("Cancelled?"));
    let mut screen = open(&home);
    press(&mut screen, "/");
    screen.keys("back\r");
    press(&mut screen, "\r");
    screen.wait_for("ask back");
    screen.keys("half an answer\x1b");
    screen.wait_for("> Back?");
    screen.wait_for("Back? put back");
    assert_eq!(home.outcome(&back)["status"], "pending", "Esc goes back, and decides nothing");
    press(&mut screen, "\x1b");
    press(&mut screen, "/declined\r");
    press(&mut screen, "r");
    screen.wait_for("Why won't you answer");
    screen.keys("which one?\r");
    wait_until("it is declined", || home.outcome(&declined)["reason"] == "which one?");
    press(&mut screen, "\x1b");
    press(&mut screen, "/cancelled\r");
    press(&mut screen, "c");
    screen.wait_for("away?");
    press(&mut screen, "y\r");
    wait_until("it is cancelled", || home.outcome(&cancelled)["status"] == "cancelled");
}

// L9
#[test]
fn what_nobody_waits_for_says_so() {
    let home = Home::with_config(ASKBACK, "[server]\nattended_for = \"5s\"\n");
    home.ask(r#"{"type": "text", "message": "Which region?", "room": "shop"}"#);
    let mut screen = open(&home);
    press(&mut screen, "d");
    screen.wait_for("The asker of each of these was there within the last minute.");
    screen.wait_for("nobody is waiting");
}

// F11, F13
#[test]
fn what_is_typed_into_other_stays_one_text() {
    let home = Home::with_hub(ASKBACK);
    let id = home.ask(
        r#"{"type": "choice", "message": "Colours?", "options": ["red", "blue"], "multiSelect": true, "other": true, "room": "shop"}"#,
    );
    let mut screen = open(&home);
    press(&mut screen, "\r");
    screen.wait_for("☐ Other");
    screen.keys("\x1b[B\x1b[B ");
    screen.wait_for("Please specify");
    screen.keys("green, red\r");
    screen.wait_for("☑ Other");
    screen.keys("\r");
    wait_until("it is answered", || home.outcome(&id)["status"] == "answered");
    assert_eq!(home.outcome(&id)["answers"][0]["custom"], "green, red");
}

// S6
#[test]
fn keys_are_heard_whatever_the_hub_does() {
    let home = Home::with_hub(ASKBACK);
    home.ask(r#"{"type": "text", "message": "Which region?", "room": "shop"}"#);
    let mut screen = open(&home);
    signal(home.hub().unwrap(), rustix::process::Signal::STOP);
    // Longer than it takes to look again at what is pending.
    screen.settle(Duration::from_secs(6));
    screen.keys("q");
    assert_eq!(screen.exit_status(), 0);
    signal(home.hub().unwrap(), rustix::process::Signal::CONT);
}

// L2
#[test]
fn a_hub_that_dies_is_there_again() {
    let home = Home::with_hub(ASKBACK);
    home.ask(r#"{"type": "text", "message": "Which region?", "room": "shop"}"#);
    let mut screen = open(&home);
    screen.wait_for("1 pending");
    home.kill_hub();
    let id = {
        wait_until("it is started again", || home.run(&["hub", "status"]).status.success());
        home.ask(r#"{"type": "text", "message": "Which planet?", "room": "shop"}"#)
    };
    screen.wait_for("Which planet?");
    home.answer(&id, "Earth");
    screen.wait_for("Which planet? answered by reviewer (http): Earth");
}

// Q10
#[test]
fn in_plain_mode_it_is_told_in_lines() {
    let home = Home::with_hub(ASKBACK);
    home.ask(r#"{"type": "confirm", "message": "Deploy?", "room": "shop"}"#);
    let mut screen = home.screen(&["inbox", "--plain"]);
    // What is typed before the invitation is no answer to it.
    screen.wait_until("the list", |screen| screen.text().contains("1. Deploy?") && screen.text().ends_with("\n>"));
    screen.keys("1\r");
    screen.wait_until("the question", |screen| screen.text().ends_with("Ctrl+C cancels.\n>"));
    screen.keys("y\r");
    screen.wait_for("ok: Deploy? Yes");
    let is_empty = |text: &str| text.contains("Nothing is waiting for you.") && text.ends_with("\n>");
    screen.wait_until("the empty list", |screen| is_empty(&screen.text()));
    screen.keys("q\r");
    assert_eq!(screen.exit_status(), 0);
}
