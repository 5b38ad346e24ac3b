//! A line of an MCP client: it is a message, an error response, or nothing.

use super::check_printable;
use askback_mcp::message::{Understood, understand, without_mark};
use serde_json::Value;

pub(super) const WORDS: &[&str] = &[
    "{\"jsonrpc\":\"2.0\",",
    "\"id\":",
    "\"method\":",
    "\"params\":{",
    "\"result\":{",
    "\"error\":{\"code\":-1,\"message\":\"\"}",
    "\"initialize\"",
    "\"tools/call\"",
    "\"tools/list\"",
    "\"ping\"",
    "\"notifications/cancelled\"",
    "\"notifications/initialized\"",
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}",
    "\"name\":",
    "\"arguments\":{",
    "null",
    "\u{feff}",
    "\\\"",
    "1e400",
    "[",
    "]",
    "}",
];

/// The longest error message, in characters: longer ones would quote the client.
const MESSAGE_CHARACTERS: usize = 500;

/// The codes of JSON-RPC for input that is not a message: unreadable, no request, wrong params.
const CODES: [i64; 3] = [-32700, -32600, -32602];

pub(super) fn accepts(input: &[u8]) -> bool {
    let given: Option<Value> = serde_json::from_slice(without_mark(input)).ok();
    match understand(input) {
        Understood::Message(message) => {
            let written = serde_json::to_string(&message).expect("a message can be serialized");
            let Understood::Message(again) = understand(written.as_bytes()) else {
                unreachable!("{written} is not a message, but was written as one")
            };
            assert_eq!(serde_json::to_string(&again).ok().as_deref(), Some(written.as_str()));
            true
        }
        Understood::Nothing => {
            let is_notification = given.is_some_and(|given| given.get("method").is_some() && given.get("id").is_none());
            assert!(is_notification || without_mark(input).iter().all(u8::is_ascii_whitespace));
            false
        }
        Understood::Wrong(response) => {
            let response = serde_json::to_value(&response).expect("a response can be serialized");
            check_response(&response, given.as_ref());
            false
        }
    }
}

/// Checks that an error response has a known code, a short message, and the id of the message that it answers.
fn check_response(response: &Value, given: Option<&Value>) {
    assert!(response["error"]["code"].as_i64().is_some_and(|code| CODES.contains(&code)), "{response}");
    let message = response["error"]["message"].as_str().unwrap_or_default();
    check_printable(message);
    assert!(message.chars().count() <= MESSAGE_CHARACTERS, "{response}");
    let expected = given.and_then(|given| given.get("id")).filter(|id| id.is_string() || id.is_i64());
    if let Some(expected) = expected {
        assert_eq!(response.get("id"), Some(expected), "{response}");
    }
}
