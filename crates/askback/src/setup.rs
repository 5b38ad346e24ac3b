//! `askback setup`: the configuration that lets a coding agent ask, shown or put where it belongs.
//!
//! The files are other programs' and somebody's own. What is not ours in them stays as it is, down to spaces and comments; what can't
//! be merged without a doubt is left to the person.

use crate::error::CliError;
use crate::exit::Exit;
use crate::subcommand::{Subcommand, help};
use clap::Args;
use std::path::PathBuf;

mod claude_code;
mod codex;
mod file;
mod json_text;
mod limits;
mod merging;
mod plan;
mod program;
mod qwen;

use claude_code::ClaudeCodeArgs;
use program::Program;

/// Show the configuration that lets a coding agent ask, or put it where it belongs
///
/// Without --write nothing is changed: the configuration is printed on standard output, and where it goes on standard error.
#[derive(Debug, Args)]
#[command(after_help = "For example: askback setup claude-code")]
pub(crate) struct SetupArgs {
    #[command(subcommand)]
    agent: Agent,
}

const STATUS: &str =
    "Exit status: 0 done, or nothing to do · 2 the configuration can't be merged, and nothing was written";

#[derive(Debug, clap::Subcommand)]
enum Agent {
    /// Let Claude Code ask through askback
    #[command(after_help = help(STATUS, "askback setup claude-code --hook --allow --write"))]
    ClaudeCode(ClaudeCodeArgs),
    /// Let Codex ask through askback
    #[command(after_help = help(STATUS, "askback setup codex --write"))]
    Codex(WriteArgs),
    /// Let Qwen Code ask through askback
    #[command(after_help = help(STATUS, "askback setup qwen --write"))]
    Qwen(WriteArgs),
}

#[derive(Debug, Args)]
struct WriteArgs {
    /// Merge it into the configuration, and keep a backup of what was there
    #[arg(long)]
    write: bool,
}

impl Subcommand for SetupArgs {
    fn run(&self) -> Result<Exit, CliError> {
        let program = Program::this()?;
        let (plan, write) = match &self.agent {
            Agent::ClaudeCode(arguments) => (arguments.plan(&program)?, &arguments.write),
            Agent::Codex(write) => (codex::plan(&program)?, write),
            Agent::Qwen(write) => (qwen::plan(&program)?, write),
        };
        if write.write { plan.write() } else { plan.show() }
    }
}

/// The person's own folder.
fn home() -> Result<PathBuf, CliError> {
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    home.ok_or_else(|| CliError::wrong("there is no home folder: set HOME to yours"))
}
