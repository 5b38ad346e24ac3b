//! The turns of a session as the messages of a model, so that a conversation can go on from its history alone.

use crate::event::{CallResult, ToolCall, ToolStatus};
use crate::model::Message;
use crate::turn::{ConversationTurn, Part, ToolUse, TurnEnd};
use std::sync::Arc;

/// Everything that was said, and what is said now.
pub(super) fn messages(history: &[Arc<ConversationTurn>], message: &str) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut remark = None;
    for turn in history {
        messages.push(user(&turn.message, remark));
        replay(&turn.parts, &mut messages);
        remark = match &turn.end {
            TurnEnd::Done => None,
            TurnEnd::Rejected => Some("The person rejected what you asked, and your answer was cancelled."),
            TurnEnd::Cancelled => Some("The person cancelled your answer."),
            TurnEnd::Failed(_) | TurnEnd::Lost(_) => Some("Your answer was cut off by an error."),
        };
    }
    messages.push(user(message, remark));
    messages
}

/// What the person says, after what happened to the answer before it.
fn user(message: &str, remark: Option<&str>) -> Message {
    Message::User(match remark {
        Some(remark) => format!("[{remark}]\n\n{message}"),
        None => message.to_owned(),
    })
}

/// Text and the calls after it are one message of the model; their results follow it.
fn replay(parts: &[Part], messages: &mut Vec<Message>) {
    let (mut text, mut uses) = (String::new(), Vec::new());
    for part in parts {
        match part {
            Part::Text(more) => {
                if !uses.is_empty() {
                    close(&mut text, &mut uses, messages);
                }
                text.push_str(more);
            }
            Part::Tool(tool) => uses.push(tool),
            // A tool's question is told by its result; an error is for the person.
            Part::Question(_) | Part::Error(_) => {}
        }
    }
    close(&mut text, &mut uses, messages);
}

fn close(text: &mut String, uses: &mut Vec<&ToolUse>, messages: &mut Vec<Message>) {
    let text = std::mem::take(text);
    // What is blank can't be repeated to a model.
    if text.trim().is_empty() && uses.is_empty() {
        return;
    }
    let call = |tool: &&ToolUse| ToolCall { id: tool.id.clone(), name: tool.name.clone(), input: tool.input.clone() };
    messages.push(Message::Assistant { text, calls: uses.iter().map(call).collect() });
    if !uses.is_empty() {
        messages.push(Message::Results(uses.drain(..).map(result).collect()));
    }
}

fn result(tool: &ToolUse) -> CallResult {
    let cancelled = || ("This was cancelled before it was finished.".to_owned(), ToolStatus::Failed);
    let (output, status) = tool.result.clone().unwrap_or_else(cancelled);
    CallResult { id: tool.id.clone(), output, status }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Usage;
    use serde_json::json;

    fn tool(id: &str, result: Option<&str>) -> Part {
        let result = result.map(|text| (text.to_owned(), ToolStatus::Succeeded));
        Part::Tool(ToolUse { id: id.to_owned(), name: "read_file".to_owned(), input: json!({}), result })
    }

    // Q7, T6
    #[test]
    fn a_turn_is_told_as_it_happened() {
        let parts =
            vec![Part::Text("Let me look.".into()), tool("1", Some("x")), tool("2", None), Part::Text("So.".into())];
        let turn = ConversationTurn { message: "hi".into(), parts, usage: Usage::default(), end: TurnEnd::Cancelled };
        let call = |id: &str| ToolCall { id: id.into(), name: "read_file".into(), input: json!({}) };
        let result = |id: &str, output: &str, status| CallResult { id: id.into(), output: output.into(), status };
        assert_eq!(
            messages(&[Arc::new(turn)], "go on"),
            [
                Message::User("hi".into()),
                Message::Assistant { text: "Let me look.".into(), calls: vec![call("1"), call("2")] },
                Message::Results(vec![
                    result("1", "x", ToolStatus::Succeeded),
                    result("2", "This was cancelled before it was finished.", ToolStatus::Failed),
                ]),
                Message::Assistant { text: "So.".into(), calls: vec![] },
                Message::User("[The person cancelled your answer.]\n\ngo on".into()),
            ]
        );
    }

    // T6
    #[test]
    fn a_turn_with_nothing_in_it_adds_no_empty_message() {
        let parts = vec![Part::Text(" \n".into())];
        let blank = ConversationTurn { message: "a".into(), parts, usage: Usage::default(), end: TurnEnd::Done };
        assert_eq!(messages(&[Arc::new(blank)], "b").len(), 2);
        let turn =
            ConversationTurn { message: "a".into(), parts: vec![], usage: Usage::default(), end: TurnEnd::Rejected };
        assert_eq!(messages(&[Arc::new(turn)], "b").len(), 2);
    }
}
