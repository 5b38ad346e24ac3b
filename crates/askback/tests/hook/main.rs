//! `askback hook` through the real binary: what Claude Code says on standard input, and what it is told.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod audience;
mod decisions;
mod falling_back;
mod hooked;
mod shown;
mod taken_away;

const ASKBACK: &str = env!("CARGO_BIN_EXE_askback");
