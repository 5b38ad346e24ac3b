//! The README's shell blocks: every line that asks does ask.

use super::{ASKBACK, USUAL};
use askback_testkit::screen::Screen;
use std::path::Path;

// Q3
#[test]
fn every_command_of_the_readme_asks() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let blocks = readme.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines: Vec<&str> = blocks
        .flat_map(str::lines)
        .filter(|line| line.contains("askback ") && line.contains(['"', '\'', '.']))
        .collect();
    let asking: Vec<&&str> = lines
        .iter()
        .filter(|line| {
            !["cargo ", "completions", "export ", "TOKEN", "inbox", "--via hub"].iter().any(|word| line.contains(word))
        })
        .collect();
    assert!(asking.len() >= 6, "{lines:?}");
    for line in asking {
        let folder = Path::new(ASKBACK).parent().unwrap();
        let script = format!("cd '{}'; PATH='{}':$PATH; {line}\necho over", root.display(), folder.display());
        let data = std::env::temp_dir().join(format!("askback-readme-{}", std::process::id()));
        let variables = [("ASKBACK_DATA", data.to_str().unwrap())];
        let mut screen = Screen::run(USUAL, &variables, "bash", &["--norc", "-c", &script]).unwrap();
        if line.contains(" chat ") {
            // A conversation takes a message; the agent answers, and asks.
            screen.wait_for("Type a message");
            screen.keys("hello\r");
            screen.wait_for("You said: hello");
            screen.wait_for("esc cancel");
            screen.keys("\x03");
            screen.wait_for("Rejected.");
            screen.wait_for("Type a message");
            screen.keys("\x04");
            screen.wait_for("over");
            std::fs::remove_dir_all(data).unwrap();
            continue;
        }
        screen.wait_for("ask back");
        screen.keys("\x03");
        screen.wait_for("over");
        assert!(screen.text().contains("cancelled"), "{line}\n{}", screen.text());
    }
}
