//! The binary with pipes and no terminal, for every test of it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs askback to its end.
pub(crate) fn piped(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_askback"))
        .args(arguments)
        // A hub of whoever runs the tests is none of theirs.
        .env("ASKBACK_DATA", concat!(env!("CARGO_TARGET_TMPDIR"), "/no-hub"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // What is over a limit is not read to its end, so the pipe may close early.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}
