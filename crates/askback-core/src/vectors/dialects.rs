//! `vectors/dialect-<name>.json`: each shape read into the canonical form, written again, or refused.

use super::requests::same_canonical;
use super::{cases, compare_problems, to_value};
use crate::dialect::stream::{Reply, StreamRequest};
use crate::dialect::{self, DIALECTS, Dialect};
use crate::{AnswerInput, Json, Kind, Limits, Outcome, Path, Problems, Request, RequestId, Resolution, Rule, Surface};
use serde_json::Value;

/// What goes wrong in one dialect.
pub(super) fn failures(name: &str) -> Vec<String> {
    let dialect = DIALECTS.iter().find(|dialect| dialect.name == name).unwrap();
    let check = |case: &Value| check(dialect, case).map_err(|wrong| format!("{}: {wrong}", case["name"])).err();
    cases(&format!("dialect-{name}")).iter().filter_map(check).collect()
}

fn check(dialect: &Dialect, case: &Value) -> Result<(), String> {
    let shape = case.get("request");
    let source = shape.unwrap_or(&case["canonical"]);
    let request = match (read(source), case.get("problems")) {
        (Ok(request), None) => request,
        (Err(found), Some(expected)) => return compare_problems(expected, &found),
        (Ok(_), Some(expected)) => return Err(format!("accepted, expected {expected}")),
        (Err(found), None) => return Err(format!("refused: {found}")),
    };
    same_canonical(&request, &case["canonical"])?;
    match ((dialect.render)(&request), case.get("inexpressible")) {
        (Ok(rendered), None) => {
            let expected = case.get("rendered").or(shape).unwrap();
            if to_value(&rendered) != *expected {
                return Err(format!("rendered as {rendered}"));
            }
            let again = dialect.parse(&rendered, &Limits::STORED);
            if again.as_ref() == Ok(&request) { Ok(()) } else { Err(format!("read back as {again:?}")) }
        }
        (Err(lost), Some(path)) if lost.path.to_string() == *path => Ok(()),
        (result, expected) => Err(format!("rendered as {result:?}, expected {expected:?}")),
    }
}

fn read(value: &Value) -> Result<Request, Problems> {
    Request::from_json(&Json::from(value.clone()), &Limits::DEFAULT)
}

// F13, Q1, Q2, T2
#[test]
fn dialects_pass_their_vectors() {
    for dialect in DIALECTS {
        let failed = failures(dialect.name);
        assert!(failed.is_empty(), "{}:\n{}", dialect.name, failed.join("\n"));
    }
}

// Q1
#[test]
fn the_tool_takes_only_what_the_model_was_told() {
    for case in cases("dialect-ask-user-question").iter().filter(|case| case.get("request").is_some()) {
        let json = Json::from(case["request"].clone());
        let strict = dialect::ask_user_question::parse(&json, &Limits::DEFAULT);
        assert_eq!(strict, Request::from_json(&json, &Limits::DEFAULT), "{}", case["name"]);
    }
    let case = &cases("dialect-ask-user-question")[0];
    let mut with_timeout = case["request"].clone();
    with_timeout["timeout"] = 60.into();
    let json = Json::from(with_timeout);
    assert!(Request::from_json(&json, &Limits::DEFAULT).is_ok());
    let problems = dialect::ask_user_question::parse(&json, &Limits::DEFAULT).unwrap_err();
    assert_eq!(
        problems.to_string(),
        "timeout: there is no field \"timeout\" here (expected one of questions, answers, metadata)"
    );
}

