//! Questions of the model: asked, answered, and told to it under the id of its call.

use crate::support::{Act, Person, answer, answers, decline};
use crate::{Chat, KEY, question, result, says};
use askback_agent::{AskedAs, TurnEnd};
use askback_model::{Answer, Reply};
use serde_json::json;

fn asks(input: &serde_json::Value) -> Reply {
    Reply::Answer(Answer::new().text("Let me ask. ").call("toolu_1", "AskUserQuestion", input).end())
}

/// What the model reads of a question that ends like this.
async fn told(act: Act) -> serde_json::Value {
    let mut chat = Chat::new([asks(&question("Database")), says("Good.")]);
    let turn = chat.turn([act]).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("Let me ask. Good.", &TurnEnd::Done));
    assert_eq!(turn.questions().map(|asked| asked.by).collect::<Vec<_>>(), [AskedAs::AskUser]);
    let results = chat.results(1);
    assert_eq!(results.len(), 1);
    results[0].clone()
}

// Q6, Q7
#[tokio::test]
async fn two_answers_go_back_under_the_id_of_the_call() {
    let mut input = question("Database");
    let mut second = question("Features")["questions"][0].clone();
    second["multiSelect"] = json!(true);
    input["questions"].as_array_mut().unwrap().push(second);
    let mut chat = Chat::new([asks(&input), says("Then SQLite it is.")]);
    let turn = chat.turn([answers(&["SQLite", "Postgres, my own"])]).await;
    assert_eq!(turn.end, TurnEnd::Done);
    assert_eq!(turn.text(), "Let me ask. Then SQLite it is.");
    let text = "User answered the following questions:\n\n1. Database (Which Database should we use?)\n   Selected: SQLite\n\n\
                2. Features (Which Features should we use?)\n   Selected: Postgres, my own\n\nProceeding with user selections.";
    assert_eq!(chat.results(1), [result("toolu_1", text, false)]);
    // What the model said stands before it, as it said it.
    let said = &chat.messages(1)[1];
    assert_eq!(said["role"], "assistant");
    assert_eq!(said["content"][0], json!({"type": "text", "text": "Let me ask."}));
    assert_eq!(
        said["content"][1],
        json!({"type": "tool_use", "id": "toolu_1", "name": "AskUserQuestion", "input": input})
    );
}

// Q6, L5, L7
#[tokio::test]
async fn what_is_no_answer_is_told_as_what_it_is() {
    let why = "The user declined to answer. Reason: What about MySQL?";
    assert_eq!(told(decline("What about MySQL?")).await, result("toolu_1", why, false));
    assert_eq!(told(Act::Decline(None)).await, result("toolu_1", "The user declined to answer.", false));
    let cancelled = "The question was cancelled before anyone answered. Do not assume an answer.";
    assert_eq!(told(Act::Cancel).await, result("toolu_1", cancelled, false));
    let expired = "Nobody answered within the time given. Do not assume an answer.";
    assert_eq!(told(Act::Expire).await, result("toolu_1", expired, false));
}

// Q7, L5
#[tokio::test]
async fn without_anybody_to_ask_the_turn_ends_and_nothing_is_assumed() {
    let mut chat = Chat::new([asks(&question("Database")), says("never")]);
    let turn = chat.turn([Act::Leave]).await;
    assert!(matches!(&turn.end, TurnEnd::Lost(why) if why.contains("the terminal went away")), "{:?}", turn.end);
    assert_eq!(chat.requests(), 1);
}

// Q7, T3
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_asked_at_once_are_shown_one_by_one_and_none_is_lost() {
    let topics: Vec<String> = (0..20).map(|number| format!("Topic {number}")).collect();
    let calls = topics.iter().enumerate().fold(Answer::new(), |answer, (number, topic)| {
        answer.call(&format!("toolu_{number}"), "AskUserQuestion", &question(topic))
    });
    let mut chat = Chat::new([Reply::Answer(calls.end()), says("Good.")]);
    let person = Person::who(|request| answer(&format!("about {}", request.questions()[0].header().unwrap())));
    let (turn, log) = chat.turn_with(person).await;
    assert_eq!(turn.end, TurnEnd::Done);
    assert_eq!((log.prompts().len(), turn.questions().count()), (20, 20));
    let results = chat.results(1);
    assert_eq!(results.len(), 20);
    for (number, (result, topic)) in results.iter().zip(&topics).enumerate() {
        assert_eq!(result["tool_use_id"], format!("toolu_{number}"));
        let text = result["content"].as_str().unwrap();
        assert!(
            text.contains(&format!("1. {topic} (")) && text.contains(&format!("Selected: about {topic}\n")),
            "{text}"
        );
    }
}

// Q7
#[tokio::test]
async fn a_request_of_any_kind_is_asked_as_one() {
    let form = json!({"questions": [
        {"type": "approval", "message": "Delete it?"},
        {"type": "number", "message": "How many?", "min": 1},
    ]});
    let call = Answer::new().call("toolu_1", "request_user_input", &form).end();
    let mut chat = Chat::new([Reply::Answer(call), says("Good.")]);
    chat.turn([answers(&["approve", "3"])]).await;
    let text = "User answered the following questions:\n\n1. Delete it?\n   Selected: approve\n\n2. How many?\n   Selected: 3\n\n\
                Proceeding with user selections.";
    assert_eq!(chat.results(1), [result("toolu_1", text, false)]);
}

// Q7
#[tokio::test]
async fn a_call_says_who_calls_and_brings_every_tool() {
    let mut chat = Chat::new([says("Hi.")]);
    chat.turn([]).await;
    let request = chat.server.wait_for(0);
    let header = |name: &str| request.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
    assert_eq!(header("x-api-key"), Some(KEY));
    assert_eq!(header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(header("content-type"), Some("application/json"));
    assert_eq!(request.body["model"], "claude-test");
    assert_eq!(request.body["stream"], true);
    assert!(request.body["system"].as_str().unwrap().contains(&*chat.folder.path().to_string_lossy()));
    let tools: Vec<&str> =
        request.body["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(tools.contains(&"AskUserQuestion") && tools.contains(&"run_command"), "{tools:?}");
    assert_eq!(request.body["tools"][0]["input_schema"], askback_core::tool::schema(&askback_core::Limits::DEFAULT));
}
