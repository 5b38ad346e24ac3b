//! What an agent's stream is made of (T1).

use crate::responder::{Responder, Unanswered};
use askback_core::dialect::stream::{Reply, StreamRequest};
use askback_core::{AskError, Json, Object, Outcome, Reason, Request, Status};
use serde::{Deserialize, Serialize};

/// One event of an agent's stream.
#[derive(Debug)]
pub enum StreamEvent {
    /// More text.
    TextDelta(String),
    /// A tool is being used.
    ToolUseStart(ToolCall),
    /// What came of using a tool.
    ToolResult(CallResult),
    /// Tokens used since the last such event.
    Usage(Usage),
    /// Something went wrong. The stream may go on.
    Error(String),
    /// The agent waits for an approval, a choice or a text; rejecting it ends the stream (T6).
    InputRequest(InputRequest),
    /// The agent waits for the answers to a request; how it ends goes back to the agent, and the stream goes on.
    AskUser(AskUser),
    /// The turn is over.
    Done,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Which call, for its result.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// What it is called with.
    pub input: serde_json::Value,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallResult {
    /// Which call.
    pub id: String,
    /// What the agent reads of it.
    pub output: String,
    /// Whether the tool did what it should.
    pub status: ToolStatus,
}

/// Whether a tool did what it should.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolStatus {
    /// It did.
    Succeeded,
    /// It did not; its output says why.
    Failed,
}

/// Tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Read by the model.
    pub input_tokens: u64,
    /// Written by it.
    pub output_tokens: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}

/// An agent that waits in the middle of its stream, in the stream's own shape (T2).
#[derive(Debug)]
pub struct InputRequest {
    /// `{"prompt", "input_type", "choices"}`, as it came: whoever shows it reads it, and says what is wrong with it.
    pub data: Json,
    /// The way back; without one nobody waits, and nothing is asked (T5).
    pub responder: Option<Responder<InputResponse>>,
}

impl InputRequest {
    /// Asks to approve or reject.
    pub fn approval(prompt: &str, [approve, reject]: [&str; 2], responder: Responder<InputResponse>) -> Self {
        let data = Object::new().put("input_type", "approval").put("choices", vec![approve, reject]);
        Self { data: data.put("prompt", prompt).into(), responder: Some(responder) }
    }
}

/// What comes back of an input request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputResponse {
    /// What the person chose; anything that is no answer rejects.
    pub reply: Reply,
    /// How the request ended: a person who rejects and time that ran out are different things (L5).
    pub status: Status,
    /// Why it was declined or cancelled, if somebody said so.
    pub reason: Option<String>,
}

impl InputResponse {
    /// What the outcome of a request means to the stream that asked it.
    pub fn of(request: &StreamRequest, outcome: &Outcome) -> Self {
        let resolution = outcome.resolution();
        let reason = resolution.reason().map(|reason: &Reason| reason.as_str().to_owned());
        // A request of the stream's own shape always has a reply; one that had none would not be consent.
        let reply = Reply::of(request, outcome).unwrap_or(Reply::Reject);
        Self { reply, status: resolution.status(), reason }
    }

    /// Nobody answered, and why.
    pub fn cancelled(reason: impl Into<String>) -> Self {
        Self { reply: Reply::Reject, status: Status::Cancelled, reason: Some(reason.into()) }
    }
}

impl Unanswered for InputResponse {
    fn unanswered() -> Self {
        Self::cancelled("the question was dropped before anyone answered")
    }
}

/// An agent that waits for the answers to a whole request.
#[derive(Debug)]
pub struct AskUser {
    /// What it asks.
    pub request: Request,
    /// The way back.
    pub responder: Responder<AskResult>,
}

/// How a request ended, or why nobody could be asked.
pub type AskResult = Result<Outcome, AskError>;

impl Unanswered for AskResult {
    fn unanswered() -> Self {
        Err(AskError::Failed("the question was dropped before anyone answered".to_owned()))
    }
}
