//! How a person is asked in this terminal.

use askback_term::{Caps, Manner};
use clap::Args;

/// How a person is asked.
#[derive(Debug, Args)]
pub(crate) struct MannerArgs {
    /// Ask in lines that are answered by lines: for screen readers, simple terminals and programs
    #[arg(long)]
    plain: bool,
}

impl MannerArgs {
    /// What this terminal can show; in plain mode, because of the environment or because it was asked for, only lines.
    pub(crate) fn caps(&self) -> Caps {
        let caps = Caps::from_environment();
        if self.plain { Caps { manner: Manner::Plain, ..caps } } else { caps }
    }
}
