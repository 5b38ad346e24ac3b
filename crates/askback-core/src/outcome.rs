//! What became of a request: the states of its life as types (L1, L4, L5, L7), and their JSON.

use crate::answer::RawAnswer;
use crate::fields::{Fields, Shape, check_text};
use crate::json::{Json, Object};
use crate::kind::Answer;
use crate::limits::{Limits, REASON_LENGTH};
use crate::path::{Path, Place};
use crate::problem::{Problems, Refusal};
use crate::question::Question;
use crate::request::{Answers, Request};
use crate::rule::Rule;
use crate::text;
use jiff::Timestamp;

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

/// Where a person answered, or where else a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Surface {
    /// A prompt in a terminal.
    Terminal,
    /// The page in a browser.
    Page,
    /// Any other Yjs client.
    Yjs,
    /// The dialog of an MCP client.
    Mcp,
    /// A command such as `askback answer`.
    Cli,
    /// A call of the HTTP API.
    Http,
    /// Nobody: the hub itself, when time ran out.
    Hub,
}

impl Surface {
    const WORDS: [(&'static str, Self); 7] = [
        ("terminal", Self::Terminal),
        ("page", Self::Page),
        ("yjs", Self::Yjs),
        ("mcp", Self::Mcp),
        ("cli", Self::Cli),
        ("http", Self::Http),
        ("hub", Self::Hub),
    ];

    /// Every surface's name in JSON.
    pub fn names() -> [&'static str; 7] {
        Self::WORDS.map(|(word, _)| word)
    }

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Page => "page",
            Self::Yjs => "yjs",
            Self::Mcp => "mcp",
            Self::Cli => "cli",
            Self::Http => "http",
            Self::Hub => "hub",
        }
    }
}

/// Why a person declined or someone cancelled; a question back is one, too (L7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// A reason as typed; a blank one is none.
    pub fn parse(text: &str) -> Result<Option<Self>, Refusal> {
        if text::is_blank(text) {
            return Ok(None);
        }
        check_text(text, Shape::Block, &(1..=REASON_LENGTH))?;
        let control = text.contains(|c: char| c.is_control() && !matches!(c, '\t' | '\n'));
        Rule::Control.unless(!control, || ("the reason has control characters", "plain text"))?;
        Ok(Some(Self(text.to_owned())))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The four ways a request ends. They stay different all the way to the model's text (L5).
#[derive(Debug, Clone, PartialEq)]
pub enum Resolution {
    /// Every question has its answer, and no approval was rejected.
    Answered(Answers),
    /// The person said no: to answering at all, or to an approval, whose answers are then kept (F0).
    Declined {
        /// Why, or a question back.
        reason: Option<Reason>,
        /// The answers, if they came with a rejected approval.
        answers: Option<Answers>,
    },
    /// The asker or a person took the question away.
    Cancelled {
        /// Why.
        reason: Option<Reason>,
    },
    /// Nobody answered in time. Never consent, never an empty answer; at most what the asker declared (L4).
    Expired {
        /// The declared default.
        default: Option<Answers>,
    },
}

impl Resolution {
    /// What a person's answers mean: a rejected approval declines the request.
    pub fn from_answers(answers: Answers) -> Self {
        if answers.iter().any(Answer::rejects) {
            return Self::Declined { reason: None, answers: Some(answers) };
        }
        Self::Answered(answers)
    }

    /// What silence means for a request.
    pub fn from_silence(request: &Request) -> Self {
        Self::Expired { default: request.default_answers().cloned() }
    }

    /// Its name in JSON.
    pub fn status(&self) -> &'static str {
        match self {
            Self::Answered(_) => "answered",
            Self::Declined { .. } => "declined",
            Self::Cancelled { .. } => "cancelled",
            Self::Expired { .. } => "expired",
        }
    }

    fn answers(&self) -> Option<&Answers> {
        match self {
            Self::Answered(answers) => Some(answers),
            Self::Declined { answers, .. } => answers.as_ref(),
            Self::Cancelled { .. } => None,
            Self::Expired { default } => default.as_ref(),
        }
    }

    fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Declined { reason, .. } | Self::Cancelled { reason } => reason.as_ref(),
            Self::Answered(_) | Self::Expired { .. } => None,
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
    /// Of the request with this id.
    pub fn new(id: RequestId, resolution: Resolution, by: impl Into<String>, surface: Surface, at: Timestamp) -> Self {
        Self { id, resolution, by: by.into(), surface, at }
    }

    /// The request.
    pub fn id(&self) -> &RequestId {
        &self.id
    }

    /// How it ended.
    pub fn resolution(&self) -> &Resolution {
        &self.resolution
    }

    /// Who ended it.
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

    /// As every port gives it.
    pub fn to_json(&self, request: &Request) -> Json {
        let by_default = matches!(self.resolution, Resolution::Expired { default: Some(_) });
        write_outcome(&self.id, self.resolution.status(), request, self.resolution.answers())
            .put("answeredBy", self.by.as_str())
            .put("surface", self.surface.name())
            .put("answeredAt", self.at.to_string())
            .put("byDefault", by_default)
            .put("reason", self.resolution.reason().map(Reason::as_str))
            .into()
    }

    /// Reads what [`Outcome::to_json`] wrote, checking the answers against their questions once more.
    pub fn from_json(json: &Json, request: &Request) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        let outcome = Fields::open(json, Place::Root, &mut problems, &Limits::STORED)
            .and_then(|fields| read_outcome(fields, request));
        problems.into_result(outcome)
    }
}

