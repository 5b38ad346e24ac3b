//! A turn that is stopped: nothing of it goes on.

use crate::support::{Act, Person, answer, is_alive, until};
use crate::{Chat, question, says};
use askback_agent::TurnEnd;
use askback_model::{Answer, Reply};
use serde_json::json;
use std::sync::Arc;

// T6
#[tokio::test]
async fn an_interrupt_reaches_the_call_of_the_model() {
    let mut chat = Chat::new([Reply::Hang(Answer::new().text("I think "))]);
    let person = Person::watches();
    let (interrupt, log) = (person.interrupt(), person.log());
    let stop = tokio::spawn(async move {
        until("the text is there", || (!log.entries().is_empty()).then_some(())).await;
        interrupt.notify_one();
    });
    let (turn, log) = chat.turn_with(person).await;
    stop.await.unwrap();
    assert_eq!((turn.text().as_str(), &turn.end), ("I think ", &TurnEnd::Cancelled));
    assert_eq!(log.infos(), ["Cancelled."]);
    let server = Arc::clone(&chat.server);
    tokio::task::spawn_blocking(move || server.wait_for_hang_ups(1)).await.unwrap();
}

// T6
#[tokio::test]
async fn an_interrupt_while_the_server_is_tried_again_stops_that_too() {
    let mut chat = Chat::new([Reply::Refuse(529, Some(60)), says("never")]);
    let person = Person::watches();
    let interrupt = person.interrupt();
    let server = Arc::clone(&chat.server);
    let stop = tokio::task::spawn_blocking(move || {
        server.wait_for(0);
        interrupt.notify_one();
    });
    let (turn, _) = chat.turn_with(person).await;
    stop.await.unwrap();
    assert_eq!((&turn.end, chat.requests()), (&TurnEnd::Cancelled, 1));
}

// T6
#[tokio::test]
async fn an_interrupt_in_the_middle_of_a_tool_ends_what_it_has_started() {
    let call = json!({"command": "sleep 1000 & echo $! > child; echo $$ > self; wait"});
    let mut chat = Chat::new([Reply::Answer(Answer::new().call("toolu_1", "run_command", &call).end())]);
    let person = Person::does([answer("approve"), answer("Only this time")]);
    let interrupt = person.interrupt();
    let (child, own) = (chat.folder.file("child"), chat.folder.file("self"));
    let stop = tokio::spawn(async move {
        let whole = |path: &std::path::Path| std::fs::read_to_string(path).ok().filter(|text| text.ends_with('\n'));
        let pids = until("the command runs", || Some([whole(&child)?, whole(&own)?])).await;
        assert!(pids.iter().all(|pid| is_alive(pid)));
        interrupt.notify_one();
        pids
    });
    let (turn, _) = chat.turn_with(person).await;
    let pids = stop.await.unwrap();
    assert_eq!(turn.end, TurnEnd::Cancelled);
    assert_eq!(turn.tools().next().unwrap().result, None);
    until("both are gone", || pids.iter().all(|pid| !is_alive(pid)).then_some(())).await;
    assert_eq!(chat.requests(), 1);
}

// T6, L5
#[tokio::test]
async fn an_interrupt_at_a_question_cancels_the_question_and_the_turn() {
    let call = |answer: Answer, id: &str| answer.call(id, "AskUserQuestion", &question("Database"));
    let two = call(call(Answer::new(), "toolu_1"), "toolu_2").end();
    let mut chat = Chat::new([Reply::Answer(two), says("never")]);
    let (turn, log) = chat.turn_with(Person::does([Act::Interrupt])).await;
    assert_eq!((&turn.end, log.prompts().len(), chat.requests()), (&TurnEnd::Cancelled, 1, 1));
}
