//! What became of a request: the states of its life as types (L1, L4, L5, L7).

use crate::fields::{Shape, check_text};
use crate::free_text::{check_free_text, with_line_feeds};
use crate::kind::Answer;
use crate::limits::{NAME_LENGTH, REASON_LENGTH};
use crate::problem::Refusal;
use crate::request::{Answers, Request};
use crate::rule::Rule;
use crate::text;
use crate::word::{meaning_of, words};
use jiff::Timestamp;

mod json;

pub use json::answer_json;

/// A request's name: a UUID in lower case with hyphens. Whoever makes one brings the randomness.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(String);

impl RequestId {
    /// Reads an id as it stands in JSON.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let fits = text.len() == 36
            && text.bytes().enumerate().all(|(at, byte)| match at {
                8 | 13 | 18 | 23 => byte == b'-',
                _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            });
        if fits {
            return Ok(Self(text.to_owned()));
        }
        let message = format!("{} is not the id of a request", crate::show::quote(text));
        Err(Refusal::new(Rule::Word, message, "a UUID in lower case, such as 019a8b3c-0000-7000-8000-000000000000"))
    }

    /// As it stands in JSON.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for RequestId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

words! {
    /// Where a person answered, or where else a request ended.
    pub enum Surface {
        /// A prompt in a terminal.
        Terminal = "terminal",
        /// The page in a browser.
        Page = "page",
        /// Any other Yjs client.
        Yjs = "yjs",
        /// The dialog of an MCP client.
        Mcp = "mcp",
        /// A command such as `askback answer`.
        Cli = "cli",
        /// A call of the HTTP API.
        Http = "http",
        /// Nobody: the hub itself, when time ran out.
        Hub = "hub",
    }
}

words! {
    /// How far a request has come (L1).
    pub enum Status {
        /// Still open.
        Pending = "pending",
        /// Ended, see [`Ending::Answered`].
        Answered = "answered",
        /// Ended, see [`Ending::Declined`].
        Declined = "declined",
        /// Ended, see [`Ending::Cancelled`].
        Cancelled = "cancelled",
        /// Ended, see [`Ending::Expired`].
        Expired = "expired",
    }
}

impl Status {
    /// The status of this name.
    pub fn parse(name: &str) -> Option<Self> {
        meaning_of(&Self::WORDS, name)
    }
}

/// Why a person declined or someone cancelled; a question back is one, too (L7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// A reason as typed, its line ends written as line feeds; a blank one is none.
    pub fn parse(text: &str) -> Result<Option<Self>, Refusal> {
        if text::is_blank(text) {
            return Ok(None);
        }
        let text = with_line_feeds(text);
        check_free_text(&text, REASON_LENGTH, &['\t', '\n'])?;
        Ok(Some(Self(text)))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One of the four ways a request ends. Only the functions below make one, so that none can say what could not have
/// happened; [`Resolution::ending`] shows which it is.
///
/// ```compile_fail,E0616
/// # use askback_core::{Answers, Resolution};
/// fn consent_by_silence(mut expired: Resolution, approved: Answers) {
///     expired.answers = Some(approved);
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Resolution {
    status: Status,
    answers: Option<Answers>,
    reason: Option<Reason>,
}

/// How a request ended, to look at. The four stay different all the way to the model's text (L5).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ending<'a> {
    /// Every question has its answer, and no approval was rejected.
    Answered(&'a Answers),
    /// The person said no: to answering at all, or to an approval, whose answers are then kept (F0).
    Declined {
        /// Why, or a question back.
        reason: Option<&'a Reason>,
        /// The answers, if they came with a rejected approval.
        answers: Option<&'a Answers>,
    },
    /// The asker or a person took the question away.
    Cancelled {
        /// Why.
        reason: Option<&'a Reason>,
    },
    /// Nobody answered in time. Never consent, never an empty answer; at most what the asker declared (L4).
    Expired {
        /// The declared default.
        default: Option<&'a Answers>,
    },
}

impl Resolution {
    /// What a person's answers mean: a rejected approval declines the request.
    pub fn from_answers(answers: Answers) -> Self {
        let rejected = answers.iter().any(Answer::rejects);
        let status = if rejected { Status::Declined } else { Status::Answered };
        Self { status, answers: Some(answers), reason: None }
    }

    /// The person won't answer, or asks back (L7).
    pub fn declined(reason: Option<Reason>) -> Self {
        Self { status: Status::Declined, answers: None, reason }
    }

    /// The question was taken away.
    pub fn cancelled(reason: Option<Reason>) -> Self {
        Self { status: Status::Cancelled, answers: None, reason }
    }

    /// What silence means for a request.
    pub fn from_silence(request: &Request) -> Self {
        Self { status: Status::Expired, answers: request.default_answers().cloned(), reason: None }
    }

    /// How it ended.
    pub fn ending(&self) -> Ending<'_> {
        let (answers, reason) = (self.answers(), self.reason());
        match (self.status, answers) {
            (Status::Answered, Some(answers)) => Ending::Answered(answers),
            (Status::Declined, answers) => Ending::Declined { reason, answers },
            (Status::Expired, default) => Ending::Expired { default },
            // What is answered has answers, and what is pending is no resolution.
            (Status::Cancelled | Status::Answered | Status::Pending, _) => Ending::Cancelled { reason },
        }
    }

    /// What it makes of the request.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The answers it carries: a person's, or the declared default.
    pub fn answers(&self) -> Option<&Answers> {
        self.answers.as_ref()
    }

    /// Why it was declined or cancelled.
    pub fn reason(&self) -> Option<&Reason> {
        self.reason.as_ref()
    }
}

/// How a request ended, with who, where and when.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    id: RequestId,
    resolution: Resolution,
    by: String,
    surface: Surface,
    at: Timestamp,
}

impl Outcome {
    /// The name of the person who answered or declined. A request that was cancelled or has expired has none.
    pub fn answerer(&self) -> Option<&str> {
        matches!(self.status(), Status::Answered | Status::Declined).then_some(self.by.as_str())
    }

    /// Of the request with this id; `by` is a name on one line. The hub itself answers nothing.
    pub fn new(
        id: RequestId,
        resolution: Resolution,
        by: &str,
        surface: Surface,
        at: Timestamp,
    ) -> Result<Self, Refusal> {
        check_text(by, Shape::Line, &(1..=NAME_LENGTH))?;
        let by_a_person = matches!(resolution.status, Status::Answered | Status::Declined);
        Rule::Word.unless(!(by_a_person && surface == Surface::Hub), || {
            ("the hub itself answers nothing", "the surface on which a person did")
        })?;
        Ok(Self { id, resolution, by: by.to_owned(), surface, at })
    }

    /// The request.
    pub fn id(&self) -> &RequestId {
        &self.id
    }

    /// How it ended.
    pub fn resolution(&self) -> &Resolution {
        &self.resolution
    }

    /// What it makes of the request.
    pub fn status(&self) -> Status {
        self.resolution.status()
    }

    /// The written form of each answer it carries: a person's, or the declared default. None if it carries none.
    pub fn responses(&self) -> Vec<String> {
        self.resolution.answers().into_iter().flat_map(Answers::iter).map(Answer::written).collect()
    }

    /// Who ended it. Text like any other: [`crate::show`] makes it safe to paint.
    pub fn by(&self) -> &str {
        &self.by
    }

    /// Where.
    pub fn surface(&self) -> Surface {
        self.surface
    }

    /// When.
    pub fn at(&self) -> Timestamp {
        self.at
    }
}

/// A request's state at some moment.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// Still open, under this id.
    Pending(RequestId),
    /// Ended for good.
    Final(Outcome),
}
