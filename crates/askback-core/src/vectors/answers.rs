//! `vectors/<kind>.json`: questions with answers that pass or are refused, and questions that are refused.

use super::{cases, compare_problems};
use crate::kind::{Answer, KINDS};
use crate::{AnswerInput, Json, Limits, Question, Request, Rule};
use serde_json::Value;
use std::collections::BTreeSet;

/// An answer as a vector gives it.
struct Given {
    response: Option<String>,
    selections: Vec<String>,
    custom: Option<String>,
}

impl Given {
    fn new(value: &Value) -> Self {
        let texts =
            |value: &Value| value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect();
        Self {
            response: value.as_str().map(str::to_owned),
            selections: value.get("selections").map(texts).unwrap_or_default(),
            custom: value.get("custom").and_then(Value::as_str).map(str::to_owned),
        }
    }

    fn input(&self) -> AnswerInput {
        match &self.response {
            Some(text) => AnswerInput::from(text),
            None => AnswerInput::Selections { selections: self.selections.clone(), custom: self.custom.clone() },
        }
    }
}

/// What goes wrong in the vectors of one kind.
pub(super) fn failures(kind: &str) -> Vec<String> {
    cases(kind).iter().flat_map(check_case).collect()
}

fn check_case(case: &Value) -> Vec<String> {
    let parsed = Request::from_json(&Json::from(case["question"].clone()), &Limits::DEFAULT);
    match (parsed, case.get("problems")) {
        (Ok(request), None) => check_answers(&request.questions()[0], case),
        (Err(found), Some(expected)) => compare_problems(expected, &found).err().into_iter().collect(),
        (Ok(_), Some(expected)) => vec![format!("{}: accepted, expected {expected}", case["question"])],
        (Err(found), None) => vec![format!("{}: refused: {found}", case["question"])],
    }
}

fn check_answers(question: &Question, case: &Value) -> Vec<String> {
    let answers = case["answers"].as_array().unwrap();
    answers.iter().filter_map(|answer| check_answer(question, answer).err()).collect()
}

fn check_answer(question: &Question, vector: &Value) -> Result<(), String> {
    let given = Given::new(&vector["given"]);
    match (question.parse_answer(&given.input()), vector.get("refused")) {
        (Ok(answer), None) => check_accepted(question, &answer, vector),
        (Err(refusal), Some(rule)) if refusal.rule.name() == rule => Ok(()),
        (Ok(answer), Some(rule)) => Err(format!("{vector} is accepted as {:?}, expected {rule}", answer.written())),
        (Err(refusal), _) => Err(format!("{vector}: {}: {refusal}", refusal.rule)),
    }
}

fn check_accepted(question: &Question, answer: &Answer, vector: &Value) -> Result<(), String> {
    let same = |what: &str, found: Value, expected: &Value| match found == *expected {
        true => Ok(()),
        false => Err(format!("{vector}: {what} is {found}")),
    };
    same("written", answer.written().into(), &vector["written"])?;
    if let Some(expected) = vector.get("selections") {
        same("selections", answer.selections().into(), expected)?;
    }
    if let Some(expected) = vector.get("custom") {
        same("custom", answer.custom().into(), expected)?;
    }
    reads_back(question, answer)?;
    match &vector["given"] {
        Value::String(_) => reads_back_alone(question, answer),
        _ => Ok(()),
    }
}

/// Every accepted answer is accepted again as the same answer, and its written form alone is accepted, too.
pub(super) fn reads_back(question: &Question, answer: &Answer) -> Result<(), String> {
    let selections: Vec<String> = answer.selections().into_iter().map(str::to_owned).collect();
    let again = match selections.is_empty() {
        true => question.parse_answer(&AnswerInput::from(&answer.written())),
        false => {
            question.parse_answer(&AnswerInput::Selections { selections, custom: answer.custom().map(str::to_owned) })
        }
    };
    if again.as_ref() != Ok(answer) {
        return Err(format!("{answer:?} reads back as {again:?}"));
    }
    let alone = question.parse_answer(&AnswerInput::from(&answer.written()));
    alone.map(drop).map_err(|refusal| format!("{answer:?} is refused as a string: {refusal}"))
}

/// An answer that came as a string is the same when its written form comes.
pub(super) fn reads_back_alone(question: &Question, answer: &Answer) -> Result<(), String> {
    match question.parse_answer(&AnswerInput::from(&answer.written())) {
        Ok(again) if again == *answer => Ok(()),
        other => Err(format!("{answer:?} reads back from its string as {other:?}")),
    }
}

fn passes(kind: &str) {
    let failed = failures(kind);
    assert!(failed.is_empty(), "{kind}:\n{}", failed.join("\n"));
}

// F0, F15
#[test]
fn approval_passes_its_vectors() {
    passes("approval");
}

// F1, F14
#[test]
fn text_passes_its_vectors() {
    passes("text");
}

// F2, F14
#[test]
fn multiline_passes_its_vectors() {
    passes("multiline");
}

// F3, F4, F11, F12, F13
#[test]
fn choice_passes_its_vectors() {
    passes("choice");
}

// F5
#[test]
fn confirm_passes_its_vectors() {
    passes("confirm");
}

// F6
#[test]
fn number_passes_its_vectors() {
    passes("number");
}

// F7
#[test]
fn email_passes_its_vectors() {
    passes("email");
}

// F8
#[test]
fn date_passes_its_vectors() {
    passes("date");
}

// F9, F12
#[test]
fn dropdown_passes_its_vectors() {
    passes("dropdown");
}

// F10
#[test]
fn rating_passes_its_vectors() {
    passes("rating");
}

// F16
#[test]
fn the_registry_is_complete() {
    assert_eq!(KINDS.len(), 10, "a new kind has a test of its vectors above");
    let names: BTreeSet<_> = KINDS.iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), KINDS.len(), "names are unique");
    for entry in KINDS {
        assert_eq!(super::load(entry.name)["kind"], entry.name);
        assert!(entry.summary.ends_with('.') && !entry.written.is_empty(), "{} is documented", entry.name);
        let properties = (entry.properties)(&Limits::DEFAULT);
        for (field, schema) in properties.as_object().unwrap() {
            assert!(schema["description"].is_string(), "{}.{field} is documented", entry.name);
        }
        let names: BTreeSet<&str> = properties.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            BTreeSet::from_iter(entry.fields.iter().copied()),
            names,
            "{}: the fields and the schema agree",
            entry.name
        );
        for field in entry.required {
            assert!(properties.get(field).is_some(), "{}.{field} is in the schema", entry.name);
        }
    }
}

// F15
#[test]
fn vectors_refuse_by_every_rule_of_their_kind_and_no_other() {
    for entry in KINDS {
        let mut seen: Vec<Rule> = Vec::new();
        for case in cases(entry.name) {
            for answer in case.get("answers").and_then(Value::as_array).into_iter().flatten() {
                let rule =
                    answer.get("refused").map(|name| *Rule::ALL.iter().find(|rule| rule.name() == name).unwrap());
                seen.extend(rule);
            }
        }
        seen.sort();
        seen.dedup();
        let mut rules = entry.rules.to_vec();
        rules.sort();
        assert_eq!(seen, rules, "{}", entry.name);
    }
}
