//! The binary with pipes and no terminal, for every test of it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs askback to its end.
pub(crate) fn piped(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_askback"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // What is over a limit is not read to its end, so the pipe may close early.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}
