//! The lines of a session's file. They are read back for ever, so they only ever gain fields.

use crate::event::Usage;
use crate::turn::{Asked, AskedAs, ConversationTurn, Part, ToolUse, TurnEnd};
use askback_core::{Json, Limits, Outcome, Request};
use serde::{Deserialize, Serialize};

/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// One line: when, and what.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) at: String,
    #[serde(flatten)]
    pub(super) record: Record,
}

/// What happened.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Record {
    /// The session began.
    Session { version: u32, id: String, agent: String },
    /// Another agent takes part.
    Agent { name: String },
    /// The person said something.
    Message { text: String },
    /// A question is on the screen.
    Asking { request: Json, by: AskedAs },
    /// It has come to an end: with an outcome, or without.
    Asked {
        request: Json,
        by: AskedAs,
        #[serde(skip_serializing_if = "Option::is_none")]
        outcome: Option<Json>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// The turn is over.
    Turn { parts: Vec<Piece>, usage: Usage, end: TurnEnd },
}

/// A piece of a turn; its questions stand in lines of their own, before it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "part", rename_all = "snake_case")]
pub(super) enum Piece {
    Text { text: String },
    Tool(ToolUse),
    Question,
    Error { message: String },
}

impl Record {
    pub(super) fn asked(asked: &Asked) -> Self {
        let (outcome, error) = match &asked.outcome {
            Ok(outcome) => (Some(outcome.to_json(&asked.request)), None),
            Err(why) => (None, Some(why.clone())),
        };
        Self::Asked { request: asked.request.to_json(), by: asked.by, outcome, error }
    }

    pub(super) fn turn(turn: &ConversationTurn) -> Self {
        let parts = turn.parts.iter().map(|part| match part {
            Part::Text(text) => Piece::Text { text: text.clone() },
            Part::Tool(tool) => Piece::Tool(tool.clone()),
            Part::Question(_) => Piece::Question,
            Part::Error(message) => Piece::Error { message: message.clone() },
        });
        Self::Turn { parts: parts.collect(), usage: turn.usage, end: turn.end.clone() }
    }
}

/// A question that was written once; nothing if it can't be read any more.
pub(super) fn read_asked(request: &Json, by: AskedAs, outcome: Option<&Json>, error: Option<String>) -> Option<Asked> {
    let request = Request::from_json(request, &Limits::STORED).ok()?;
    let outcome = match outcome {
        Some(outcome) => Ok(Outcome::from_json(outcome, &request).ok()?),
        None => Err(error.unwrap_or_default()),
    };
    Some(Asked { request, by, outcome })
}
