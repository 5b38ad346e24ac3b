//! The README's programs that ask over HTTP, as a reader would run them.

use crate::ASKBACK;
use askback_testkit::home::{Home, USUAL};
use askback_testkit::screen::Screen;
use serde_json::Value;
use std::io::{Read, Write};
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
    let home = Home::with_hub(ASKBACK);
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

// W3
#[test]
fn a_plain_yjs_client_answers() {
    let home = Home::with_hub(ASKBACK);
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("desk.mjs");
    std::fs::write(&program, block(&home, "js", "y-websocket")).unwrap();
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients/typescript/node_modules");
    std::os::unix::fs::symlink(packages, folder.path().join("node_modules")).unwrap();
    let mut desk = Command::new("node");
    desk.arg(&program).env("ASKBACK_TOKEN", home.secret("person")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut desk = desk.spawn().unwrap();
    let asked = home.call("POST", "/requests", "asker", r#"{"room": "shop", "type": "text", "message": "Which?"}"#).1;
    let id = asked["id"].as_str().unwrap();
    let mut shown = [0; 8];
    desk.stdout.as_mut().unwrap().read_exact(&mut shown).unwrap();
    assert_eq!(&shown, b"\"Which?\"");
    desk.stdin.as_mut().unwrap().write_all(b"SQLite\n").unwrap();
    let outcome = home.call("GET", &format!("/requests/{id}?wait=30"), "asker", "").1;
    desk.kill().unwrap();
    desk.wait().unwrap();
    assert_eq!((&outcome["response"], &outcome["surface"]), (&"SQLite".into(), &"yjs".into()), "{outcome}");
}

// L3
#[test]
fn python_asks_once_however_often_it_is_started() {
    let home = Home::with_hub(ASKBACK);
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