// T2
#[test]
fn a_stream_takes_only_its_three_fields() {
    let json = Json::parse(br#"{"prompt":"Go?","input_type":"text","room":"r"}"#, &Limits::DEFAULT).unwrap();
    assert!(StreamRequest::parse(&json, &Limits::DEFAULT).is_err());
}

// T2, F12
#[test]
fn choices_that_imitate_a_control_are_kept_only_where_a_stream_itself_is_read() {
    let texts = ["r) Reject", "Other (please specify)", "↑↓ navigate • enter select • esc cancel", "[a] Approve"];
    let value = serde_json::json!({"prompt": "Pick", "input_type": "choice", "choices": texts});
    let problems = read(&value).unwrap_err();
    let found: Vec<_> = problems.iter().map(|problem| (problem.path.to_string(), problem.rule)).collect();
    assert_eq!(found, [0, 1, 2, 3].map(|index| (format!("choices[{index}]"), crate::Rule::Reserved)));
    let json = Json::from(value);
    assert!(StreamRequest::parse(&json, &Limits::DEFAULT).is_ok());
}

// T2, T4, T8
#[test]
fn a_stream_itself_takes_any_texts_as_choices_and_returns_them_to_the_byte() {
    let texts = [" left", "left", "left ", "\u{1b}[31mred", "", "two\nlines", "選択肢", "__other__"];
    let value = serde_json::json!({"prompt": "Pick", "input_type": "choice", "choices": texts});
    assert!(read(&value).is_err(), "at a port they are options like any other");
    let asked = StreamRequest::parse(&Json::from(value), &Limits::DEFAULT).unwrap();
    assert_eq!(asked.choices(), texts);
    let question = &asked.request().questions()[0];
    let Kind::Choice(choice) = question.kind() else { panic!("{question:?}") };
    for (index, (option, text)) in choice.options().iter().zip(texts).enumerate() {
        let answers = asked.request().parse_answers(&[AnswerInput::from(option.value())], &Path::root()).unwrap();
        let id = RequestId::parse("019a8b3c-0000-7000-8000-000000000000").unwrap();
        let resolution = Resolution::from_answers(answers);
        let outcome = Outcome::new(id, resolution, "reviewer", Surface::Page, jiff::Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(Reply::of(&asked, &outcome), Ok(Reply::Choice { index, value: text.to_owned() }));
    }
    // What was shown can be persisted, and a surface elsewhere can show it as well.
    assert_eq!(Request::from_json(&asked.request().to_json(), &Limits::DEFAULT).as_ref(), Ok(asked.request()));
}

// T2, S3
#[test]
fn choices_that_are_no_texts_or_too_long_are_refused_together() {
    let value = serde_json::json!({"prompt": "Pick", "input_type": "choice", "choices": ["a", 5, "x".repeat(1_001)]});
    let problems = StreamRequest::parse(&Json::from(value), &Limits::DEFAULT).unwrap_err();
    let found: Vec<_> = problems.iter().map(|problem| (problem.path.to_string(), problem.rule)).collect();
    assert_eq!(found, [("choices[1]".to_owned(), Rule::Type), ("choices[2]".to_owned(), Rule::Length)]);
}

// T2
#[test]
fn a_missing_prompt_is_an_empty_prompt_only_where_a_stream_itself_is_read() {
    for (prompt, expected) in [(None, ""), (Some(""), ""), (Some(" "), " ")] {
        let mut value = serde_json::json!({"input_type": "text"});
        if let Some(prompt) = prompt {
            value["prompt"] = prompt.into();
        }
        assert!(read(&value).is_err(), "{value}");
        let asked = StreamRequest::parse(&Json::from(value.clone()), &Limits::DEFAULT).unwrap();
        assert_eq!(asked.request().questions()[0].message(), expected);
        let written = asked.request().to_json();
        assert!(Request::from_json(&written, &Limits::DEFAULT).is_err(), "a hub asks nobody without a message");
        assert_eq!(Request::from_json(&written, &Limits::STORED).as_ref(), Ok(asked.request()), "a session keeps it");
    }
    let value = serde_json::json!({"prompt": 5, "input_type": "text"});
    assert!(StreamRequest::parse(&Json::from(value), &Limits::DEFAULT).is_err());
}
