//! The askback command.

use clap::Parser;
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
    let command = match cli::Cli::try_parse() {
        Ok(cli) => cli.command,
        Err(error) => return cli::print_usage(&error).into(),
    };
    let done = match command {
        cli::Command::Approve(arguments) => ask::single(arguments.question(), &arguments.common),
        cli::Command::Confirm(arguments) => ask::single(arguments.question(), &arguments.common),
        cli::Command::Text(arguments) => ask::single(arguments.question(), &arguments.common),
        cli::Command::Choice(arguments) => ask::choice(&arguments),
        cli::Command::Ask(arguments) => ask::file(&arguments),
        cli::Command::Check(arguments) => check::run(&arguments),
        cli::Command::Completions { shell } => cli::print_completions(shell),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => {
            // If nobody listens there either, the exit status has to do.
            let _ = writeln!(std::io::stderr(), "askback: {error}");
            exit::Exit::Wrong.into()
        }
    }
}
