//! The askback command.

use askback_core::show::{Layout, Purpose, show};
use std::io::Write;
use std::process::ExitCode;

mod ask;
mod chat;
mod check;
mod cli;
mod client;
mod commands;
mod config;
mod data;
mod demo;
mod exit;
mod fault;
mod hook;
mod hub;
mod locate;
mod log;
mod login_link;
mod mcp;
mod on_request;
mod report;
mod serve;
mod setup;
mod sign;
mod signals;
mod source;
mod transport;
mod webhook;

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
