//! A model that goes too far.

use crate::support::Person;
use crate::{Chat, says};
use askback_agent::{LoopLimits, TurnEnd, limits};
use askback_model::{Answer, Reply};
use serde_json::json;
use std::time::Duration;

fn calls(id: usize) -> Answer {
    Answer::new().call(&format!("toolu_{id}"), "list_files", &json!({}))
}

fn failed(end: &TurnEnd) -> &str {
    let TurnEnd::Failed(why) = end else { panic!("{end:?}") };
    why
}

// S3, Q1
#[tokio::test]
async fn fifty_questions_are_not_asked_and_the_model_learns_the_limit() {
    let question = |number: usize| {
        let options = ["a", "b"].map(|label| json!({"label": label, "description": "It."}));
        json!({"question": format!("Question {number}?"), "header": "Many", "multiSelect": false, "options": options})
    };
    let input = json!({"questions": (0..50).map(question).collect::<Vec<_>>()});
    let call = Answer::new().call("toolu_1", "AskUserQuestion", &input).end();
    let mut chat = Chat::new([Reply::Answer(call), says("Sorry.")]);
    let (turn, log) = chat.turn_with(Person::watches()).await;
    assert_eq!((log.prompts().len(), &turn.end), (0, &TurnEnd::Done));
    let results = chat.results(1);
    assert_eq!((results[0]["is_error"].clone(), results[0]["tool_use_id"].clone()), (json!(true), json!("toolu_1")));
    let text = results[0]["content"].as_str().unwrap();
    assert!(text.contains("Nothing was asked") && text.contains("1 to 4") && text.contains("50"), "{text}");
}

// S3
#[tokio::test]
async fn a_hundred_calls_at_once_are_answered_all_and_run_in_part() {
    let many = (0..100).fold(Answer::new(), |answer, id| answer.call(&format!("toolu_{id}"), "list_files", &json!({})));
    let mut chat = Chat::new([Reply::Answer(many.end()), says("Sorry.")]);
    let turn = chat.turn([]).await;
    assert_eq!((turn.tools().count(), &turn.end), (100, &TurnEnd::Done));
    let results = chat.results(1);
    let ids: Vec<String> = results.iter().map(|result| result["tool_use_id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids, (0..100).map(|id| format!("toolu_{id}")).collect::<Vec<_>>());
    let refused: Vec<bool> = results.iter().map(|result| result["is_error"] == true).collect();
    assert_eq!(refused.iter().position(|is_refused| *is_refused), Some(limits::TOOL_CALLS));
    assert!(results[99]["content"].as_str().unwrap().contains("At most 64"));
}

// S3
#[tokio::test]
async fn a_model_that_goes_round_in_circles_is_stopped() {
    let mut chat = Chat::new((0..10).map(|id| Reply::Answer(calls(id).end())));
    chat = chat.with_limits(LoopLimits { steps: 3, ..LoopLimits::default() });
    let turn = chat.turn([]).await;
    assert!(failed(&turn.end).contains("after 3 steps"), "{:?}", turn.end);
    assert_eq!((chat.requests(), turn.tools().count()), (3, 3));
    assert!(turn.tools().all(|tool| tool.result.is_some()));
}

// S3
#[tokio::test]
async fn a_model_that_writes_too_many_tokens_is_stopped_between_its_calls() {
    let mut chat = Chat::new((0..10).map(|id| Reply::Answer(calls(id).end())));
    chat = chat.with_limits(LoopLimits { output_tokens: 30, ..LoopLimits::default() });
    let turn = chat.turn([]).await;
    assert!(failed(&turn.end).contains("after 30 tokens"), "{:?}", turn.end);
    assert_eq!((chat.requests(), turn.usage.output_tokens), (2, 40));
}

// S3
#[tokio::test]
async fn a_model_that_takes_too_long_is_stopped_in_the_middle() {
    let mut chat = Chat::new([Reply::Hang(Answer::new().text("Thinking "))]);
    chat = chat.with_limits(LoopLimits { time: Duration::from_secs(1), ..LoopLimits::default() });
    let turn = chat.turn([]).await;
    assert!(failed(&turn.end).contains("after 1s of work"), "{:?}", turn.end);
    assert_eq!(turn.text(), "Thinking ");
    let server = chat.server;
    tokio::task::spawn_blocking(move || server.wait_for_hang_ups(1)).await.unwrap();
}

// S3
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_text_is_stopped() {
    let page = "x".repeat(1 << 20);
    let flood = (0..20).fold(Answer::new(), |answer, _| answer.text(&page));
    let mut chat = Chat::new([Reply::Answer(flood.end())]);
    let turn = chat.turn([]).await;
    assert!(failed(&turn.end).contains("8 MiB"), "{:?}", turn.end);
    assert!(turn.text().len() < limits::TURN_BYTES + (2 << 20));
}

// S3
#[tokio::test]
async fn an_answer_that_is_cut_off_says_how_to_go_on() {
    let mut chat = Chat::new([
        Reply::Answer(Answer::new().text("And so ").end_because("max_tokens")),
        Reply::Answer(Answer::new().text("No.").end_because("refusal")),
        Reply::Answer(Answer::new().end()),
    ]);
    let turn = chat.turn([]).await;
    assert!(failed(&turn.end).contains("go on"), "{:?}", turn.end);
    assert!(failed(&chat.turn([]).await.end).contains("declined"));
    // Silence is an answer as well.
    let turn = chat.turn([]).await;
    assert_eq!((turn.parts.len(), &turn.end), (0, &TurnEnd::Done));
}

// S3
#[tokio::test]
async fn a_call_whose_input_has_no_end_is_stopped() {
    let endless = Answer::new().call_raw("toolu_1", "read_file", &"x".repeat(limits::SERVER_EVENT_BYTES + 2)).end();
    let mut chat = Chat::new([Reply::Answer(endless)]);
    let turn = chat.turn([]).await;
    assert!(failed(&turn.end).contains("has no end"), "{:?}", turn.end);
    assert_eq!((chat.requests(), turn.tools().count()), (1, 0));
}
