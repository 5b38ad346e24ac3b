//! A conversation as plain lines on standard output, answered by a script.

use super::recap;
use crate::ask::answers::{Unscripted, resolve};
use crate::chat::surface::{result_summary, title};
use crate::exit::Exit;
use crate::sign::sign;
use crate::style::{Signs, signs};
use askback_agent::{Attending, Attention, Prompted, Prompting, Surface, ToolUse};
use askback_core::show::{Layout, Purpose, show};
use askback_core::{AskError, Json, Outcome, PromptStyle, Request, Surface as Place};
use askback_term::Caps;
use std::future::pending;
use std::io::{self, Write};

pub(super) struct Transcript {
    answers: Json,
    failed: Option<io::Error>,
    pub(super) signs: &'static Signs,
    /// Whether what was printed last has ended its line.
    is_line_over: bool,
}

impl Transcript {
    pub(super) fn new(answers: Json, caps: Caps) -> Self {
        Self { answers, failed: None, signs: signs(caps), is_line_over: true }
    }

    /// Returns the exit status given, if all was printed. A reader that has read enough need not read the rest.
    pub(super) fn finish(self, exit: Exit) -> io::Result<Exit> {
        match self.failed {
            None => Ok(exit),
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Done),
            Some(error) => Err(error),
        }
    }

    fn print(&mut self, text: &str) {
        if self.failed.is_none() {
            let mut out = io::stdout().lock();
            let shown = show(text, Layout::Block, Purpose::Prose);
            self.failed = write!(out, "{shown}").and_then(|()| out.flush()).err();
        }
    }

    fn decide(&self, request: &Request) -> Result<Outcome, AskError> {
        let resolution = resolve(request, &self.answers).map_err(|unscripted| {
            AskError::Nobody(match unscripted {
                Unscripted::Missing(why) => format!("the script {why}"),
                Unscripted::NoText(asked) => format!("the script's answer to {asked} is no text"),
                Unscripted::Refused(problems) => format!("the script's answers don't pass: {problems}"),
            })
        })?;
        sign(resolution, Place::Cli).map_err(|error| AskError::Failed(error.to_string()))
    }
}

impl Surface for Transcript {
    fn start_spinner(&mut self) {}

    fn stop_spinner(&mut self) {}

    fn text(&mut self, delta: &str) {
        self.print(delta);
        self.is_line_over = delta.ends_with('\n');
    }

    fn finish_text(&mut self) {
        if !self.is_line_over {
            self.print("\n");
        }
    }

    fn tool_started(&mut self, tool: &ToolUse) {
        self.print(&format!("{} {}\n", self.signs.tool, title(tool)));
    }

    fn tool_finished(&mut self, tool: &ToolUse) {
        if let Some(shown) = result_summary(tool) {
            self.print(&format!("  {} {shown}\n", self.signs.result));
        }
    }

    fn info(&mut self, text: &str) {
        self.print(&format!("{text}\n"));
    }

    fn error(&mut self, text: &str) {
        self.print(&format!("{} {text}\n", self.signs.error));
    }

    fn prompt<'a>(&'a mut self, request: &'a Request, _: PromptStyle) -> Prompting<'a> {
        Box::pin(async move {
            for context in request.context() {
                let text: Vec<String> =
                    context.text().lines().map(|line| format!("{} {line}", self.signs.bar)).collect();
                self.print(&format!("{}\n", text.join("\n")));
            }
            let outcome = self.decide(request)?;
            let questions: Vec<&str> = request.questions().iter().map(askback_core::Question::message).collect();
            self.print(&format!("? {}\n", questions.join("\n? ")));
            for decision in recap::decisions(request, Some(&outcome)) {
                self.print(&format!("{} {decision}\n", self.signs.done));
            }
            self.print("\n");
            Ok(Prompted::Ended(outcome))
        })
    }

    fn attend(&mut self) -> Attending<'_> {
        match &self.failed {
            Some(error) => {
                let why = error.to_string();
                Box::pin(async move { Attention::Lost(why) })
            }
            None => Box::pin(pending()),
        }
    }
}
