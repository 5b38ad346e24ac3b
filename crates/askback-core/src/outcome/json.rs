//! Outcomes as every port gives them, and as a store reads them back.

use super::{Outcome, Reason, RequestId, Resolution, State, Status, Surface};
use crate::answer::AnswerInput;
use crate::kind::Answer;
use crate::path::Path;
use crate::problem::{Problem, Problems, Refusal};
use crate::question::Question;
use crate::request::{Answers, Request};
use crate::rule::Rule;
use crate::show::quote;
use crate::word::{meaning_of, words_of};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};

/// The state of a request in JSON: its outcome, or a pending state, which has null in the place of an actor and a time.
///
/// [`Outcome::from_json`] checks whether a request could have ended so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OutcomeJson {
    id: String,
    status: String,
    /// Only a request with one question has this field, which is null without an answer.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    response: Option<Option<String>>,
    answers: Vec<AnswerJson>,
    #[serde(deserialize_with = "nullable")]
    answered_by: Option<String>,
    #[serde(deserialize_with = "nullable")]
    surface: Option<String>,
    #[serde(deserialize_with = "nullable")]
    answered_at: Option<String>,
    by_default: bool,
    #[serde(deserialize_with = "nullable")]
    reason: Option<String>,
}

/// One answer as it stands in an outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerJson {
    id: String,
    question: String,
    #[serde(deserialize_with = "nullable")]
    header: Option<String>,
    response: String,
    selections: Vec<String>,
    #[serde(deserialize_with = "nullable")]
    custom: Option<String>,
}

/// Reads a field that may be null but not absent, which serde allows for every other `Option`.
fn nullable<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(deserializer)
}

/// Reads a field that is there, so that null differs from an absent field.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl AnswerJson {
    /// The answer to this question.
    pub fn new(question: &Question, answer: &Answer) -> Self {
        Self {
            id: question.id().to_owned(),
            question: question.message().to_owned(),
            header: question.header().map(str::to_owned),
            response: answer.written(),
            selections: answer.selections().into_iter().map(str::to_owned).collect(),
            custom: answer.custom().map(str::to_owned),
        }
    }

    fn input(&self) -> AnswerInput {
        match self.selections.as_slice() {
            [] => AnswerInput::from(&self.response),
            selections => AnswerInput::Selections { selections: selections.to_vec(), custom: self.custom.clone() },
        }
    }
}

/// As text without line breaks.
impl std::fmt::Display for OutcomeJson {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| std::fmt::Error)?)
    }
}

impl From<OutcomeJson> for serde_json::Value {
    fn from(json: OutcomeJson) -> Self {
        serde_json::to_value(json).expect("texts as keys can always be written")
    }
}

impl Outcome {
    /// As every port gives it; `request` is the one it ended.
    pub fn to_json(&self, request: &Request) -> OutcomeJson {
        write(&self.id, request, Some(self))
    }

    /// As a model gets it: without a name and a time if no person answered or declined.
    pub fn to_json_for_model(&self, request: &Request) -> OutcomeJson {
        let json = self.to_json(request);
        match self.answerer() {
            Some(_) => json,
            None => OutcomeJson { answered_by: None, answered_at: None, ..json },
        }
    }

    /// Reads the text of what [`Outcome::to_json`] wrote of this request.
    pub fn parse(text: &[u8], request: &Request) -> Result<Self, Problems> {
        let json = serde_json::from_slice(text).map_err(|error| {
            Refusal::new(Rule::Json, error.to_string(), "the outcome of a request").at(Path::root())
        })?;
        Self::from_json(&json, request)
    }

    /// Reads what [`Outcome::to_json`] wrote of this request. What could not have happened is refused.
    pub fn from_json(json: &OutcomeJson, request: &Request) -> Result<Self, Problems> {
        let outcome = read(json, request)?;
        // A time may be written in several ways; everything else follows from the values that were read.
        let written = outcome.to_json(request);
        let fields = [
            ("status", written.status == json.status),
            ("response", written.response == json.response),
            ("answers", written.answers == json.answers),
            ("byDefault", written.by_default == json.by_default),
            ("reason", written.reason == json.reason),
        ];
        match fields.iter().find(|(_, agrees)| !agrees) {
            None => Ok(outcome),
            Some((name, _)) => {
                let refusal =
                    Refusal::new(Rule::Answers, "this contradicts the other fields", "what follows from them");
                Err(at(name, refusal).into())
            }
        }
    }
}

