//! A server that fails, and answers that come in odd ways.

use crate::support::{Folder, Person, answer};
use crate::{Chat, KEY, agent, question, result, retries, says};
use askback_agent::{Anthropic, ConversationTurn, Session, TurnEnd};
use askback_model::{Answer, ModelServer, Reply};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An answer with everything in it.
fn rich() -> Answer {
    Answer::new().text("Größe: 3 €. ").call("toolu_1", "AskUserQuestion", &question("Datenbänke"))
}

async fn played(first: Reply) -> (Arc<ConversationTurn>, Vec<serde_json::Value>) {
    let mut chat = Chat::new([first, says("Gut.")]);
    let turn = chat.turn([answer("SQLite")]).await;
    (turn, chat.messages(1))
}

// T1
#[tokio::test]
async fn the_way_an_answer_is_cut_changes_nothing() {
    let (whole, messages) = played(Reply::Answer(rich().end())).await;
    assert_eq!((whole.text().as_str(), &whole.end), ("Größe: 3 €. Gut.", &TurnEnd::Done));
    for size in [1, 2, 3, 7, 64] {
        let (turn, same) = played(Reply::InPieces(rich().end(), size)).await;
        assert_eq!(*turn, *whole, "in pieces of {size}");
        assert_eq!(same, messages, "in pieces of {size}");
    }
}

// T1
#[tokio::test]
async fn carriage_returns_and_what_is_new_are_passed_over() {
    let unknown = rich()
        .event(&json!({"type": "weather", "sky": "clear"}))
        .event(&json!({"type": "content_block_start", "index": 7, "content_block": {"type": "thinking", "thinking": ""}}))
        .event(&json!({"type": "content_block_delta", "index": 7, "delta": {"type": "thinking_delta", "thinking": "hm"}}))
        .event(&json!({"type": "content_block_stop", "index": 7}))
        .raw(": a comment\r\n\r\n")
        .raw("event: content_block_start\r\ndata: {\"type\": \"content_block_start\", \"index\": 8,\r\ndata:  \"content_block\": {\"type\": \"text\", \"text\": \"Mehr.\"}}\r\n\r\n")
        .event(&json!({"type": "message_delta", "delta": {}, "usage": null}))
        .end();
    let (turn, _) = played(Reply::InPieces(unknown, 5)).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("Größe: 3 €. Mehr.Gut.", &TurnEnd::Done));
}

// T1
#[tokio::test]
async fn tokens_are_counted_once() {
    let mut chat = Chat::new([says("Hi.")]);
    let turn = chat.turn([]).await;
    assert_eq!((turn.usage.input_tokens, turn.usage.output_tokens), (100, 20));
}

// S3
#[tokio::test]
async fn a_busy_server_is_tried_again() {
    let refusals = [Reply::Refuse(529, None), Reply::Refuse(429, Some(0)), Reply::Refuse(500, None)];
    let mut chat = Chat::new(refusals.into_iter().chain([says("At last.")]));
    let (turn, log) = chat.turn_with(Person::watches()).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("At last.", &TurnEnd::Done));
    assert_eq!((chat.requests(), log.errors()), (4, vec![]));
}

// S3
#[tokio::test]
async fn a_server_that_says_how_long_to_wait_is_given_that_time() {
    let mut chat = Chat::new([Reply::Refuse(429, Some(1)), says("Now.")]);
    let turn = chat.turn([]).await;
    assert_eq!(turn.text(), "Now.");
    let received = chat.server.received();
    assert!(received[1].at - received[0].at >= Duration::from_secs(1));
}

// S3
#[tokio::test]
async fn a_server_that_stays_busy_is_given_up_with_its_reason() {
    let mut chat = Chat::new(vec![Reply::Refuse(529, Some(0)); 20]);
    let turn = chat.turn([]).await;
    assert_eq!(chat.requests(), 5);
    let TurnEnd::Failed(why) = &turn.end else { panic!("{:?}", turn.end) };
    assert!(why.contains("529") && why.contains("as told"), "{why}");
}

