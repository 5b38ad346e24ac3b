//! A conversation on a terminal.

use super::audit;
use super::raced::{self, Beside};
use crate::error::CliError;
use crate::sign::sign;
use crate::style::{Signs, signs};
use askback_agent::{Attending, Attention, ConversationTurn, Part, Prompted, Prompting, Surface, ToolStatus, ToolUse};
use askback_core::tool;
use askback_core::{AskError, PromptEnd, PromptStyle, Request, Resolution, Surface as Place};
use askback_term::{Caps, Live, Manner, Tone};
use serde_json::Value;

/// Characters of a line of a tool's input or output that are shown.
const SHOWN: usize = 200;
/// Lines of a command's output that are shown.
const PRINTED: usize = 8;

/// The terminal of a conversation.
pub(crate) struct Terminal {
    pub(crate) live: Live,
    pub(crate) manner: Manner,
    pub(crate) beside: Beside,
    signs: &'static Signs,
    /// Tools whose results are not there yet.
    at_work: usize,
    /// What was shown last: different things are kept apart by a blank line.
    last: Shown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Message,
    Text,
    Tools,
    Question,
    Notice,
}

impl Terminal {
    pub(crate) fn new(live: Live, caps: Caps, beside: Beside) -> Self {
        Self { live, manner: caps.manner, beside, signs: signs(caps), at_work: 0, last: Shown::Message }
    }

    fn apart(&mut self, shown: Shown) {
        if self.last != shown {
            self.live.print(Tone::Plain, "");
            self.last = shown;
        }
    }

    /// The person has said something, and no tool is at work.
    pub(crate) fn said(&mut self) {
        self.last = Shown::Message;
        self.at_work = 0;
    }

    pub(crate) fn message(&mut self, tone: Tone, text: &str) {
        self.live.print_after(tone, &format!("{} ", self.signs.message), text);
    }

    /// Leaves a blank line between a command and what comes of it.
    pub(super) fn begin_answer(&mut self) {
        self.apart(Shown::Notice);
    }

    /// Prints what comes of a command.
    pub(super) fn answer(&mut self, text: &str) {
        self.begin_answer();
        self.live.print(Tone::Plain, text);
    }

    /// The questions of a session, each with what became of it.
    pub(super) fn audit(&mut self, lines: &[String]) {
        self.begin_answer();
        for line in lines {
            self.live.print_after(Tone::Plain, &format!("{} ", self.signs.tool), line);
        }
    }

