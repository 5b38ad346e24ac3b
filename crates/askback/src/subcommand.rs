//! What a command of the command line is.

use crate::exit::Exit;
use clap::Args;
use std::io;

/// A command's arguments, and what is done with them.
pub(crate) trait Subcommand: Args {
    /// Its name.
    const NAME: &'static str;

    /// Its exit status where its arguments make no sense.
    const MISUSED: Exit = Exit::Wrong;

    /// Runs it.
    fn run(&self) -> io::Result<Exit>;
}
