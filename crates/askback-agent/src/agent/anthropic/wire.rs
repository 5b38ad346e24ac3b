//! The Messages protocol: a request as JSON, and the events of its answer.

use super::words::{Ids, word};
use crate::event::{ToolCall, ToolStatus, Usage};
use crate::limits::SERVER_EVENT_BYTES;
use crate::model::{Message, ModelEvent, ModelRequest, StopReason};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(super) fn body(model: &str, request: &ModelRequest) -> serde_json::Result<String> {
    let mut ids = Ids::default();
    let messages: Vec<Value> = request.messages.iter().map(|said| message(said, &mut ids)).collect();
    let tools = request.tools.iter().map(|tool| ToolBody {
        name: &tool.name,
        description: &tool.description,
        input_schema: &tool.schema,
    });
    let (tools, system) = (tools.collect(), &request.system);
    serde_json::to_string(&Body { model, max_tokens: request.max_tokens, stream: true, system, messages, tools })
}

/// The person waits for it, and schemas are large: nothing is copied to be written.
#[derive(Serialize)]
struct Body<'r> {
    model: &'r str,
    max_tokens: u64,
    stream: bool,
    system: &'r str,
    messages: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<ToolBody<'r>>,
}

#[derive(Serialize)]
struct ToolBody<'r> {
    name: &'r str,
    description: &'r str,
    input_schema: &'r Value,
}

fn message(message: &Message, ids: &mut Ids) -> Value {
    match message {
        Message::User(text) => json!({"role": "user", "content": text}),
        Message::Assistant { text, calls } => {
            // A text block may not be blank.
            let text = (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text.trim_end()}));
            ids.begin();
            let calls = calls.iter().map(|call| {
                let (id, name) = (ids.call(&call.id), word(&call.name));
                json!({"type": "tool_use", "id": id, "name": name, "input": object(&call.input)})
            });
            json!({"role": "assistant", "content": text.into_iter().chain(calls).collect::<Vec<_>>()})
        }
        Message::Results(results) => {
            let results = results.iter().enumerate().map(|(position, result)| {
                let (id, is_error) = (ids.result(position, &result.id), result.status == ToolStatus::Failed);
                json!({"type": "tool_result", "tool_use_id": id, "content": result.output, "is_error": is_error})
            });
            json!({"role": "user", "content": results.collect::<Vec<_>>()})
        }
    }
}

/// The input of a call, of which the protocol takes nothing but objects.
fn object(input: &Value) -> Value {
    match input {
        Value::Object(_) => input.clone(),
        Value::Null => json!({}),
        other => json!({"input": other}),
    }
}

/// One event of an answer; what is new to us is passed over, as the protocol asks.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: Start,
    },
    ContentBlockStart {
        index: usize,
        content_block: Block,
    },
    ContentBlockDelta {
        index: usize,
        delta: Delta,
    },
    ContentBlockStop {
        index: usize,
    },
    MessageDelta {
        delta: Stop,
        usage: Option<Tokens>,
    },
    MessageStop,
    Error {
        error: Problem,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
struct Start {
    usage: Option<Tokens>,
}

#[derive(Debug, Default, Deserialize)]
struct Tokens {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        #[serde(default)]
        text: String,
    },
    ToolUse {
        id: String,
        name: String,
        #[serde(default)]
        input: Value,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "input_json_delta")]
    Json { partial_json: String },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
struct Stop {
    stop_reason: Option<String>,
}

/// What a server says went wrong.
#[derive(Debug, Deserialize)]
pub(super) struct Problem {
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) message: String,
}

/// The body of a call that was refused.
#[derive(Debug, Deserialize)]
pub(super) struct Refused {
    pub(super) error: Problem,
}

/// An answer that is being read.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// The call that is being written: its block, id, name, first input and the JSON so far.
    open: Option<OpenCall>,
    stop: Option<StopReason>,
    /// Tokens told so far: the protocol counts up, and we tell differences.
    output_tokens: u64,
}

#[derive(Debug)]
struct OpenCall {
    index: usize,
    id: String,
    name: String,
    input: Value,
    json: String,
}

impl Answer {
    /// What an event adds, or what went wrong.
    pub(super) fn read(&mut self, data: &str) -> Result<Option<ModelEvent>, Problem> {
        // Some gateways send events without data to keep the connection open.
        if data.is_empty() {
            return Ok(None);
        }
        let event = serde_json::from_str(data).map_err(|error| Problem {
            kind: "invalid_event".to_owned(),
            message: format!("the server sent an event that can't be read: {error}"),
        })?;
        Ok(match event {
            Event::MessageStart { message } => self.usage(&message.usage.unwrap_or_default()),
            Event::ContentBlockStart { index, content_block: Block::ToolUse { id, name, input } } => {
                self.open = Some(OpenCall { index, id, name, input, json: String::new() });
                None
            }
            Event::ContentBlockStart { content_block: Block::Text { text }, .. } => text_event(text),
            Event::ContentBlockDelta { delta: Delta::Text { text }, .. } => text_event(text),
            Event::ContentBlockDelta { index, delta: Delta::Json { partial_json } } => {
                if let Some(call) = self.open.as_mut().filter(|call| call.index == index) {
                    call.json.push_str(&partial_json);
                    if call.json.len() > SERVER_EVENT_BYTES {
                        return Err(Problem {
                            kind: "too_large".to_owned(),
                            message: format!("the input of {:?} has no end", call.name),
                        });
                    }
                }
                None
            }
            Event::ContentBlockStop { index } => self.open.take_if(|call| call.index == index).map(OpenCall::close),
            Event::MessageDelta { delta, usage } => {
                self.stop = delta.stop_reason.as_deref().map(stop_reason).or(self.stop);
                // What was read is told at the start; some servers repeat it here.
                self.usage(&Tokens { input_tokens: None, ..usage.unwrap_or_default() })
            }
            Event::MessageStop => Some(ModelEvent::Stop(self.stop.unwrap_or(StopReason::EndOfTurn))),
            Event::Error { error } => return Err(error),
            Event::ContentBlockStart { .. } | Event::ContentBlockDelta { .. } | Event::Other => None,
        })
    }

    fn usage(&mut self, tokens: &Tokens) -> Option<ModelEvent> {
        let (input_tokens, output_tokens) = (tokens.input_tokens.unwrap_or(0), tokens.output_tokens.unwrap_or(0));
        let new = output_tokens.saturating_sub(self.output_tokens);
        self.output_tokens = self.output_tokens.max(output_tokens);
        (input_tokens > 0 || new > 0).then_some(ModelEvent::Usage(Usage { input_tokens, output_tokens: new }))
    }
}

impl OpenCall {
    fn close(self) -> ModelEvent {
        let Self { id, name, input, json, .. } = self;
        let (input, error) = match json.trim() {
            "" if input.is_null() => (json!({}), None),
            "" => (input, None),
            json => match serde_json::from_str(json) {
                Ok(input) => (input, None),
                // The call must be repeated to the model as JSON, and an object is all it can be.
                Err(error) => (json!({}), Some(error.to_string())),
            },
        };
        ModelEvent::Call(ToolCall { id, name, input }, error)
    }
}

fn text_event(text: String) -> Option<ModelEvent> {
    (!text.is_empty()).then_some(ModelEvent::Text(text))
}

fn stop_reason(word: &str) -> StopReason {
    match word {
        "tool_use" => StopReason::ToolUse,
        "max_tokens" | "model_context_window_exceeded" => StopReason::MaxTokens,
        "refusal" => StopReason::Refusal,
        _ => StopReason::EndOfTurn,
    }
}
