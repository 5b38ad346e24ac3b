//! Agents: whoever answers a message with a stream of events.

use crate::stream::EventStream;
use crate::turn::ConversationTurn;
use std::path::PathBuf;
use std::sync::Arc;
use thiserror::Error;

pub(crate) mod anthropic;
pub(crate) mod process;
pub(crate) mod scripted;

/// What a turn starts from.
#[derive(Debug, Clone)]
pub struct TurnInput {
    /// What the person says.
    pub message: String,
    /// The turns before it.
    pub history: Vec<Arc<ConversationTurn>>,
}

/// An agent in a conversation.
pub trait Agent: Send {
    /// As it is called in `--agent`.
    fn name(&self) -> String;

    /// Starts a turn. Dropping the stream ends it.
    fn turn(&mut self, input: TurnInput) -> EventStream;
}

/// What agents need to know of where they run.
pub struct AgentSettings<'e> {
    /// The folder that tools and programs work in.
    pub folder: PathBuf,
    /// The environment.
    pub variable: &'e dyn Fn(&str) -> Option<String>,
}

/// Why there is no such agent.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct AgentError(pub String);

/// A kind of agent: what it is called, what stands after the colon, and how it is made of that.
struct Entry {
    name: &'static str,
    usage: &'static str,
    open: Open,
}

type Open = fn(&str, &AgentSettings<'_>) -> Result<Box<dyn Agent>, AgentError>;

/// Every kind of agent there is.
const AGENTS: &[Entry] = &[
    Entry { name: "anthropic", usage: anthropic::USAGE, open: anthropic::open },
    Entry { name: "process", usage: process::USAGE, open: process::open },
    Entry { name: "scripted", usage: scripted::USAGE, open: scripted::open },
];

/// The agent that a text such as `process:./agent.py` names.
pub fn open_agent(name: &str, settings: &AgentSettings<'_>) -> Result<Box<dyn Agent>, AgentError> {
    let (kind, rest) = name.split_once(':').unwrap_or((name, ""));
    match AGENTS.iter().find(|entry| entry.name == kind) {
        Some(entry) => (entry.open)(rest, settings),
        None => {
            let shown = askback_core::show::quote(name);
            Err(AgentError(format!("there is no agent {shown}; there are:\n{}", usage())))
        }
    }
}

/// One line for each kind of agent.
pub fn usage() -> String {
    AGENTS.iter().map(|entry| format!("  {}", entry.usage)).collect::<Vec<_>>().join("\n")
}
