//! Asking the same again, over HTTP: an asker that did not hear the outcome finds it, once, and never an approval that was heard.

use crate::ASKBACK;
use askback_testkit::hub_process::HubProcess;
use serde_json::{Value, json};

fn ask(server: &HubProcess, body: &Value) -> (u16, Value) {
    let answer = server.post("/api/v1/requests?attach=true", body).token(&server.asker).send();
    (answer.status, answer.json())
}

fn deliver(server: &HubProcess, id: &Value, delivered: bool) -> Value {
    let path = format!("/api/v1/requests/{}/delivery", id.as_str().unwrap());
    server.post(&path, &json!({"delivered": delivered})).token(&server.asker).send().is(200)["changed"].clone()
}

fn approval() -> Value {
    json!({"room": "shop", "type": "approval", "message": "Delete the index?"})
}

// S5
#[test]
fn asking_again_attaches_until_the_outcome_is_delivered() {
    let server = HubProcess::start(ASKBACK);
    let (status, first) = ask(&server, &approval());
    assert_eq!(status, 201);
    let (status, same) = ask(&server, &approval());
    assert_eq!((status, &same["id"]), (200, &first["id"]));
    server.answer(&server.person, first["id"].as_str().unwrap(), "approve").is(200);
    // Whoever asks now gets it, and with it the last right to it.
    let (status, heard) = ask(&server, &approval());
    assert_eq!((status, &heard["id"], &heard["outcome"]["status"]), (200, &first["id"], &json!("answered")));
    let (status, another) = ask(&server, &approval());
    assert_eq!(status, 201, "an approval that was heard is not used again");
    assert_ne!(another["id"], first["id"]);
}

// S5
#[test]
fn what_did_not_arrive_is_found_again() {
    let server = HubProcess::start(ASKBACK);
    let (_, first) = ask(&server, &approval());
    assert_eq!(deliver(&server, &first["id"], true), json!(false), "there is nothing to deliver yet");
    server.answer(&server.person, first["id"].as_str().unwrap(), "approve").is(200);
    assert_eq!(deliver(&server, &first["id"], true), json!(true));
    assert_eq!(deliver(&server, &first["id"], true), json!(false));
    assert_eq!(deliver(&server, &first["id"], false), json!(true));
    let (status, again) = ask(&server, &approval());
    assert_eq!((status, &again["id"]), (200, &first["id"]));
    assert_eq!(ask(&server, &approval()).0, 201);
}

// S5
#[test]
fn of_two_ways_the_last_alone_takes_back_what_it_said() {
    let server = HubProcess::start(ASKBACK);
    let (_, first) = ask(&server, &approval());
    let path = format!("/api/v1/requests/{}/delivery", first["id"].as_str().unwrap());
    let say = |delivered: bool, key: &str| {
        let body = json!({"delivered": delivered, "key": key});
        server.post(&path, &body).token(&server.asker).send().is(200)["changed"].clone()
    };
    assert_eq!((say(true, "one"), say(true, "one")), (json!(false), json!(false)), "there is nothing to deliver yet");
    server.answer(&server.person, first["id"].as_str().unwrap(), "approve").is(200);
    assert_eq!((say(true, "one"), say(true, "one")), (json!(true), json!(true)), "said twice, it is still its own");
    assert_eq!(say(true, "another"), json!(false));
    assert_eq!(say(false, "one"), json!(false), "the other may have arrived");
    assert_eq!(ask(&server, &approval()).0, 201, "and an approval counts once");
    assert_eq!(say(false, "another"), json!(true));
}

// S1, S5
#[test]
fn only_its_asker_says_what_reached_it() {
    let server = HubProcess::start(ASKBACK);
    let (_, first) = ask(&server, &approval());
    let other = server.issue(&json!({"role": "asker", "name": "other", "room": "shop"}));
    let path = format!("/api/v1/requests/{}/delivery", first["id"].as_str().unwrap());
    let call = server.post(&path, &json!({"delivered": true}));
    call.clone().token(&other.secret).send().is_problem(403, "forbidden");
    call.clone().token(&server.person).send().is_problem(403, "forbidden");
    call.token(&server.asker).send().is(200);
    let wrong = server.post(&path, &json!({"delivered": "yes"})).token(&server.asker).send();
    wrong.is_problem(400, "invalid-parameter");
    server
        .post("/api/v1/requests?attach=maybe", &approval())
        .token(&server.asker)
        .send()
        .is_problem(400, "invalid-parameter");
    // Without attaching it is another request, as ever.
    server.post("/api/v1/requests", &approval()).token(&server.asker).send().is(201);
}
