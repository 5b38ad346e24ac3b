//! `vectors/elicitation.json`: requests as the form of an MCP client's dialog, and what was entered read as answers.

use super::properties::request;
use super::{cases, compare_problems, to_value};
use crate::dialect::elicitation::{Dialog, read, render, render_again};
use crate::kind::{Answer, Kind};
use crate::limits::dialog::MESSAGE_LENGTH;
use crate::show::{Layout, Purpose, show};
use crate::{AnswerInput, Answers, Json, Limits, Path, Question, Request};
use proptest::prelude::*;
use serde_json::{Value, json};

mod published;

use published::published;

const DIALOGS: [(&str, Dialog); 3] = [("full", Dialog::Full), ("first", Dialog::First), ("plain", Dialog::Plain)];

/// The name of the token that asks.
const ASKER: &str = "ana's agents";

fn parse(value: &Value) -> Request {
    Request::from_json(&Json::from(value.clone()), &Limits::DEFAULT).unwrap()
}

fn check(case: &Value) -> Result<(), String> {
    let request = parse(&case["request"]);
    let dialog = DIALOGS.iter().find(|(name, _)| case["dialog"] == *name).unwrap().1;
    let asker = case["asker"].as_str().unwrap();
    match (render(&request, asker, dialog), case.get("inexpressible")) {
        (Ok(form), None) if to_value(&form) == case["form"] => {}
        (Err(lost), Some(path)) if lost.path.to_string() == *path => return Ok(()),
        (Ok(form), _) => return Err(format!("the form is {form}")),
        (Err(lost), _) => return Err(lost.to_string()),
    }
    for vector in case.get("contents").and_then(Value::as_array).into_iter().flatten() {
        let answers = read(&request, &Json::from(vector["given"].clone()));
        match (answers, vector.get("problems")) {
            (Ok(answers), None) if json!(written(&answers)) == vector["written"] => {}
            (Err(found), Some(expected)) => compare_problems(expected, &found)?,
            (answers, _) => return Err(format!("{vector} is read as {answers:?}")),
        }
    }
    Ok(())
}

fn written(answers: &Answers) -> Vec<String> {
    answers.iter().map(Answer::written).collect()
}

