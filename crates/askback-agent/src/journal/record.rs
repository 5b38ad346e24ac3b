//! The lines of a session's file. They are read back for ever, so they only ever gain fields.

use super::Note;
use crate::event::{CallResult, ToolCall, Usage};
use crate::turn::{Asked, AskedAs, ToolUse, TurnEnd};
use askback_core::{Json, Limits, Outcome, OutcomeJson, Request};
use serde::{Deserialize, Serialize};

pub(super) const VERSION: u32 = 1;

/// Levels of a tool's input that can be read back inside of a line; the reader itself stops at 128.
const DEEPEST: usize = 100;

/// How many levels of lists and objects a value has.
fn depth(value: &serde_json::Value) -> usize {
    match value {
        serde_json::Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        serde_json::Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) at: String,
    #[serde(flatten)]
    pub(super) record: Record,
}

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
        outcome: Option<serde_json::Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// The agent wrote something.
    Text { text: String },
    /// It used a tool.
    Tool(ToolCall),
    /// What came of the last use with that id.
    Result(CallResult),
    /// Something went wrong.
    Error { message: String },
    /// The turn is over.
    Turn { usage: Usage, end: TurnEnd },
}

impl From<Note<'_>> for Record {
    fn from(note: Note<'_>) -> Self {
        match note {
            Note::Message(text) => Self::Message { text: text.to_owned() },
            Note::Agent(name) => Self::Agent { name: name.to_owned() },
            Note::Text(text) => Self::Text { text: text.to_owned() },
            Note::Tool(ToolUse { id, result: Some((output, status)), .. }) => {
                Self::Result(CallResult { id: id.clone(), output: output.clone(), status: *status })
            }
            Note::Tool(ToolUse { id, name, input, result: None }) => {
                // What is too deep to be read back is kept as the text that it is.
                let input = if depth(input) > DEEPEST { input.to_string().into() } else { input.clone() };
                Self::Tool(ToolCall { id: id.clone(), name: name.clone(), input })
            }
            Note::Error(message) => Self::Error { message: message.to_owned() },
            Note::Asking(request, by) => Self::Asking { request: request.to_json(), by },
            Note::Asked(Asked { request, by, outcome }) => {
                let (outcome, error) = match outcome {
                    Ok(outcome) => (Some(outcome.to_json(request).into()), None),
                    Err(why) => (None, Some(why.clone())),
                };
                Self::Asked { request: request.to_json(), by: *by, outcome, error }
            }
            Note::End(usage, end) => Self::Turn { usage, end: end.clone() },
        }
    }
}

/// A question that was written once; nothing if it can't be read any more.
pub(super) fn read_asked(
    request: &Json,
    by: AskedAs,
    outcome: Option<&serde_json::Value>,
    error: Option<String>,
) -> Option<Asked> {
    let request = Request::from_json(request, &Limits::STORED).ok()?;
    let outcome = match outcome {
        Some(outcome) => Ok(Outcome::from_json(&OutcomeJson::deserialize(outcome).ok()?, &request).ok()?),
        None => Err(error.unwrap_or_default()),
    };
    Some(Asked { request, by, outcome })
}
