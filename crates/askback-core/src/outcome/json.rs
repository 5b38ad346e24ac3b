//! Outcomes as every port gives them, and as a store reads them back.

use super::{Outcome, Reason, RequestId, Resolution, State, Status, Surface};
use crate::answer::AnswerInput;
use crate::fields::{Fields, Shape};
use crate::json::{Json, Object};
use crate::kind::Answer;
use crate::limits::Limits;
use crate::path::Place;
use crate::problem::{Problems, Refusal};
use crate::question::Question;
use crate::request::{Answers, Request};
use crate::rule::Rule;
use jiff::Timestamp;

impl Outcome {
    /// As every port gives it; `request` is the one it ended.
    pub fn to_json(&self, request: &Request) -> Json {
        write(&self.id, request, Some(self))
    }

    /// Reads what [`Outcome::to_json`] wrote of this request. What could not have happened is refused.
    pub fn from_json(json: &Json, request: &Request) -> Result<Self, Problems> {
        let mut problems = Problems::none();
        json.find_duplicates(Place::Root, &mut problems);
        let outcome = Fields::open(json, Place::Root, "an object", &mut problems, &Limits::STORED)
            .and_then(|fields| read(fields, request));
        let outcome = problems.into_result(outcome)?;
        // A moment may be written in several ways; everything else follows from what was read.
        let written = outcome.to_json(request);
        let agrees = |name: &str| match (written.get(name), json.get(name)) {
            (Some(written), Some(given)) => written.is_same(given),
            (written, given) => written.is_none() && given.is_none(),
        };
        match ["status", "response", "answers", "byDefault", "reason"].iter().find(|name| !agrees(name)) {
            None => Ok(outcome),
            Some(name) => {
                let refusal =
                    Refusal::new(Rule::Answers, "this contradicts the other fields", "what follows from them");
                Err(Problems::from(refusal.at(Place::Root.field(name).path())))
            }
        }
    }
}

impl State {
    /// As every port gives it: an outcome, or one that isn't there yet.
    pub fn to_json(&self, request: &Request) -> Json {
        match self {
            Self::Final(outcome) => outcome.to_json(request),
            Self::Pending(id) => write(id, request, None),
        }
    }
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

fn write(id: &RequestId, request: &Request, outcome: Option<&Outcome>) -> Json {
    let resolution = outcome.map(Outcome::resolution);
    let status = resolution.map_or(Status::Pending, Resolution::status);
    let answers = resolution.and_then(Resolution::answers);
    let pairs = || request.questions().iter().zip(answers.into_iter().flat_map(Answers::iter));
    let object = Object::new().put("id", id.as_str()).put("status", status.name());
    let object = match request.questions() {
        [_] => object.put("response", pairs().map(|(_, answer)| answer.written()).next()),
        _ => object,
    };
    object
        .put("answers", pairs().map(|(question, answer)| answer_json(question, answer)).collect::<Vec<_>>())
        .put("answeredBy", outcome.map(Outcome::by))
        .put("surface", outcome.map(|outcome| outcome.surface.name()))
        .put("answeredAt", outcome.map(|outcome| outcome.at.to_string()))
        .put("byDefault", status == Status::Expired && answers.is_some())
        .put("reason", resolution.and_then(Resolution::reason).map(Reason::as_str))
        .into()
}

fn read(mut fields: Fields<'_, '_>, request: &Request) -> Option<Outcome> {
    let id = fields.text("id", Shape::Line, 1..=usize::MAX);
    let id = fields.need("id", id, "the id of a request");
    let id = id.and_then(|id| RequestId::parse(id).map_err(|refusal| fields.refuse_field("id", refusal)).ok());
    let status = fields.word("status", &Status::WORDS[1..]);
    let status = fields.need("status", status, "how it ended");
    let by = fields.line("answeredBy");
    let by = fields.need("answeredBy", by, "who ended it");
    let surface = fields.word("surface", &Surface::WORDS);
    let surface = fields.need("surface", surface, "where it ended");
    let at = fields.text("answeredAt", Shape::Line, 1..=usize::MAX).and_then(|text| text.parse::<Timestamp>().ok());
    if at.is_none() {
        fields.report("answeredAt", Rule::Date, "this is not a point in time", "a text such as 2026-11-15T17:40:00Z");
    }
    let reason = fields.value("reason").and_then(Json::as_str).unwrap_or_default();
    let reason = Reason::parse(reason).map_err(|refusal| fields.refuse_field("reason", refusal)).ok();
    let answers = read_answers(&mut fields, request);
    // These follow from the others; that they do is checked by writing the outcome again.
    fields.know(&["response", "byDefault"]);
    let resolution = match (status?, answers?) {
        (Status::Answered, None) => {
            fields.report("answers", Rule::Answers, "it is answered, but has no answers", "one for each question");
            None
        }
        (Status::Answered | Status::Declined, Some(answers)) => Some(Resolution::from_answers(answers)),
        (Status::Declined, None) => Some(Resolution::declined(reason?)),
        (Status::Cancelled, _) => Some(Resolution::cancelled(reason?)),
        (Status::Expired | Status::Pending, _) => Some(Resolution::from_silence(request)),
    };
    let outcome = match (id, resolution, by, surface, at) {
        (Some(id), Some(resolution), Some(by), Some(surface), Some(at)) => {
            Outcome::new(id, resolution, &by, surface, at)
                .map_err(|refusal| {
                    let field = if refusal.rule == Rule::Word { "surface" } else { "answeredBy" };
                    fields.refuse_field(field, refusal);
                })
                .ok()
        }
        _ => None,
    };
    fields.close();
    outcome
}

/// The answers, if there are any; an empty list is none.
fn read_answers(fields: &mut Fields<'_, '_>, request: &Request) -> Option<Option<Answers>> {
    let items = fields.array("answers", "a list of answers");
    let items = fields.need("answers", items, "a list of answers")?;
    if items.is_empty() {
        return Some(None);
    }
    let here = fields.place();
    let answers = request.collect_answers(items.len(), &here.field("answers").path(), |index, question| {
        let text = |name: &str| items[index].get(name).and_then(Json::as_str);
        let selections = items[index].get("selections").and_then(Json::as_array).unwrap_or_default();
        let selections: Vec<String> = selections.iter().filter_map(Json::as_str).map(str::to_owned).collect();
        question.parse_answer(&match selections.as_slice() {
            [] => AnswerInput::from(text("response").unwrap_or_default()),
            _ => AnswerInput::Selections { selections, custom: text("custom").map(str::to_owned) },
        })
    });
    match answers {
        Ok(answers) => Some(Some(answers)),
        Err(problems) => {
            problems.iter().for_each(|problem| fields.add(problem.clone()));
            None
        }
    }
}
