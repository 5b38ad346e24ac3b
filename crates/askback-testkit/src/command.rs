//! The binary with pipes and without a terminal or a hub.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A data directory without a hub: one of the person who runs the tests takes no part in them.
pub fn no_data(program: &str) -> PathBuf {
    Path::new(program).with_file_name("no-hub")
}

/// Runs askback with an input.
pub fn piped(program: &str, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(program)
        .args(arguments)
        .env("ASKBACK_DATA", no_data(program))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Input over a limit is not read to its end, so that the pipe may be closed early.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}
