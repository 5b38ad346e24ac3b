//! What holds for all inputs, not only for the vectors'.

use super::answers::{reads_back, reads_back_alone};
use crate::dialect::DIALECTS;
use crate::kind::KINDS;
use crate::{AnswerInput, Json, Limits, Request};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Texts that are likely to hit a rule: words of the format, odd characters, or anything.
fn text() -> impl Strategy<Value = String> {
    let words = vec![
        "",
        " ",
        "a",
        "b",
        "a, b",
        "b, a",
        "Other",
        "__other__",
        "yes",
        "no",
        "approve",
        "1",
        "-0",
        "1e21",
        "0.3",
        "2024-02-29",
        "a@b.example",
        "\u{202e}",
        "\u{200b}",
        "\u{1b}[2J",
        "a\nb",
        "e\u{301}",
        "👩\u{200d}💻",
        ", ",
        ",",
    ];
    prop_oneof![prop::sample::select(words).prop_map(str::to_owned), any::<String>(), "[ab, ]{0,12}", "-?[0-9.e+]{1,8}"]
}

/// Texts joined as answers are, spaces gone astray included.
fn joined() -> impl Strategy<Value = String> {
    let separator = prop::sample::select(vec![", ", ", ", ", ", ",  ", " , ", ","]);
    let parts = prop::collection::vec((text(), separator), 0..4);
    (text(), parts)
        .prop_map(|(first, rest)| rest.into_iter().fold(first, |joined, (text, separator)| joined + separator + &text))
}

/// Any JSON of a few levels, its fields named as ours are.
fn tree() -> impl Strategy<Value = Value> {
    let names = vec![
        "type",
        "message",
        "questions",
        "question",
        "options",
        "label",
        "value",
        "description",
        "header",
        "id",
        "multiSelect",
        "other",
        "min",
        "max",
        "step",
        "integer",
        "initial",
        "timeout",
        "onTimeout",
        "default",
        "context",
        "text",
        "prompt",
        "input_type",
        "choices",
        "labels",
        "style",
        "ends",
        "low",
        "domain",
        "maxLength",
        "metadata",
        "source",
        "answers",
        "x",
    ];
    let kinds: Vec<&str> = KINDS.iter().map(|entry| entry.name).collect();
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-20i64..70_000).prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        text().prop_map(Value::from),
        prop::sample::select(kinds).prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(names.clone()), inner), 0..9)
                .prop_map(|fields| fields.into_iter().collect()),
        ]
    })
}

/// A question that is mostly right.
fn question() -> impl Strategy<Value = Value> {
    let options = || prop::collection::vec(text(), 1..5);
    let number = prop_oneof![(-5i64..5).prop_map(|n| n as f64), Just(0.1), Just(0.5), Just(1e21)];
    let own = prop_oneof![
        Just(json!({"type": "approval"})),
        Just(json!({"type": "confirm"})),
        (1..20u32).prop_map(|length| json!({"type": "text", "maxLength": length})),
        Just(json!({"type": "multiline"})),
        Just(json!({"type": "date", "min": "2000-01-01"})),
        Just(json!({"type": "email"})),
        Just(json!({"type": "rating", "ends": {"low": "bad"}})),
        options().prop_map(|options| json!({"type": "dropdown", "options": options})),
        (options(), any::<bool>(), any::<bool>()).prop_map(
            |(options, many, other)| json!({"type": "choice", "options": options, "multiSelect": many, "other": other})
        ),
        (prop::option::of(number.clone()), prop::option::of(number.clone()), prop::option::of(number), any::<bool>())
            .prop_map(|(min, max, step, integer)| {
                let mut question = json!({"type": "number", "integer": integer});
                for (name, value) in [("min", min), ("max", max), ("step", step)] {
                    if let Some(value) = value {
                        question[name] = json!(value);
                    }
                }
                question
            }),
    ];
    let extra = || prop::option::weighted(0.3, text());
    (own, message(), extra(), extra(), extra()).prop_map(|(mut question, message, header, placeholder, initial)| {
        question["message"] = message.into();
        for (name, value) in [("header", header), ("placeholder", placeholder), ("initial", initial)] {
            if let Some(value) = value {
                question[name] = value.into();
            }
        }
        question
    })
}

fn message() -> impl Strategy<Value = String> {
    "[a-z]{1,8}\\?"
}

/// A request that is mostly right, with everything that may stand beside the questions.
pub(super) fn request() -> impl Strategy<Value = Value> {
    let defaults = prop::option::weighted(0.3, prop::collection::vec(text(), 1..3));
    (prop::collection::vec(question(), 1..3), defaults, prop::option::weighted(0.3, text())).prop_map(
        |(questions, defaults, context)| {
            let mut request = json!({"questions": questions, "room": "r", "metadata": {"source": "s"}});
            if let Some(defaults) = defaults {
                request["timeout"] = 60.into();
                request["onTimeout"] = json!({"default": defaults});
            }
            if let Some(text) = context {
                request["context"] = json!([{"type": "diff", "text": text, "title": "plan"}]);
            }
            request
        },
    )
}

proptest! {
    // S3, F15
    #[test]
    fn arbitrary_bytes_get_a_report(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Err(problems) = Request::parse(&bytes, &Limits::DEFAULT) {
            prop_assert!(!problems.is_empty());
        }
    }

    // S3, F15
    #[test]
    fn arbitrary_json_gets_a_report(tree in tree()) {
        if let Err(problems) = Request::from_json(&Json::from(tree), &Limits::DEFAULT) {
            prop_assert!(!problems.is_empty());
            prop_assert!(problems.iter().all(|problem| !problem.message.is_empty() && !problem.expected.is_empty()));
        }
    }

    // F16
    #[test]
    fn what_is_rendered_reads_back(request in request()) {
        let Ok(request) = Request::from_json(&Json::from(request), &Limits::DEFAULT) else { return Ok(()) };
        for dialect in DIALECTS {
            if let Ok(rendered) = (dialect.render)(&request) {
                let text = rendered.to_string();
                let json = Json::parse(text.as_bytes(), &Limits::STORED).unwrap();
                let again = dialect.parse(&json, &Limits::STORED);
                prop_assert_eq!(again.as_ref(), Ok(&request), "{}", dialect.name);
            }
        }
    }

    // F15
    #[test]
    fn an_accepted_answer_reads_back_and_a_refused_one_names_its_rule(
        question in question(),
        response in joined(),
        selections in prop::collection::vec(text(), 0..4),
        custom in prop::option::of(joined()),
    ) {
        let Ok(request) = Request::from_json(&Json::from(question), &Limits::DEFAULT) else { return Ok(()) };
        let question = &request.questions()[0];
        let entry = KINDS.iter().find(|entry| entry.name == question.kind().name()).unwrap();
        let list = AnswerInput::Selections { selections: selections.clone(), custom: custom.clone() };
        for raw in [AnswerInput::from(&response), list] {
            match question.parse_answer(&raw) {
                Ok(answer) => {
                    prop_assert_eq!(reads_back(question, &answer), Ok(()));
                    if matches!(raw, AnswerInput::Response(_)) {
                        prop_assert_eq!(reads_back_alone(question, &answer), Ok(()));
                    }
                }
                Err(refusal) => {
                    prop_assert!(entry.rules.contains(&refusal.rule), "{}: {}", entry.name, refusal.rule);
                    prop_assert!(!refusal.message.is_empty() && !refusal.expected.is_empty());
                    prop_assert!(!refusal.to_string().contains(char::is_control), "{}", refusal);
                }
            }
        }
    }
}
