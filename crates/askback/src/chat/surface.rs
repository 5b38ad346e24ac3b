//! A conversation on a terminal.

use crate::sign::sign;
use askback_agent::{Attending, Attention, Look, Prompted, Prompting, Surface, ToolStatus};
use askback_core::tool;
use askback_core::{AskError, Request, Resolution, Surface as Place};
use askback_term::{Alphabet, Caps, Ended, Live, Tone};
use serde_json::Value;

/// Characters of a tool's input or output that are shown.
const SHOWN: usize = 200;

/// The terminal of a conversation.
pub(crate) struct Terminal {
    pub(crate) live: Live,
    signs: Signs,
    /// What was shown last: different things are kept apart by a blank line.
    last: Shown,
}

/// What can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Message,
    Text,
    Tools,
    Question,
    Notice,
}

/// The signs before what tools do.
struct Signs {
    tool: &'static str,
    result: &'static str,
    error: &'static str,
}

impl Terminal {
    pub(crate) fn new(live: Live) -> Self {
        let signs = match Caps::from_environment().alphabet {
            Alphabet::Unicode => Signs { tool: "•", result: "└", error: "✘" },
            Alphabet::Ascii => Signs { tool: "*", result: "\\", error: "[no]" },
        };
        Self { live, signs, last: Shown::Message }
    }

    fn apart(&mut self, shown: Shown) {
        if self.last != shown {
            self.live.print(Tone::Plain, "");
            self.last = shown;
        }
    }

    /// The person has said something.
    pub(crate) fn said(&mut self) {
        self.last = Shown::Message;
    }
}

impl Surface for Terminal {
    fn start_spinner(&mut self) {
        self.live.start_spinner("Working");
    }

    fn stop_spinner(&mut self) {
        self.live.stop_spinner();
    }

    fn text(&mut self, delta: &str) {
        self.apart(Shown::Text);
        self.live.text(delta);
    }

    fn finish_text(&mut self) {
        self.live.finish_text();
    }

    fn tool_started(&mut self, name: &str, input: &Value) {
        self.apart(Shown::Tools);
        self.live.print(Tone::Info, &format!("{} {name} {}", self.signs.tool, input_summary(name, input)));
    }

    fn tool_finished(&mut self, _: &str, output: &str, status: ToolStatus) {
        let tone = match status {
            ToolStatus::Succeeded => Tone::Muted,
            ToolStatus::Failed => Tone::Warning,
        };
        self.apart(Shown::Tools);
        self.live.print(tone, &format!("  {} {}", self.signs.result, output_summary(output)));
    }

    fn info(&mut self, text: &str) {
        self.apart(Shown::Notice);
        self.live.print(Tone::Info, text);
    }

    fn error(&mut self, text: &str) {
        self.apart(Shown::Notice);
        self.live.print(Tone::Error, &format!("{} {text}", self.signs.error));
    }

    fn prompt<'a>(&'a mut self, request: &'a Request, look: Look) -> Prompting<'a> {
        let look = match look {
            Look::Stream => askback_term::Look::Stream,
            Look::Question => askback_term::Look::Question,
        };
        // A question stands apart, also from one before it.
        self.live.print(Tone::Plain, "");
        self.last = Shown::Question;
        Box::pin(async move {
            let signed =
                |resolution| sign(resolution, Place::Terminal).map_err(|error| AskError::Failed(error.to_string()));
            match self.live.ask(request, look).await {
                Ok(Ended::Resolved(resolution)) => signed(resolution).map(Prompted::Ended),
                Ok(Ended::Interrupted) => signed(Resolution::cancelled(None)).map(Prompted::Interrupted),
                Ok(_) => signed(Resolution::cancelled(None)).map(Prompted::Ended),
                Err(error) => Err(AskError::Nobody(error.to_string())),
            }
        })
    }

    fn attend(&mut self) -> Attending<'_> {
        Box::pin(async move {
            match self.live.attend().await {
                Ok(_) => Attention::Interrupted,
                Err(error) => Attention::Lost(error.to_string()),
            }
        })
    }
}

/// What a tool was called with, in a line: what it is about, if that can be told.
pub(crate) fn input_summary(name: &str, input: &Value) -> String {
    if let (tool::NAME, Some(questions)) = (name, input["questions"].as_array()) {
        return format!("{} question(s)", questions.len());
    }
    let about = ["command", "path", "title", "message"].iter().find_map(|field| input[*field].as_str());
    match (about, input) {
        (Some(text), _) => one_line(text),
        (None, Value::Null) => String::new(),
        (None, Value::Object(fields)) if fields.is_empty() => String::new(),
        (None, other) => one_line(&other.to_string()),
    }
}

/// What came of a tool, in a line: its first line, and how many there are.
pub(crate) fn output_summary(output: &str) -> String {
    let mut lines = output.lines().filter(|line| !line.trim().is_empty());
    let first = one_line(lines.next().unwrap_or("(nothing)"));
    match lines.count() {
        0 => first,
        1 => format!("{first} (and 1 more line)"),
        more => format!("{first} (and {more} more lines)"),
    }
}

fn one_line(text: &str) -> String {
    let text = text.trim();
    let mut line: String = text.chars().take(SHOWN).map(|c| if c == '\n' { ' ' } else { c }).collect();
    if line.len() < text.len() {
        line.push_str(" …");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    // Q7
    #[test]
    fn a_tool_is_summed_up_in_a_line() {
        assert_eq!(input_summary("AskUserQuestion", &json!({"questions": [1, 2]})), "2 question(s)");
        assert_eq!(input_summary("run_command", &json!({"command": "ls\n-l"})), "ls -l");
        assert_eq!(input_summary("x", &json!({"a": 1})), "{\"a\":1}");
        assert_eq!(input_summary("x", &Value::Null), "");
        assert_eq!(output_summary("one\n\ntwo\nthree"), "one (and 2 more lines)");
        assert_eq!(output_summary(""), "(nothing)");
    }
}
