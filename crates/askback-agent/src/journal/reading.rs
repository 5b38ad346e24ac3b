//! Reading a session back, as far as it can be read.

use super::SavedSession;
use super::record::{Line, Record, read_asked};
use crate::event::{CallResult, ToolCall, Usage};
use crate::turn::{Asked, ConversationTurn, Part, ToolUse, TurnEnd, waiting};
use askback_core::{Limits, Request};
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

/// A session that is being read.
#[derive(Default)]
struct Reader {
    saved: Saved,
    /// The message and the parts of the turn that the lines are about.
    message: Option<String>,
    parts: Vec<Part>,
    /// Whether the last question has no end yet.
    is_open: bool,
}

impl Saved {
    pub(super) fn read(bytes: &[u8]) -> Self {
        let mut reader = Reader::default();
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            match serde_json::from_slice::<Line>(line) {
                Ok(line) => reader.take(line.record),
                Err(_) => reader.saved.unreadable += 1,
            }
        }
        reader.cut_off();
        reader.saved
    }
}

impl Reader {
    fn take(&mut self, record: Record) {
        match record {
            Record::Session { agent: name, .. } | Record::Agent { name } => self.saved.agent = Some(name),
            Record::Message { text } => {
                self.cut_off();
                self.message = Some(text);
            }
            Record::Asking { request, by } => {
                if let Ok(request) = Request::from_json(&request, &Limits::STORED) {
                    // Its end may be written further on, or may be lost.
                    let outcome = Err("the session ended before anyone answered".to_owned());
                    self.parts.push(Part::Question(Asked { request, by, outcome }));
                    self.is_open = true;
                }
            }
            Record::Asked { request, by, outcome, error } => match read_asked(&request, by, outcome.as_ref(), error) {
                Some(asked) => {
                    // A question with its end takes the place where it was asked.
                    if std::mem::take(&mut self.is_open) {
                        self.parts.pop_if(|part| matches!(part, Part::Question(open) if open.request == asked.request));
                    }
                    self.parts.push(Part::Question(asked));
                }
                None => self.saved.unreadable += 1,
            },
            Record::Text { text } => self.parts.push(Part::Text(text)),
            Record::Tool(ToolCall { id, name, input }) => {
                self.parts.push(Part::Tool(ToolUse { id, name, input, result: None }));
            }
            Record::Result(CallResult { id, output, status }) => {
                if waiting(&mut self.parts, &id).is_none() {
                    // The line of its use is lost.
                    self.parts.push(Part::Tool(ToolUse::unknown(&id)));
                }
                if let Some(tool) = waiting(&mut self.parts, &id) {
                    tool.result = Some((output, status));
                }
            }
            Record::Error { message } => self.parts.push(Part::Error(message)),
            Record::Turn { usage, end } => self.finish(usage, end),
        }
    }

    fn finish(&mut self, usage: Usage, end: TurnEnd) {
        self.is_open = false;
        let (message, parts) = (self.message.take().unwrap_or_default(), std::mem::take(&mut self.parts));
        self.saved.turns.push(ConversationTurn { message, parts, usage, end });
    }

    /// A turn whose end nobody wrote: what was said, done, asked and answered in it counts all the same.
    fn cut_off(&mut self) {
        if self.message.is_some() || !self.parts.is_empty() {
            let end = TurnEnd::Failed("the session ended in the middle of this turn".to_owned());
            self.finish(Usage::default(), end);
        }
    }
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
