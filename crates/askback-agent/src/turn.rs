//! One turn of a conversation: what the person said, and everything that came of it, in order.

use crate::event::{CallResult, ToolStatus, Usage};
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

impl ToolUse {
    /// A use that is known only by the id of its result, so that the result is not lost.
    pub(crate) fn unknown(id: &str) -> Self {
        Self { id: id.to_owned(), name: id.to_owned(), input: serde_json::Value::Null, result: None }
    }
}

/// The use that a result belongs to: the last one with that id which has none yet.
pub(crate) fn waiting<'p>(parts: &'p mut [Part], id: &str) -> Option<&'p mut ToolUse> {
    parts.iter_mut().rev().find_map(|part| match part {
        Part::Tool(tool) if tool.id == id && tool.result.is_none() => Some(tool),
        _ => None,
    })
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

    /// A tool is being used. It is kept even if it is too large, so that it can be shown.
    pub(crate) fn add_tool(&mut self, tool: ToolUse) -> Result<(), TooLarge> {
        let bytes = PART + tool.id.len() + tool.name.len() + size(&tool.input);
        self.turn.parts.push(Part::Tool(tool));
        self.grow(bytes)
    }

    /// The use that this is the result of, or one under its id.
    pub(crate) fn add_result(&mut self, result: CallResult) -> Result<&ToolUse, TooLarge> {
        self.grow(result.output.len())?;
        if !self.awaits(&result.id) {
            self.add_tool(ToolUse::unknown(&result.id))?;
        }
        let tool = waiting(&mut self.turn.parts, &result.id).ok_or(TooLarge)?;
        tool.result = Some((result.output, result.status));
        Ok(tool)
    }

    /// Whether a tool was used whose result this would be.
    pub(crate) fn awaits(&mut self, id: &str) -> bool {
        waiting(&mut self.turn.parts, id).is_some()
    }

    /// The text that is being written, if that is what came last.
    pub(crate) fn open_text(&self) -> Option<&str> {
        match self.turn.parts.last() {
            Some(Part::Text(text)) => Some(text),
            _ => None,
        }
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
