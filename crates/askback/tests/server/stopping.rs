//! Servers that stop, and servers that are killed: what was acknowledged is there afterwards.

use crate::http::Answer;
use crate::process::{Server, question};
use crate::streams::Stream;
use serde_json::json;

const ANYWHERE: [&str; 2] = ["--listen", "127.0.0.1:0"];

// L2, L3
#[test]
fn a_server_that_stops_tells_those_who_wait_to_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start_in(folder.path(), &ANYWHERE);
    let id = server.ask(&server.asker, "shop");
    let path = format!("/api/v1/requests/{id}?wait=60");
    let waiting = server.get(&path).token(&server.asker).open();
    server.until("waiting_calls", 1);
    let mut stream = Stream::open(&server.get("/api/v1/events").token(&server.asker));
    server.terminate();
    let answer = Answer::read(waiting).unwrap();
    answer.is_problem(503, "stopping");
    assert_eq!(answer.header("retry-after"), Some("1"));
    assert_eq!(stream.next(), None);
    assert!(server.ended().success());
    let next = Server::start_in(folder.path(), &ANYWHERE);
    let waiting = next.get(&path).token(&next.asker).open();
    next.answer(&next.person, &id, "Ada").is(200);
    assert_eq!(Answer::read(waiting).unwrap().is(200)["response"], "Ada");
}

// L2, L3
#[test]
fn a_server_that_is_killed_between_any_two_steps_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start_in(folder.path(), &ANYWHERE);
    let restart = |server: &mut Server| {
        let tokens = (server.asker.clone(), server.person.clone());
        server.kill();
        *server = Server::start_in(folder.path(), &ANYWHERE);
        assert_eq!((&server.asker, &server.person), (&tokens.0, &tokens.1), "nobody needs another token");
    };
    let mut asked = question("shop");
    asked["key"] = "a".into();
    let ask = |server: &Server| server.post("/api/v1/requests", &asked).token(&server.asker).send();
    let id = ask(&server).is(201)["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/requests/{id}");
    restart(&mut server);
    assert_eq!(ask(&server).is(200)["id"], id.as_str(), "asked, and not twice");
    let waiting = server.get(&format!("{path}?wait=60")).token(&server.asker).open();
    server.until("waiting_calls", 1);
    restart(&mut server);
    assert!(Answer::read(waiting).is_none(), "whoever waited hears nothing, rather than something wrong");
    assert_eq!(server.get(&path).token(&server.asker).send().is(200)["status"], "pending");
    let counted = server.answer(&server.person, &id, "Ada").is(200);
    restart(&mut server);
    assert_eq!(server.get(&format!("{path}?wait=60")).token(&server.asker).send().is(200), counted);
    let late = server.post(&format!("{path}/decline"), &json!({})).token(&server.person).send();
    assert_eq!(late.is_problem(409, "already-ended")["outcome"], counted);
    let mut events = Stream::open(&server.get("/api/v1/events?after=0").token(&server.asker));
    let names = [events.next().unwrap().name, events.next().unwrap().name];
    assert_eq!(names, ["request.created", "request.answered"]);
}
