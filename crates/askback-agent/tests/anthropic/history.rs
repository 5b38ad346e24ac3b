//! What the model is told of the turns before.

use crate::support::{Act, Person, answer};
use crate::{Chat, agent, question, result, says};
use askback_agent::{Journal, Pace, Script, Scripted, Session, TurnEnd};
use askback_model::{Answer, Reply};
use serde_json::{Value, json};

const CANCELLED: &str = "This was cancelled before it was finished.";

fn asks() -> Reply {
    Reply::Answer(Answer::new().text("Let me ask. ").call("toolu_1", "AskUserQuestion", &question("Database")).end())
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn said(text: &str) -> Value {
    json!({"role": "assistant", "content": [{"type": "text", "text": text}]})
}

fn asked() -> Value {
    let call = json!({"type": "tool_use", "id": "toolu_1", "name": "AskUserQuestion", "input": question("Database")});
    json!({"role": "assistant", "content": [{"type": "text", "text": "Let me ask."}, call]})
}

fn results(text: &str, is_error: bool) -> Value {
    json!({"role": "user", "content": [result("toolu_1", text, is_error)]})
}

const ANSWERED: &str = "User answered the following questions:\n\n1. Database (Which Database should we use?)\n   \
                        Selected: SQLite\n\nProceeding with user selections.";

// T6, Q7
#[tokio::test]
async fn the_next_turn_knows_what_was_said_done_and_answered() {
    let mut chat = Chat::new([asks(), says("Good."), says("Again.")]);
    chat.turn([answer("SQLite")]).await;
    chat.turn([]).await;
    let expected = [user("Hello."), asked(), results(ANSWERED, false), said("Good."), user("Hello.")];
    assert_eq!(chat.messages(2), expected);
}

// T6, L5
#[tokio::test]
async fn the_next_turn_knows_of_one_that_was_cancelled() {
    let mut chat = Chat::new([asks(), says("Again.")]);
    let turn = chat.turn([Act::Interrupt]).await;
    assert_eq!(turn.end, TurnEnd::Cancelled);
    chat.turn([]).await;
    let next = user("[The person cancelled your answer.]\n\nHello.");
    assert_eq!(chat.messages(1), [user("Hello."), asked(), results(CANCELLED, true), next]);
}

// T6
#[tokio::test]
async fn the_next_turn_knows_of_one_that_another_agent_had_rejected() {
    let script = "[[step]]\nsay = \"Well. \"\n[[step]]\nuse = \"any tool\"\noutput = \"a\"\n[[step]]\nuse = \"any tool\"\n\
                  output = \"b\"\n[[step]]\nrequest = { prompt = \"Go?\", choices = [\"Yes\", \"No\"] }";
    let mut chat = Chat::new([says("Hi.")]);
    for _ in 0..2 {
        let mut other = Scripted::new("test", Script::parse(script).unwrap(), Pace::Instant);
        let mut person = Person::does([Act::Decline(None)]);
        chat.session.take_turn(&mut other, &mut person, "First.").await.unwrap();
    }
    assert_eq!(chat.session.turns()[0].end, TurnEnd::Rejected);
    chat.turn([]).await;
    let messages = chat.messages(0);
    assert_eq!(messages[0], user("First."));
    // The protocol has its own idea of what a call may look like, and takes each id once.
    let blocks: Vec<&Value> = messages.iter().filter_map(|message| message["content"].as_array()).flatten().collect();
    let calls: Vec<&&Value> = blocks.iter().filter(|block| block["type"] == "tool_use").collect();
    assert_eq!(calls.len(), 4);
    for call in calls {
        let is_word =
            |text: &Value| text.as_str().unwrap().chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        assert!(is_word(&call["id"]) && is_word(&call["name"]) && call["input"].is_object(), "{call}");
        assert_eq!(blocks.iter().filter(|block| block["id"] == call["id"]).count(), 1);
        assert_eq!(blocks.iter().filter(|block| block["tool_use_id"] == call["id"]).count(), 1);
    }
    let last = messages.last().unwrap()["content"].as_str().unwrap();
    assert!(last.ends_with("\n\nHello."), "{last}");
    let remark = "[The person rejected what you asked, and your answer was cancelled.]";
    assert!(messages.iter().any(|message| message["content"].as_str().is_some_and(|text| text.starts_with(remark))));
}

// T6, Q7
#[tokio::test]
async fn a_session_that_is_resumed_goes_on_with_the_same_history() {
    let mut chat = Chat::new([asks(), says("Good."), asks(), says("Again.")]);
    let sessions = chat.folder.file("sessions");
    chat.session = Session::kept(Journal::create(&sessions, "one", "anthropic").unwrap(), vec![]);
    chat.turn([answer("SQLite")]).await;
    chat.turn([Act::Interrupt]).await;
    let before = std::mem::take(&mut chat.session);
    let turns = before.turns().to_vec();
    drop(before);
    let (journal, saved) = Journal::resume(&sessions, "one").unwrap();
    assert_eq!(saved.turns.iter().collect::<Vec<_>>(), turns.iter().map(|turn| &**turn).collect::<Vec<_>>());
    chat.session = Session::kept(journal, saved.turns);
    chat.agent = agent(chat.server.url(), &chat.folder);
    chat.turn([]).await;
    let messages = chat.messages(3);
    assert_eq!(messages[..4], [user("Hello."), asked(), results(ANSWERED, false), said("Good.")]);
    assert_eq!(messages.last(), Some(&user("[The person cancelled your answer.]\n\nHello.")));
    assert_eq!(messages.len(), 8);
}
