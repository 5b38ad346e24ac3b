//! The askback command.

use std::process::ExitCode;

mod ask;
mod chat;
mod check;
mod cli;
mod commands;
mod config;
mod console;
mod demo;
mod duration;
mod error;
mod exit;
mod hook;
mod hub;
mod hub_args;
mod locate;
mod log;
mod login_link;
mod mcp;
mod report;
mod script_worker;
mod serve;
mod setup;
mod shell;
mod sign;
mod signals;
mod source;
mod style;
mod subcommand;

fn main() -> ExitCode {
    cli::run().unwrap_or_else(|error| console::report(&error)).into()
}