// F15, S1, S2, S3, S9, T7
#[test]
fn elicitation_passes_its_vectors() {
    let failed: Vec<String> = cases("elicitation")
        .iter()
        .filter_map(|case| check(case).err().map(|wrong| format!("{}: {wrong}", case["name"])))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// What a dialog would send for these answers, if it can say them: where Other stands among others it can't.
fn enter(request: &Request, answers: &Answers, form: &Value) -> Option<Value> {
    let mut content = serde_json::Map::new();
    for (position, (question, answer)) in request.questions().iter().zip(answers.iter()).enumerate() {
        let name = format!("q{}", position + 1);
        let field = &form["requestedSchema"]["properties"][&name];
        let mut selections = answer.selections();
        if let Some(custom) = answer.custom() {
            content.insert(format!("{name}_other"), custom.into());
            (selections.pop()? == custom).then_some(())?;
        }
        let entered = match (question.kind(), field["type"].as_str()) {
            (Kind::Choice(_), Some("array")) => json!(selections),
            (Kind::Choice(_), _) => selections.first().map_or(Value::Null, |value| json!(value)),
            (Kind::Number(_), Some("number" | "integer")) => {
                to_value(&Json::from(answer.written().parse::<f64>().unwrap()))
            }
            _ => json!(answer.written()),
        };
        if !entered.is_null() {
            content.insert(name, entered);
        }
    }
    Some(Value::Object(content))
}

/// Whether nothing in it would act or hide where it is painted.
fn is_shown(value: &Value) -> bool {
    match value {
        Value::String(text) => show(text, Layout::Block, Purpose::Prose) == *text,
        Value::Array(items) => items.iter().all(is_shown),
        Value::Object(fields) => fields.values().all(is_shown),
        _ => true,
    }
}

/// Questions that a dialog can ask, or nearly: one in ten has an approval among them, or something to look at.
fn askable() -> impl Strategy<Value = Value> {
    let choice = (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(many, other, disabled)| {
        let options = json!(["a", {"value": "b", "label": "B\u{202e}", "description": "the \u{1b} other", "disabled": disabled}, "c, d"]);
        json!({"type": "choice", "multiSelect": many, "other": other, "options": options})
    });
    let number = (prop::option::of(-3i32..3), any::<bool>()).prop_map(|(min, integer)| {
        let mut question = json!({"type": "number", "integer": integer, "max": 1e20});
        if let Some(min) = min {
            question["min"] = json!(f64::from(min) / 2.0);
        }
        question
    });
    let simple = ["approval", "confirm", "text", "multiline", "email", "date", "rating"];
    let kind = prop_oneof![
        4 => choice,
        2 => number,
        7 => prop::sample::select(simple.to_vec()).prop_map(|name| json!({"type": name})),
        1 => Just(json!({"type": "dropdown", "options": ["a", "yes"]})),
    ];
    let question = (kind, "[a-z\u{200b}]{1,9}\\?", any::<bool>()).prop_map(|(mut question, message, filled)| {
        question["message"] = format!("x{message}").into();
        if filled && !matches!(question["type"].as_str(), Some("approval" | "confirm")) {
            let initial = PROBES.iter().find(|probe| {
                let request = Request::from_json(&Json::from(question.clone()), &Limits::DEFAULT);
                request.unwrap().questions()[0].parse_answer(&AnswerInput::from(**probe)).is_ok()
            });
            question["initial"] = json!(initial.unwrap());
        }
        question
    });
    (prop::collection::vec(question, 1..5), prop::bool::weighted(0.05)).prop_map(|(questions, looks)| {
        let context = if looks { json!([{"type": "diff", "text": "+x"}]) } else { json!([]) };
        json!({"questions": questions, "context": context})
    })
}

/// Answers, of which each kind takes some.
const PROBES: &[&str] = &[
    "mine",
    "a",
    "a, c, d",
    "b",
    "c, d, a",
    "a, mine",
    "mine, a",
    " x ",
    "yes",
    "no",
    "1",
    "5",
    "0.5",
    "-0",
    "1e20",
    "2024-02-29",
    "x@b.example",
    "one\ntwo",
    "a\u{202e}",
];

/// For each question one of the answers that pass.
fn answers(request: &Request, picks: &[prop::sample::Index]) -> Option<Answers> {
    let pick = |(question, pick): (&Question, &prop::sample::Index)| {
        let passing: Vec<&str> =
            PROBES.iter().copied().filter(|probe| question.parse_answer(&AnswerInput::from(*probe)).is_ok()).collect();
        (!passing.is_empty()).then(|| AnswerInput::from(passing[pick.index(passing.len())]))
    };
    let raw: Option<Vec<AnswerInput>> = request.questions().iter().zip(picks).map(pick).collect();
    request.parse_answers(&raw?, &Path::root()).ok()
}

proptest! {
    // F15, S1, S2
    #[test]
    fn what_a_dialog_can_say_reads_back(asked in askable(), picks in prop::collection::vec(any::<prop::sample::Index>(), 5)) {
        let request = parse(&asked);
        let approves = request.asks_approval();
        for (_, dialog) in DIALOGS {
            let Ok(form) = render(&request, ASKER, dialog) else {
                let several = asked.to_string().contains("\"multiSelect\":true");
                prop_assert!(approves || !request.context().is_empty() || (several && dialog != Dialog::Full));
                continue;
            };
            let form = to_value(&form);
            prop_assert!(!approves && request.context().is_empty());
            prop_assert!(is_shown(&form), "{}", form);
            let schema = jsonschema::draft202012::new(&form["requestedSchema"]).unwrap();
            let answers = answers(&request, &picks).unwrap();
            let Some(content) = enter(&request, &answers, &form) else { continue };
            prop_assert!(schema.is_valid(&content), "{} for {}", content, form);
            let again = read(&request, &Json::from(content));
            prop_assert_eq!(again, Ok(answers));
        }
    }

    // S2, S3
    #[test]
    fn whatever_is_rendered_is_a_form_of_its_revision(request in request()) {
        let Ok(request) = Request::from_json(&Json::from(request), &Limits::DEFAULT) else { return Ok(()) };
        for (_, dialog) in DIALOGS {
            let Ok(form) = render(&request, ASKER, dialog) else { continue };
            let form = to_value(&form);
            prop_assert!(published(dialog).is_valid(&form), "{}", form);
            prop_assert!(is_shown(&form), "{}", form);
        }
    }
}

// F15
#[test]
fn forms_are_as_the_revisions_have_them() {
    for case in cases("elicitation") {
        let request = parse(&case["request"]);
        for (name, dialog) in DIALOGS {
            if let Ok(form) = render(&request, ASKER, dialog) {
                let form = to_value(&form);
                assert!(published(dialog).is_valid(&form), "{name}: {form}");
                jsonschema::draft202012::new(&form["requestedSchema"]).unwrap();
            }
        }
    }
}

// F15
#[test]
fn longest_message_is_rendered_whole_with_its_asker() {
    let heading = format!("From: {ASKER}\n\n");
    let message = "é".repeat(MESSAGE_LENGTH - heading.chars().count());
    let request = parse(&json!({"type": "text", "message": message}));
    let form = to_value(&render(&request, ASKER, Dialog::Full).unwrap());
    assert_eq!(form["message"], format!("{heading}{message}"));
}

// F15, S2
#[test]
fn a_dialog_that_is_shown_again_says_what_was_wrong() {
    let again = |request: Value, content: Value| {
        let request = parse(&request);
        let problems = read(&request, &Json::from(content)).unwrap_err();
        let form = to_value(&render_again(&request, ASKER, Dialog::Full, &problems).unwrap());
        let first = to_value(&render(&request, ASKER, Dialog::Full).unwrap());
        assert_eq!(form["requestedSchema"], first["requestedSchema"]);
        assert!(is_shown(&form), "{form}");
        form["message"].as_str().unwrap().to_owned()
    };
    let port = json!({"type": "number", "message": "Port?", "min": 1});
    assert_eq!(
        again(port.clone(), json!({"q1": 0})),
        "Not taken: 0 is too small (expected a number of at least 1)\n\nFrom: ana's agents\n\nPort?"
    );
    let two = json!({"questions": [{"type": "confirm", "message": "Sure?"}, port]});
    assert_eq!(
        again(two, json!({"q1": "\u{1b}[2J", "q2": 0})),
        "1. Not taken: \"<U+001B>[2J\" is neither yes nor no (expected yes or no)\n\
         2. Not taken: 0 is too small (expected a number of at least 1)\n\nFrom: ana's agents\n\n1. Sure?\n\n2. Port?"
    );
}
