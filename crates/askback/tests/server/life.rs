//! The life of a request over HTTP.

use crate::ASKBACK;
use askback_testkit::hub_process::{HubProcess, question};
use askback_testkit::sse::{Event, EventStream};
use serde_json::json;

// L3
#[test]
fn asking_twice_with_one_key_is_asking_once() {
    let server = HubProcess::start(ASKBACK);
    let ask = |key: &str| {
        let mut question = question("shop");
        question["key"] = key.into();
        server.post("/api/v1/requests", &question).token(&server.asker).send()
    };
    let first = ask("a");
    let id = first.is(201)["id"].clone();
    assert_eq!(first.header("location"), Some(&*format!("/api/v1/requests/{}", id.as_str().unwrap())));
    assert_eq!(ask("a").is(200)["id"], id);
    assert_ne!(ask("b").is(201)["id"], id);
    let mut other = question("shop");
    (other["key"], other["message"]) = ("a".into(), "Another question?".into());
    server.post("/api/v1/requests", &other).token(&server.asker).send().is_problem(409, "key-taken");
}

// L1
#[test]
fn the_first_answer_counts_and_others_are_told_of_it() {
    let server = HubProcess::start(ASKBACK);
    let id = server.ask(&server.asker, "shop");
    let counted = server.answer(&server.person, &id, "Ada").is(200);
    assert_eq!((&counted["status"], &counted["response"]), (&json!("answered"), &json!("Ada")));
    let late = server.answer(&server.person, &id, "Grace").is_problem(409, "already-ended");
    assert_eq!(late["outcome"], counted);
    for end in ["decline", "cancel"] {
        let call = server.post(&format!("/api/v1/requests/{id}/{end}"), &json!({})).token(&server.person);
        assert_eq!(call.send().is_problem(409, "already-ended")["outcome"], counted, "{end}");
    }
    assert_eq!(server.get(&format!("/api/v1/requests/{id}")).token(&server.asker).send().is(200), counted);
}

// F15
#[test]
fn what_is_wrong_is_named_with_its_place_and_its_rule() {
    let server = HubProcess::start(ASKBACK);
    let place = |problem: &serde_json::Value| {
        let error = &problem["errors"][0];
        (error["path"].as_str().unwrap().to_owned(), error["rule"].as_str().unwrap().to_owned())
    };
    let wrong = json!({"room": "shop", "questions": [{"type": "choice", "message": "Which?", "options": ["a", "a"]}]});
    let refused =
        server.post("/api/v1/requests", &wrong).token(&server.asker).send().is_problem(422, "invalid-request");
    assert_eq!(place(&refused), ("questions[0].options[1]".to_owned(), "unique".to_owned()));
    let id = server.ask(&server.asker, "shop");
    let refused = server.answer(&server.person, &id, " ").is_problem(422, "invalid-answer");
    assert_eq!(place(&refused), ("responses[0]".to_owned(), "blank".to_owned()));
    let state = server.get(&format!("/api/v1/requests/{id}")).token(&server.asker).send().is(200);
    assert_eq!(state["status"], "pending", "and it is as it was");
}

// L3
#[test]
fn a_wait_ends_with_the_answer() {
    let server = HubProcess::start(ASKBACK);
    let id = server.ask(&server.asker, "shop");
    let waiting = server.get(&format!("/api/v1/requests/{id}?wait=60")).token(&server.asker).open();
    server.wait_for_metric("waiting_calls", 1);
    let counted = server.answer(&server.person, &id, "Ada").is(200);
    assert_eq!(waiting.reply().unwrap().is(200), counted);
    let again = server.get(&format!("/api/v1/requests/{id}?wait=60")).token(&server.asker).send();
    assert_eq!(again.is(200), counted, "and whoever comes later need not wait");
}

// L3
#[test]
fn a_wait_that_ends_before_says_that_it_is_pending() {
    let server = HubProcess::start(ASKBACK);
    let id = server.ask(&server.asker, "shop");
    for wait in [0, 1] {
        let state = server.get(&format!("/api/v1/requests/{id}?wait={wait}")).token(&server.asker).send().is(200);
        assert_eq!((&state["id"], &state["status"]), (&json!(id), &json!("pending")));
    }
    for wait in ["61", "-1", "soon", ""] {
        let call = server.get(&format!("/api/v1/requests/{id}?wait={wait}")).token(&server.asker);
        call.send().is_problem(400, "invalid-parameter");
    }
}

// L3
#[test]
fn who_comes_back_to_the_events_misses_none_and_sees_none_twice() {
    let server = HubProcess::start(ASKBACK);
    let events = server.get("/api/v1/events").token(&server.asker);
    let mut stream = EventStream::open(&events);
    let ids = [(); 3].map(|()| server.ask(&server.asker, "shop"));
    let seen = [stream.next().unwrap(), stream.next().unwrap()];
    // The connection is lost here.
    drop(stream);
    server.answer(&server.person, &ids[0], "Ada").is(200);
    let last_seen = seen[1].number;
    let mut back = EventStream::open(&events.clone().header("Last-Event-ID", &last_seen.to_string()));
    server.post(&format!("/api/v1/requests/{}/cancel", ids[1]), &json!({})).token(&server.asker).send().is(200);
    let then = [back.next().unwrap(), back.next().unwrap(), back.next().unwrap()];
    let all: Vec<&Event> = seen.iter().chain(&then).collect();
    let about: Vec<(&str, &str)> = all.iter().map(|event| (&*event.name, event.data["id"].as_str().unwrap())).collect();
    let expected = [
        ("request.created", &*ids[0]),
        ("request.created", &ids[1]),
        ("request.created", &ids[2]),
        ("request.answered", &ids[0]),
        ("request.cancelled", &ids[1]),
    ];
    assert_eq!(about, expected);
    assert!(all.is_sorted_by(|one, next| one.number < next.number), "{all:?}");
    let mut from_the_start = EventStream::open(&server.get("/api/v1/events?after=0").token(&server.asker));
    for event in all {
        assert_eq!(from_the_start.next().unwrap().number, event.number);
    }
    events.clone().header("Last-Event-ID", "999999").send().is_problem(409, "no-such-event");
    events.header("Last-Event-ID", "-1").send().is_problem(400, "invalid-parameter");
}
