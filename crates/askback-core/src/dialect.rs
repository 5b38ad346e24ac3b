//! The shapes a request may arrive in. Each reads into the same [`Request`] and writes what it can express.

use crate::fields::Fields;
use crate::json::{Json, Object};
use crate::limits::Limits;
use crate::path::Path;
use crate::problem::{Problems, Refusal};
use crate::question::{Question, default_id};
use crate::request::{Envelope, Request};
use crate::rule::Rule;
use thiserror::Error;

pub mod ask_user_question;
pub mod claude_code;
pub mod elicitation;
pub mod form;
pub mod inline;
pub mod stream;

/// One shape of a request.
pub struct Dialect {
    /// Its name, as in `vectors/dialect-<name>.json`.
    pub name: &'static str,
    /// Writes a request in this shape, or says what the shape has no place for.
    pub render: fn(&Request) -> Result<Json, Inexpressible>,
    /// Whether an object is meant in this shape, right or wrong.
    recognises: fn(&Fields<'_, '_>) -> bool,
    /// Reads the questions from the fields of this shape; those that are wrong are none.
    read: fn(&mut Fields<'_, '_>) -> Vec<Option<Question>>,
}

impl Dialect {
    /// Reads a request in this shape, whatever it looks like, with the fields that may stand beside it.
    pub fn parse(&self, json: &Json, limits: &Limits) -> Result<Request, Problems> {
        read(json, limits, |_| Some(self))
    }
}

impl Request {
    /// Reads a request in any of its shapes (see [`crate::dialect`]), or reports everything that is wrong with it.
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Self, Problems> {
        Self::from_json(&Json::parse(bytes, limits)?, limits)
    }

    /// The same for JSON that is already read; how large it may be is then the reader's concern.
    pub fn from_json(json: &Json, limits: &Limits) -> Result<Self, Problems> {
        read(json, limits, recognise)
    }
}

/// Reads an object in the shape that `choose` finds, with the fields that may stand beside it.
fn read<'d>(
    json: &Json,
    limits: &Limits,
    choose: impl FnOnce(&mut Fields<'_, '_>) -> Option<&'d Dialect>,
) -> Result<Request, Problems> {
    Request::read(json, limits, |fields| {
        let (envelope, on_timeout) = Envelope::read(fields);
        let questions = choose(fields).map(|shape| (shape.read)(fields)).unwrap_or_default();
        (envelope, on_timeout, questions)
    })
}

/// Every shape; the first that recognises an object reads it.
pub static DIALECTS: &[Dialect] = &[
    Dialect {
        name: "ask-user-question",
        render: ask_user_question::render,
        recognises: ask_user_question::recognises,
        read: ask_user_question::read,
    },
    Dialect { name: "form", render: form::render, recognises: form::recognises, read: form::read },
    Dialect { name: "inline", render: inline::render, recognises: inline::recognises, read: inline::read },
    Dialect { name: "stream", render: stream::render, recognises: stream::recognises, read: stream::read },
];

/// Something that a request has and a shape has no place for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the {dialect} shape can't express `{path}`: {reason}; write the request as a form instead")]
pub struct Inexpressible {
    /// The shape.
    pub dialect: &'static str,
    /// The field of the canonical form that would be lost.
    pub path: Path,
    /// Why.
    pub reason: String,
}

impl Inexpressible {
    fn new(dialect: &'static str, path: Path, reason: impl Into<String>) -> Self {
        Self { dialect, path, reason: reason.into() }
    }
}

/// The shape an object is meant in, or a report that it is none.
fn recognise(fields: &mut Fields<'_, '_>) -> Option<&'static Dialect> {
    let found = DIALECTS.iter().find(|dialect| (dialect.recognises)(fields));
    if found.is_none() {
        fields.know(&["prompt", "message", "type", "questions"]);
        let (message, expected) = if fields.has("question") {
            fields.know(&["question", "header", "options", "multiSelect"]);
            (
                "this is one question of the AskUserQuestion tool",
                "a call of it: {\"questions\": [ … ]} around the question",
            )
        } else if fields.has("input") {
            fields.know(&["input", "name", "id"]);
            ("this is a use of a tool", "what is in its `input`, alone")
        } else {
            let expected = "a list `questions`, or one question with `type` and `message`, or `prompt` as in a stream";
            ("this asks nothing", expected)
        };
        fields.refuse(Refusal::new(Rule::Required, message, expected), fields.place());
    }
    found
}

/// Fails on the first field of the envelope that a bare shape would lose.
fn no_envelope(request: &Request, dialect: &'static str, kept: &[&str]) -> Result<(), Inexpressible> {
    match request.write_envelope(Object::new()).names().find(|name| !kept.contains(name)) {
        Some(name) => Err(Inexpressible::new(dialect, Path::root().field(name), "it has questions only")),
        None => Ok(()),
    }
}

/// Fails on the first thing every question may have but a bare shape would lose.
fn plain_question(question: &Question, position: usize, dialect: &'static str) -> Result<(), Inexpressible> {
    let lost = [
        ("id", question.id() != default_id(position)),
        ("placeholder", question.placeholder().is_some()),
        ("initial", question.initial().is_some()),
    ];
    match lost.iter().find(|(_, lost)| *lost) {
        Some((name, _)) => {
            Err(Inexpressible::new(dialect, question_path(position).field(name), "it has no such field"))
        }
        None => Ok(()),
    }
}

fn question_path(position: usize) -> Path {
    Path::root().field("questions").index(position)
}
