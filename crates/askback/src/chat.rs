//! `askback chat`: a conversation with an agent that asks.

use crate::console::say;
use crate::error::CliError;
use crate::exit::Exit;
use crate::hub::data_dir::data_folder;
use crate::signals::{block_on, unless_signalled};
use crate::style::MannerArgs;
use crate::subcommand::Subcommand;
use askback_agent::{AgentSettings, open_agent, usage};
use askback_term::{Live, Tone};
use clap::Args;
use conversation::Conversation;
use raced::Beside;
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
    fn run(&self) -> Result<Exit, CliError> {
        block_on(self.chat())?
    }
}

impl ChatArgs {
    async fn chat(&self) -> Result<Exit, CliError> {
        let folder = data_folder()?;
        log::start(&folder);
        let sessions = folder.join("sessions");
        let mut resumed = match &self.resume {
            Some(id) => Some(saved::find(&sessions, id).map_err(CliError::wrong)?),
            None => None,
        };
        let kept_agent = resumed.as_mut().and_then(|(_, saved)| saved.agent.take());
        let Some(name) = self.agent.clone().or(kept_agent).or_else(default_agent) else {
            say(&format!("which agent? Give one with --agent:\n{}", usage()));
            return Ok(Exit::Wrong);
        };
        let settings =
            AgentSettings { folder: std::env::current_dir()?, variable: &|name: &str| std::env::var(name).ok() };
        let agent = open_agent(&name, &settings).map_err(CliError::wrong)?;
        let caps = self.manner.caps();
        let terminal = Terminal::new(Live::open(caps)?, caps, Beside::ThisMachine);
        let mut conversation = Conversation::new(terminal, agent, settings, sessions);
        if let Some((journal, saved)) = resumed {
            conversation.resume(journal, saved);
            conversation.terminal.live.print(Tone::Plain, "");
        }
        unless_signalled(conversation.run()).await??;
        Ok(Exit::Done)
    }
}

/// A model, if there is a key for it.
fn default_agent() -> Option<String> {
    std::env::var("ANTHROPIC_API_KEY").ok().filter(|key| !key.is_empty()).map(|_| "anthropic".to_owned())
}
