//! The askback command.

use askback_core::show::{Layout, Purpose, show};
use std::io::Write;
use std::process::ExitCode;

mod ask;
mod chat;
mod check;
mod cli;
mod commands;
mod config;
mod console;
mod data;
mod demo;
mod duration;
mod exit;
mod hook;
mod hub;
mod hub_args;
mod locate;
mod log;
mod login_link;
mod manner;
mod mcp;
mod report;
mod serve;
mod setup;
mod sign;
mod signals;
mod signs;
mod source;
mod subcommand;

fn main() -> ExitCode {
    match cli::run() {
        Ok(exit) => exit.into(),
        Err(error) => {
            // If nobody listens there either, the exit status has to do.
            // It may repeat what a file or an agent says.
            let said = show(&error.to_string(), Layout::Block, Purpose::Exact);
            let _ = writeln!(std::io::stderr(), "askback: {said}");
            exit::Exit::Wrong.into()
        }
    }
}
