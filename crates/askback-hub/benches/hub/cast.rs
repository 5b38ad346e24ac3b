//! What is asked in these measurements, by whom, where, and who answers.

use crate::Done;
use askback_core::{AnswerInput, Limits, Name, Outcome, Request, RequestId, Surface};
use askback_hub::{Ask, Hub, HubError, HubLimits, HubOptions, Room, Signature};
use std::sync::Arc;

/// A question as agents ask it: a choice, with a few words to each option.
const REQUEST: &str = r#"{"type": "choice", "header": "Database",
    "message": "Which database should the new service use?",
    "options": [
        {"value": "PostgreSQL", "description": "What we run elsewhere; needs a server"},
        {"value": "SQLite", "description": "One file, no server"},
        {"value": "MySQL", "description": "What the old service uses"}]"#;
const ANSWER: &str = "SQLite";
/// A year, as far away as a deadline may be.
const FAR: u32 = 31_622_400;

/// Those who ask and those who answer.
pub(crate) struct Cast {
    request: Request,
    with_deadline: Request,
    askers: Vec<Name>,
    rooms: Vec<Room>,
    reviewer: Name,
}

impl Cast {
    pub(crate) fn new(askers: usize, rooms: usize) -> Done<Self> {
        let parse = |rest: &str| Request::parse(format!("{REQUEST}{rest}").as_bytes(), &Limits::DEFAULT);
        let asker = |number: usize| Name::parse(&format!("agent-{number}"));
        let room = |number: usize| Room::parse(&format!("project-{number}"));
        Ok(Self {
            request: parse("}")?,
            with_deadline: parse(&format!(r#", "timeout": {FAR}}}"#))?,
            askers: (0..askers).map(asker).collect::<Result<_, _>>()?,
            rooms: (0..rooms).map(room).collect::<Result<_, _>>()?,
            reviewer: Name::parse("reviewer")?,
        })
    }

    pub(crate) fn asker(&self, number: usize) -> Name {
        self.askers[number % self.askers.len()].clone()
    }

    pub(crate) fn room(&self, number: usize) -> Room {
        self.rooms[number % self.rooms.len()].clone()
    }

    /// The request of this number: every asker asks in every room.
    pub(crate) fn ask(&self, number: usize) -> Ask {
        self.ask_in(self.room(number / self.askers.len()), self.asker(number))
    }

    pub(crate) fn ask_in(&self, room: Room, asker: Name) -> Ask {
        Ask::new(self.request.clone(), asker, room)
    }

    /// The same request, that would expire a year from now.
    pub(crate) fn ask_with_deadline(&self, room: Room, asker: Name) -> Ask {
        Ask::new(self.with_deadline.clone(), asker, room)
    }

    /// Answers the request as a person's reply does.
    pub(crate) async fn answer(&self, hub: &Hub, id: &RequestId) -> Result<Arc<Outcome>, HubError> {
        hub.answer(id, &[AnswerInput::from(ANSWER)], self.signature()).await
    }

    pub(crate) fn signature(&self) -> Signature {
        Signature::new(self.reviewer.clone(), Surface::Page)
    }
}

/// A hub that takes on whatever is measured.
pub(crate) fn boundless() -> HubOptions {
    let limits =
        HubLimits { pending: usize::MAX, pending_of_asker: usize::MAX, waiters: usize::MAX, ..HubLimits::DEFAULT };
    HubOptions { limits, ..HubOptions::default() }
}
