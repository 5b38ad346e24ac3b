//! The line protocol of an agent in a process of its own: one JSON object per line, in both directions (docs/agents.md).

use crate::event::{AskResult, CallResult, InputResponse, StreamEvent, ToolCall, ToolStatus, Usage};
use askback_core::show::quote;
use askback_core::tool::ToolResult;
use askback_core::{AskError, Json, Limits, Object, Reason, Request, Resolution, Status};

/// A message of the agent.
#[derive(Debug)]
pub enum AgentMessage {
    /// An event that needs no reply.
    Event(StreamEvent),
    /// An input request.
    InputRequest {
        /// The id of the reply; without one, the agent does not wait for it.
        id: Option<Json>,
        /// The request.
        data: Json,
    },
    /// A request to ask a person.
    AskUser {
        /// The id of the reply.
        id: Json,
        /// The request.
        data: Json,
    },
}

/// The message about a line that is no event.
pub(super) fn unreadable(line: &str, why: &str) -> String {
    format!("The agent printed a line that is no event: {line} ({why})")
}

const EVENTS: &str = "text_delta, tool_use_start, tool_result, usage, input_request, ask_user, error, done";

/// Reads a line of the agent. The error is a message for the person: one line, with the agent's text in quotes and shortened.
pub fn read(line: &[u8]) -> Result<AgentMessage, String> {
    let unreadable = |why: &str| unreadable(&quote(String::from_utf8_lossy(line).trim_end()), why);
    let json = Json::parse(line, &Limits::DEFAULT)
        .map_err(|_| unreadable("expected one line of JSON, such as {\"type\": \"done\"}"))?;
    let Some(name) = json.get("type").and_then(Json::as_str) else {
        return Err(unreadable(&format!("expected an object with a `type`, one of {EVENTS}")));
    };
    let text = |field: &str| {
        let found = json.get(field).and_then(Json::as_str).map(str::to_owned);
        found.ok_or_else(|| unreadable(&format!("expected a text `{field}` in a {name}")))
    };
    // Nobody waits for a reply to nothing.
    let id = json.get("id").filter(|id| **id != Json::Null);
    let event = match name {
        "text_delta" => StreamEvent::TextDelta(text("text")?),
        "tool_use_start" => {
            let input = json.get("input").and_then(|input| serde_json::to_value(input).ok()).unwrap_or_default();
            StreamEvent::ToolUseStart(ToolCall { id: text("id")?, name: text("name")?, input })
        }
        "tool_result" => {
            let output = match json.get("output") {
                Some(Json::String(output)) => output.clone(),
                Some(other) => other.to_string(),
                None => String::new(),
            };
            let is_error = json.get("is_error") == Some(&Json::Bool(true));
            let status = if is_error { ToolStatus::Failed } else { ToolStatus::Succeeded };
            StreamEvent::ToolResult(CallResult { id: text("id")?, output, status })
        }
        "usage" => {
            let tokens = |field: &str| match json.get(field) {
                Some(Json::Number(tokens)) if *tokens >= 0.0 => *tokens as u64,
                _ => 0,
            };
            let (input_tokens, output_tokens) = (tokens("input_tokens"), tokens("output_tokens"));
            StreamEvent::Usage(Usage { input_tokens, output_tokens })
        }
        "error" => StreamEvent::Error(text("message")?),
        "done" => StreamEvent::Done,
        "input_request" => return Ok(AgentMessage::InputRequest { id: id.cloned(), data: without_frame(&json) }),
        "ask_user" => {
            let id = id.cloned().ok_or_else(|| unreadable("expected an `id` for the reply"))?;
            return Ok(AgentMessage::AskUser { id, data: without_frame(&json) });
        }
        other => return Err(unreadable(&format!("{} is no type; expected one of {EVENTS}", quote(other)))),
    };
    Ok(AgentMessage::Event(event))
}

/// What is asked, without what belongs to the line.
fn without_frame(json: &Json) -> Json {
    match json {
        Json::Object(fields) => {
            let fields = fields.iter().filter(|(name, _)| name != "type" && name != "id");
            Json::Object(fields.cloned().collect())
        }
        other => other.clone(),
    }
}

pub(super) fn user(text: &str) -> Json {
    Object::new().put("type", "user").put("text", text).into()
}

pub(super) fn cancel() -> Json {
    Object::new().put("type", "cancel").into()
}

pub(super) fn input_response(id: &Json, response: &InputResponse) -> Json {
    reply(id, response.reply.to_json(), response.status, response.reason.as_deref()).into()
}

pub(super) fn ask_response(id: &Json, request: &Request, asked: AskResult) -> Json {
    match asked {
        Ok(outcome) => {
            let by_default = matches!(outcome.resolution(), Resolution::Expired { default: Some(_), .. });
            let response = Object::new().put("answers", ToolResult::new(request, &outcome).answers);
            let reason = outcome.resolution().reason().map(Reason::as_str);
            let reply = reply(id, response.into(), outcome.resolution().status(), reason);
            reply.put_some("byDefault", by_default.then_some(true)).into()
        }
        Err(AskError::Nobody(why) | AskError::Failed(why)) => refused(id, &why),
    }
}

/// The reply to a request that was not asked.
pub fn refused(id: &Json, why: &str) -> Json {
    let nothing = Object::new().put("answers", Vec::<Json>::new());
    reply(id, nothing.into(), Status::Cancelled, Some(why)).into()
}

fn reply(id: &Json, response: Json, status: Status, reason: Option<&str>) -> Object {
    Object::new()
        .put("type", "input_response")
        .put("id", id.clone())
        .put("response", response)
        .put("status", status.name())
        .put_some("reason", reason)
}
