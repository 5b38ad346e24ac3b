//! `askback setup claude-code`: the server, and on request the hook and the permission.

use super::file::Reach;
use super::plan::{Part, Plan};
use super::program::Program;
use super::{WriteArgs, home};
use crate::error::CliError;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

mod merging;

#[derive(Debug, Args)]
pub(super) struct ClaudeCodeArgs {
    #[command(flatten)]
    pub(super) write: WriteArgs,

    /// Where it is to count
    #[arg(long, value_enum, default_value_t = Scope::User)]
    scope: Scope,

    /// Also have Claude Code's own questions and permission prompts answered through the hub
    #[arg(long)]
    hook: bool,

    /// Also let it ask without asking first whether it may
    #[arg(long)]
    allow: bool,
}

/// As Claude Code names them. Its third, `local`, is for one person in one project, who is better off with the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scope {
    /// In all your projects
    User,
    /// In this folder, for everybody who works there: its files can be committed
    Project,
}

struct Places {
    servers: PathBuf,
    settings: PathBuf,
    reach: Reach,
    /// What the two are to it.
    whats: [&'static str; 2],
}

impl Scope {
    fn places(self) -> Result<Places, CliError> {
        match self {
            Self::User => {
                let (folder, outer) = match moved_folder()? {
                    Some(folder) => (folder.clone(), folder),
                    None => (home()?.join(".claude"), home()?),
                };
                // Where the older one is still there, it counts.
                let older = folder.join(".config.json");
                let servers = if older.exists() { older } else { outer.join(".claude.json") };
                let whats = ["the servers of all your projects", "the settings of all your projects"];
                Ok(Places { servers, settings: folder.join("settings.json"), reach: Reach::Private, whats })
            }
            Self::Project => {
                let folder = std::env::current_dir()?;
                let (servers, settings) = (folder.join(".mcp.json"), folder.join(".claude/settings.json"));
                let whats = ["the servers of this project", "the settings of this project"];
                Ok(Places { servers, settings, reach: Reach::Project(folder), whats })
            }
        }
    }
}

/// The folder of all its files, if a variable names one.
fn moved_folder() -> Result<Option<PathBuf>, CliError> {
    const NAME: &str = "CLAUDE_CONFIG_DIR";
    let Some(value) = std::env::var_os(NAME) else { return Ok(None) };
    if value.is_empty() {
        let why = format!("{NAME} is empty, which agents take for one folder or another: unset it, or name a folder");
        return Err(CliError::Wrong(why));
    }
    // Where it is relative, so it is for the agent.
    Ok(Some(std::path::absolute(value)?))
}

impl ClaudeCodeArgs {
    pub(super) fn plan(&self, program: &Program) -> Result<Plan, CliError> {
        let places = self.scope.places()?;
        let [servers, settings] = places.whats;
        let merge = |text: &str| merging::servers(text, program);
        let mut parts = vec![Part::plan(&places.servers, places.reach.clone(), servers, merge)?];
        if self.hook || self.allow {
            let hook = self.hook.then(|| format!("{} hook claude-code", program.in_shell()));
            let rule = self.allow.then_some(merging::RULE);
            let merge = |text: &str| merging::settings(text, hook.as_deref(), rule);
            parts.push(Part::plan(&places.settings, places.reach, settings, merge)?);
        }
        Ok(Plan { command: self.command(), parts, next: self.next(program) })
    }

    fn command(&self) -> String {
        let scope = match self.scope {
            Scope::User => "",
            Scope::Project => " --scope project",
        };
        let hook = if self.hook { " --hook" } else { "" };
        let allow = if self.allow { " --allow" } else { "" };
        format!("askback setup claude-code{scope}{hook}{allow}")
    }

    fn next(&self, program: &Program) -> Vec<String> {
        let mut next = Vec::new();
        if self.scope == Scope::Project && program.is_of_this_machine() {
            next.push(
                "The path of askback is one of this machine: put it on your PATH before you commit it.".to_owned(),
            );
        }
        if self.scope == Scope::Project {
            next.push("Claude Code asks each person once whether this project's server may be used.".to_owned());
        }
        if !self.allow {
            let allow = "Claude Code wants your permission before it first uses a tool of askback; --allow gives it.";
            next.push(allow.to_owned());
        }
        next.push("Start Claude Code anew; `askback inbox` or `askback open` shows what it asks.".to_owned());
        next
    }
}
