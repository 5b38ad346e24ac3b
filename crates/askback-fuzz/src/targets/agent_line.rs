//! A line of an external agent: it is an event, a request with the id of its reply, or an error that can be shown.

use super::{check_printable, check_problems};
use askback_agent::wire::{AgentMessage, read, refused};
use askback_agent::{StreamEvent, ToolCall};
use askback_core::{Json, Limits, Request};

pub(super) const WORDS: &[&str] = &[
    "{\"type\":",
    "\"text_delta\"",
    "\"tool_use_start\"",
    "\"tool_result\"",
    "\"usage\"",
    "\"input_request\"",
    "\"ask_user\"",
    "\"error\"",
    "\"done\"",
    "\"id\":",
    "\"text\":",
    "\"name\":",
    "\"input\":{",
    "\"output\":",
    "\"is_error\":true",
    "\"input_tokens\":",
    "\"message\":",
    "\"questions\":[",
    "\"prompt\":",
    "null",
    "-1e308",
    "\\u0007",
    "\\\"",
    "}",
];

/// The longest error, in characters: a quoted line is shortened.
const ERROR_CHARACTERS: usize = 1_500;

pub(super) fn accepts(input: &[u8]) -> bool {
    match read(input) {
        Ok(message) => {
            check(&message, input);
            true
        }
        Err(error) => {
            check_printable(&error);
            assert!(error.chars().count() <= ERROR_CHARACTERS, "{error}");
            false
        }
    }
}

fn check(message: &AgentMessage, line: &[u8]) {
    let json = Json::parse(line, &Limits::DEFAULT).unwrap_or(Json::Null);
    let again = read(json.to_string().as_bytes());
    assert!(again.as_ref().is_ok_and(|again| is_same(again, message)), "{message:?} is read again as {again:?}");
    match message {
        AgentMessage::Event(_) | AgentMessage::InputRequest { id: None, .. } => {}
        AgentMessage::InputRequest { id: Some(id), data } | AgentMessage::AskUser { id, data } => {
            check_reply(id, json.get("id"));
            assert!(data.get("type").is_none() && data.get("id").is_none(), "{data}");
            if let Err(problems) = Request::from_json(data, &Limits::DEFAULT) {
                check_problems(&problems);
            }
        }
    }
}

/// Whether two messages are equal. Numbers are compared as values: -0 is written as 0.
fn is_same(left: &AgentMessage, right: &AgentMessage) -> bool {
    match (left, right) {
        (
            AgentMessage::Event(StreamEvent::ToolUseStart(left)),
            AgentMessage::Event(StreamEvent::ToolUseStart(right)),
        ) => {
            let input = |call: &ToolCall| Json::from(call.input.clone());
            left.id == right.id && left.name == right.name && input(left) == input(right)
        }
        // The other events have texts and counts.
        (AgentMessage::Event(left), AgentMessage::Event(right)) => format!("{left:?}") == format!("{right:?}"),
        (
            AgentMessage::InputRequest { id: left_id, data: left },
            AgentMessage::InputRequest { id: right_id, data: right },
        ) => left_id == right_id && left == right,
        (AgentMessage::AskUser { id: left_id, data: left }, AgentMessage::AskUser { id: right_id, data: right }) => {
            left_id == right_id && left == right
        }
        _ => false,
    }
}

/// Checks that a reply is one line with the id that the agent gave.
fn check_reply(id: &Json, given: Option<&Json>) {
    assert_eq!(Some(id), given);
    let reply = refused(id, "\n").to_string();
    assert!(!reply.contains('\n'), "{reply}");
    let reply = Json::parse(reply.as_bytes(), &Limits::STORED);
    assert_eq!(reply.as_ref().ok().and_then(|reply| reply.get("id")), Some(id));
}
