//! `vectors/outcome.json`: how requests end, and what programs, streams and models read of it.

use super::{cases, to_value};
use crate::dialect::stream::Reply;
use crate::{AnswerInput, Json, Limits, Outcome, Reason, Request, RequestId, Resolution, State, Surface};
use crate::{format::model_text, path::Path, tool::ToolResult};
use serde_json::Value;

const ID: &str = "019a8b3c-0000-7000-8000-000000000000";

fn request(case: &Value) -> Request {
    Request::from_json(&Json::from(case["request"].clone()), &Limits::DEFAULT).unwrap()
}

fn resolution(request: &Request, resolve: &Value) -> Resolution {
    let reason = |value: &Value| Reason::parse(value.as_str().unwrap_or_default()).unwrap();
    if let Some(answers) = resolve.get("answers") {
        let raw: Vec<AnswerInput> =
            answers.as_array().unwrap().iter().map(|text| AnswerInput::from(text.as_str().unwrap())).collect();
        return Resolution::from_answers(request.parse_answers(&raw, &Path::root().field("responses")).unwrap());
    }
    match (resolve.get("declined"), resolve.get("cancelled")) {
        (Some(text), _) => Resolution::declined(reason(text)),
        (_, Some(text)) => Resolution::cancelled(reason(text)),
        _ => Resolution::from_silence(request),
    }
}

fn outcome(request: &Request, case: &Value) -> Outcome {
    let resolve = &case["resolve"];
    let (_, surface) = *Surface::WORDS.iter().find(|(word, _)| resolve["surface"] == *word).unwrap();
    let at = "2026-11-15T17:40:00Z".parse().unwrap();
    let id = RequestId::parse(ID).unwrap();
    Outcome::new(id, resolution(request, resolve), resolve["by"].as_str().unwrap(), surface, at).unwrap()
}

// F0, F11, L1, L4, L5, L7, Q6, T4
#[test]
fn outcomes_pass_their_vectors() {
    for case in cases("outcome") {
        let name = &case["name"];
        let request = request(&case);
        let outcome = outcome(&request, &case);
        assert_eq!(to_value(&outcome.to_json(&request)), case["outcome"], "{name}");
        assert_eq!(model_text(&request, &outcome), case["modelText"], "{name}");
        if let Some(expected) = case.get("toolResult") {
            let result = ToolResult::new(&request, &outcome);
            assert_eq!(result.text, case["modelText"], "{name}");
            assert_eq!(result.title, expected["title"], "{name}");
            assert_eq!(result.subtitle, expected["subtitle"], "{name}");
            assert_eq!(to_value(&result.answers), expected["answers"], "{name}");
        }
        if let Some(expected) = case.get("reply") {
            assert_eq!(to_value(&Reply::of(&request, &outcome).unwrap().to_json()), *expected, "{name}");
        }
    }
}

// L1
#[test]
fn an_outcome_reads_back_as_itself() {
    for case in cases("outcome") {
        let request = request(&case);
        let outcome = outcome(&request, &case);
        assert_eq!(Outcome::from_json(&outcome.to_json(&request), &request), Ok(outcome), "{}", case["name"]);
    }
}

// L1, L4, F15
#[test]
fn an_outcome_that_could_not_have_happened_is_refused() {
    let all = cases("outcome");
    let wrong = |name: &str, change: fn(&mut Value)| {
        let case = all.iter().find(|case| case["name"] == name).unwrap();
        let mut json = case["outcome"].clone();
        change(&mut json);
        let problems = Outcome::from_json(&Json::from(json), &request(case)).unwrap_err();
        problems.iter().map(|problem| problem.path.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(wrong("answered", |json| json["id"] = "1".into()), ["id"]);
    assert_eq!(wrong("answered", |json| json["status"] = "pending".into()), ["status"]);
    assert_eq!(wrong("answered", |json| json["surface"] = "dream".into()), ["surface"]);
    assert_eq!(wrong("answered", |json| json["answeredBy"] = "".into()), ["answeredBy"]);
    assert_eq!(wrong("answered", |json| json["answeredBy"] = "x".repeat(201).into()), ["answeredBy"]);
    assert_eq!(wrong("answered", |json| json["answeredAt"] = "yesterday".into()), ["answeredAt"]);
    assert_eq!(wrong("answered", |json| json["surface"] = "hub".into()), ["surface"], "nobody answers there");
    assert_eq!(
        wrong("answered", |json| json["answers"][0]["selections"] = Value::from(vec!["a", "b"])),
        ["answers[0]"]
    );
    assert_eq!(wrong("answered", |json| json["answers"] = Value::Array(Vec::new())), ["answers"]);
    assert_eq!(wrong("answered", |json| drop(json.as_object_mut().unwrap().remove("answers"))), ["answers"]);
    assert_eq!(wrong("answered", |json| json["byDefault"] = true.into()), ["byDefault"]);
    assert_eq!(wrong("answered", |json| json["reason"] = "because".into()), ["reason"]);
    assert_eq!(wrong("a rejected approval is declined", |json| json["status"] = "answered".into()), ["status"]);
    assert_eq!(wrong("a no is an answer", |json| json["response"] = "yes".into()), ["response"]);
    let approved_by_silence = |json: &mut Value| {
        json["status"] = "expired".into();
        json["byDefault"] = true.into();
    };
    assert_eq!(wrong("an approval", approved_by_silence), ["response"], "silence is never consent");
}

// T4
#[test]
fn a_reply_of_another_kind_is_a_typed_error() {
    let json = Json::parse(br#"{"type":"date","message":"When?"}"#, &Limits::DEFAULT).unwrap();
    let request = Request::from_json(&json, &Limits::DEFAULT).unwrap();
    let answers = request.parse_answers(&[AnswerInput::from("2026-01-01")], &Path::root()).unwrap();
    let at = "2026-11-15T17:40:00Z".parse().unwrap();
    let id = RequestId::parse(ID).unwrap();
    let outcome = Outcome::new(id, Resolution::from_answers(answers), "reviewer", Surface::Page, at).unwrap();
    assert_eq!(Reply::of(&request, &outcome).unwrap_err().path.to_string(), "answers[0]");
}

// L1
#[test]
fn a_pending_request_has_no_who_or_when() {
    let request = request(&cases("outcome")[1]);
    let json = to_value(&State::Pending(RequestId::parse(ID).unwrap()).to_json(&request));
    assert_eq!(json["status"], "pending");
    assert!(json["answeredBy"].is_null() && json["answeredAt"].is_null() && json["response"].is_null());
    assert!(super::schemas::validator("outcome").is_valid(&json));
}

// L7
#[test]
fn a_question_back_may_have_lines_and_nothing_hidden() {
    let reason = |text: &str| Reason::parse(text).map(|reason| reason.map(|reason| reason.as_str().to_owned()));
    assert_eq!(reason("Which region?\r\nAnd when?"), Ok(Some("Which region?\nAnd when?".to_owned())));
    assert_eq!(reason(" \n "), Ok(None));
    assert_eq!(reason("a\u{1b}b").unwrap_err().rule, crate::Rule::Control);
}
