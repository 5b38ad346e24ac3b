//! The command line: its words, its help, its completions.

use crate::exit::Exit;
use askback_core::show::{Layout, Purpose, show};
use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use std::io::{self, Write};
use std::path::PathBuf;

mod question;

pub(crate) use question::{ApproveArgs, AskArgs, ChoiceArgs, CommonArgs, ConfirmArgs, TextArgs, Via};

/// The human side of any agent: structured questions, validated answers.
#[derive(Debug, Parser)]
#[command(name = "askback", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Approve(ApproveArgs),
    Confirm(ConfirmArgs),
    Text(TextArgs),
    Choice(ChoiceArgs),
    Ask(AskArgs),
    Check(CheckArgs),
    /// Print a script that completes askback's commands in a shell
    #[command(after_help = "For example: source <(askback completions bash)")]
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// Say whether a request is valid, and whether answers would pass
///
/// Prints the request in full (its canonical form), or with --response the written form of each answer. What is
/// wrong is reported on standard error with its place, the rule it breaks and what would pass.
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 valid · 1 an answer would not pass · 2 the request or the usage is wrong")]
pub(crate) struct CheckArgs {
    /// A file with a request in any of its shapes; - reads standard input
    pub(crate) request: PathBuf,

    /// An answer in its written form; one for each question, in order
    #[arg(long = "response", short, value_name = "ANSWER", allow_hyphen_values = true)]
    pub(crate) responses: Vec<String>,

    /// Print the verdict, what was checked and what is wrong as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Writes the completion script of a shell to standard output.
pub(crate) fn print_completions(shell: Shell) -> io::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "askback", &mut script);
    match io::stdout().write_all(&script) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(Exit::Done),
    }
}

/// Help where it was asked for; otherwise what is wrong with the usage, in which names of files may stand.
pub(crate) fn print_usage(error: &clap::Error) -> Exit {
    // Whoever does not read it misses nothing; the exit status stands.
    if error.use_stderr() {
        let _ = io::stderr().write_all(show(&error.to_string(), Layout::Block, Purpose::Exact).as_bytes());
        return Exit::Wrong;
    }
    let _ = error.print();
    Exit::Done
}
