//! `askback setup`: the configuration that lets a coding agent ask, shown or put where it belongs.
//!
//! The files are other programs' and somebody's own. What is not ours in them stays as it is, down to spaces and comments; what can't
//! be merged without a doubt is left to the person.

use crate::exit::Exit;
use crate::subcommand::Subcommand;
use clap::Args;
use std::io;

mod claude_code;
mod codex;
mod file;
mod json_text;
mod limits;
mod merging;
mod place;
mod plan;
mod program;
mod qwen;

use claude_code::ClaudeCodeArgs;
use codex::CodexArgs;
use qwen::QwenArgs;

/// Show the configuration that lets a coding agent ask, or put it where it belongs
///
/// Without --write nothing is changed: the configuration is printed on standard output, and where it goes on standard error.
#[derive(Debug, Args)]
#[command(after_help = "For example: askback setup claude-code")]
pub(crate) struct SetupArgs {
    #[command(subcommand)]
    agent: Agent,
}

#[derive(Debug, clap::Subcommand)]
enum Agent {
    /// Let Claude Code ask through askback
    #[command(
        after_help = "Exit status: 0 done, or nothing to do · 2 the configuration can't be merged, and nothing was written\n\n\
                            For example: askback setup claude-code --hook --allow --write"
    )]
    ClaudeCode(ClaudeCodeArgs),
    /// Let Codex ask through askback
    #[command(
        after_help = "Exit status: 0 done, or nothing to do · 2 the configuration can't be merged, and nothing was written\n\n\
                            For example: askback setup codex --write"
    )]
    Codex(CodexArgs),
    /// Let Qwen Code ask through askback
    #[command(
        after_help = "Exit status: 0 done, or nothing to do · 2 the configuration can't be merged, and nothing was written\n\n\
                            For example: askback setup qwen --write"
    )]
    Qwen(QwenArgs),
}

impl Subcommand for SetupArgs {
    const NAME: &'static str = "setup";

    fn run(&self) -> io::Result<Exit> {
        match &self.agent {
            Agent::ClaudeCode(arguments) => arguments.run(),
            Agent::Codex(arguments) => arguments.run(),
            Agent::Qwen(arguments) => arguments.run(),
        }
    }
}
