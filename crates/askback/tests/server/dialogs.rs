//! Answers from the own dialogs of MCP clients: they count where the person has said so, are recorded as such, and never approve (S1).

use crate::ASKBACK;
use askback_testkit::hub_process::{DataDir, HubProcess, question};
use serde_json::{Value, json};

fn server_with_dialogs() -> (DataDir, HubProcess) {
    let data = DataDir::with_config(ASKBACK, "[mcp]\ndialogs = [\"editor\"]\n");
    let server = data.serve();
    (data, server)
}

fn relay(server: &HubProcess, id: &str, how: &str, body: &Value) -> askback_testkit::http::Reply {
    server.post(&format!("/api/v1/requests/{id}/{how}"), body).token(&server.asker).send()
}

// S1
#[test]
fn a_dialog_counts_where_the_person_says_so() {
    let (_data, server) = server_with_dialogs();
    let id = server.ask(&server.asker, "shop");
    let me = server.get("/api/v1/me").token(&server.asker).send().is(200);
    assert_eq!(me["dialogs"], json!(["editor"]));
    for client in [json!({}), json!({"client": "other"}), json!({"client": ""}), json!({"surface": "terminal"})] {
        let mut body = json!({"responses": ["Ada"]});
        body.as_object_mut().unwrap().extend(client.as_object().unwrap().clone());
        relay(&server, &id, "answer", &body).is_problem(403, "forbidden");
    }
    let outcome = relay(&server, &id, "answer", &json!({"responses": ["Ada"], "client": "editor"})).is(200);
    assert_eq!((&outcome["surface"], &outcome["status"]), (&json!("mcp"), &json!("answered")));
    let other = server.ask(&server.asker, "shop");
    let outcome = relay(&server, &other, "decline", &json!({"client": "editor"})).is(200);
    assert_eq!((&outcome["surface"], &outcome["status"]), (&json!("mcp"), &json!("declined")));
}

// S1
#[test]
fn a_dialog_never_approves() {
    let (_data, server) = server_with_dialogs();
    let form = json!({"room": "shop", "questions": [
        {"type": "text", "message": "Why?"}, {"type": "approval", "message": "Delete it?"},
    ]});
    for request in [json!({"room": "shop", "type": "approval", "message": "Delete it?"}), form] {
        let asked = server.post("/api/v1/requests", &request).token(&server.asker).send().is(201);
        let id = asked["id"].as_str().unwrap();
        let count = asked["request"]["questions"].as_array().map_or(1, Vec::len);
        let responses = &["because", "approve"][2 - count..];
        relay(&server, id, "answer", &json!({"responses": responses, "client": "editor"})).is_problem(403, "forbidden");
        relay(&server, id, "decline", &json!({"client": "editor"})).is_problem(403, "forbidden");
        server
            .post(&format!("/api/v1/requests/{id}/answer"), &json!({"responses": responses}))
            .token(&server.person)
            .send()
            .is(200);
    }
}

// S1
#[test]
fn without_a_word_from_the_person_none_counts() {
    let server = HubProcess::start(ASKBACK);
    let id = server.ask(&server.asker, "shop");
    for (how, body) in
        [("answer", json!({"responses": ["Ada"], "client": "editor"})), ("decline", json!({"client": "editor"}))]
    {
        relay(&server, &id, how, &body).is_problem(403, "forbidden");
    }
    let me = server.get("/api/v1/me").token(&server.asker).send().is(200);
    assert_eq!(me["dialogs"], json!([]));
}

// S1
#[test]
fn another_askers_question_is_nobodys_to_relay() {
    let (_data, server) = server_with_dialogs();
    let one = server.issue(&json!({"role": "asker", "name": "one", "room": "shop"}));
    let other = server.issue(&json!({"role": "asker", "name": "other", "room": "shop"}));
    let asked = server.post("/api/v1/requests", &question("shop")).token(&one.secret).send().is(201);
    let body = json!({"responses": ["Ada"], "client": "editor"});
    let call = server.post(&format!("/api/v1/requests/{}/answer", asked["id"].as_str().unwrap()), &body);
    call.clone().token(&other.secret).send().is_problem(403, "forbidden");
    call.token(&one.secret).send().is(200);
}
