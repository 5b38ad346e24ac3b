//! The shape in which models call the AskUserQuestion tool (Q1): every question a choice with Other.

use super::{Inexpressible, no_envelope, plain_question, question_path};
use crate::fields::{Fields, Shape, wrong_type};
use crate::json::{Json, Object};
use crate::kind::Kind;
use crate::kind::choice::{Choice, Select};
use crate::limits::{Limits, tool};
use crate::options::{ChoiceOption, Options, Other};
use crate::path::Path;
use crate::problem::{Problems, Refusal};
use crate::question::Question;
use crate::request::{Envelope, Request, read_metadata};
use crate::rule::Rule;
use std::collections::HashSet;
use std::ops::RangeInclusive;

const DIALECT: &str = "ask-user-question";
const QUESTION: &str = "an object with `question`, `header`, `options` and `multiSelect`";
const OPTION: &str = "an object such as {\"label\": \"A\", \"description\": \"What A means\"}";

/// Reads a call of the tool, with nothing beside the fields the model was told about.
pub fn parse(json: &Json, limits: &Limits) -> Result<Request, Problems> {
    Request::read(json, limits, |fields| {
        let source = read_metadata(fields);
        (Envelope { source, ..Envelope::default() }, None, read(fields))
    })
}

/// A `questions` list whose items look like the tool's, and none like a form's.
pub(super) fn recognises(fields: &Fields<'_, '_>) -> bool {
    let Some(questions) = fields.peek("questions").and_then(Json::as_array) else {
        return false;
    };
    let has = |question: &Json, names: &[&str]| names.iter().all(|name| question.get(name).is_some());
    let of_a_form = |question: &Json| has(question, &["type"]) || has(question, &["message"]);
    let of_the_tool = |question: &Json| has(question, &["question"]) || has(question, &["header", "options"]);
    !questions.iter().any(of_a_form) && (questions.iter().any(of_the_tool) || fields.has("answers"))
}

pub(super) fn read(fields: &mut Fields<'_, '_>) -> Vec<Option<Question>> {
    read_answers(fields);
    read_questions(fields, tool::QUESTIONS, read_question)
}

/// Reads the list `questions` with a reader for each of them, and reports questions that are asked twice, whatever else is
/// wrong with them.
pub(super) fn read_questions<'j>(
    fields: &mut Fields<'j, '_>,
    count: RangeInclusive<usize>,
    read: impl FnMut(Fields<'j, '_>, usize) -> Option<Question>,
) -> Vec<Option<Question>> {
    let items = fields.counted_array("questions", count, "questions");
    let items = fields.need("questions", items, "a list of questions").unwrap_or_default();
    let questions = fields.objects("questions", items, QUESTION, read);
    let here = fields.place();
    let place = here.field("questions");
    let mut seen = HashSet::new();
    for (index, item) in items.iter().enumerate() {
        let text = item.get("question").and_then(Json::as_str);
        if text.is_some_and(|text| !seen.insert(text)) {
            let expected = "questions that differ: their texts are the keys of the answers";
            let refusal = Refusal::new(Rule::Unique, "this question is asked twice", expected);
            fields.refuse(refusal, place.index(index).field("question"));
        }
    }
    questions
}

fn read_question(mut fields: Fields<'_, '_>, index: usize) -> Option<Question> {
    let longest = fields.limits.message_length;
    let message = fields.text("question", Shape::Block, 1..=longest);
    let message = fields.need("question", message, "the question to ask");
    let header = fields.header(tool::HEADER);
    let header = fields.need("header", header, "a very short label");
    let many = fields.flag("multiSelect");
    let many = fields.need("multiSelect", many, "true or false");
    let kind = read_choice(&mut fields, many, tool::OPTIONS, read_option);
    fields.close();
    Some(Question::plain(index, Some(header?), message?, kind?))
}

