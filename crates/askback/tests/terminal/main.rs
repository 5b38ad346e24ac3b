//! The commands that ask, in a real pty with an emulator that reflows, and in tmux: what a person sees and does.

#![expect(clippy::unwrap_used, reason = "what fails in a test should fail it")]

use askback_testkit::screen::{Screen, Size};
use std::time::Duration;

mod commands;
mod hostile;
mod input;
mod jobs;
mod keys;
mod kinds;
mod readme;
mod resize;
mod tmux;

const ASKBACK: &str = env!("CARGO_BIN_EXE_askback");
const USUAL: Size = Size { columns: 80, rows: 24 };
/// Keys are ignored for a quarter of a second after an approval or a confirm appears.
const CALM: Duration = Duration::from_millis(350);

/// Runs askback in a terminal.
fn askback(arguments: &[&str]) -> Screen {
    askback_in(USUAL, &[], arguments)
}

fn askback_in(size: Size, variables: &[(&str, &str)], arguments: &[&str]) -> Screen {
    Screen::run(size, variables, ASKBACK, arguments).unwrap()
}

/// Runs a line of shell in a terminal, in which `askback` is our binary.
fn shell(line: &str) -> Screen {
    shell_in(USUAL, &[], line)
}

fn shell_in(size: Size, variables: &[(&str, &str)], line: &str) -> Screen {
    let line = format!("askback() {{ {ASKBACK} \"$@\"; }}\n{line}");
    Screen::run(size, variables, "bash", &["--norc", "-c", &line]).unwrap()
}

/// Waits out the moment in which keys are ignored.
fn calm(screen: &mut Screen) {
    screen.settle(CALM);
}
