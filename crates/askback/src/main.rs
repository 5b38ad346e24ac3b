//! The askback command.

use std::io::Write;
use std::process::ExitCode;

mod ask;
mod chat;
mod check;
mod cli;
mod data;
mod demo;
mod exit;
mod locate;
mod report;
mod sign;
mod signals;
mod source;

fn main() -> ExitCode {
    match cli::run() {
        Ok(exit) => exit.into(),
        Err(error) => {
            // If nobody listens there either, the exit status has to do.
            let _ = writeln!(std::io::stderr(), "askback: {error}");
            exit::Exit::Wrong.into()
        }
    }
}