    /// A turn of a session that is resumed, shortly, set out as when it was new.
    pub(super) fn recall(&mut self, turn: &ConversationTurn) {
        self.said();
        self.message(Tone::Muted, &turn.message);
        for part in &turn.parts {
            match part {
                Part::Text(text) if text.trim().is_empty() => {}
                Part::Text(text) => {
                    self.apart(Shown::Text);
                    self.live.print(Tone::Plain, text.trim_start_matches(['\n', '\r']).trim_end());
                }
                Part::Tool(tool) => {
                    self.apart(Shown::Tools);
                    self.live.print_after(Tone::Muted, &format!("{} ", self.signs.tool), &title(tool));
                }
                Part::Question(asked) => {
                    self.apart(Shown::Question);
                    self.live.print_after(Tone::Muted, "  ", &audit::line(asked));
                }
                Part::Error(message) => self.error(message),
            }
        }
        self.live.print(Tone::Plain, "");
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

    fn tool_started(&mut self, tool: &ToolUse) {
        self.apart(Shown::Tools);
        self.at_work += 1;
        self.live.print(Tone::Info, &format!("{} {}", self.signs.tool, title(tool)));
    }

    fn tool_finished(&mut self, tool: &ToolUse) {
        // Where several are at work at once, each result says whose it is.
        let whose = if self.at_work > 1 { format!("{}: ", title(tool)) } else { String::new() };
        self.at_work = self.at_work.saturating_sub(1);
        let (tone, sign) = match &tool.result {
            Some((_, ToolStatus::Failed)) => (Tone::Warning, format!("{} ", self.signs.error)),
            _ => (Tone::Muted, String::new()),
        };
        if let Some(shown) = result_summary(tool) {
            self.apart(Shown::Tools);
            self.live.print(tone, &format!("  {} {sign}{whose}{shown}", self.signs.result));
        }
    }

    fn info(&mut self, text: &str) {
        self.apart(Shown::Notice);
        self.live.print(Tone::Info, text);
    }

    fn error(&mut self, text: &str) {
        self.apart(Shown::Notice);
        self.live.print(Tone::Error, &format!("{} {text}", self.signs.error));
    }

    fn prompt<'a>(&'a mut self, request: &'a Request, style: PromptStyle) -> Prompting<'a> {
        // A question stands apart, also from one before it.
        self.live.print(Tone::Plain, "");
        self.last = Shown::Question;
        Box::pin(async move {
            let failed = |error: CliError| AskError::Failed(error.to_string());
            if let Some(racers) = self.beside.racers() {
                return raced::ask(&mut self.live, request, style, racers).await;
            }
            let signed = |resolution| sign(resolution, Place::Terminal).map_err(failed);
            match self.live.ask(request, style).await {
                Ok(PromptEnd::Decided(resolution)) => signed(resolution).map(Prompted::Ended),
                Ok(PromptEnd::Interrupted) => signed(Resolution::cancelled(None)).map(Prompted::Interrupted),
                Ok(PromptEnd::Withdrawn) => signed(Resolution::cancelled(None)).map(Prompted::Ended),
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

/// A tool and what it was called with, in a line.
pub(crate) fn title(tool: &ToolUse) -> String {
    format!("{} {}", tool.name, input_summary(tool)).trim_end().to_owned()
}

/// What it is about, if that can be told.
fn input_summary(tool: &ToolUse) -> String {
    if let (tool::NAME, Some(questions)) = (tool.name.as_str(), tool.input["questions"].as_array()) {
        return format!("{} question(s)", questions.len());
    }
    let about = ["command", "path", "title", "message"].iter().find_map(|field| tool.input[*field].as_str());
    match (about, &tool.input) {
        (Some(text), _) => one_line(text),
        (None, Value::Null) => String::new(),
        (None, Value::Object(fields)) if fields.is_empty() => String::new(),
        (None, other) => one_line(&other.to_string()),
    }
}

/// What came of a tool, shortly; nothing if the person has just said it themselves.
pub(crate) fn result_summary(tool: &ToolUse) -> Option<String> {
    let (output, status) = tool.result.as_ref()?;
    let asks = matches!(tool.name.as_str(), tool::NAME | "request_user_input");
    if asks && *status == ToolStatus::Succeeded {
        return None;
    }
    // What a command prints is what it was run for.
    let most = if tool.name == "run_command" { PRINTED } else { 1 };
    let mut lines = output.lines().filter(|line| !line.trim().is_empty());
    let mut shown: Vec<String> = lines.by_ref().take(most).map(one_line).collect();
    match lines.count() {
        0 => {}
        1 => shown.push("(and 1 more line)".to_owned()),
        more => shown.push(format!("(and {more} more lines)")),
    }
    if shown.is_empty() {
        shown.push("(nothing)".to_owned());
    }
    Some(shown.join(if most == 1 { " " } else { "\n    " }))
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
        let used = |name: &str, input: Value, result: &str| ToolUse {
            id: "1".into(),
            name: name.into(),
            input,
            result: Some((result.into(), ToolStatus::Succeeded)),
        };
        assert_eq!(title(&used("AskUserQuestion", json!({"questions": [1, 2]}), "")), "AskUserQuestion 2 question(s)");
        assert_eq!(title(&used("run_command", json!({"command": "ls\n-l"}), "")), "run_command ls -l");
        assert_eq!(title(&used("x", json!({"a": 1}), "")), "x {\"a\":1}");
        assert_eq!(title(&used("x", Value::Null, "")), "x");
        let result = |name: &str, result: &str| result_summary(&used(name, Value::Null, result));
        assert_eq!(result("x", "one\n\ntwo\nthree").as_deref(), Some("one (and 2 more lines)"));
        assert_eq!(result("x", "").as_deref(), Some("(nothing)"));
        assert_eq!(result("run_command", "one\ntwo").as_deref(), Some("one\n    two"));
        assert_eq!(result("AskUserQuestion", "User answered"), None);
    }
}
