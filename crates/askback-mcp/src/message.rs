//! Parsing the messages of a client. A message that can't be read gets an error response, for which its id is searched in its text.

use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, JsonRpcMessage, ProtocolVersion, RequestId,
    ServerJsonRpcMessage,
};
use serde_json::Value;

/// Bytes at either end of an unreadable message in which its id is searched. Some clients write the id first, most last.
pub(crate) const ENDS: usize = 4 << 10;

/// The methods with params, and the expected params. The library would report such a method as unknown.
const NEEDS: &[(&str, &str)] = &[
    (
        "initialize",
        "protocolVersion (a text), capabilities (an object) and clientInfo (an object with name and version)",
    ),
    ("tools/call", "name (that of a tool) and arguments (an object)"),
    ("tools/list", "an object, or none at all"),
    ("ping", "an object, or none at all"),
];

/// The methods of [`NEEDS`] that do not exist in the era without sessions.
const REMOVED: &[&str] = &["initialize", "ping"];

/// The metadata in which a message of that era names its revision.
const REVISION: &str = "io.modelcontextprotocol/protocolVersion";

/// The meaning of a client's bytes.
pub enum Understood {
    /// A message of the protocol.
    Message(Box<ClientJsonRpcMessage>),
    /// Something that gets no response.
    Nothing,
    /// The error response to something that is not a message.
    Wrong(Box<ServerJsonRpcMessage>),
}

/// Parses the bytes that a client sent.
pub fn understand(bytes: &[u8]) -> Understood {
    let bytes = without_mark(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Understood::Nothing;
    }
    let json: Value = match serde_json::from_slice(bytes) {
        Ok(json) => json,
        Err(error) => {
            let why = format!("this is no JSON that can be read: {error}");
            return Understood::Wrong(refusal(id_in(bytes, bytes), ErrorCode::PARSE_ERROR, why));
        }
    };
    let id = json.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    let is_notification = json.get("method").is_some() && json.get("id").is_none();
    let is_removed = is_removed(&json);
    match serde_json::from_value(json) {
        Ok(message) if is_removed => Understood::Message(Box::new(message)),
        Ok(message) => check(message),
        Err(_) if is_notification => Understood::Nothing,
        Err(_) => {
            let why = "this is no message of the protocol: expected one object with jsonrpc \"2.0\", an id (a text or a whole number), \
                       a method and its params";
            Understood::Wrong(refusal(id, ErrorCode::INVALID_REQUEST, why.to_owned()))
        }
    }
}

/// Strips the byte order mark that some programs write.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

fn check(message: ClientJsonRpcMessage) -> Understood {
    if let JsonRpcMessage::Request(request) = &message
        && let ClientRequest::CustomRequest(unread) = &request.request
        && let Some((method, needed)) = NEEDS.iter().find(|(method, _)| *method == unread.method)
    {
        let why = format!("the params of {method} are not right: expected {needed}");
        return Understood::Wrong(refusal(Some(request.id.clone()), ErrorCode::INVALID_PARAMS, why));
    }
    Understood::Message(Box::new(message))
}

/// Whether the method was removed in the message's revision.
fn is_removed(message: &Value) -> bool {
    let method = message.get("method").and_then(Value::as_str).unwrap_or_default();
    let revision = message.get("params").and_then(|params| params.get("_meta")?.get(REVISION)?.as_str());
    // Dates in this form sort as text.
    REMOVED.contains(&method) && revision.is_some_and(|revision| revision >= ProtocolVersion::V_2026_07_28.as_str())
}

/// Creates an error response.
pub fn refusal(id: Option<RequestId>, code: ErrorCode, why: String) -> Box<ServerJsonRpcMessage> {
    Box::new(ServerJsonRpcMessage::error(ErrorData::new(code, why, None), id))
}

/// Finds the id of an unreadable message in its beginning or its end.
pub(crate) fn id_in(head: &[u8], tail: &[u8]) -> Option<RequestId> {
    let head = &head[..head.len().min(ENDS)];
    let tail = &tail[tail.len().saturating_sub(ENDS)..];
    id_at_the_start(head).or_else(|| id_at_the_end(tail))
}

