//! An agent's side of a conversation: streams that pause for a person, a loop with tools, and agents to plug in.
//!
//! An agent's turn is a stream of [`StreamEvent`]s. A [`StreamHandler`] shows it on a [`Surface`], and where the agent
//! asks, the stream pauses: the person is prompted, the agent's [`Responder`] is resolved exactly once, and the stream goes
//! on or stops. What was said, done, asked and answered becomes a [`ConversationTurn`] of a [`Session`].
//!
//! There is no terminal and no hub here: a surface is bound to them by whoever has them.

mod agent;
mod event;
mod handler;
mod journal;
pub mod limits;
mod model;
mod model_loop;
mod process_group;
mod responder;
mod session;
mod stream;
mod surface;
pub mod tool;
mod turn;

pub use agent::anthropic::Anthropic;
pub use agent::process::{ProcessAgent, wire};
pub use agent::scripted::{Pace, Script, ScriptError, Scripted};
pub use agent::{Agent, AgentError, AgentSettings, TurnInput, open_agent, usage};
pub use event::{
    AskResult, AskUser, CallResult, InputRequest, InputResponse, StreamEvent, ToolCall, ToolStatus, Usage,
};
pub use handler::StreamHandler;
pub use journal::{Journal, JournalError, Note, Saved, SavedSession};
pub use model::{
    Message, Model, ModelError, ModelEvent, ModelRequest, ModelStream, RetryPolicy, StopReason, ToolDescription,
};
pub use model_loop::{AgentLoop, LoopLimits};
pub use responder::{Responder, Response, Unanswered};
pub use session::Session;
pub use stream::{EventSender, EventStream, TurnOver};
pub use surface::{Attending, Attention, Prompted, Prompting, Surface};
pub use turn::{Asked, AskedAs, ConversationTurn, Part, ToolUse, TurnEnd};

/// The README's Rust blocks, run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
