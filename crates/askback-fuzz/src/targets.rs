//! The list of the targets, and the invariants that several of them share.

use askback_core::Problems;
use askback_core::limits::PROBLEMS;

mod agent_line;
mod joined_answer;
mod mcp_line;
mod request;
mod websocket;
mod yjs;

/// A reader of untrusted bytes under test.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name, which is also the folder of its corpus.
    pub name: &'static str,
    /// Reads an input and checks the invariants. Returns whether the reader accepts the input.
    pub accepts: fn(&[u8]) -> bool,
    /// Parts of valid inputs, for mutations.
    pub words: &'static [&'static str],
}

/// Every target.
pub const TARGETS: [Target; 6] = [
    Target { name: "yjs", accepts: yjs::accepts, words: yjs::WORDS },
    Target { name: "request", accepts: request::accepts, words: request::WORDS },
    Target { name: "joined-answer", accepts: joined_answer::accepts, words: joined_answer::WORDS },
    Target { name: "mcp-line", accepts: mcp_line::accepts, words: mcp_line::WORDS },
    Target { name: "agent-line", accepts: agent_line::accepts, words: agent_line::WORDS },
    Target { name: "websocket", accepts: websocket::accepts, words: websocket::WORDS },
];

/// Checks a report: it is not empty, has at most [`PROBLEMS`] entries, and can be printed on a terminal.
fn check_problems(problems: &Problems) {
    assert!(!problems.is_empty() && problems.len() <= PROBLEMS, "{} problems", problems.len());
    problems.iter().for_each(|problem| check_printable(&problem.to_string()));
}

/// Checks that a message is one line without control characters.
fn check_printable(message: &str) {
    assert!(!message.is_empty() && !message.chars().any(char::is_control), "{message:?}");
}
