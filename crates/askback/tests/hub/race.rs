//! A question in a terminal and on the hub at once.

use crate::ASKBACK;
use askback_testkit::home::Home;

/// What stands below a prompt.
const ASKED: &str = "ask back";

// L1
#[test]
fn the_loser_is_told_who_answered() {
    let home = Home::with_hub(ASKBACK);
    let mut screen = home.screen(&["choice", "Which database?", "PostgreSQL", "SQLite"]);
    screen.wait_for(ASKED);
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    assert_eq!(home.answer(&id, "SQLite").0, 200);
    assert_eq!(screen.exit_status(), 0);
    assert_eq!(screen.text(), "✔ Which database? answered by reviewer (http)\nSQLite");
}

// L1
#[test]
fn an_answer_in_the_terminal_counts_everywhere() {
    let home = Home::with_hub(ASKBACK);
    let mut screen = home.screen(&["choice", "Which database?", "PostgreSQL", "SQLite"]);
    screen.wait_for(ASKED);
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    screen.keys("\x1b[B\r");
    assert_eq!(screen.exit_status(), 0);
    let outcome = home.outcome(&id);
    assert_eq!((outcome["response"].as_str(), outcome["surface"].as_str()), (Some("SQLite"), Some("terminal")));
    assert_eq!(home.answer(&id, "PostgreSQL").0, 409);
}

// L1, L5
#[test]
fn control_c_cancels_on_the_hub_and_a_lost_terminal_does_not() {
    let home = Home::with_hub(ASKBACK);
    let mut screen = home.screen(&["text", "Which region?"]);
    screen.wait_for(ASKED);
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    screen.keys("\x03");
    assert_eq!(screen.exit_status(), 130);
    let outcome = home.outcome(&id);
    assert_eq!(outcome["status"], "cancelled");
    // S9: the person ended the prompt, and not the program that asked.
    assert_eq!((&outcome["answeredBy"], &outcome["surface"]), (&"reviewer".into(), &"terminal".into()));
    let mut screen = home.screen(&["text", "Which region?"]);
    screen.wait_for(ASKED);
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    drop(screen);
    // A screen that is dropped has waited for the end of its program.
    assert_eq!(home.outcome(&id)["status"], "pending", "nobody said anything");
}

// L5, S9
#[test]
fn interrupt_signal_at_a_prompt_cancels_as_the_asker() {
    for arguments in [&["text", "Which region?"][..], &["text", "Which region?", "--plain"]] {
        let home = Home::with_hub(ASKBACK);
        let mut screen = home.screen(arguments);
        screen.wait_for("Which region?");
        let [id] = home.wait_for_pending(1).try_into().unwrap();
        screen.signal(rustix::process::Signal::INT);
        assert_eq!(screen.exit_status(), 130);
        let outcome = home.outcome(&id);
        assert_eq!(outcome["status"], "cancelled");
        assert_eq!((&outcome["answeredBy"], &outcome["surface"]), (&"reviewer's agents".into(), &"terminal".into()));
    }
}

// L2
#[test]
fn a_hub_that_dies_under_a_prompt_still_gets_the_answer() {
    let home = Home::with_hub(ASKBACK);
    let mut screen = home.screen(&["text", "Which region?"]);
    screen.wait_for(ASKED);
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    home.kill_hub();
    screen.keys("Europe\r");
    assert_eq!(screen.exit_status(), 0, "{}", screen.text());
    assert_eq!(home.outcome(&id)["response"], "Europe");
}

// L2
#[test]
fn a_hub_that_was_stopped_is_started_for_what_a_person_has_decided() {
    let home = Home::with_hub(ASKBACK);
    let mut screen = home.screen(&["text", "Which region?"]);
    screen.wait_for(ASKED);
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    assert!(home.run(&["hub", "stop"]).status.success());
    screen.keys("Europe\r");
    assert_eq!(screen.exit_status(), 0, "{}", screen.text());
    assert_eq!(home.outcome(&id)["response"], "Europe");
}

// S6
#[test]
fn with_a_terminal_no_hub_is_started_and_the_terminal_alone_can_be_asked() {
    let home = Home::new(ASKBACK);
    let mut screen = home.screen(&["text", "Which region?"]);
    screen.wait_for(ASKED);
    screen.keys("Europe\r");
    assert_eq!(screen.exit_status(), 0);
    assert!(!home.data().exists());
    home.run(&["hub", "start"]);
    let mut screen = home.screen(&["text", "Which region?", "--via", "terminal"]);
    screen.wait_for(ASKED);
    assert!(home.pending().is_empty(), "it is the terminal's own");
    screen.keys("\x03");
    assert_eq!(screen.exit_status(), 130);
    let mut screen = home.screen(&["text", "Which region?", "--via", "hub"]);
    screen.wait_for("waiting for an answer");
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    home.answer(&id, "Asia");
    assert_eq!(screen.exit_status(), 0);
    assert!(screen.text().ends_with("Asia"), "{}", screen.text());
}

// L1
#[test]
fn the_questions_of_a_conversation_are_on_the_hub_too() {
    let home = Home::with_hub(ASKBACK);
    let agent = concat!("scripted:", env!("CARGO_MANIFEST_DIR"), "/../../examples/agents/greeter.toml");
    let mut screen = home.screen(&["chat", "--agent", agent]);
    screen.wait_for("Type a message");
    screen.keys("hello\r");
    screen.wait_for("What is your name?");
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    assert_eq!(home.answer(&id, "Ada").0, 200);
    screen.wait_for("answered by reviewer (http)");
    screen.wait_until("the agent goes on with it", |screen| screen.text().contains("Nice to meet you, Ada"));
    screen.keys("\x03");
}

// S4
#[test]
fn the_demo_leaves_this_hub_alone() {
    let home = Home::with_hub(ASKBACK);
    let mut screen = home.screen(&["demo"]);
    screen.wait_for("/login#code=");
    assert!(!screen.text().contains(&home.address()), "{}", screen.text());
    screen.wait_for("Where should rendered pages be kept?");
    assert!(home.pending().is_empty(), "it has a hub of its own");
    screen.keys("1");
    screen.wait_for("What may be kept?");
    screen.keys("\x03");
    assert_eq!(screen.exit_status(), 130);
    let (_, all) = home.call("GET", "/requests", "person", "");
    assert_eq!(all["items"].as_array().map(Vec::len), Some(0), "{all}");
    assert!(home.hub().is_some());
}
