//! The lines of a session's file. They are read back for ever, so they only ever gain fields.

use crate::event::{ToolStatus, Usage};
use crate::turn::{Asked, AskedAs, TurnEnd};
use askback_core::{Json, Limits, Outcome, Request};
use serde::{Deserialize, Serialize};

/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// Levels of a tool's input that can be read back inside of a line; the reader itself stops at 128.
pub(super) const DEEPEST: usize = 100;

/// How many levels of lists and objects a value has.
pub(super) fn depth(value: &serde_json::Value) -> usize {
    match value {
        serde_json::Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        serde_json::Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

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
    /// The agent wrote something.
    Text { text: String },
    /// It used a tool.
    Tool { id: String, name: String, input: serde_json::Value },
    /// What came of the last use with that id.
    Result { id: String, output: String, status: ToolStatus },
    /// Something went wrong.
    Error { message: String },
    /// The turn is over.
    Turn { usage: Usage, end: TurnEnd },
}

impl Record {
    pub(super) fn asked(asked: &Asked) -> Self {
        let (outcome, error) = match &asked.outcome {
            Ok(outcome) => (Some(outcome.to_json(&asked.request)), None),
            Err(why) => (None, Some(why.clone())),
        };
        Self::Asked { request: asked.request.to_json(), by: asked.by, outcome, error }
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
