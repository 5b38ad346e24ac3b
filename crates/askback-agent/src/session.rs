//! A conversation: its turns so far, and where they are kept.

use crate::agent::{Agent, TurnInput};
use crate::handler::StreamHandler;
use crate::journal::{Journal, JournalError, Note};
use crate::surface::Surface;
use crate::turn::ConversationTurn;
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
        self.journal.as_mut().map_or(Ok(()), |journal| journal.note(Note::Agent(name)))
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
        let mut error = None;
        let mut keep = |note: Note<'_>| {
            if let (Some(journal), None) = (&mut self.journal, &error) {
                error = journal.note(note).err();
            }
        };
        keep(Note::Message(message));
        let events = agent.turn(input);
        let turn = StreamHandler::new(surface, &mut keep).handle(events, message).await;
        keep(Note::End(turn.usage, &turn.end));
        let turn = Arc::new(turn);
        self.turns.push(Arc::clone(&turn));
        error.map_or(Ok(turn), Err)
    }
}
