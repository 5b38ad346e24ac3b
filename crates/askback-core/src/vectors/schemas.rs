//! The schemas and the parser agree on every vector whose rules a schema can express.

use super::{cases, to_value};
use crate::dialect::DIALECTS;
use crate::kind::KINDS;
use crate::schema::{self, SCHEMAS};
use crate::{Json, Limits, Problem, Request, Rule, Step, dialect};
use jsonschema::Validator;
use serde_json::Value;

pub(super) fn validator(name: &str) -> Validator {
    let schema = SCHEMAS.iter().find(|schema| schema.name == name).unwrap();
    jsonschema::draft202012::options().should_validate_formats(true).build(&(schema.build)(&Limits::DEFAULT)).unwrap()
}

/// Every JSON value in the vectors that is meant as a request.
fn requests() -> Vec<Value> {
    let whole = cases("request").into_iter().filter_map(|case| case.get("request").cloned());
    let inline = KINDS.iter().flat_map(|entry| cases(entry.name)).map(|case| case["question"].clone());
    let shapes = DIALECTS.iter().flat_map(|dialect| cases(&format!("dialect-{}", dialect.name)));
    let shapes = shapes.filter_map(|case| case.get("request").cloned());
    whole.chain(inline).chain(shapes).collect()
}

/// Whether a schema can express what is wrong. It can't where more than one field, arithmetic or Unicode is needed,
/// nor inside answers that stand in a request, which have the rules of their question.
fn expresses(problem: &Problem) -> bool {
    let in_answer = problem
        .path
        .steps()
        .iter()
        .any(|step| matches!(step, Step::Field(name) if name == "initial" || name == "default"));
    match problem.rule {
        Rule::Type | Rule::Required | Rule::UnknownField | Rule::Initial => true,
        Rule::Word | Rule::Length | Rule::Count => !in_answer,
        Rule::Range => {
            matches!(problem.path.steps(), [.., Step::Field(name)] if name == "timeout" || name == "maxLength")
        }
        _ => false,
    }
}

// Q1, F16
#[test]
fn the_request_schema_agrees_with_the_parser() {
    let schema = validator("request");
    let (mut accepted, mut refused) = (0, 0);
    for request in requests() {
        match Request::from_json(&Json::from(request.clone()), &Limits::DEFAULT) {
            Ok(_) => {
                accepted += 1;
                assert!(schema.is_valid(&request), "the parser takes it, the schema doesn't: {request:.500}");
            }
            Err(problems) if problems.iter().any(expresses) => {
                refused += 1;
                assert!(!schema.is_valid(&request), "the schema takes it, the parser doesn't: {problems}");
            }
            Err(_) => {}
        }
    }
    assert!(accepted > 50 && refused > 100, "{accepted} accepted, {refused} refused");
}

// F16
#[test]
fn every_request_that_passes_fits_the_schema_for_models() {
    let schema = jsonschema::draft202012::new(&schema::form(&Limits::DEFAULT)).unwrap();
    let requests = requests().into_iter().map(Json::from);
    let forms = requests.filter_map(|request| Request::from_json(&request, &Limits::DEFAULT).ok());
    let forms: Vec<Value> = forms.map(|request| to_value(&request.to_json())).collect();
    assert!(forms.len() > 50, "{}", forms.len());
    for form in forms {
        assert!(schema.is_valid(&form), "{form:.500}");
    }
}

// Q1
#[test]
fn the_tools_schema_agrees_with_the_tools_parser() {
    let schema = validator("ask-user-question");
    for case in cases("dialect-ask-user-question").iter().filter(|case| case.get("request").is_some()) {
        let request = &case["request"];
        match dialect::ask_user_question::parse(&Json::from(request.clone()), &Limits::DEFAULT) {
            Ok(_) => assert!(schema.is_valid(request), "{}", case["name"]),
            Err(problems) if problems.iter().any(expresses) => {
                assert!(!schema.is_valid(request), "{}", case["name"]);
            }
            Err(_) => {}
        }
    }
}

// L1
#[test]
fn the_outcome_schema_takes_every_outcome() {
    let schema = validator("outcome");
    for case in cases("outcome") {
        assert!(schema.is_valid(&case["outcome"]), "{}", case["name"]);
        let mut wrong = case["outcome"].clone();
        wrong["answeredBy"] = Value::Null;
        assert!(!schema.is_valid(&wrong), "an end without a who: {}", case["name"]);
    }
}

// F16
#[test]
fn what_is_written_satisfies_the_schema() {
    let schema = validator("request");
    for request in requests() {
        if let Ok(request) = Request::from_json(&Json::from(request), &Limits::DEFAULT) {
            let canonical = to_value(&request.to_json());
            // A choice that lost its asker's own Other may have one option left; a store takes it, a port doesn't.
            let shrunk = Request::from_json(&request.to_json(), &Limits::DEFAULT).is_err();
            assert!(shrunk || schema.is_valid(&canonical), "{canonical:.500}");
        }
    }
}
