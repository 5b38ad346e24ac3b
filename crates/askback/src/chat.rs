//! `askback chat`: a conversation with an agent that asks.

use crate::ask::unasked;
use crate::data;
use crate::exit::Exit;
use crate::manner::MannerArgs;
use crate::signals::unless_signalled;
use crate::subcommand::Subcommand;
use askback_agent::{AgentSettings, open_agent, usage};
use askback_term::Live;
use clap::Args;
use conversation::Conversation;
use raced::Beside;
use std::io::{self, Write};
use surface::Terminal;

pub(crate) mod audit;
mod commands;
mod conversation;
mod log;
pub(crate) mod raced;
mod saved;
pub(crate) mod surface;

/// Talk to an agent that asks you where it would otherwise guess
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(crate) struct ChatArgs {
    /// The agent: anthropic[:MODEL], process:COMMAND or scripted:FILE
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// Go on with a saved session: the last one, or the one with this id
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "")]
    resume: Option<String>,

    #[command(flatten)]
    manner: MannerArgs,
}

fn after_help() -> String {
    format!(
        "Agents:\n{}\n\nWhere ANTHROPIC_API_KEY is set, anthropic is the default. In the conversation /help lists the commands, and\n\
         Ctrl+C stops the agent. Sessions are kept in ASKBACK_DATA, or where the platform keeps data.\n\n\
         For example: askback chat --agent \"process:python3 agent.py\"",
        usage()
    )
}

impl Subcommand for ChatArgs {
    const NAME: &'static str = "chat";

    fn run(&self) -> io::Result<Exit> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let exit = runtime.block_on(self.chat());
        // What a command or a name look-up still does in a thread of its own is not worth waiting for.
        runtime.shutdown_background();
        exit
    }
}

impl ChatArgs {
    async fn chat(&self) -> io::Result<Exit> {
        let folder = data::folder()?;
        log::start(&folder);
        let mut resumed = match &self.resume {
            Some(id) => Some(saved::find(&data::sessions(&folder), id).map_err(io::Error::other)?),
            None => None,
        };
        let kept_agent = resumed.as_mut().and_then(|(_, saved)| saved.agent.take());
        let Some(name) = self.agent.clone().or(kept_agent).or_else(default_agent) else {
            let _ = writeln!(io::stderr(), "askback: which agent? Give one with --agent:\n{}", usage());
            return Ok(Exit::Wrong);
        };
        let settings = settings()?;
        let agent = open_agent(&name, &settings.as_settings()).map_err(io::Error::other)?;
        let caps = self.manner.caps();
        let live = match Live::open(caps) {
            Ok(live) => live,
            Err(error) => return unasked(error),
        };
        let mut conversation =
            Conversation::new(Terminal::new(live, caps, Beside::ThisMachine), agent, settings, data::sessions(&folder));
        if let Some((journal, saved)) = resumed {
            conversation.resume(journal, saved);
        }
        match unless_signalled(conversation.run()).await? {
            Ok(Ok(())) => Ok(Exit::Done),
            Ok(Err(error)) => unasked(error),
            Err(exit) => Ok(exit),
        }
    }
}

/// A model, if there is a key for it.
fn default_agent() -> Option<String> {
    std::env::var("ANTHROPIC_API_KEY").ok().filter(|key| !key.is_empty()).map(|_| "anthropic".to_owned())
}

/// What agents are opened with.
pub(crate) struct Settings {
    folder: std::path::PathBuf,
}

pub(crate) fn settings() -> io::Result<Settings> {
    Ok(Settings { folder: std::env::current_dir()? })
}

impl Settings {
    pub(crate) fn as_settings(&self) -> AgentSettings<'static> {
        AgentSettings { folder: self.folder.clone(), variable: &|name| std::env::var(name).ok() }
    }
}
