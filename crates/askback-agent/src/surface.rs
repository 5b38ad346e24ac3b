//! Where a conversation is seen: what the stream handler needs of a screen, and nothing of how it is done.

use crate::turn::ToolUse;
use askback_core::{AskError, BoxFuture, Outcome, PromptStyle, Request};
use std::future::pending;

/// A prompt on its way to an outcome. Dropping it takes the prompt away.
pub type Prompting<'a> = BoxFuture<'a, Result<Prompted, AskError>>;

/// The wait for the person to want something else than to watch.
pub type Attending<'a> = BoxFuture<'a, Attention>;

/// What shows a conversation and asks its person. Nothing here fails: a surface that is lost says so when it is attended
/// to, or asked.
pub trait Surface: Send {
    /// The agent is at work, and has nothing to show.
    fn start_spinner(&mut self);

    /// It has something to show.
    fn stop_spinner(&mut self);

    /// More of the text that is being written.
    fn text(&mut self, delta: &str);

    /// That text is whole.
    fn finish_text(&mut self);

    /// A tool is being used.
    fn tool_started(&mut self, tool: &ToolUse);

    /// Its result is there.
    fn tool_finished(&mut self, tool: &ToolUse);

    /// Something the person should know.
    fn info(&mut self, text: &str);

    /// Something that went wrong.
    fn error(&mut self, text: &str);

    /// Asks, and waits for as long as it takes.
    fn prompt<'a>(&'a mut self, request: &'a Request, style: PromptStyle) -> Prompting<'a>;

    /// Keeps what is shown fresh, and listens, until the person interrupts. May be dropped and called again at any time.
    fn attend(&mut self) -> Attending<'_> {
        Box::pin(pending())
    }
}

/// How a prompt ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Prompted {
    /// With an outcome.
    Ended(Outcome),
    /// By Ctrl+C: the question is cancelled, and the turn with it.
    Interrupted(Outcome),
}

/// What a person wants while watching.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attention {
    /// The turn is to stop.
    Interrupted,
    /// Nobody is watching any more, and why.
    Lost(String),
}
