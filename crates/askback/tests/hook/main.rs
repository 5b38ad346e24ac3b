//! `askback hook` through the real binary: what Claude Code says on standard input, and what it is told.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod audience;
mod decisions;
mod falling_back;
#[path = "../hub/home.rs"]
#[expect(dead_code, reason = "no hook needs a terminal")]
mod home;
mod hooked;
mod shown;
mod taken_away;
