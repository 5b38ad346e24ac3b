//! The ledger: what clients sent and what was acknowledged to them, line by line as they said it.

use super::exchange::Exchange;
use askback_core::RequestId;
use std::collections::BTreeMap;
use std::fmt;

/// What a client says, in one line. It says what it is about to send before it sends it.
#[derive(Debug)]
pub(crate) enum Line {
    Asking { key: String },
    Created { id: RequestId, key: String },
    Answering { id: RequestId, response: String },
    Answered { id: RequestId, response: String },
}

impl Line {
    pub(crate) fn parse(line: &str) -> Result<Self, String> {
        let unknown = || format!("nobody says {line:?}");
        let id = |id: &str| RequestId::parse(id).map_err(|_| unknown());
        let words: Vec<&str> = line.split(' ').collect();
        Ok(match *words {
            ["asking", key] => Self::Asking { key: key.to_owned() },
            ["created", of, key] => Self::Created { id: id(of)?, key: key.to_owned() },
            ["answering", to, response] => Self::Answering { id: id(to)?, response: response.to_owned() },
            ["answered", to, response] => Self::Answered { id: id(to)?, response: response.to_owned() },
            _ => return Err(unknown()),
        })
    }

    pub(crate) fn is_acknowledgement(&self) -> bool {
        matches!(self, Self::Created { .. } | Self::Answered { .. })
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asking { key } => write!(f, "asking {key}"),
            Self::Created { id, key } => write!(f, "created {} {key}", id.as_str()),
            Self::Answering { id, response } => write!(f, "answering {} {response}", id.as_str()),
            Self::Answered { id, response } => write!(f, "answered {} {response}", id.as_str()),
        }
    }
}

/// How far an exchange has come, as far as its client knows.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The id, once the request was acknowledged.
    pub(crate) id: Option<RequestId>,
    pub(crate) answer: Answer,
    /// Whether the check has tried all of it once more.
    pub(crate) is_settled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    NotSent,
    Sent,
    Acknowledged,
}

/// Every exchange by its key.
#[derive(Debug, Default)]
pub(crate) struct Ledger(pub(crate) BTreeMap<String, Entry>);

impl Ledger {
    /// Writes down what a client said, if it makes sense after what was said before.
    pub(crate) fn note(&mut self, line: &Line) -> Result<(), String> {
        let noted = match line {
            Line::Asking { key } => {
                let entry = Entry { id: None, answer: Answer::NotSent, is_settled: false };
                self.0.insert(key.clone(), entry).is_none()
            }
            Line::Created { id, key } => {
                let entry = self.0.get_mut(key).filter(|entry| entry.id.is_none());
                entry.map(|entry| entry.id = Some(id.clone())).is_some()
            }
            Line::Answering { id, response } => self.step(id, response, Answer::NotSent, Answer::Sent),
            Line::Answered { id, response } => self.step(id, response, Answer::Sent, Answer::Acknowledged),
        };
        if noted { Ok(()) } else { Err(format!("\"{line}\" does not follow from what was said before")) }
    }

    fn step(&mut self, id: &RequestId, response: &str, from: Answer, to: Answer) -> bool {
        let entry = Exchange::of_response(response).and_then(|exchange| self.0.get_mut(exchange.key()));
        let entry = entry.filter(|entry| entry.id.as_ref() == Some(id) && entry.answer == from);
        entry.map(|entry| entry.answer = to).is_some()
    }

    /// Adds what was said in another run.
    pub(crate) fn add(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// How many requests and answers were acknowledged.
    pub(crate) fn acknowledged(&self) -> usize {
        let created = self.0.values().filter(|entry| entry.id.is_some()).count();
        created + self.0.values().filter(|entry| entry.answer == Answer::Acknowledged).count()
    }
}
