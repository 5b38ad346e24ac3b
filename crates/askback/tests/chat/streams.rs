//! Input requests of a stream, as a person answers and rejects them (T3–T6).

use super::{CONTROL_C, CONTROL_D, DOWN, ESCAPE, Folder, READY, decide, say};
use askback_testkit::screen::Screen;

/// A script that writes, asks for one thing, and writes again.
fn script(request: &str) -> String {
    format!(
        "[[step]]\nsay = \"Before the question.\"\n[[step]]\nas = \"it\"\n[step.request]\nprompt = \"Go on?\"\n{request}\n\
         [[step]]\nsay = \"After it: {{it}}.\"\n[[step]]\nlisten = true\n[[step]]\nsay = \"The second turn.\"\n"
    )
}

const APPROVAL: &str = "choices = [\"Yes, do\", \"No, stop\"]";
const CHOICE: &str = "input_type = \"choice\"\nchoices = [\"small\", \"large\"]";
const TEXT: &str = "input_type = \"text\"";

fn asked(folder: &Folder, request: &str) -> Screen {
    let path = folder.file("script.toml", &script(request));
    let mut screen = folder.chat(&["--agent", &format!("scripted:{path}")]);
    say(&mut screen, "begin");
    screen.wait_for("Go on?");
    screen
}

fn goes_on(mut screen: Screen) {
    // The prompt is there again, and so is the agent.
    say(&mut screen, "again");
    screen.wait_for("The second turn.");
    screen.wait_for(READY);
    screen.keys(CONTROL_D);
    assert_eq!(screen.exit_status(), 0);
    assert!(screen.is_at_rest());
}

// T3
#[test]
fn text_before_and_after_an_answer_is_on_the_screen_and_in_the_session() {
    for (request, keys, answer) in [(APPROVAL, "a", "approve"), (CHOICE, DOWN, "large"), (TEXT, "reject", "reject")] {
        let folder = Folder::new();
        let mut screen = asked(&folder, request);
        decide(&mut screen, keys);
        screen.wait_for(&format!("After it: {answer}."));
        screen.wait_for(READY);
        let shown = screen.history();
        assert_eq!(shown.matches("Before the question.").count(), 1, "{shown}");
        assert_eq!(shown.matches("After it").count(), 1, "{shown}");
        assert!(
            shown.find("Before") < shown.find("✔ Go on?") && shown.find("✔ Go on?") < shown.find("After"),
            "{shown}"
        );
        goes_on(screen);
        let session = folder.session();
        for kept in
            ["Before the question.", &format!("After it: {answer}."), "\"type\":\"asked\"", "\"status\":\"answered\""]
        {
            assert!(session.contains(kept), "{kept}: {session}");
        }
    }
}

// T6
#[test]
fn every_way_of_rejecting_cancels_the_stream_and_keeps_the_conversation() {
    for (request, keys) in [
        (APPROVAL, "r\r"),
        (APPROVAL, CONTROL_C),
        (APPROVAL, CONTROL_D),
        (APPROVAL, ESCAPE),
        (CHOICE, "r"),
        (CHOICE, CONTROL_C),
        (CHOICE, CONTROL_D),
        (TEXT, "r\r"),
        (TEXT, "/reject\r"),
        (TEXT, CONTROL_C),
        (TEXT, CONTROL_D),
    ] {
        let folder = Folder::new();
        let mut screen = asked(&folder, request);
        screen.settle(super::CALM);
        screen.keys(keys);
        screen.wait_for("Rejected. Agent response cancelled.");
        let shown = screen.history();
        assert!(shown.contains("Before the question.") && !shown.contains("After it"), "{keys:?}: {shown}");
        goes_on(screen);
        let session = folder.session();
        assert!(session.contains("Before the question.") && session.contains("\"rejected\""), "{keys:?}: {session}");
    }
}

// T5
#[test]
fn a_wrong_request_says_what_is_wrong_and_is_rejected() {
    let wrong = [
        ("input_type = \"riddle\"", "riddle"),
        ("input_type = \"choice\"\nchoices = []", "choices"),
        ("choices = [\"Reject\", \"Approve\"]", "choices[0]"),
    ];
    for (request, says) in wrong {
        let folder = Folder::new();
        let path = folder.file("script.toml", &script(request));
        let mut screen = folder.chat(&["--agent", &format!("scripted:{path}")]);
        say(&mut screen, "begin");
        screen.wait_for("is not valid");
        screen.wait_for(says);
        screen.wait_for("Rejected. Agent response cancelled.");
        goes_on(screen);
    }
}

// T5
#[test]
fn a_request_without_a_responder_leaves_the_screen_alone_and_is_in_the_log() {
    let folder = Folder::new();
    let agent = "while read -r l; do echo '{\"type\":\"text_delta\",\"text\":\"one \"}'; \
                 echo '{\"type\":\"input_request\",\"prompt\":\"Nobody waits\",\"choices\":[\"a\",\"b\"]}'; \
                 echo '{\"type\":\"text_delta\",\"text\":\"two\"}'; echo '{\"type\":\"done\"}'; done";
    let mut screen = folder.chat(&["--agent", &format!("process:{agent}")]);
    say(&mut screen, "begin");
    screen.wait_for("one two");
    screen.wait_for(READY);
    assert!(!screen.history().contains("Nobody waits\n"), "{}", screen.history());
    let log = std::fs::read_to_string(folder.0.join("data/chat.log")).unwrap();
    assert!(log.contains("WARN") && log.contains("no responder") && log.contains("Nobody waits"), "{log}");
}

// S6, L1
#[test]
fn a_terminal_that_goes_away_is_no_answer() {
    let folder = Folder::new();
    let screen = asked(&folder, APPROVAL);
    // Closing the window: the program gets SIGHUP, and its terminal is gone.
    drop(screen);
    let mut screen = folder.chat(&["--resume"]);
    screen.wait_until("the old program to be gone", |screen| {
        screen.text().contains("another chat") || screen.text().contains(READY)
    });
    if screen.text().contains("another chat") {
        screen.settle(std::time::Duration::from_secs(1));
        screen = folder.chat(&["--resume"]);
    }
    screen.wait_for("Go on? (no answer) · the session ended before anyone answered");
    assert!(!folder.session().contains("\"type\":\"asked\""), "{}", folder.session());
}
