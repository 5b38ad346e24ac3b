//! The prompt of a conversation: commands, history, leaving and coming back.

use super::{CONTROL_C, CONTROL_D, Folder, READY, example, say};

fn greeter() -> String {
    format!("scripted:{}", example("greeter.toml"))
}

// T6
#[test]
fn commands_say_what_there_is() {
    let folder = Folder::new();
    let mut screen = folder.chat(&["--agent", &greeter()]);
    say(&mut screen, "/help");
    screen.wait_for("/resume [ID]");
    say(&mut screen, "/agent");
    screen.wait_for("process:COMMAND");
    say(&mut screen, "/audit");
    screen.wait_for("Nothing was asked in this session yet.");
    say(&mut screen, "/resume");
    screen.wait_for("There is no other session to go on with.");
    say(&mut screen, "/dance");
    screen.wait_for("There is no command \"/dance\"");
    say(&mut screen, "/agent process:cat");
    screen.wait_for("The agent is process:cat now.");
    say(&mut screen, "/quit");
    assert_eq!(screen.exit_status(), 0);
    assert!(screen.is_at_rest());
    assert!(folder.sessions().is_empty(), "nothing was said, so nothing is kept");
}

// T6
#[test]
fn control_c_clears_the_line_and_twice_quits() {
    let folder = Folder::new();
    let mut screen = folder.chat(&["--agent", &greeter()]);
    screen.wait_for(READY);
    screen.keys("half a thought");
    screen.wait_for("half a thought");
    screen.keys(CONTROL_C);
    screen.wait_for(READY);
    screen.keys(CONTROL_C);
    screen.wait_for("press Ctrl+C again to quit");
    screen.keys("x");
    screen.wait_until("the note is gone", |screen| !screen.text().contains("again to quit"));
    screen.keys("\x7f");
    screen.wait_for(READY);
    screen.keys(CONTROL_C);
    screen.wait_for("press Ctrl+C again to quit");
    screen.keys(CONTROL_C);
    assert_eq!(screen.exit_status(), 0);
    assert!(screen.is_at_rest());
}

// L6, T6
#[test]
fn a_session_is_resumed_with_everything_that_was_said_and_asked() {
    let folder = Folder::new();
    let mut screen = folder.chat(&["--agent", &greeter()]);
    say(&mut screen, "good morning");
    screen.wait_for("What is your name?");
    screen.keys("Robin\r");
    screen.wait_for("Tea or coffee?");
    screen.keys("2");
    screen.wait_for("One Coffee for Robin.");
    say(&mut screen, "/audit");
    screen.wait_for("UTC · What is your name? Robin · answered by");
    screen.wait_for(READY);
    screen.keys(CONTROL_D);
    screen.wait_for("askback chat --resume 0");
    assert_eq!(screen.exit_status(), 0);
    // A program that was stopped while writing leaves half a line.
    let path = &folder.sessions()[0];
    let mut text = std::fs::read_to_string(path).unwrap();
    text.push_str("{\"at\":\"2026-01-01T00:00:00Z\",\"type\":\"mess");
    std::fs::write(path, text).unwrap();
    let mut screen = folder.chat(&["--resume"]);
    screen.wait_for("› good morning");
    screen.wait_for("One Coffee for Robin.");
    screen.wait_for("1 line(s) of the session could not be read");
    screen.wait_for("resumed after 1 turn(s)");
    screen.wait_for(READY);
    screen.keys("\x1b[A");
    screen.wait_for("› good morning\n");
    screen.keys("\r");
    screen.wait_for("(type r or /reject to abort)");
    screen.keys("Kim\r");
    screen.wait_for("> ● 1. Tea");
    screen.keys("1");
    screen.wait_for("One Tea for Kim.");
    say(&mut screen, "/audit");
    screen.wait_for("Drink: Tea or coffee? Coffee");
    screen.wait_for("Drink: Tea or coffee? Tea");
    assert_eq!(folder.sessions().len(), 1, "it is the same session");
    // The same session can't be open twice.
    let id = path.file_stem().unwrap().to_str().unwrap();
    let mut second = folder.chat(&["--resume", id]);
    second.wait_for("this session is open in another chat");
    assert_eq!(second.exit_status(), 2);
}

/// A script that asks one long question and is done.
const LONG: &str = r#"
[[step]]
say = "    indented\nnot indented"
[[step]]
use = "look"
input = { path = "a" }
[[step]]
[step.request]
prompt = "Which of the many databases that there are should hold the orders of the next year, and why that one?"
input_type = "text"
[[step]]
say = "Thank you."
"#;

