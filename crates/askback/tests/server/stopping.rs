//! Servers that stop, and servers that are killed: what was acknowledged is there afterwards.

use crate::ASKBACK;
use askback_testkit::hub_process::{DataDir, HubProcess, question};
use askback_testkit::sse::EventStream;
use serde_json::json;

// L2, L3
#[test]
fn a_server_that_stops_tells_those_who_wait_to_come_back() {
    let data = DataDir::new(ASKBACK);
    let mut server = data.serve();
    let id = server.ask(&server.asker, "shop");
    let path = format!("/api/v1/requests/{id}?wait=60");
    let waiting = server.get(&path).token(&server.asker).open();
    server.wait_for_metric("waiting_calls", 1);
    let mut stream = EventStream::open(&server.get("/api/v1/events").token(&server.asker));
    server.terminate();
    let answer = waiting.reply().unwrap();
    answer.is_problem(503, "stopping");
    assert_eq!(answer.header("retry-after"), Some("1"));
    assert_eq!(stream.next(), None);
    assert!(server.wait().success());
    let next = data.serve();
    let waiting = next.get(&path).token(&next.asker).open();
    next.answer(&next.person, &id, "Ada").is(200);
    assert_eq!(waiting.reply().unwrap().is(200)["response"], "Ada");
}

// L2, L3
#[test]
fn a_server_that_is_killed_between_any_two_steps_loses_nothing() {
    let data = DataDir::new(ASKBACK);
    let mut server = data.serve();
    let restart = |server: &mut HubProcess| {
        let tokens = (server.asker.clone(), server.person.clone());
        server.kill();
        *server = data.serve();
        assert_eq!((&server.asker, &server.person), (&tokens.0, &tokens.1), "nobody needs another token");
    };
    let mut asked = question("shop");
    asked["key"] = "a".into();
    let ask = |server: &HubProcess| server.post("/api/v1/requests", &asked).token(&server.asker).send();
    let id = ask(&server).is(201)["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/requests/{id}");
    restart(&mut server);
    assert_eq!(ask(&server).is(200)["id"], id.as_str(), "asked, and not twice");
    let waiting = server.get(&format!("{path}?wait=60")).token(&server.asker).open();
    server.wait_for_metric("waiting_calls", 1);
    restart(&mut server);
    assert!(waiting.reply().is_none(), "whoever waited hears nothing, rather than something wrong");
    assert_eq!(server.get(&path).token(&server.asker).send().is(200)["status"], "pending");
    let counted = server.answer(&server.person, &id, "Ada").is(200);
    restart(&mut server);
    assert_eq!(server.get(&format!("{path}?wait=60")).token(&server.asker).send().is(200), counted);
    let late = server.post(&format!("{path}/decline"), &json!({})).token(&server.person).send();
    assert_eq!(late.is_problem(409, "already-ended")["outcome"], counted);
    let mut events = EventStream::open(&server.get("/api/v1/events?after=0").token(&server.asker));
    let names = [events.next().unwrap().name, events.next().unwrap().name];
    assert_eq!(names, ["request.created", "request.answered"]);
}