/// Reads the list `options` with a reader for each of them, and makes a choice with Other of them.
pub(super) fn read_choice<'j>(
    fields: &mut Fields<'j, '_>,
    many: Option<bool>,
    count: RangeInclusive<usize>,
    read: impl FnMut(Fields<'j, '_>, usize) -> Option<ChoiceOption>,
) -> Option<Kind> {
    let items = fields.counted_array("options", count, "options");
    let items = fields.need("options", items, "a list of options")?;
    let options = fields.objects("options", items, OPTION, read);
    let (here, imitations) = (fields.place(), fields.limits.imitations);
    let options = Options::gather(fields, options, here.field("options"), Other::Offered, imitations)?;
    let select = if many? { Select::Many } else { Select::One };
    let choice = Choice::new(options, select, Other::Offered, fields.limits);
    choice.map(Kind::Choice).map_err(|refusal| fields.refuse_field("options", refusal)).ok()
}

fn read_option(mut fields: Fields<'_, '_>, _: usize) -> Option<ChoiceOption> {
    let label = fields.text("label", Shape::Line, tool::LABEL);
    let label = fields.need("label", label, "what the person sees");
    let description = fields.text("description", Shape::Block, tool::DESCRIPTION);
    let description = fields.need("description", description, "what choosing it means");
    fields.close();
    Some(ChoiceOption::with_details(label?, Some(description?), None))
}

/// Answers that a client has filled in already are part of its schema: accepted, and not kept.
fn read_answers(fields: &mut Fields<'_, '_>) {
    let Some(json) = fields.value("answers") else { return };
    let here = fields.place();
    let place = here.field("answers");
    match json {
        Json::Object(answers) => {
            for (question, answer) in answers.iter().filter(|(_, answer)| answer.as_str().is_none()) {
                fields.refuse(wrong_type(answer, "a text"), place.field(question));
            }
        }
        other => fields.refuse(wrong_type(other, "an object"), place),
    }
}

/// Writes a request whose every question is a choice as the tool knows it.
pub fn render(request: &Request) -> Result<Json, Inexpressible> {
    no_envelope(request, DIALECT, &["metadata"])?;
    let count = request.questions().len();
    if !tool::QUESTIONS.contains(&count) {
        let reason = format!("it has place for {} questions, not {count}", tool::QUESTIONS.end());
        return Err(Inexpressible::new(DIALECT, Path::root().field("questions"), reason));
    }
    let mut questions = Vec::with_capacity(count);
    let mut seen = HashSet::new();
    for (position, question) in request.questions().iter().enumerate() {
        plain_question(question, position, DIALECT)?;
        if !seen.insert(question.message()) {
            let path = question_path(position).field("message");
            return Err(Inexpressible::new(DIALECT, path, "it tells questions apart by their texts"));
        }
        questions.push(render_question(question, position)?);
    }
    let metadata = request.source().map(|source| Object::new().put("source", source));
    Ok(Object::new().put("questions", questions).put_some("metadata", metadata).into())
}

fn render_question(question: &Question, position: usize) -> Result<Json, Inexpressible> {
    let path = question_path(position);
    let lost = |field: &str, reason: &str| Inexpressible::new(DIALECT, path.field(field), reason);
    let Kind::Choice(choice) = question.kind() else {
        return Err(lost("type", "it has choices only"));
    };
    let header = question.header().filter(|header| fits(header, &tool::HEADER));
    let header = header.ok_or_else(|| lost("header", "it needs a very short header"))?;
    if choice.other() == Other::Absent {
        return Err(lost("other", "it always offers Other"));
    }
    if !tool::OPTIONS.contains(&choice.options().len()) {
        return Err(lost("options", "it has fewer options, and at least two"));
    }
    let mut options = Vec::new();
    for (index, option) in choice.options().iter().enumerate() {
        let description = option.description().filter(|text| fits(text, &tool::DESCRIPTION));
        let plain = option.label() == option.value() && option.preview().is_none() && !option.disabled();
        match description.filter(|_| plain && fits(option.label(), &tool::LABEL)) {
            Some(description) => {
                options.push(Object::new().put("label", option.label()).put("description", description));
            }
            None => {
                let path = path.field("options").index(index);
                return Err(Inexpressible::new(DIALECT, path, "its options have a label and a description only"));
            }
        }
    }
    Ok(Object::new()
        .put("question", question.message())
        .put("header", header)
        .put("options", options)
        .put("multiSelect", choice.select() == Select::Many)
        .into())
}

fn fits(text: &str, length: &RangeInclusive<usize>) -> bool {
    length.contains(&crate::text::length(text))
}
