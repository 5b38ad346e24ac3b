//! The commands with a hub behind them: started by whoever needs it first, asked by scripts, answered by people.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod background;
mod commands;
mod examples;
mod frozen;
mod inbox;
mod lost;
mod permissions;
mod race;
mod readme;
mod script;

const ASKBACK: &str = env!("CARGO_BIN_EXE_askback");
