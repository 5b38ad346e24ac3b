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

pub use json::{AnswerJson, OutcomeJson};

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
        /// Ended, see [`Resolution::Answered`].
        Answered = "answered",
        /// Ended, see [`Resolution::Declined`] and [`Resolution::Rejected`].
        Declined = "declined",
        /// Ended, see [`Resolution::Cancelled`].
        Cancelled = "cancelled",
        /// Ended, see [`Resolution::Expired`].
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

/// The way a request ended. The variants stay different all the way to the model's text (L5). Only the core creates one, so that
/// none describes an ending that could not have happened: silence, for instance, never carries answers that a person gave.
///
/// ```compile_fail,E0639
/// # use askback_core::{Answers, Resolution};
/// fn consent_by_silence(approved: Answers) -> Resolution {
///     Resolution::Expired { default: Some(approved) }
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Resolution {
    /// Every question has its answer, and no approval was rejected.
    #[non_exhaustive]
    Answered {
        /// One answer for each question.
        answers: Answers,
    },
    /// The person rejected an approval, which declines the request. The other answers are kept (F0).
    #[non_exhaustive]
    Rejected {
        /// One answer for each question.
        answers: Answers,
    },
    /// The person declined to answer.
    #[non_exhaustive]
    Declined {
        /// The reason, or a question back (L7).
        reason: Option<Reason>,
    },
    /// The asker or a person withdrew the request.
    #[non_exhaustive]
    Cancelled {
        /// The reason.
        reason: Option<Reason>,
    },
    /// No person answered in time. That is never consent and never an empty answer (L4).
    #[non_exhaustive]
    Expired {
        /// The default that the asker declared.
        default: Option<Answers>,
    },
}

impl Resolution {
    /// The resolution by a person's answers: a rejected approval declines the request.
    pub fn from_answers(answers: Answers) -> Self {
        if answers.iter().any(Answer::rejects) { Self::Rejected { answers } } else { Self::Answered { answers } }
    }

    /// The resolution by a person who does not answer, or asks back (L7).
    pub fn declined(reason: Option<Reason>) -> Self {
        Self::Declined { reason }
    }

    /// The resolution of a request that was withdrawn.
    pub fn cancelled(reason: Option<Reason>) -> Self {
        Self::Cancelled { reason }
    }

    /// The resolution of a request whose time is up.
    pub fn from_silence(request: &Request) -> Self {
        Self::Expired { default: request.default_answers().cloned() }
    }

    /// The status of the request from then on.
    pub fn status(&self) -> Status {
        match self {
            Self::Answered { .. } => Status::Answered,
            Self::Rejected { .. } | Self::Declined { .. } => Status::Declined,
            Self::Cancelled { .. } => Status::Cancelled,
            Self::Expired { .. } => Status::Expired,
        }
    }

    /// The answers that it carries: a person's, or the declared default.
    pub fn answers(&self) -> Option<&Answers> {
        match self {
            Self::Answered { answers } | Self::Rejected { answers } => Some(answers),
            Self::Expired { default } => default.as_ref(),
            Self::Declined { .. } | Self::Cancelled { .. } => None,
        }
    }

    /// The reason why it was declined or cancelled.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Declined { reason } | Self::Cancelled { reason } => reason.as_ref(),
            Self::Answered { .. } | Self::Rejected { .. } | Self::Expired { .. } => None,
        }
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
        let by_a_person = matches!(resolution.status(), Status::Answered | Status::Declined);
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