// S3
#[tokio::test]
async fn what_will_not_pass_is_not_tried_again_and_says_what_to_check() {
    for (status, hint) in [
        (401, "Check ANTHROPIC_API_KEY"),
        (403, "Check ANTHROPIC_API_KEY"),
        (404, "Check the model's name and ANTHROPIC_BASE_URL"),
        (307, "Check ANTHROPIC_BASE_URL"),
        (400, "as told"),
        (413, "as told"),
    ] {
        let mut chat = Chat::new([Reply::Refuse(status, None), says("never")]);
        let (turn, log) = chat.turn_with(Person::watches()).await;
        let TurnEnd::Failed(why) = &turn.end else { panic!("{:?}", turn.end) };
        assert!(why.contains(&status.to_string()) && why.contains(hint), "{status}: {why}");
        assert_eq!(log.errors(), [why.as_str()]);
        assert_eq!(chat.requests(), 1, "{status}");
    }
}

// S2
#[tokio::test]
async fn the_key_is_in_no_message() {
    // A gateway that repeats what it was sent.
    let mut chat =
        Chat::new([Reply::RefuseSaying(401, format!("invalid key {KEY}!")), Reply::Answer(Answer::new().fail(KEY))]);
    for _ in 0..2 {
        let turn = chat.turn([]).await;
        let TurnEnd::Failed(why) = &turn.end else { panic!("{:?}", turn.end) };
        assert!(!why.contains(KEY), "{why}");
    }
    let wrong = Anthropic::new("http://localhost", "sk-geheim\n", "m").err().unwrap().to_string();
    assert!(wrong.contains("ANTHROPIC_API_KEY") && !wrong.contains("geheim"), "{wrong}");
    let wrong = Anthropic::new("not an address", KEY, "m").err().unwrap().to_string();
    assert!(wrong.contains("ANTHROPIC_BASE_URL") && !wrong.contains(KEY), "{wrong}");
}

// S2
#[tokio::test]
async fn the_key_does_not_follow_where_a_server_points() {
    let elsewhere = ModelServer::start([says("Got it.")]).unwrap();
    let mut chat = Chat::new([Reply::Redirect(elsewhere.url().to_owned())]);
    let turn = chat.turn([]).await;
    assert!(matches!(&turn.end, TurnEnd::Failed(why) if why.contains("307")), "{:?}", turn.end);
    assert!(elsewhere.received().is_empty());
}

// S3
#[tokio::test]
async fn a_server_that_is_not_there_at_first_is_found_later() {
    let reserved = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = reserved.local_addr().unwrap();
    drop(reserved);
    let folder = Folder::new();
    let mut agent = agent(&format!("http://{address}"), &folder);
    let turn = Session::new().take_turn(&mut agent, &mut Person::watches(), "hi").await.unwrap();
    let TurnEnd::Failed(why) = &turn.end else { panic!("{:?}", turn.end) };
    assert!(why.contains("can't be reached") && why.to_lowercase().contains("refused"), "{why}");

    let model = Anthropic::new(&format!("http://{address}"), KEY, "m").unwrap();
    let agent = askback_agent::AgentLoop::new(Arc::new(model), askback_agent::tool::Registry::new(), folder.path());
    let mut agent = agent.with_retries(retries(Duration::from_millis(200)));
    let begun = Instant::now();
    let late = std::thread::spawn(move || ModelServer::start_at(&address.to_string(), [says("Here I am.")]).unwrap());
    let turn = Session::new().take_turn(&mut agent, &mut Person::watches(), "hi").await.unwrap();
    assert_eq!(turn.text(), "Here I am.");
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(late.join().unwrap().received()[0].body.get("tools"), None, "no tools, no list of them");
}