// L6, Q3
#[test]
fn audit_and_a_resumed_session_are_set_apart_and_keep_their_indent() {
    let folder = Folder::new();
    let script = folder.file("long.toml", LONG);
    let mut screen = folder.chat(&["--agent", &format!("scripted:{script}")]);
    screen.wait_for(READY);
    screen.keys("hello\x1b\ryou");
    screen.wait_for("› hello\n  you");
    screen.keys("\r");
    screen.wait_for("(type r or /reject to abort)");
    screen.keys("SQLite\r");
    screen.wait_for("Thank you.");
    say(&mut screen, "/audit");
    screen.wait_for("on the terminal");
    screen.wait_for(READY);
    let text = screen.text();
    let audit: Vec<&str> = text.lines().skip_while(|line| *line != "› /audit").skip(1).collect();
    assert_eq!(audit[0], "", "{text}");
    assert!(audit[1].starts_with("• 20") && audit[1].ends_with("databases that there are"), "{text}");
    assert!(audit[2].starts_with("  should hold the orders"), "{text}");
    let end = audit.iter().position(|line| line.contains(READY)).unwrap();
    assert!(audit[2..end - 1].iter().all(|line| line.starts_with("  ")) && audit[end - 1].is_empty(), "{text}");
    screen.keys(CONTROL_D);
    screen.wait_for("askback chat --resume 0");
    let mut screen = folder.chat(&["--resume"]);
    screen.wait_for("resumed after 1 turn(s)");
    screen.wait_for(READY);
    let text = screen.text();
    let turn: Vec<&str> = text.lines().skip_while(|line| *line != "› hello").collect();
    assert_eq!(turn[..7], ["› hello", "  you", "", "    indented", "not indented", "", "• look a"], "{text}");
    assert!(
        turn[7].is_empty() && turn[8].starts_with("  20") && turn[9].starts_with("  should hold the orders"),
        "{text}"
    );
    let end = turn.iter().position(|line| *line == "Thank you.").unwrap();
    assert!(turn[9..end - 1].iter().all(|line| line.starts_with("  ")) && turn[end - 1].is_empty(), "{text}");
    // How long the name of the agent is depends on where the test runs.
    let ready = turn.iter().position(|line| line.contains(READY)).unwrap();
    assert!(turn[end + 1].is_empty() && turn[end + 2].starts_with("resumed after"), "{text}");
    assert!(turn[end + 3..ready - 1].iter().all(|line| !line.is_empty()) && turn[ready - 1].is_empty(), "{text}");
}

// T6
#[test]
fn another_session_is_chosen_from_a_list() {
    let folder = Folder::new();
    for message in ["the first of all", "the second one"] {
        let mut screen = folder.chat(&["--agent", &greeter()]);
        say(&mut screen, message);
        screen.wait_for("What is your name?");
        screen.keys(CONTROL_C);
        screen.wait_for("Rejected.");
        say(&mut screen, "/quit");
        assert_eq!(screen.exit_status(), 0);
    }
    let mut screen = folder.chat(&["--agent", &greeter()]);
    say(&mut screen, "/resume");
    screen.wait_for("Which session do you want to go on with?");
    screen.wait_for("> ● 1. the second one");
    screen.keys("\x1b[B\r");
    screen.wait_for("› the first of all");
    screen.wait_for("resumed after 1 turn(s)");
}

// S6
#[test]
fn what_can_not_be_talked_to_says_so() {
    let folder = Folder::new();
    for (arguments, says) in [
        (&["--agent", "oracle"][..], "there is no agent \"oracle\""),
        (&["--agent", "process:"], "needs a command"),
        (&["--agent", "scripted:"], "needs a script"),
        (&["--agent", "anthropic"], "set ANTHROPIC_API_KEY"),
        (&["--resume"], "there is no session"),
        (&["--resume", "../../etc/passwd"], "there is no session"),
        (&[], "which agent?"),
    ] {
        let mut screen = folder.chat(arguments);
        assert_eq!(screen.exit_status(), 2, "{arguments:?}: {}", screen.text());
        assert!(screen.text().contains(says), "{arguments:?}: {}", screen.text());
    }
    // What a script says is repeated so that it can't act on the terminal.
    let path = folder.file("evil.toml", "step = \"\u{1b}]0;title\u{7}\"");
    let mut screen = folder.chat(&["--agent", &format!("scripted:{path}")]);
    assert_eq!(screen.exit_status(), 2);
    assert!(screen.text().contains("<U+001B>") && !screen.raw().contains(&7), "{}", screen.text());
    let output = std::process::Command::new(super::ASKBACK)
        .args(["chat", "--agent", "process:cat"])
        .env("ASKBACK_DATA", folder.0.join("data"))
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(69), "{}", String::from_utf8_lossy(&output.stderr));
}
