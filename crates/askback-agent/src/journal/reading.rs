//! Reading a session back, as far as it can be read.

use super::SavedSession;
use super::record::{Line, Record, read_asked};
use crate::event::{ToolStatus, Usage};
use crate::turn::{Asked, AskedAs, ConversationTurn, Part, ToolUse, TurnEnd};
use askback_core::Request;
use askback_core::{Json, Limits};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Bytes at the start of a file in which its first message is looked for.
const HEAD: u64 = 64 * 1024;

/// What a session's file holds.
#[derive(Debug, Default)]
pub struct Saved {
    /// The agent it was last with.
    pub agent: Option<String>,
    /// Its turns.
    pub turns: Vec<ConversationTurn>,
    /// Lines that could not be read: a program was stopped while writing them.
    pub unreadable: usize,
}

/// The turn that the lines are about.
#[derive(Default)]
struct Current {
    message: Option<String>,
    parts: Vec<Part>,
    /// Whether the last question has no end yet.
    is_open: bool,
}

impl Current {
    /// A question whose end may be written further on, or may be lost.
    fn ask(&mut self, request: Request, by: AskedAs) {
        let outcome = Err("the session ended before anyone answered".to_owned());
        self.parts.push(Part::Question(Asked { request, by, outcome }));
        self.is_open = true;
    }

    /// A question with its end, in the place where it was asked.
    fn end(&mut self, asked: Asked) {
        if std::mem::take(&mut self.is_open) {
            self.parts.pop_if(|part| matches!(part, Part::Question(open) if open.request == asked.request));
        }
        self.parts.push(Part::Question(asked));
    }

    fn result(&mut self, id: &str, output: String, status: ToolStatus) {
        let waiting = self.parts.iter_mut().rev().find_map(|part| match part {
            Part::Tool(tool) if tool.id == id && tool.result.is_none() => Some(tool),
            _ => None,
        });
        match waiting {
            Some(tool) => tool.result = Some((output, status)),
            // The line of its use is lost.
            None => {
                let (id, name) = (id.to_owned(), id.to_owned());
                let result = Some((output, status));
                self.parts.push(Part::Tool(ToolUse { id, name, input: serde_json::Value::Null, result }));
            }
        }
    }

    fn finish(&mut self, usage: Usage, end: TurnEnd) -> ConversationTurn {
        let Self { message, parts, .. } = std::mem::take(self);
        ConversationTurn { message: message.unwrap_or_default(), parts, usage, end }
    }
}

impl Saved {
    pub(super) fn read(bytes: &[u8]) -> Self {
        let mut saved = Self::default();
        let mut current = Current::default();
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            match serde_json::from_slice::<Line>(line) {
                Ok(line) => saved.take(line.record, &mut current),
                Err(_) => saved.unreadable += 1,
            }
        }
        saved.cut_off(&mut current);
        saved
    }

    fn take(&mut self, record: Record, current: &mut Current) {
        match record {
            Record::Session { agent: name, .. } | Record::Agent { name } => self.agent = Some(name),
            Record::Message { text } => {
                self.cut_off(current);
                current.message = Some(text);
            }
            Record::Asking { request, by } => {
                if let Some(request) = read_request(&request) {
                    current.ask(request, by);
                }
            }
            Record::Asked { request, by, outcome, error } => match read_asked(&request, by, outcome.as_ref(), error) {
                Some(asked) => current.end(asked),
                None => self.unreadable += 1,
            },
            Record::Text { text } => current.parts.push(Part::Text(text)),
            Record::Tool { id, name, input } => {
                current.parts.push(Part::Tool(ToolUse { id, name, input, result: None }));
            }
            Record::Result { id, output, status } => current.result(&id, output, status),
            Record::Error { message } => current.parts.push(Part::Error(message)),
            Record::Turn { usage, end } => self.turns.push(current.finish(usage, end)),
        }
    }

    /// A turn whose end nobody wrote: what was said, done, asked and answered in it counts all the same.
    fn cut_off(&mut self, current: &mut Current) {
        if current.message.is_some() || !current.parts.is_empty() {
            let end = TurnEnd::Failed("the session ended in the middle of this turn".to_owned());
            self.turns.push(current.finish(Usage::default(), end));
        }
    }
}

fn read_request(json: &Json) -> Option<Request> {
    Request::from_json(json, &Limits::STORED).ok()
}

/// What there is to know of a session without reading all of it.
pub(super) fn summary(path: &Path) -> Option<SavedSession> {
    let mut lines = BufReader::new(File::open(path).ok()?.take(HEAD)).lines().map_while(Result::ok);
    let first: Line = serde_json::from_str(&lines.next()?).ok()?;
    let Record::Session { id, agent, .. } = first.record else {
        return None;
    };
    let first_message = lines.find_map(|line| match serde_json::from_str::<Line>(&line).ok()?.record {
        Record::Message { text } => Some(text),
        _ => None,
    });
    Some(SavedSession { id, began: first.at, agent, first_message })
}