/// A pending request, as every port gives it: the outcome that isn't there yet.
pub fn pending_json(id: &RequestId, request: &Request) -> Json {
    write_outcome(id, "pending", request, None)
        .put("answeredBy", Json::Null)
        .put("surface", Json::Null)
        .put("answeredAt", Json::Null)
        .put("byDefault", false)
        .put("reason", Json::Null)
        .into()
}

/// One answer as it stands in an outcome.
pub fn answer_json(question: &Question, answer: &Answer) -> Json {
    Object::new()
        .put("id", question.id())
        .put("question", question.message())
        .put("header", question.header())
        .put("response", answer.written())
        .put("selections", answer.selections())
        .put("custom", answer.custom())
        .into()
}

fn write_outcome(id: &RequestId, status: &str, request: &Request, answers: Option<&Answers>) -> Object {
    let pairs = || request.questions().iter().zip(answers.into_iter().flat_map(Answers::iter));
    let object = Object::new().put("id", id.as_str()).put("status", status);
    let object = match request.questions() {
        [_] => object.put("response", pairs().map(|(_, answer)| answer.written()).next()),
        _ => object,
    };
    object.put("answers", pairs().map(|(question, answer)| answer_json(question, answer)).collect::<Vec<_>>())
}

#[derive(Clone, Copy)]
enum Status {
    Answered,
    Declined,
    Cancelled,
    Expired,
}

fn read_outcome(mut fields: Fields<'_, '_>, request: &Request) -> Option<Outcome> {
    let id = fields.text("id", Shape::Line, 1..=usize::MAX);
    let id = fields.need("id", id, "the id of a request");
    let id = id.and_then(|id| RequestId::parse(id).map_err(|wrong| fields.refuse_field("id", wrong)).ok());
    let words = [
        ("answered", Status::Answered),
        ("declined", Status::Declined),
        ("cancelled", Status::Cancelled),
        ("expired", Status::Expired),
    ];
    let status = fields.word("status", &words);
    let status = fields.need("status", status, "one of answered, declined, cancelled, expired");
    let by = fields.line("answeredBy");
    let by = fields.need("answeredBy", by, "who ended it");
    let surface = fields.word("surface", &Surface::WORDS);
    let surface = fields.need("surface", surface, "where it ended");
    let at = fields.text("answeredAt", Shape::Line, 1..=usize::MAX).and_then(|text| text.parse::<Timestamp>().ok());
    if at.is_none() {
        fields.report("answeredAt", Rule::Date, "this is not a point in time", "a text such as 2026-11-15T17:40:00Z");
    }
    let reason = fields.value("reason").and_then(Json::as_str).unwrap_or_default();
    let reason = Reason::parse(reason).map_err(|refusal| fields.refuse_field("reason", refusal));
    let answers = read_answers(&mut fields, request);
    fields.value("response");
    fields.value("byDefault");
    fields.close();
    let (reason, answers) = (reason.ok()?, answers?);
    let resolution = match status? {
        Status::Answered => Resolution::Answered(answers?),
        Status::Declined => Resolution::Declined { reason, answers },
        Status::Cancelled => Resolution::Cancelled { reason },
        Status::Expired => Resolution::Expired { default: answers },
    };
    Some(Outcome::new(id?, resolution, by?, surface?, at?))
}

/// The answers, if there are any; an empty list is none.
fn read_answers(fields: &mut Fields<'_, '_>, request: &Request) -> Option<Option<Answers>> {
    let items = fields.array("answers")?;
    if items.is_empty() {
        return Some(None);
    }
    let lists: Vec<(Vec<String>, &Json)> = items
        .iter()
        .map(|item| {
            let selections = item.get("selections").and_then(Json::as_array).unwrap_or_default();
            (selections.iter().filter_map(Json::as_str).map(str::to_owned).collect(), item)
        })
        .collect();
    let raw: Vec<RawAnswer<'_>> = lists
        .iter()
        .map(|(selections, item)| match selections.as_slice() {
            [] => RawAnswer::Response(item.get("response").and_then(Json::as_str).unwrap_or_default()),
            selections => RawAnswer::Selections { selections, custom: item.get("custom").and_then(Json::as_str) },
        })
        .collect();
    match request.parse_answers(&raw, &Path::root().field("answers")) {
        Ok(answers) => Some(Some(answers)),
        Err(problems) => {
            for problem in &problems {
                fields.add(problem.clone());
            }
            None
        }
    }
}
