//! One turn of a conversation: what the person said, and everything that came of it, in order.

use crate::event::{ToolStatus, Usage};
use crate::limits::TURN_BYTES;
use askback_core::{Outcome, Request};
use serde::{Deserialize, Serialize};

/// A finished turn.
#[derive(Debug, Clone, PartialEq)]
pub struct ConversationTurn {
    /// What the person said.
    pub message: String,
    /// What the agent wrote, did and asked, in the order in which it happened.
    pub parts: Vec<Part>,
    /// Tokens used.
    pub usage: Usage,
    /// How it ended.
    pub end: TurnEnd,
}

/// One piece of a turn.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a turn has few pieces, and its text is one of them")]
pub enum Part {
    /// Text the agent wrote.
    Text(String),
    /// A tool it used.
    Tool(ToolUse),
    /// A question it asked, and what became of it.
    Question(Asked),
    /// Something that went wrong.
    Error(String),
}

/// The use of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolUse {
    /// Which use.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// What it was called with.
    pub input: serde_json::Value,
    /// What came of it; nothing if the turn ended before.
    pub result: Option<(String, ToolStatus)>,
}

/// A question that was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The question.
    pub request: Request,
    /// What asked it.
    pub by: AskedAs,
    /// How it ended, or why it has no outcome.
    pub outcome: Result<Outcome, String>,
}

/// What a question was asked as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskedAs {
    /// An input request of the stream.
    InputRequest,
    /// The question of a tool.
    AskUser,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnEnd {
    /// The agent was done.
    Done,
    /// The person rejected what it asked.
    Rejected,
    /// The person stopped it.
    Cancelled,
    /// Something went wrong.
    Failed(String),
    /// Nobody was there any more to show it to.
    Lost(String),
}

impl ConversationTurn {
    /// Everything the agent wrote.
    pub fn text(&self) -> String {
        self.parts
            .iter()
            .filter_map(|part| if let Part::Text(text) = part { Some(text.as_str()) } else { None })
            .collect()
    }

    /// The tools it used.
    pub fn tools(&self) -> impl Iterator<Item = &ToolUse> {
        self.parts.iter().filter_map(|part| if let Part::Tool(tool) = part { Some(tool) } else { None })
    }

    /// The questions it asked.
    pub fn questions(&self) -> impl Iterator<Item = &Asked> {
        self.parts.iter().filter_map(|part| if let Part::Question(asked) = part { Some(asked) } else { None })
    }
}

/// A turn that is still going on. It has a size, past which it is too large.
#[derive(Debug)]
pub(crate) struct OpenTurn {
    turn: ConversationTurn,
    bytes: usize,
}

/// A turn got larger than it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the agent sent more than {} MiB in one turn, and was stopped", TURN_BYTES >> 20)]
pub(crate) struct TooLarge;

impl OpenTurn {
    pub(crate) fn new(message: &str) -> Self {
        let (parts, usage) = (Vec::new(), Usage::default());
        let turn = ConversationTurn { message: message.to_owned(), parts, usage, end: TurnEnd::Done };
        Self { turn, bytes: 0 }
    }

    pub(crate) fn add_text(&mut self, delta: &str) -> Result<(), TooLarge> {
        match self.turn.parts.last_mut() {
            Some(Part::Text(text)) => {
                text.push_str(delta);
                self.grow(delta.len())
            }
            _ => {
                self.turn.parts.push(Part::Text(delta.to_owned()));
                self.grow(PART + delta.len())
            }
        }
    }

    pub(crate) fn add_tool(&mut self, id: String, name: String, input: serde_json::Value) -> Result<(), TooLarge> {
        self.grow(PART + id.len() + name.len() + size(&input))?;
        self.turn.parts.push(Part::Tool(ToolUse { id, name, input, result: None }));
        Ok(())
    }

    /// The name of the tool whose result this is; the last use with that id which has none yet.
    pub(crate) fn add_result(
        &mut self,
        id: &str,
        output: String,
        status: ToolStatus,
    ) -> Result<Option<&str>, TooLarge> {
        self.grow(output.len())?;
        let uses = self.turn.parts.iter_mut().rev().filter_map(|part| match part {
            Part::Tool(tool) => Some(tool),
            _ => None,
        });
        let mut waiting = uses.filter(|tool| tool.id == id && tool.result.is_none());
        Ok(waiting.next().map(|tool| {
            tool.result = Some((output, status));
            tool.name.as_str()
        }))
    }

    pub(crate) fn add_question(&mut self, asked: Asked) {
        self.turn.parts.push(Part::Question(asked));
    }

    pub(crate) fn add_error(&mut self, message: &str) -> Result<(), TooLarge> {
        self.grow(PART + message.len())?;
        self.turn.parts.push(Part::Error(message.to_owned()));
        Ok(())
    }

    pub(crate) fn add_usage(&mut self, usage: Usage) {
        self.turn.usage += usage;
    }

    /// How it ended if nothing more comes: an error that nothing followed was the end of it.
    pub(crate) fn end_of_stream(&self) -> TurnEnd {
        match self.turn.parts.last() {
            Some(Part::Error(message)) => TurnEnd::Failed(message.clone()),
            _ => TurnEnd::Done,
        }
    }

    pub(crate) fn end(mut self, end: TurnEnd) -> ConversationTurn {
        self.turn.end = end;
        self.turn
    }

    fn grow(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > TURN_BYTES { Err(TooLarge) } else { Ok(()) }
    }
}

/// Bytes that a part takes however little is in it.
const PART: usize = 64;

/// About how much room a value takes.
fn size(value: &serde_json::Value) -> usize {
    use serde_json::Value;
    let inner = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(fields) => fields.iter().map(|(name, value)| name.len() + size(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    inner + size_of::<Value>()
}
