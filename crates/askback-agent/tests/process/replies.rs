//! What the agent asks, and the lines it gets back.

use crate::Chat;
use crate::support::{Act, answer, answers, decline, until};
use askback_agent::{AskedAs, TurnEnd};
use serde_json::json;

// T1, T2, T4
#[tokio::test]
async fn answers_come_back_in_the_shapes_of_the_stream() {
    let program = r#"
send(type="text_delta", text="Höre ")
send(type="input_request", id="a", prompt="Go?", choices=["Yes", "No"])
receive()
send(type="input_request", id=2, prompt="Which?", input_type="choice", choices=["x", "y"])
receive()
send(type="input_request", id={"odd": [1]}, prompt="Name?", input_type="text")
receive()
send(type="tool_use_start", id="t", name="look", input={"deep": [1, {"x": None}]})
send(type="tool_result", id="t", output={"seen": True}, is_error=True)
send(type="usage", input_tokens=3, output_tokens=4)
send(type="text_delta", text="zu.")
"#;
    let mut chat = Chat::new();
    let (turn, log) = chat.turn(program, [answer("approve"), answer("y"), answer("reject")]).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("Höre zu.", &TurnEnd::Done));
    assert_eq!(log.errors(), Vec::<String>::new());
    assert_eq!((turn.usage.input_tokens, turn.usage.output_tokens), (3, 4));
    let tool = turn.tools().next().unwrap();
    assert_eq!((tool.name.as_str(), &tool.input), ("look", &json!({"deep": [1, {"x": null}]})));
    assert_eq!(tool.result, Some(("{\"seen\":true}".to_owned(), askback_agent::ToolStatus::Failed)));
    assert!(turn.questions().all(|asked| asked.by == AskedAs::InputRequest));
    assert_eq!(
        chat.replies(),
        [
            json!({"type": "input_response", "id": "a", "response": "approve", "status": "answered"}),
            json!({"type": "input_response", "id": 2, "response": {"index": 1, "value": "y"}, "status": "answered"}),
            json!({"type": "input_response", "id": {"odd": [1]}, "response": "reject", "status": "answered"}),
        ]
    );
}

// T3, L5, L7, L4
#[tokio::test]
async fn forms_are_told_with_their_answers_or_why_there_are_none() {
    let program = r#"
form = [{"type": "choice", "header": "Size", "message": "Which?", "options": ["s", "l"], "multiSelect": True, "other": True},
        {"type": "date", "message": "When?"}]
for id in range(4):
    send(type="ask_user", id=id, questions=form)
    receive()
send(type="ask_user", id=4, questions=[{"type": "confirm", "message": "Sure?"}], timeout=60, onTimeout={"default": ["no"]})
receive()
"#;
    let mut chat = Chat::new();
    let acts = [answers(&["l, xl", "2026-11-15"]), decline("Why?"), Act::Decline(None), Act::Cancel, Act::Expire];
    let (turn, log) = chat.turn(program, acts).await;
    assert_eq!((&turn.end, log.errors()), (&TurnEnd::Done, vec![]));
    let given = json!([
        {"question": "Which?", "header": "Size", "selectedOptions": ["l"], "customInput": "xl"},
        {"question": "When?", "selectedOptions": [], "customInput": "2026-11-15"},
    ]);
    let none = json!({"answers": []});
    let replies = chat.replies();
    assert_eq!(
        replies[..4],
        [
            json!({"type": "input_response", "id": 0, "response": {"answers": given}, "status": "answered"}),
            json!({"type": "input_response", "id": 1, "response": none, "status": "declined", "reason": "Why?"}),
            json!({"type": "input_response", "id": 2, "response": none, "status": "declined"}),
            json!({"type": "input_response", "id": 3, "response": none, "status": "cancelled"}),
        ]
    );
    assert_eq!((&replies[4]["status"], &replies[4]["byDefault"]), (&json!("expired"), &json!(true)));
    assert_eq!(replies[4]["response"]["answers"][0]["customInput"], "no", "the declared default comes with it");
}

