//! `vectors/outcome.json`: how requests end, and what programs, streams and models read of it.

use super::{cases, to_value};
use crate::dialect::stream::{Reply, StreamRequest};
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
        assert_eq!(Value::from(outcome.to_json(&request)), case["outcome"], "{name}");
        assert_eq!(model_text(&request, &outcome), case["modelText"], "{name}");
        if let Some(expected) = case.get("toolResult") {
            let result = ToolResult::new(&request, &outcome);
            assert_eq!(result.text, case["modelText"], "{name}");
            assert_eq!(result.title, expected["title"], "{name}");
            assert_eq!(result.subtitle, expected["subtitle"], "{name}");
            assert_eq!(serde_json::json!(result.answers), expected["answers"], "{name}");
        }
        if let Some(expected) = case.get("reply") {
            let asked = StreamRequest::parse(&Json::from(case["request"].clone()), &Limits::DEFAULT).unwrap();
            assert_eq!(to_value(&Reply::of(&asked, &outcome).unwrap().to_json()), *expected, "{name}");
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
        let problems = Outcome::parse(json.to_string().as_bytes(), &request(case)).unwrap_err();
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

// L1
#[test]
fn outcome_with_other_fields_is_refused_by_name() {
    let request = Request::parse(TEXT.as_bytes(), &Limits::DEFAULT).unwrap();
    let resolve = serde_json::json!({"answers": ["x"], "by": "Ann", "surface": "page"});
    let text = written(TEXT, Some(&resolve));
    assert!(Outcome::parse(text.as_bytes(), &request).is_ok());
    let refusal = |text: &str| Outcome::parse(text.as_bytes(), &request).unwrap_err().to_string();
    for field in ["id", "status", "answers", "answeredBy", "surface", "answeredAt", "byDefault", "reason", "custom"] {
        let renamed = text.replacen(&format!("\"{field}\""), "\"another\"", 1);
        assert!(refusal(&renamed).contains("unknown field `another`"), "{field}");
        let null_first = format!("{{\"{field}\":null,{}", &text[1..]);
        assert_ne!(refusal(&null_first), "", "{field} stands twice");
        let mut json: Value = serde_json::from_str(&text).unwrap();
        let object = if field == "custom" { &mut json["answers"][0] } else { &mut json };
        object.as_object_mut().unwrap().remove(field);
        assert!(refusal(&json.to_string()).contains(&format!("missing field `{field}`")), "{field}");
    }
    let without_response = text.replacen("\"response\":\"x\",", "", 1);
    assert!(refusal(&without_response).starts_with("response: this contradicts"));
    let two = Request::parse(TWO.as_bytes(), &Limits::DEFAULT).unwrap();
    let resolve = serde_json::json!({"declined": "", "by": "Ann", "surface": "page"});
    let with_response = written(TWO, Some(&resolve)).replacen("\"answers\"", "\"response\":null,\"answers\"", 1);
    assert!(Outcome::parse(with_response.as_bytes(), &two).unwrap_err().to_string().starts_with("response: this"));
}

// T4
#[test]
fn a_reply_to_another_request_is_a_typed_error() {
    let json = Json::parse(br#"{"type":"date","message":"When?"}"#, &Limits::DEFAULT).unwrap();
    let request = Request::from_json(&json, &Limits::DEFAULT).unwrap();
    let answers = request.parse_answers(&[AnswerInput::from("2026-01-01")], &Path::root()).unwrap();
    let at = "2026-11-15T17:40:00Z".parse().unwrap();
    let id = RequestId::parse(ID).unwrap();
    let outcome = Outcome::new(id, Resolution::from_answers(answers), "reviewer", Surface::Page, at).unwrap();
    let asked = serde_json::json!({"prompt": "Which?", "input_type": "choice", "choices": ["a", "b"]});
    let asked = StreamRequest::parse(&Json::from(asked), &Limits::DEFAULT).unwrap();
    assert_eq!(Reply::of(&asked, &outcome).unwrap_err().path.to_string(), "answers[0]");
}

// L1
#[test]
fn a_pending_request_has_no_who_or_when() {
    let request = request(&cases("outcome")[1]);
    let json = Value::from(State::Pending(RequestId::parse(ID).unwrap()).to_json(&request));
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

/// The text of the state of a request that was asked as `asked` and ended as `resolve` says, or is pending.
fn written(asked: &str, resolve: Option<&Value>) -> String {
    let request = Request::parse(asked.as_bytes(), &Limits::DEFAULT).unwrap();
    let state = match resolve {
        Some(resolve) => State::Final(outcome(&request, &serde_json::json!({"resolve": resolve}))),
        None => State::Pending(RequestId::parse(ID).unwrap()),
    };
    state.to_json(&request).to_string()
}

const TEXT: &str = r#"{"type":"text","message":"Name?","timeout":60,"onTimeout":{"default":["a\"b"]}}"#;
const TWO: &str = r#"{"questions":[
    {"type":"choice","message":"Which?","header":"Store","multiSelect":true,"other":true,"options":["a","b"]},
    {"type":"number","message":"How many?","id":"count"}]}"#;

// L1, F11
#[test]
fn outcome_is_written_byte_for_byte() {
    let resolve = serde_json::json!({"answers": ["a, b, own", "1e3"], "by": "Ann", "surface": "page"});
    assert_eq!(
        written(TWO, Some(&resolve)),
        concat!(
            r#"{"id":"019a8b3c-0000-7000-8000-000000000000","status":"answered","answers":["#,
            r#"{"id":"1","question":"Which?","header":"Store","response":"a, b, own","selections":["a","b","own"],"custom":"own"},"#,
            r#"{"id":"count","question":"How many?","header":null,"response":"1000","selections":[],"custom":null}],"#,
            r#""answeredBy":"Ann","surface":"page","answeredAt":"2026-11-15T17:40:00Z","byDefault":false,"reason":null}"#
        )
    );
    let resolve = serde_json::json!({"declined": "why\nnot", "by": "Ann", "surface": "terminal"});
    assert_eq!(
        written(TEXT, Some(&resolve)),
        concat!(
            r#"{"id":"019a8b3c-0000-7000-8000-000000000000","status":"declined","response":null,"answers":[],"#,
            r#""answeredBy":"Ann","surface":"terminal","answeredAt":"2026-11-15T17:40:00Z","byDefault":false,"#,
            r#""reason":"why\nnot"}"#
        )
    );
    let resolve = serde_json::json!({"by": "hub", "surface": "hub"});
    assert_eq!(
        written(TEXT, Some(&resolve)),
        concat!(
            r#"{"id":"019a8b3c-0000-7000-8000-000000000000","status":"expired","response":"a\"b","answers":["#,
            r#"{"id":"1","question":"Name?","header":null,"response":"a\"b","selections":[],"custom":null}],"#,
            r#""answeredBy":"hub","surface":"hub","answeredAt":"2026-11-15T17:40:00Z","byDefault":true,"reason":null}"#
        )
    );
    let pending =
        r#""status":"pending","response":null,"answers":[],"answeredBy":null,"surface":null,"answeredAt":null,"#;
    assert_eq!(
        written(TEXT, None),
        format!(r#"{{"id":"019a8b3c-0000-7000-8000-000000000000",{pending}"byDefault":false,"reason":null}}"#)
    );
}

// L4
#[test]
fn outcome_for_a_model_names_no_actor_if_no_person_answered() {
    let request = Request::parse(TEXT.as_bytes(), &Limits::DEFAULT).unwrap();
    let for_model = |resolve: Value| {
        let outcome = outcome(&request, &serde_json::json!({"resolve": resolve}));
        let json = Value::from(outcome.to_json_for_model(&request));
        (json["answeredBy"].clone(), json["answeredAt"].clone(), json["surface"].clone())
    };
    let answered = for_model(serde_json::json!({"answers": ["x"], "by": "Ann", "surface": "page"}));
    assert_eq!(answered, ("Ann".into(), "2026-11-15T17:40:00Z".into(), "page".into()));
    let expired = for_model(serde_json::json!({"by": "hub", "surface": "hub"}));
    assert_eq!(expired, (Value::Null, Value::Null, "hub".into()));
}
