//! What the loop needs of a language model: a conversation goes in, pieces of an answer come out.

use crate::event::{CallResult, ToolCall, Usage};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::sync::mpsc::Receiver;

mod retry;

pub(crate) use retry::RetriedCall;
pub use retry::RetryPolicy;

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

/// Why a call of a model failed. The message says for the person what happened and what to do next.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelError {
    /// The same call would fail again.
    #[error("{0}")]
    Final(String),
    /// The same call may succeed later.
    #[error("{message}")]
    Transient {
        /// What happened.
        message: String,
        /// The wait that the server asks for.
        retry_after: Option<Duration>,
    },
}

/// The pieces of an answer as they come. It ends with [`ModelEvent::Stop`] or with an error; dropping it ends the call.
pub type ModelStream = Receiver<Result<ModelEvent, ModelError>>;

/// A language model.
pub trait Model: Send + Sync {
    /// Its name.
    fn name(&self) -> String;

    /// Calls it once. Retries are the caller's, by the kind of the error.
    fn call(&self, request: &ModelRequest) -> ModelStream;
}
