//! The interface of a command.

use crate::error::CliError;
use crate::exit::Exit;
use clap::Args;

/// The arguments of a command, which run it.
pub(crate) trait Subcommand: Args {
    fn run(&self) -> Result<Exit, CliError>;
}

/// Writes the text below the help of a command: the meaning of its exit statuses, and a line to try.
pub(crate) fn help(status: &str, example: &str) -> String {
    format!("{status}\n\nFor example: {example}")
}
