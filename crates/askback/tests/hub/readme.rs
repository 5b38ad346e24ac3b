//! The README's programs that ask over HTTP, as a reader would run them.

use super::home::{ASKBACK, Home, USUAL};
use askback_screen::Screen;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// The block of a language that has this in it, for the hub of this home.
fn block(home: &Home, language: &str, with: &str) -> String {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let fence = format!("```{language}\n");
    let mut blocks = readme.split(&fence).skip(1).filter_map(|rest| rest.split("```").next());
    let block = blocks.find(|block| block.contains(with)).unwrap();
    assert!(block.contains("127.0.0.1:4770"), "{block}");
    block.replace("127.0.0.1:4770", &home.address())
}

// L3
#[test]
fn curl_asks_and_waits() {
    let home = Home::with_hub();
    let folder = Path::new(ASKBACK).parent().unwrap().display().to_string();
    let script = format!("PATH='{folder}':$PATH; {}", block(&home, "sh", "curl"));
    let data = home.data();
    let variables = [("ASKBACK_DATA", data.to_str().unwrap())];
    let mut screen = Screen::run(USUAL, &variables, "bash", &["--norc", "-c", &script]).unwrap();
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    assert_eq!(home.pending()[0]["asker"], "ci");
    home.answer(&id, "SQLite");
    assert_eq!(screen.exit_status(), 0);
    let text = screen.text().replace('\n', "");
    assert!(text.contains("\"response\":\"SQLite\""), "{text}");
}

// L3
#[test]
fn python_asks_once_however_often_it_is_started() {
    let home = Home::with_hub();
    let program = block(&home, "python", "urllib");
    let run = || {
        let mut command = Command::new("python3");
        command.args(["-c", &program]).env("ASKBACK_TOKEN", home.secret("asker"));
        command.stdout(Stdio::piped()).spawn().unwrap()
    };
    let mut first = run();
    home.wait_for_pending(1);
    first.kill().unwrap();
    first.wait().unwrap();
    let second = run();
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    home.answer(&id, "yes");
    let output = second.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "answered yes\n");
    let all: Value = home.call("GET", "/requests", "person", "").1;
    assert_eq!(all["items"].as_array().unwrap().len(), 1);
}