// T4, T6, L5
#[tokio::test]
async fn a_rejection_is_told_before_the_turn_is_cancelled() {
    for (act, status, reason) in [
        (Act::Decline(None), "declined", None),
        (decline("What for?"), "declined", Some("What for?")),
        (Act::Cancel, "cancelled", None),
        (Act::Expire, "expired", None),
        (Act::Interrupt, "cancelled", None),
    ] {
        let mut chat = Chat::new();
        let program = "send(type='text_delta', text='So: ')\n\
                       send(type='input_request', id='1', prompt='Name?', input_type='text')\nreceive()\n\
                       send(type='text_delta', text='never')";
        let (turn, log) = chat.turn(program, [act]).await;
        assert_eq!((turn.text().as_str(), &turn.end), ("So: ", &TurnEnd::Rejected));
        assert_eq!(log.infos(), ["Rejected. Agent response cancelled."]);
        let replies = until("it was told", || Some(chat.replies()).filter(|replies| replies.len() == 2)).await;
        let mut reply = json!({"type": "input_response", "id": "1", "response": "reject", "status": status});
        if let Some(reason) = reason {
            reply["reason"] = json!(reason);
        }
        assert_eq!(replies, [reply, json!({"type": "cancel"})]);
        // It stopped as it was told, and takes the next message.
        let (turn, log) = chat.turn("send(type='text_delta', text='Again.')", []).await;
        assert_eq!((turn.text().as_str(), &turn.end, log.errors()), ("Again.", &TurnEnd::Done, vec![]));
        assert_eq!(chat.pids().len(), 1, "the same process");
    }
}

// T3
#[tokio::test]
async fn questions_asked_at_once_each_get_their_own_answer() {
    let program = r#"
for id in ["a", "b", "c"]:
    send(type="input_request", id=id, prompt=f"Name of {id}?", input_type="text")
for id in ["a", "b", "c"]:
    receive()
"#;
    let mut chat = Chat::new();
    let (turn, _) = chat.turn(program, [answer("1"), answer("2"), answer("3")]).await;
    assert_eq!((turn.questions().count(), &turn.end), (3, &TurnEnd::Done));
    let replies: Vec<_> = chat.replies().iter().map(|reply| (reply["id"].clone(), reply["response"].clone())).collect();
    assert_eq!(replies, [(json!("a"), json!("1")), (json!("b"), json!("2")), (json!("c"), json!("3"))]);
}

// T5
#[tokio::test]
async fn a_wrong_input_request_is_an_error_and_a_rejection() {
    let mut chat = Chat::new();
    let (turn, log) = chat.turn("send(type='input_request', id='1', prompt='Go?')\nreceive()", []).await;
    assert_eq!(turn.end, TurnEnd::Rejected);
    assert!(log.errors()[0].contains("choices"), "{:?}", log.errors());
    let replies = until("it was told", || Some(chat.replies()).filter(|replies| replies.len() == 2)).await;
    assert_eq!((&replies[0]["response"], &replies[0]["status"]), (&json!("reject"), &json!("cancelled")));
    assert!(replies[0]["reason"].as_str().unwrap().contains("choices"));
}

// T5
#[tokio::test]
async fn a_wrong_request_is_an_error_and_the_agent_is_told() {
    let mut chat = Chat::new();
    let program = "send(type='ask_user', id=7, questions=[])\nreceive()\nsend(type='text_delta', text='Sorry.')";
    let (turn, log) = chat.turn(program, []).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("Sorry.", &TurnEnd::Done));
    assert!(log.errors()[0].contains("not valid") && log.errors()[0].contains("questions"), "{:?}", log.errors());
    let reply = &chat.replies()[0];
    assert_eq!(
        (&reply["id"], &reply["status"], &reply["response"]),
        (&json!(7), &json!("cancelled"), &json!({"answers": []}))
    );
    assert!(reply["reason"].as_str().unwrap().contains("questions"), "{reply}");
}

// T5
#[tokio::test]
async fn an_input_request_without_an_id_is_skipped() {
    let mut chat = Chat::new();
    let program = "send(type='input_request', prompt='Go?', choices=['Yes', 'No'])\n\
                   send(type='input_request', id=None, prompt='Go?', choices=['Yes', 'No'])\n\
                   send(type='text_delta', text='On.')";
    let (turn, log) = chat.turn(program, []).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("On.", &TurnEnd::Done));
    assert_eq!((log.prompts().len(), turn.questions().count(), chat.replies().len()), (0, 0, 0));
}
