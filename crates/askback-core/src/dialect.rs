//! The shapes a request may arrive in. Each reads into the same [`Request`] and writes what it can express.

use crate::fields::Fields;
use crate::json::Json;
use crate::problem::Refusal;
use crate::question::Question;
use crate::request::Request;
use crate::rule::Rule;
use thiserror::Error;

pub mod ask_user_question;
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
    /// Reads the questions from the fields of this shape.
    pub(crate) read: fn(&mut Fields<'_, '_>) -> Option<Vec<Question>>,
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
    Dialect { name: "stream", render: stream::render, recognises: stream::recognises, read: stream::read },
    Dialect { name: "inline", render: inline::render, recognises: inline::recognises, read: inline::read },
];

/// Something that a request has and a shape has no place for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the {dialect} shape can't express `{path}`: {reason}; write the request as a form instead")]
pub struct Inexpressible {
    /// The shape.
    pub dialect: &'static str,
    /// The field of the canonical form that would be lost.
    pub path: String,
    /// Why.
    pub reason: String,
}

impl Inexpressible {
    fn new(dialect: &'static str, path: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { dialect, path: path.into(), reason: reason.into() }
    }
}

/// The shape an object is meant in, or a report that it is none.
pub(crate) fn recognise(fields: &mut Fields<'_, '_>) -> Option<&'static Dialect> {
    let found = DIALECTS.iter().find(|dialect| (dialect.recognises)(fields));
    if found.is_none() {
        let refusal = Refusal::new(
            Rule::Required,
            "this asks nothing",
            "`questions`, or `type` and `message` for one question, or `prompt` and `input_type` as in a stream",
        );
        fields.refuse(refusal, fields.place());
    }
    found
}

/// Fails on the first field of the envelope that a bare shape would lose.
fn no_envelope(request: &Request, dialect: &'static str, kept: &[&str]) -> Result<(), Inexpressible> {
    let Json::Object(fields) = Json::from(request.write_envelope(crate::json::Object::new())) else {
        return Ok(());
    };
    match fields.iter().find(|(name, _)| !kept.contains(&name.as_str())) {
        Some((name, _)) => Err(Inexpressible::new(dialect, name.as_str(), "it has questions only")),
        None => Ok(()),
    }
}

/// Fails on the first thing every question may have but a bare shape would lose.
fn plain_question(question: &Question, position: usize, dialect: &'static str) -> Result<(), Inexpressible> {
    let lost = [
        ("id", !question.has_default_id(position)),
        ("placeholder", question.placeholder().is_some()),
        ("initial", question.initial().is_some()),
    ];
    match lost.iter().find(|(_, lost)| *lost) {
        Some((name, _)) => {
            Err(Inexpressible::new(dialect, format!("questions[{position}].{name}"), "it has no such field"))
        }
        None => Ok(()),
    }
}
