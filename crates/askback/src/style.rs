//! How a conversation, a prompt and the inbox look in this terminal.

use askback_term::{Alphabet, Caps, Manner};
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

/// The signs before what is shown in a conversation and in the inbox.
pub(crate) struct Signs {
    pub(crate) message: &'static str,
    pub(crate) tool: &'static str,
    pub(crate) result: &'static str,
    pub(crate) done: &'static str,
    pub(crate) error: &'static str,
    pub(crate) bar: &'static str,
}

/// The signs of a terminal's alphabet; in plain mode words, for they are read aloud.
pub(crate) fn signs(caps: Caps) -> &'static Signs {
    match (caps.manner, caps.alphabet) {
        (Manner::Plain, _) => {
            &Signs { message: "You:", tool: "Tool:", result: "Result:", done: "ok:", error: "Error:", bar: "|" }
        }
        (_, Alphabet::Unicode) => {
            &Signs { message: "›", tool: "•", result: "└", done: "✔", error: "✘", bar: "│" }
        }
        (_, Alphabet::Ascii) => &Signs { message: ">", tool: "*", result: "\\", done: "[ok]", error: "[no]", bar: "|" },
    }
}