// S3, T1
#[tokio::test]
async fn a_call_that_breaks_before_it_says_anything_is_tried_again() {
    let start = Answer::new();
    let length = 1_000_000;
    for broken in [
        Reply::Answer(start.clone().fail("overloaded_error")),
        Reply::Cut(start.clone(), length),
        Reply::Cut(start.clone(), 10),
        Reply::Cut(start.clone(), 0),
        Reply::Answer(start.clone()),
    ] {
        let shown = format!("{broken:?}");
        let mut chat = Chat::new([broken, says("Second try.")]);
        let (turn, log) = chat.turn_with(Person::watches()).await;
        assert_eq!(turn.usage.input_tokens, 100, "what broke is not counted: {shown}");
        assert_eq!((turn.text().as_str(), &turn.end), ("Second try.", &TurnEnd::Done), "{shown}");
        assert_eq!((chat.requests(), log.errors()), (2, vec![]), "{shown}");
    }
}

// S3, T1, T6
#[tokio::test]
async fn a_call_that_breaks_later_ends_the_turn_and_keeps_what_was_said() {
    let start = Answer::new().text("Half of ");
    let length = 1_000_000;
    for broken in [
        Reply::Answer(start.clone().fail("overloaded_error")),
        Reply::Cut(start.clone(), length),
        Reply::Answer(start.clone()),
    ] {
        let shown = format!("{broken:?}");
        let mut chat = Chat::new([broken, says("more")]);
        let turn = chat.turn([]).await;
        assert_eq!(turn.text(), "Half of ", "{shown}");
        let TurnEnd::Failed(why) = &turn.end else { panic!("{shown}: {:?}", turn.end) };
        assert!(why.contains("go on"), "{why}");
        assert_eq!(chat.requests(), 1, "{shown}");
        // The next turn goes on from it.
        chat.turn([]).await;
        let messages = chat.messages(1);
        assert_eq!(messages[1], json!({"role": "assistant", "content": [{"type": "text", "text": "Half of"}]}));
        assert_eq!(messages[2]["content"], "[Your answer was cut off by an error.]\n\nHello.");
    }
}

// S3
#[tokio::test]
async fn an_event_that_cannot_be_read_ends_the_turn() {
    let mut chat = Chat::new([Reply::Answer(Answer::new().raw("data: {\"type\n\n"))]);
    let turn = chat.turn([]).await;
    assert!(matches!(&turn.end, TurnEnd::Failed(why) if why.contains("can't be read")), "{:?}", turn.end);
    // And so does one without end.
    let mut chat = Chat::new([Reply::Answer(Answer::new().raw(&format!("data: {}", "x".repeat(5 << 20))))]);
    let turn = chat.turn([]).await;
    assert!(matches!(&turn.end, TurnEnd::Failed(why) if why.contains("endless")), "{:?}", turn.end);
}

// Q7
#[tokio::test]
async fn calls_that_make_no_sense_are_told_so() {
    let calls = Answer::new()
        .call("toolu_1", "fly", &json!({}))
        .call_raw("toolu_2", "read_file", "{\"path\": ")
        .call_raw("toolu_3", "read_file", "[1]")
        .call_raw("toolu_4", "list_files", "");
    let mut chat = Chat::new([Reply::Answer(calls.end()), says("Sorry.")]);
    let turn = chat.turn([]).await;
    assert_eq!(turn.end, TurnEnd::Done);
    let results = chat.results(1);
    let text = |index: usize| results[index]["content"].as_str().unwrap().to_owned();
    assert!(text(0).contains("There is no tool \"fly\"") && text(0).contains("AskUserQuestion, "), "{}", text(0));
    assert!(text(1).contains("not valid JSON"), "{}", text(1));
    assert!(text(2).contains("does not fit the tool's schema"), "{}", text(2));
    assert_eq!(results[3], result("toolu_4", "The folder is empty.", false));
    assert!(results[..3].iter().all(|result| result["is_error"] == true));
    // The server takes nothing but objects as inputs.
    let said = chat.messages(1)[1]["content"].as_array().unwrap().clone();
    assert!(said.iter().all(|block| block["input"].is_object()), "{said:?}");
}
