//! `scripted:FILE`: an agent that follows a script. It is the same every time, and needs no model.

use super::{Agent, AgentError, AgentSettings, TurnInput};
use crate::event::{CallResult, InputRequest, InputResponse, StreamEvent, ToolCall};
use crate::limits::SCRIPT_BYTES;
use crate::responder::Responder;
use crate::stream::{EventSender, EventStream, TurnOver};
use askback_core::dialect::stream::Reply;
use askback_core::{Asker, Limits, Request, Status};
use script::{Deed, Step, json};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::sleep;
use variables::Variables;

mod script;
mod variables;

pub use script::{Script, ScriptError};

pub(super) const USAGE: &str = "scripted:FILE         a script (docs/agents.md), the same every time";

pub(super) fn open(path: &str, settings: &AgentSettings<'_>) -> Result<Box<dyn Agent>, AgentError> {
    if path.is_empty() {
        return Err(AgentError(
            "the agent scripted needs a script: scripted:examples/agents/greeter.toml, for example".to_owned(),
        ));
    }
    let text = read(&settings.folder.join(path)).map_err(|error| AgentError(format!("the script {path} {error}")))?;
    let script =
        Script::parse(&text).map_err(|error| AgentError(format!("the script {path} is not valid: {error}")))?;
    Ok(Box::new(Scripted::new(path, script, Pace::Human)))
}

fn read(path: &Path) -> Result<String, String> {
    let size = std::fs::metadata(path).map_err(|error| format!("can't be read: {error}"))?.len();
    if size > SCRIPT_BYTES as u64 {
        return Err(format!("has more than {SCRIPT_BYTES} bytes"));
    }
    std::fs::read_to_string(path).map_err(|error| format!("can't be read: {error}"))
}

/// How fast a script is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// As somebody can read along.
    Human,
    /// At once.
    Instant,
}

/// The time from one word to the next.
const WORD: Duration = Duration::from_millis(25);

/// An agent that follows a script: each message plays its next turn.
#[derive(Debug, Clone)]
pub struct Scripted {
    name: String,
    script: Arc<Script>,
    pace: Pace,
    next: usize,
    variables: Arc<Mutex<Variables>>,
}

impl Scripted {
    /// An agent at the start of a script.
    pub fn new(name: &str, script: Script, pace: Pace) -> Self {
        Self { name: name.to_owned(), script: Arc::new(script), pace, next: 0, variables: Arc::default() }
    }
}

impl Agent for Scripted {
    fn name(&self) -> String {
        format!("scripted:{}", self.name)
    }

    fn turn(&mut self, input: TurnInput) -> EventStream {
        let turn = self.next;
        self.next += 1;
        let player = self.clone();
        player.variables().set_text("message", &input.message);
        EventStream::start(async move |out| {
            // Whoever listened is gone, and the play with them.
            let _ = player.play(turn, &out).await;
        })
    }
}

impl Scripted {
    async fn play(&self, turn: usize, out: &EventSender) -> Result<(), TurnOver> {
        let Some(steps) = self.script.turns.get(turn) else {
            self.say("The script is over; there is nothing more for me to say.", out).await?;
            return out.send(StreamEvent::Done).await;
        };
        for (index, step) in steps.iter().enumerate() {
            if self.applies(step) {
                self.take(step, index, out).await?;
            }
        }
        out.send(StreamEvent::Done).await
    }

    fn applies(&self, step: &Step) -> bool {
        let variables = self.variables();
        step.when.iter().all(|(name, values)| variables.is_any(name, values))
            && !step.unless.iter().any(|(name, values)| variables.is_any(name, values))
    }

    async fn take(&self, step: &Step, index: usize, out: &EventSender) -> Result<(), TurnOver> {
        match &step.deed {
            Deed::Say(text) => self.say(&self.fill(text), out).await,
            Deed::Use { name, input, output, takes, status } => {
                let id = format!("{name}-{index}");
                let (input, output) = (self.fill_all(input), self.fill(output));
                out.send(StreamEvent::ToolUseStart(ToolCall { id: id.clone(), name: name.clone(), input })).await?;
                self.wait(*takes).await;
                out.send(StreamEvent::ToolResult(CallResult { id, output, status: *status })).await
            }
            Deed::Ask(request) => self.ask(request, step.name.as_deref(), out).await,
            Deed::Request(data) => self.request(data, step.name.as_deref(), out).await,
            Deed::Fail(message) => out.send(StreamEvent::Error(self.fill(message))).await,
            Deed::Usage(usage) => out.send(StreamEvent::Usage(*usage)).await,
        }
    }

    /// Word by word, as a model writes.
    async fn say(&self, text: &str, out: &EventSender) -> Result<(), TurnOver> {
        if self.pace == Pace::Instant {
            return out.send(StreamEvent::TextDelta(text.to_owned())).await;
        }
        for word in text.split_inclusive(' ') {
            out.send(StreamEvent::TextDelta(word.to_owned())).await?;
            self.wait(WORD).await;
        }
        Ok(())
    }

    async fn ask(&self, request: &serde_json::Value, name: Option<&str>, out: &EventSender) -> Result<(), TurnOver> {
        let filled = json(&self.fill_all(request));
        let request = match Request::from_json(&filled, &Limits::DEFAULT) {
            Ok(request) => request,
            // It was valid when the script was read, and an answer has made it too long, or the like.
            Err(problems) => {
                return out.send(StreamEvent::Error(format!("The script's question is not valid: {problems}"))).await;
            }
        };
        let asked = out.ask(request.clone()).await;
        if let Some(name) = name {
            self.variables().set_outcome(name, &request, asked.as_ref().ok());
        }
        Ok(())
    }

    async fn request(&self, data: &serde_json::Value, name: Option<&str>, out: &EventSender) -> Result<(), TurnOver> {
        let data = json(&self.fill_all(data));
        let (responder, response) = Responder::<InputResponse>::pair();
        out.send(StreamEvent::InputRequest(InputRequest { data, responder: Some(responder) })).await?;
        let response = response.await;
        if let Some(name) = name {
            let text = match &response.reply {
                Reply::Approve => "approve",
                Reply::Choice { value, .. } => value,
                Reply::Text(text) => text,
                Reply::Reject => "reject",
            };
            self.variables().set_text(name, text);
            self.variables().set_text(&format!("{name}.status"), response.status.name());
        }
        // What is rejected ends the stream; should nobody end it, it is not gone on with.
        if response.status == Status::Answered { Ok(()) } else { Err(TurnOver) }
    }

    async fn wait(&self, time: Duration) {
        if self.pace == Pace::Human {
            sleep(time).await;
        }
    }

    fn fill(&self, text: &str) -> String {
        self.variables().fill(text)
    }

    fn fill_all(&self, value: &serde_json::Value) -> serde_json::Value {
        self.variables().fill_all(value)
    }

    fn variables(&self) -> std::sync::MutexGuard<'_, Variables> {
        self.variables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
