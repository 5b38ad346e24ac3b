//! What is asked in one room stays in it.

use crate::ASKBACK;
use askback_testkit::hub_process::{HubProcess, IssuedToken, question};
use askback_testkit::sse::EventStream;
use askback_testkit::wait::wait_until;
use serde_json::json;

/// A server with an asker in each of two rooms, and a request in the second.
struct Rooms {
    server: HubProcess,
    blue: IssuedToken,
    red: IssuedToken,
    /// What was asked in red.
    id: String,
}

impl Rooms {
    fn new() -> Self {
        Self::on(HubProcess::start(ASKBACK))
    }

    fn on(server: HubProcess) -> Self {
        let [blue, red] = ["blue", "red"]
            .map(|room| server.issue(&json!({"role": "asker", "name": format!("{room} agent"), "room": room})));
        let id = server.ask(&red.secret, "red");
        Self { server, blue, red, id }
    }
}

// S1
#[test]
fn an_asker_reads_nothing_of_another_room() {
    let Rooms { server, blue, red, id } = Rooms::new();
    for path in [
        format!("/api/v1/requests/{id}"),
        format!("/api/v1/requests/{id}?wait=1"),
        format!("/api/v1/requests/{id}/request"),
    ] {
        server.get(&path).token(&blue.secret).send().is_problem(404, "no-such-request");
    }
    for path in [format!("/api/v1/requests/{id}"), format!("/api/v1/requests/{id}/request")] {
        assert_eq!(server.get(&path).token(&red.secret).send().is(200)["id"], id.as_str());
    }
}

// S1
#[test]
fn an_asker_lists_nothing_of_another_room() {
    let Rooms { server, blue, red, id } = Rooms::new();
    let list = |secret: &str, query: &str| server.get(&format!("/api/v1/requests{query}")).token(secret).send();
    list(&blue.secret, "?room=red").is_problem(403, "forbidden");
    assert_eq!(list(&blue.secret, "").is(200)["items"], json!([]));
    for query in ["", "?room=red"] {
        assert_eq!(list(&red.secret, query).is(200)["items"][0]["id"], id.as_str());
    }
}

// S1
#[test]
fn an_asker_asks_in_its_own_room() {
    let Rooms { server, blue, .. } = Rooms::new();
    let ask = |room: &str| server.post("/api/v1/requests", &question(room)).token(&blue.secret).send();
    ask("red").is_problem(403, "forbidden");
    assert_eq!(ask("blue").is(201)["room"], "blue");
}

// S1
#[test]
fn an_asker_cancels_its_own_requests() {
    let Rooms { server, blue, red, id } = Rooms::new();
    let beside = server.issue(&json!({"role": "asker", "name": "another", "room": "red"}));
    let cancel = server.post(&format!("/api/v1/requests/{id}/cancel"), &json!({}));
    cancel.clone().token(&blue.secret).send().is_problem(404, "no-such-request");
    cancel.clone().token(&beside.secret).send().is_problem(403, "forbidden");
    assert_eq!(cancel.token(&red.secret).send().is(200)["status"], "cancelled");
}

// S1
#[test]
fn an_answerer_answers_in_its_own_room() {
    let Rooms { server, id, .. } = Rooms::new();
    let [blue, red] =
        ["blue", "red"].map(|room| server.issue(&json!({"role": "answerer", "name": "grace", "room": room})));
    server.answer(&blue.secret, &id, "Ada").is_problem(404, "no-such-request");
    server.get("/api/v1/audit?room=red").token(&blue.secret).send().is_problem(403, "forbidden");
    assert_eq!(server.get("/api/v1/audit").token(&blue.secret).send().is(200)["items"], json!([]));
    let answered = server.answer(&red.secret, &id, "Ada").is(200);
    assert_eq!((&answered["status"], &answered["answeredBy"]), (&json!("answered"), &json!("grace")));
}

