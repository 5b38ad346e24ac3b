//! What the loop needs of a language model: a conversation goes in, pieces of an answer come out.

use crate::event::{CallResult, ToolCall, Usage};
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::mpsc::Receiver;

/// One call of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRequest {
    /// What it is told about its task.
    pub system: String,
    /// What was said so far.
    pub messages: Vec<Message>,
    /// The tools it may use.
    pub tools: Arc<[ToolDescription]>,
    /// Tokens it may write at most.
    pub max_tokens: u64,
}

/// One message of a conversation with a model.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// The person says something.
    User(String),
    /// The model says something and calls tools.
    Assistant {
        /// What it says.
        text: String,
        /// The tools it calls.
        calls: Vec<ToolCall>,
    },
    /// What came of its calls, in their order.
    Results(Vec<CallResult>),
}

/// A tool as the model sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDescription {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// The JSON Schema of its input.
    pub schema: Value,
}

/// A piece of a model's answer.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelEvent {
    /// More text.
    Text(String),
    /// A call of a tool, whole, and the error of an input that is no JSON.
    Call(ToolCall, Option<String>),
    /// Tokens used.
    Usage(Usage),
    /// The answer is whole.
    Stop(StopReason),
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// It has said what it wanted to.
    EndOfTurn,
    /// It waits for its tools.
    ToolUse,
    /// It has written as much as it may.
    MaxTokens,
    /// It would not go on.
    Refusal,
}

/// The pieces of an answer as they come. It ends with [`ModelEvent::Stop`] or with an error, which says for the person what
/// happened and what to do next; dropping it ends the call.
pub type ModelStream = Receiver<Result<ModelEvent, String>>;

/// A language model.
pub trait Model: Send + Sync {
    /// Its name.
    fn name(&self) -> String;

    /// Calls it.
    fn call(&self, request: ModelRequest) -> ModelStream;
}
