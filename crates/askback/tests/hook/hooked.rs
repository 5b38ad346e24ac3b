//! A hook that runs, as Claude Code runs it.

use askback_testkit::home::Home;
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

/// The hook, whether anybody is there or not; a test that goes wrong is not to wait for it for long.
pub(crate) const PATIENT: &[&str] = &["hook", "claude-code", "--nobody", "1m", "--timeout", "1m"];

/// What Claude Code says of an event, as it says it today.
pub(crate) fn event(name: &str, tool: &str, input: &Value) -> Value {
    json!({
        "session_id": "195668e0", "transcript_path": "/srv/me/.claude/x.jsonl", "cwd": "/tmp/shop", "prompt_id": "495351f5",
        "permission_mode": "default", "effort": {"level": "medium"}, "hook_event_name": name, "tool_name": tool,
        "tool_input": input,
        "permission_suggestions": [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}],
        "something_new": [{"deep": null}],
    })
}

/// Its own questions.
pub(crate) fn questions(questions: &Value) -> Value {
    event("PreToolUse", "AskUserQuestion", &json!({ "questions": questions }))
}

/// One of them.
pub(crate) fn database() -> Value {
    questions(&json!([{"question": "Which database?", "header": "DB", "multiSelect": false, "options": [
        {"label": "SQLite", "description": "Small"}, {"label": "PostgreSQL", "description": "Big"},
    ]}]))
}

/// Whether it may use a tool.
pub(crate) fn permission(tool: &str, input: &Value) -> Value {
    event("PermissionRequest", tool, input)
}

/// Whether it may run a command.
pub(crate) fn command(text: &str) -> Value {
    permission("Bash", &json!({"command": text, "description": "Do it"}))
}

/// Starts the hook with this on its standard input, which is then closed.
pub(crate) fn start(home: &Home, arguments: &[&str], input: &[u8]) -> Child {
    spawn(home.command(arguments), input)
}

pub(crate) fn spawn(mut command: Command, input: &[u8]) -> Child {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    // What is over a limit is not read to its end, so the pipe may close early.
    let _ = child.stdin.take().unwrap().write_all(input);
    child
}

/// Starts it with an event, and gives the request that it asks.
pub(crate) fn asking(home: &Home, arguments: &[&str], event: &Value) -> (Child, String) {
    let child = start(home, arguments, event.to_string().as_bytes());
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    (child, id)
}

/// What it has decided, in its words to the letter.
#[track_caller]
pub(crate) fn decision(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.strip_suffix('\n').unwrap().to_owned()
}

/// That it has decided nothing: Claude Code asks by itself. Gives what it said why.
#[track_caller]
pub(crate) fn nothing(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b""[..]), "{said}");
    assert!(said.starts_with("askback: Claude Code asks by itself: "), "{said}");
    said
}