// S1, L9
#[test]
fn what_nobody_waits_for_is_told_to_those_who_may_see_it() {
    let server = HubProcess::with_config(ASKBACK, "[server]\nattended_for = \"10s\"\n");
    let Rooms { server, blue, red, id } = Rooms::on(server);
    let here = server.ask(&blue.secret, "blue");
    let other = server.issue(&json!({"role": "asker", "name": "another agent", "room": "blue"}));
    let [ended, waited_for, of_who_waits] = [(); 3].map(|()| server.ask(&other.secret, "blue"));
    server.answer(&server.person, &ended, "Ada").is(200);
    let waiting = server.get(&format!("/api/v1/requests/{waited_for}?wait=60")).token(&other.secret).open();
    server.wait_for_metric("waiting_calls", 1);
    let unattended = |secret: &str, query: &str| {
        let told = server.get(&format!("/api/v1/requests/unattended{query}")).token(secret).send().is(200);
        told["items"].as_array().unwrap().clone()
    };
    // Whoever asked a moment ago counts as waiting for a while.
    assert_eq!(unattended(&server.person, ""), Vec::<serde_json::Value>::new());
    wait_until("two requests are unattended", || unattended(&server.person, "").len() == 2);
    let ids = |items: Vec<serde_json::Value>| items.iter().map(|item| item["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(unattended(&server.person, "")), [here.as_str(), id.as_str()], "the newest first");
    assert_eq!(ids(unattended(&server.person, "?room=red")), [id.as_str()]);
    let record = server.get(&format!("/api/v1/requests/{id}/request")).token(&server.person).send().is(200);
    let item = &unattended(&server.person, "?room=red")[0];
    assert_eq!((&record["waiting"], &record["lastWaitedAt"]), (&json!(false), &item["lastWaitedAt"]), "as every list");
    assert_eq!(item.as_object().unwrap().len(), 2, "and nothing of what is asked: {item}");

    let grace = server.issue(&json!({"role": "answerer", "name": "grace", "room": "blue"}));
    let pending = |secret: &str, query: &str| {
        let told = server.get(&format!("/api/v1/requests/unattended{query}")).token(secret).send().is(200);
        told["pending"].clone()
    };
    assert_eq!(pending(&server.person, ""), 4, "also what somebody waits for, and not what has ended");
    assert_eq!([pending(&server.person, "?room=red"), pending(&server.person, "?room=blue")], [1, 3]);
    assert_eq!(pending(&server.person, "?room=green"), 0);
    assert_eq!(pending(&grace.secret, ""), 3, "what she may see");
    let record = server.get(&format!("/api/v1/requests/{of_who_waits}/request")).token(&server.person).send().is(200);
    assert_eq!(record["waiting"], true, "its asker is there, and waits for another answer");
    assert_eq!(ids(unattended(&grace.secret, "")), [here.as_str()]);
    let path = "/api/v1/requests/unattended";
    server.get(&format!("{path}?room=red")).token(&grace.secret).send().is_problem(403, "forbidden");
    server.get(path).token(&red.secret).send().is_problem(403, "forbidden");
    server.get(path).send().is_problem(401, "unauthenticated");
    server.get(&format!("{path}?status=pending")).token(&server.person).send().is_problem(400, "invalid-parameter");
    drop(waiting);
}

// S1, L3
#[test]
fn a_stream_has_the_events_of_its_own_room() {
    let Rooms { server, blue, red, id } = Rooms::new();
    server.get("/api/v1/events?room=red").token(&blue.secret).send().is_problem(403, "forbidden");
    let mut streams =
        [&blue, &red].map(|token| EventStream::open(&server.get("/api/v1/events?after=0").token(&token.secret)));
    server.answer(&server.person, &id, "Ada").is(200);
    let last = server.ask(&blue.secret, "blue");
    let [of_blue, of_red] = &mut streams;
    // Whatever happened before it would have come before it.
    assert_eq!(of_blue.next().unwrap().data["id"], last.as_str());
    let red_events = [of_red.next().unwrap(), of_red.next().unwrap()];
    assert!(red_events.iter().all(|event| event.data["id"] == id.as_str()), "{red_events:?}");
    server.ask(&red.secret, "red");
    assert_eq!(of_red.next().unwrap().data["room"], "red", "nothing of blue stood between");
}

// S1
#[test]
fn an_asker_without_a_room_has_what_it_asked_itself() {
    let Rooms { server, red, id, .. } = Rooms::new();
    let agent = server.issue(&json!({"role": "asker", "name": "agent"}));
    let mut stream = EventStream::open(&server.get("/api/v1/events?after=0").token(&agent.secret));
    let list = server.get("/api/v1/requests").token(&agent.secret);
    assert_eq!(list.send().is(200)["items"], json!([]));
    server.get(&format!("/api/v1/requests/{id}")).token(&agent.secret).send().is_problem(404, "no-such-request");
    // In the room of another, where it sees its own alone.
    let own = server.ask(&agent.secret, "red");
    server.ask(&red.secret, "red");
    assert_eq!(list.send().is(200)["items"][0]["id"], own.as_str());
    assert_eq!(stream.next().unwrap().data["id"], own.as_str());
    server.answer(&server.person, &own, "Ada").is(200);
    assert_eq!(stream.next().unwrap().data["response"], "Ada", "nothing of another stood between");
}
