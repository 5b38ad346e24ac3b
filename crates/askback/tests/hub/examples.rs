//! Every command's help has an example, and every example runs.

use crate::ASKBACK;
use askback_testkit::home::{Home, USUAL};
use askback_testkit::screen::Screen;
use std::path::Path;
use std::process::Command;

/// A request whose id ends as the examples say.
const ID: &str = "01a1e3e8-dfc4-7143-a0bc-415858fb8350";

fn help(words: &[&str]) -> String {
    let output = Command::new(ASKBACK).args(words).arg("--help").env("COLUMNS", "200").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that a help lists.
fn listed(help: &str) -> Vec<String> {
    let section = help.split("Commands:\n").nth(1).unwrap_or_default().split("\n\n").next().unwrap_or_default();
    let names = section.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").map(str::to_owned).collect()
}

fn example(words: &[&str]) -> String {
    let help = help(words);
    let example = help.lines().find_map(|line| line.split("For example: ").nth(1));
    assert!(example.is_some(), "{words:?} has no example:\n{help}");
    example.unwrap().to_owned()
}

/// A home in which what the examples need is there.
fn furnished() -> Home {
    let home = Home::with_hub(ASKBACK);
    let (status, record) = home.call(
        "POST",
        &format!("/requests?id={ID}"),
        "asker",
        r#"{"type": "confirm", "message": "Go?", "room": "shop"}"#,
    );
    assert_eq!(status, 201, "{record}");
    home.call("POST", "/tokens", "person", r#"{"role": "answerer", "name": "somebody"}"#);
    std::fs::write(home.path().join("request.json"), r#"{"type": "text", "message": "Name?"}"#).unwrap();
    std::fs::write(home.path().join("deploy"), "#!/bin/sh\n").unwrap();
    let agent = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/agents/agent.py");
    std::fs::copy(agent, home.path().join("agent.py")).unwrap();
    home
}

/// Claude Code as far as examples use it: it starts the server that it is told of, which has nothing to do then.
const CLAUDE: &str = "claude() { while [ \"$1\" != -- ]; do shift; done; shift; \"$@\" </dev/null; }";

/// Whether an example asks, and so waits for somebody.
fn waits(words: &[&str]) -> Option<&'static str> {
    match words[0] {
        "approve" | "confirm" | "choice" | "dropdown" | "text" | "multiline" | "number" | "email" | "date"
        | "rating" | "ask" => Some("ask back"),
        "chat" => Some("Type a message"),
        "inbox" => Some("q close"),
        "serve" => Some("a hub is running in"),
        _ => None,
    }
}

// F15
#[test]
fn every_command_has_an_example_that_runs() {
    let mut commands: Vec<Vec<String>> = Vec::new();
    for name in listed(&help(&[])) {
        let below = listed(&help(&[&name]));
        commands.push(vec![name.clone()]);
        commands.extend(below.into_iter().map(|word| vec![name.clone(), word]));
    }
    assert!(commands.len() >= 30, "{commands:?}");
    for command in commands {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let example = example(&words);
        let home = furnished();
        let folder = Path::new(ASKBACK).parent().unwrap().display();
        let own = home.path().display();
        // Whoever runs the tests has a home with a configuration of their own.
        let script = format!(
            "cd '{own}'; export HOME='{own}'; unset CLAUDE_CONFIG_DIR CODEX_HOME; PATH='{folder}':$PATH; {CLAUDE}; \
             {example}\necho \"ended with $?\""
        );
        // What waits for an answer gets one.
        if words == ["wait"] {
            assert_eq!(home.answer(ID, "yes").0, 200);
        }
        let data = home.data();
        let variables = [("ASKBACK_DATA", data.to_str().unwrap())];
        let mut screen = Screen::run(USUAL, &variables, "bash", &["--norc", "-c", &script]).unwrap();
        match waits(&words) {
            Some(sign) => screen.wait_for(sign),
            None => {
                screen.wait_for("ended with ");
                assert!(screen.text().contains("ended with 0"), "{example}\n{}", screen.text());
            }
        }
    }
}
