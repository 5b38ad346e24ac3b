//! The example that answers by Tcl's `expect`: a program where a person would be.

use super::{ASKBACK, root};
use std::path::Path;
use std::process::{Command, Stdio};

// Q10, Q4
#[test]
fn a_program_answers_by_lines() {
    let folder = Path::new(ASKBACK).parent().unwrap().display();
    let output = Command::new("expect")
        .args(["-f", "examples/answer.exp"])
        .current_dir(root())
        .env("PATH", format!("{folder}:{}", std::env::var("PATH").unwrap()))
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .expect("expect is installed");
    let said = String::from_utf8(output.stdout).unwrap().replace('\r', "");
    assert_eq!(output.status.code(), Some(0), "{said}");
    let end = "ok: Database: SQLite\nok: Features: TypeScript, a dark mode\nSQLite\nTypeScript, a dark mode\n";
    assert!(said.ends_with(end), "{said}");
    assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
}
