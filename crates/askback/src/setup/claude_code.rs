//! `askback setup claude-code`: the server, and on request the hook and the permission.

use super::file::Reach;
use super::place::{home, variable};
use super::plan::{Mode, Part, Plan};
use super::program::Program;
use crate::exit::Exit;
use clap::{Args, ValueEnum};
use std::io;
use std::path::PathBuf;

mod merging;

#[derive(Debug, Args)]
pub(super) struct ClaudeCodeArgs {
    /// Merge it into the configuration, and keep a backup of what was there
    #[arg(long)]
    write: bool,

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

/// Where Claude Code looks.
struct Places {
    servers: PathBuf,
    settings: PathBuf,
    reach: Reach,
    /// What the two are to it.
    whats: [&'static str; 2],
}

impl Scope {
    fn places(self) -> io::Result<Places> {
        match self {
            Self::User => {
                let moved = variable("CLAUDE_CONFIG_DIR")?;
                let (folder, outer) = match moved {
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
                Ok(Places { servers, settings, reach: Reach::Usual, whats })
            }
        }
    }
}

impl ClaudeCodeArgs {
    pub(super) fn run(&self) -> io::Result<Exit> {
        let program = Program::this()?;
        let places = self.scope.places()?;
        let [servers, settings] = places.whats;
        let merge = |text: &str| merging::servers(text, &program);
        let mut parts = vec![Part::plan(&places.servers, places.reach, servers, merge)?];
        if self.hook || self.allow {
            let hook = self.hook.then(|| format!("{} hook claude-code", program.in_shell()));
            let rule = self.allow.then_some(merging::RULE);
            let merge = |text: &str| merging::settings(text, hook.as_deref(), rule);
            parts.push(Part::plan(&places.settings, places.reach, settings, merge)?);
        }
        let plan = Plan { command: self.command(), parts, next: self.next(&program) };
        plan.run(if self.write { Mode::Write } else { Mode::Show })
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
