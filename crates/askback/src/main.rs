//! The askback command.

use std::io::Write;
use std::process::ExitCode;

mod ask;
mod check;
mod cli;
mod exit;
mod locate;
mod report;
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
