//! A conversation: its turns so far, and where they are kept.

use crate::agent::{Agent, TurnInput};
use crate::handler::{Recorder, StreamHandler};
use crate::journal::{Journal, JournalError};
use crate::surface::Surface;
use crate::turn::{Asked, AskedAs, ConversationTurn, ToolUse};
use askback_core::Request;
use std::sync::Arc;

/// A conversation between a person and an agent. Its history only grows: what was rejected or went wrong stays in it.
#[derive(Debug, Default)]
pub struct Session {
    turns: Vec<Arc<ConversationTurn>>,
    journal: Option<Journal>,
}

impl Session {
    /// A conversation that nobody keeps.
    pub fn new() -> Self {
        Self::default()
    }

    /// A conversation that goes on from these turns, and is kept in a journal.
    pub fn kept(journal: Journal, turns: Vec<ConversationTurn>) -> Self {
        Self { turns: turns.into_iter().map(Arc::new).collect(), journal: Some(journal) }
    }

    /// The turns so far.
    pub fn turns(&self) -> &[Arc<ConversationTurn>] {
        &self.turns
    }

    /// Where it is kept.
    pub fn journal(&self) -> Option<&Journal> {
        self.journal.as_ref()
    }

    /// Another agent takes part from here on.
    pub fn note_agent(&mut self, name: &str) -> Result<(), JournalError> {
        self.journal.as_mut().map_or(Ok(()), |journal| journal.agent(name))
    }

    /// Lets the agent answer a message, shown on a surface. The turn is in the history when this returns, however it ended.
    /// A journal that can't be written any more is an error after the turn, never instead of it.
    pub async fn take_turn(
        &mut self,
        agent: &mut dyn Agent,
        surface: &mut dyn Surface,
        message: &str,
    ) -> Result<Arc<ConversationTurn>, JournalError> {
        let input = TurnInput { message: message.to_owned(), history: self.turns.clone() };
        let mut keeper = Keeper { journal: self.journal.as_mut(), error: None };
        keeper.write(|journal| journal.message(message));
        let events = agent.turn(input);
        let turn = StreamHandler::new(surface, &mut keeper).handle(events, message).await;
        keeper.write(|journal| journal.end(turn.usage, &turn.end));
        let error = keeper.error;
        let turn = Arc::new(turn);
        self.turns.push(Arc::clone(&turn));
        error.map_or(Ok(turn), Err)
    }
}

/// Writes to the journal for as long as that works.
struct Keeper<'j> {
    journal: Option<&'j mut Journal>,
    error: Option<JournalError>,
}

impl Keeper<'_> {
    fn write(&mut self, write: impl FnOnce(&mut Journal) -> Result<(), JournalError>) {
        if let (Some(journal), None) = (&mut self.journal, &self.error) {
            self.error = write(journal).err();
        }
    }
}

impl Recorder for Keeper<'_> {
    fn text(&mut self, text: &str) {
        self.write(|journal| journal.text(text));
    }

    fn tool(&mut self, tool: &ToolUse) {
        self.write(|journal| journal.tool(tool));
    }

    fn result(&mut self, tool: &ToolUse) {
        self.write(|journal| journal.result(tool));
    }

    fn error(&mut self, message: &str) {
        self.write(|journal| journal.error(message));
    }

    fn asking(&mut self, request: &Request, by: AskedAs) {
        self.write(|journal| journal.asking(request, by));
    }

    fn asked(&mut self, asked: &Asked) {
        self.write(|journal| journal.asked(asked));
    }
}
