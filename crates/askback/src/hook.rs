//! `askback hook`: standing in where a coding agent would ask in its own terminal.

use crate::error::CliError;
use crate::exit::Exit;
use crate::subcommand::Subcommand;
use clap::Args;

mod claude_code;
mod heard;
pub(crate) mod limits;
mod presence;
mod waiting;

use claude_code::ClaudeCodeArgs;

/// Answer for a coding agent's own prompts, as a hook that it runs
#[derive(Debug, Args)]
#[command(after_help = "For example: askback setup claude-code --hook")]
pub(crate) struct HookArgs {
    #[command(subcommand)]
    agent: Agent,
}

#[derive(Debug, clap::Subcommand)]
enum Agent {
    /// Let people answer Claude Code's questions, and approve what it wants to do, through the hub
    ///
    /// Reads what Claude Code tells a hook on standard input, and prints what it decides. Where nobody answers it prints
    /// nothing, and Claude Code asks in its own way.
    #[command(after_help = "For example: askback hook claude-code --timeout 30m --nobody 1m")]
    ClaudeCode(ClaudeCodeArgs),
}

impl Subcommand for HookArgs {
    fn run(&self) -> Result<Exit, CliError> {
        match &self.agent {
            Agent::ClaudeCode(arguments) => Ok(arguments.run()),
        }
    }
}