impl State {
    /// As every port gives it: an outcome, or one that isn't there yet.
    pub fn to_json(&self, request: &Request) -> OutcomeJson {
        match self {
            Self::Final(outcome) => outcome.to_json(request),
            Self::Pending(id) => write(id, request, None),
        }
    }
}

fn write(id: &RequestId, request: &Request, outcome: Option<&Outcome>) -> OutcomeJson {
    let resolution = outcome.map(Outcome::resolution);
    let status = resolution.map_or(Status::Pending, Resolution::status);
    let answers = resolution.and_then(Resolution::answers);
    let pairs = request.questions().iter().zip(answers.into_iter().flat_map(Answers::iter));
    let answers_json: Vec<AnswerJson> = pairs.map(|(question, answer)| AnswerJson::new(question, answer)).collect();
    let is_single = request.questions().len() == 1;
    OutcomeJson {
        id: id.as_str().to_owned(),
        status: status.name().to_owned(),
        response: is_single.then(|| answers_json.first().map(|answer| answer.response.clone())),
        answers: answers_json,
        answered_by: outcome.map(|outcome| outcome.by.clone()),
        surface: outcome.map(|outcome| outcome.surface.name().to_owned()),
        answered_at: outcome.map(|outcome| outcome.at.to_string()),
        by_default: status == Status::Expired && answers.is_some(),
        reason: resolution.and_then(Resolution::reason).map(|reason| reason.as_str().to_owned()),
    }
}

fn read(json: &OutcomeJson, request: &Request) -> Result<Outcome, Problems> {
    let id = RequestId::parse(&json.id).map_err(|refusal| at("id", refusal))?;
    let status = read_word("status", &Status::WORDS[1..], Some(&json.status))?;
    let surface = read_word("surface", &Surface::WORDS, json.surface.as_deref())?;
    let time = json.answered_at.as_ref().and_then(|text| text.parse::<Timestamp>().ok()).ok_or_else(|| {
        let expected = "a text such as 2026-11-15T17:40:00Z";
        at("answeredAt", Refusal::new(Rule::Date, "this is not a point in time", expected))
    })?;
    let reason = Reason::parse(json.reason.as_deref().unwrap_or_default()).map_err(|refusal| at("reason", refusal))?;
    let resolution = match (status, read_answers(json, request)?) {
        (Status::Answered, None) => {
            let message = "it is answered, but has no answers";
            return Err(at("answers", Refusal::new(Rule::Answers, message, "one for each question")).into());
        }
        (Status::Answered | Status::Declined, Some(answers)) => Resolution::from_answers(answers),
        (Status::Declined, None) => Resolution::declined(reason),
        (Status::Cancelled, _) => Resolution::cancelled(reason),
        (Status::Expired | Status::Pending, _) => Resolution::from_silence(request),
    };
    let by = json.answered_by.as_deref().unwrap_or_default();
    let outcome = Outcome::new(id, resolution, by, surface, time).map_err(|refusal| {
        let field = if refusal.rule == Rule::Word { "surface" } else { "answeredBy" };
        at(field, refusal)
    });
    Ok(outcome?)
}

/// The answers, if there are any; an empty list is none.
fn read_answers(json: &OutcomeJson, request: &Request) -> Result<Option<Answers>, Problems> {
    if json.answers.is_empty() {
        return Ok(None);
    }
    let path = Path::root().field("answers");
    let parse = |index: usize, question: &Question| question.parse_answer(&json.answers[index].input());
    request.collect_answers(json.answers.len(), &path, parse).map(Some)
}

fn read_word<T: Copy>(name: &str, words: &[(&'static str, T)], text: Option<&str>) -> Result<T, Problem> {
    text.and_then(|text| meaning_of(words, text)).ok_or_else(|| {
        let found = text.map_or_else(|| "null".to_owned(), quote);
        let expected = format!("one of {}", words_of(words).join(", "));
        at(name, Refusal::new(Rule::Word, format!("{found} is no known `{name}`"), expected))
    })
}

fn at(field: &str, refusal: Refusal) -> Problem {
    refusal.at(Path::root().field(field))
}