/// Finds the id among the first fields. Deeper ids are not the message's.
fn id_at_the_start(head: &[u8]) -> Option<RequestId> {
    let (mut depth, mut at) = (0_usize, 0);
    while at < head.len() {
        match head[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            b'"' => {
                let length = string_length(&head[at..])?;
                let (text, rest) = head[at..].split_at(length);
                if depth == 1
                    && text == b"\"id\""
                    && let Some(value) = rest.trim_ascii_start().strip_prefix(b":")
                {
                    return serde_json::Deserializer::from_slice(value).into_iter().next()?.ok();
                }
                at += length;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The length of the JSON string that begins here, with its quotes.
fn string_length(bytes: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    let end = bytes.iter().skip(1).position(|byte| {
        let is_end = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    });
    end.map(|end| end + 2)
}

/// Finds the id among the fields after the last object or array.
fn id_at_the_end(tail: &[u8]) -> Option<RequestId> {
    let fields = tail.trim_ascii_end().strip_suffix(b"}")?;
    let from = fields.iter().rposition(|byte| matches!(byte, b'}' | b']'))?;
    let fields = std::str::from_utf8(&fields[from + 1..]).ok()?;
    let fields: Value = serde_json::from_str(&format!("{{{}}}", fields.trim_start().strip_prefix(',')?)).ok()?;
    serde_json::from_value(fields.get("id")?.clone()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<String> {
        id_in(text.as_bytes(), text.as_bytes()).map(|id| id.into_json_value().to_string())
    }

    // F15
    #[test]
    fn the_id_of_what_cannot_be_read_is_found() {
        assert_eq!(found(r#"{"jsonrpc":"2.0","id":7,"method":"#).as_deref(), Some("7"));
        assert_eq!(found(r#" { "id" : "a\"b" , "params": [["#).as_deref(), Some(r#""a\"b""#));
        assert_eq!(found(r#"{"method":"\"id\":1","params":{"id":2},"jsonrpc":"2.0","id":3}"#).as_deref(), Some("3"));
        // As the SDKs write it, where the beginning is not enough.
        let last =
            format!(r#"{{"method":"x","params":{{"id":2,"x":"{}"}},"jsonrpc":"2.0","id":3}} "#, "x".repeat(2 * ENDS));
        assert_eq!(found(&last).as_deref(), Some("3"));
        for none in [
            "",
            "{",
            "}",
            "[",
            r#"{"params":{"id":2"#,
            r#"{"id":"#,
            r#"{"id":{}}"#,
            r#"["id",1]"#,
            r#"{"a":"id"}"#,
            r#""id":1}"#,
        ] {
            assert_eq!(found(none), None, "{none}");
        }
    }

    // F15
    #[test]
    fn what_is_wrong_is_said_to_whoever_waits() {
        let said = |text: &str| match understand(text.as_bytes()) {
            Understood::Message(_) => "a message".to_owned(),
            Understood::Nothing => "nothing".to_owned(),
            Understood::Wrong(refusal) => serde_json::to_value(&*refusal).unwrap().to_string(),
        };
        assert_eq!(said(" \r\n"), "nothing");
        assert_eq!(said(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#), "nothing");
        assert_eq!(said(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), "a message");
        assert_eq!(said("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n"), "a message");
        let deep = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{}"#, "[".repeat(100_000));
        for (text, code) in [
            ("{nonsense", "-32700"),
            (deep.as_str(), "-32700"),
            ("42", "-32600"),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "-32600"),
            (r#"{"id":1,"method":"ping"}"#, "-32600"),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, "-32600"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":[]}}"#, "-32602"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, "-32602"),
        ] {
            assert!(said(text).contains(code), "{text:.80}: {}", said(text));
        }
        assert!(said(&deep).contains(r#""id":1"#));
    }
}
