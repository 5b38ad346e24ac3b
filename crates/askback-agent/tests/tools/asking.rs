//! The tools that only ask.

use crate::support::{Act, Desk, answer, answers, decline};
use crate::{Work, failed, succeeded};
use askback_core::format::model_text;
use serde_json::{Value, json};

fn kinds() -> Vec<(Value, &'static str)> {
    vec![
        (json!({"type": "approval", "message": "Q?"}), "approve"),
        (json!({"type": "text", "message": "Q?"}), "reject"),
        (json!({"type": "multiline", "message": "Q?"}), "a\nb"),
        (json!({"type": "choice", "message": "Q?", "options": ["a", "b"]}), "b"),
        (json!({"type": "choice", "message": "Q?", "options": ["a", "b"], "multiSelect": true, "other": true}), "a, c"),
        (json!({"type": "confirm", "message": "Q?"}), "no"),
        (json!({"type": "number", "message": "Q?"}), "1.5"),
        (json!({"type": "email", "message": "Q?"}), "a@example.org"),
        (json!({"type": "date", "message": "Q?"}), "2026-11-15"),
        (json!({"type": "dropdown", "message": "Q?", "options": ["a", "b"]}), "a"),
        (json!({"type": "rating", "message": "Q?"}), "4"),
    ]
}

// Q6, Q7
#[tokio::test]
async fn a_request_of_every_kind_comes_back_in_the_models_words() {
    let work = Work::new();
    for (input, given) in kinds() {
        let desk = Desk::with([answer(given)]);
        let output = work.run("request_user_input", input.clone(), &desk).await;
        let selected = given.replace('\n', "\n   ");
        // Nothing proceeds after the no of a confirm.
        let closing = if given == "no" { "" } else { "\n\nProceeding with user selections." };
        let text = format!("User answered the following questions:\n\n1. Q?\n   Selected: {selected}{closing}");
        assert_eq!(succeeded(&output), text, "{input}");
    }
    let form = json!({"questions": kinds().into_iter().map(|(question, _)| question).collect::<Vec<_>>()});
    let all: Vec<&str> = kinds().into_iter().map(|(_, answer)| answer).collect();
    let output = work.run("request_user_input", form, &Desk::with([answers(&all)])).await;
    assert!(succeeded(&output).contains("11. Q?\n   Selected: 4"), "{}", output.text);
}

// Q6, L5
#[tokio::test]
async fn every_way_a_request_ends_is_told_to_the_letter() {
    let work = Work::new();
    let input = json!({"type": "confirm", "message": "Q?", "timeout": 90, "onTimeout": {"default": ["no"]}});
    for act in [answer("yes"), decline("Why?"), Act::Decline(None), Act::Cancel, Act::Expire] {
        let desk = Desk::with([act.clone()]);
        let output = work.run("request_user_input", input.clone(), &desk).await;
        let request = &desk.asked()[0];
        let outcome = crate::support::outcome(request, &act).unwrap();
        assert_eq!(succeeded(&output), model_text(request, &outcome));
    }
    let output = work.run("request_user_input", input, &Desk::with([Act::Expire])).await;
    assert_eq!(output.text, "Nobody answered within 1m30s. Use the declared default: no");
}

// Q7, L5
#[tokio::test]
async fn when_nobody_can_be_asked_nothing_is_assumed() {
    let output = Work::new().run("request_user_input", kinds()[0].0.clone(), &Desk::with([Act::Leave])).await;
    assert!(failed(&output).ends_with("Do not assume an answer."), "{}", output.text);
}

// Q1, S3
#[tokio::test]
async fn a_wrong_request_lists_what_is_wrong_and_is_not_asked() {
    let work = Work::new();
    let input =
        json!({"questions": [{"type": "riddle", "message": "Q?"}, {"type": "number", "message": "", "min": "x"}]});
    let output = work.run_unasked("request_user_input", input).await;
    let text = failed(&output);
    assert!(text.starts_with("Nothing was asked: the input is not valid.\n- "), "{text}");
    for said in ["questions[0].type", "questions[1].message", "questions[1].min"] {
        assert!(text.contains(&format!("- {said}")), "{said}: {text}");
    }
    let question =
        json!({"question": "Q?", "header": "A header that is too long", "multiSelect": false, "options": []});
    let output = work.run_unasked("AskUserQuestion", json!({"questions": [question]})).await;
    assert!(failed(&output).contains("1 to 12") && output.text.contains("2 to 4"), "{}", output.text);
    for input in [Value::Null, json!([]), json!("x"), json!({})] {
        failed(&work.run_unasked("AskUserQuestion", input.clone()).await);
        failed(&work.run_unasked("request_user_input", input).await);
    }
}

// S2
#[tokio::test]
async fn hostile_text_is_asked_as_it_is() {
    let hostile = "\u{1b}[2J \u{202e}evil\u{202c} \u{7}?";
    let desk = Desk::with([Act::Cancel]);
    succeeded(&Work::new().run("request_user_input", json!({"type": "text", "message": hostile}), &desk).await);
    assert_eq!(desk.asked()[0].questions()[0].message(), hostile);
}
