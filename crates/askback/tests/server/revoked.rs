//! Revoked tokens: authority is checked when a call acts, not when its head arrived (S8).

use crate::ASKBACK;
use crate::logins::{plain_session, session};
use askback_testkit::http::Call;
use askback_testkit::hub_process::{HubProcess, IssuedToken, question};
use askback_testkit::wait::wait_until;
use serde_json::{Value, json};

/// A call whose token is revoked while its body is on the way.
struct Case {
    role: &'static str,
    /// Sets up what the call is about; the call's path and body.
    prepare: fn(&HubProcess, &IssuedToken) -> (String, Value),
}

const CASES: [Case; 12] = [
    Case { role: "asker", prepare: |_, _| ("/requests".to_owned(), question("shop")) },
    Case {
        role: "answerer",
        prepare: |server, _| (on_request(&pending(server), "answer"), json!({"responses": ["Ada"]})),
    },
    Case { role: "answerer", prepare: |server, _| (on_request(&pending(server), "decline"), json!({"reason": "no"})) },
    Case { role: "answerer", prepare: |server, _| (on_request(&pending(server), "cancel"), json!({"reason": "no"})) },
    Case {
        role: "asker",
        prepare: |server, own| (on_request(&server.ask(&own.secret, "shop"), "cancel"), json!({"reason": "no"})),
    },
    Case { role: "asker", prepare: |server, own| (on_request(&ended(server, own), "delivery"), delivered()) },
    Case { role: "answerer", prepare: |_, _| ("/requests/dismiss".to_owned(), json!({"unwaitedFor": 1})) },
    Case { role: "admin", prepare: |_, _| ("/tokens".to_owned(), json!({"role": "admin", "name": "eve"})) },
    Case { role: "answerer", prepare: |_, _| ("/login-links".to_owned(), json!({"path": "/history"})) },
    Case { role: "asker", prepare: |_, _| ("/scripts".to_owned(), json!({"code": ASKS, "room": "shop"})) },
    Case { role: "asker", prepare: |server, own| (script(server, own, "delivery"), delivered()) },
    Case { role: "asker", prepare: |server, own| (script(server, own, "delivery"), json!({"delivered": false})) },
];

const ASKS: &str = "return await requestUserInput({type: 'text', message: 'From a script?'})";

fn delivered() -> Value {
    json!({"delivered": true})
}

fn on_request(id: &str, what: &str) -> String {
    format!("/requests/{id}/{what}")
}

/// A request of another asker, which stays pending.
fn pending(server: &HubProcess) -> String {
    server.ask(&server.asker, "shop")
}

/// An answered request whose outcome is not delivered yet.
fn ended(server: &HubProcess, asker: &IssuedToken) -> String {
    let id = server.ask(&asker.secret, "shop");
    server.answer(&server.person, &id, "Ada").is(200);
    id
}

fn script(server: &HubProcess, asker: &IssuedToken, what: &str) -> String {
    let body = json!({"code": "return 1", "room": "shop"});
    let begun = server.post("/api/v1/scripts", &body).token(&asker.secret).send().is(201);
    format!("/scripts/{}/{what}", begun["id"].as_str().unwrap())
}

/// Everything that a call could have changed.
fn state(server: &HubProcess) -> Value {
    let get = |path: &str| server.get(path).token(&server.person).send().is(200);
    let requests = get("/api/v1/requests?limit=200");
    let status = |item: &Value| (item["id"].clone(), item["outcome"]["status"].clone());
    let requests: Vec<_> = requests["items"].as_array().unwrap().iter().map(status).collect();
    let tokens = get("/api/v1/tokens")["items"].clone();
    json!({"requests": requests, "tokens": tokens, "log": get("/api/v1/audit?limit=200")["items"]})
}

// S8
#[test]
fn body_that_arrives_after_its_token_was_revoked_does_nothing() {
    let server = HubProcess::start(ASKBACK);
    let mut acted = Vec::new();
    for (number, Case { role, prepare }) in CASES.iter().enumerate() {
        let own = server.issue(&json!({"role": role, "name": format!("caller {number}")}));
        let (path, body) = prepare(&server, &own);
        let call = server.post(&format!("/api/v1{path}"), &body).token(&own.secret);
        let mut before = Value::Null;
        let answer = call.send_late(|| {
            server.revoke(&own);
            before = state(&server);
        });
        if answer.status != 401 || state(&server) != before {
            acted.push(format!("{role}: {path} {body}: {}", answer.status));
            continue;
        }
        let problem = answer.is_problem(401, "unauthenticated");
        assert!(problem["detail"].as_str().unwrap().contains("revoked"), "{path}: {problem}");
    }
    assert!(acted.is_empty(), "{acted:#?}");
}

// S8
#[test]
fn form_of_the_plain_page_that_arrives_after_its_token_was_revoked_does_nothing() {
    let server = HubProcess::start(ASKBACK);
    let own = server.issue(&json!({"role": "answerer", "name": "rita"}));
    let id = pending(&server);
    let (home, cookie) = plain_session(&server, &own.secret);
    let call = server.call("POST", &format!("{home}{id}")).body("form=answer&q0=Ada").header("Cookie", &cookie);
    let call = call.header("Origin", &server.origin()).header("Content-Type", "application/x-www-form-urlencoded");
    assert_eq!(call.send_late(|| server.revoke(&own)).status, 401);
    assert_eq!(server.get(&format!("/api/v1/requests/{id}")).token(&server.person).send().is(200)["status"], "pending");
}

// S7, S8
#[test]
fn answer_of_a_page_that_arrives_after_its_session_has_ended_does_nothing() {
    let server = HubProcess::start(ASKBACK);
    let own = session(&server, &server.person);
    let id = pending(&server);
    let call = server.post(&format!("/api/v1/requests/{id}/answer"), &json!({"responses": ["Ada"]})).session(&own);
    let log_out = || assert_eq!(server.call("POST", "/api/v1/logout").session(&own).send().status, 204);
    call.send_late(log_out).is_problem(401, "unauthenticated");
    assert_eq!(server.get(&format!("/api/v1/requests/{id}")).token(&server.person).send().is(200)["status"], "pending");
}

fn mcp(server: &HubProcess, token: &IssuedToken, message: &Value) -> Call {
    let call = server.post("/mcp?room=shop", message).token(&token.secret);
    call.header("Content-Type", "application/json").header("Accept", "application/json, text/event-stream")
}

fn initialize() -> Value {
    let params =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
}

/// Begins a session of the older protocol; its id.
fn begin_session(server: &HubProcess, token: &IssuedToken) -> String {
    let begun = mcp(server, token, &initialize()).send();
    assert_eq!(begun.status, 200, "{begun:?}");
    begun.header("mcp-session-id").unwrap().to_owned()
}

// S8
#[test]
fn mcp_message_that_arrives_after_its_token_was_revoked_is_refused() {
    let server = HubProcess::start(ASKBACK);
    let own = server.issue(&json!({"role": "asker", "name": "agent"}));
    let answer = mcp(&server, &own, &initialize()).send_late(|| server.revoke(&own));
    answer.is_problem(401, "unauthenticated");
}

// S8
#[test]
fn mcp_stream_ends_when_its_token_is_revoked() {
    let server = HubProcess::start(ASKBACK);
    let own = server.issue(&json!({"role": "asker", "name": "agent"}));
    let session = begin_session(&server, &own);
    let call = server.get("/mcp?room=shop").token(&own.secret).header("Mcp-Session-Id", &session);
    let mut stream = call.header("Accept", "text/event-stream").open();
    let head = stream.read_head();
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    server.revoke(&own);
    stream.read_until_closed();
}

// S8
#[test]
fn mcp_call_that_waits_ends_with_an_error_when_its_token_is_revoked() {
    let server = HubProcess::start(ASKBACK);
    let own = server.issue(&json!({"role": "asker", "name": "agent"}));
    let session = begin_session(&server, &own);
    let arguments = json!({"type": "text", "message": "Name?"});
    let params = json!({"name": "request_user_input", "arguments": arguments});
    let message = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let stream = mcp(&server, &own, &message).header("Mcp-Session-Id", &session).open();
    server.wait_for_metric("waiting_calls", 1);
    server.revoke(&own);
    let said = stream.read_until_closed();
    assert!(said.contains("\"isError\":true") && said.contains("revoked"), "{said}");
}

// S8
#[test]
fn script_of_a_revoked_asker_asks_nothing_more_and_ends() {
    let server = HubProcess::start(ASKBACK);
    let asker = json!({"role": "asker", "name": "agent"});
    let own = server.issue(&asker);
    // It goes on however often it is refused.
    let code = "for (const name of ['first', 'second', 'third']) {
        try { await requestUserInput({type: 'text', message: name}) } catch {}
    }";
    let body = json!({"code": code, "room": "shop"});
    let begun = server.post("/api/v1/scripts", &body).token(&own.secret).send().is(201);
    let asked = || {
        let page = server.get("/api/v1/requests").token(&server.person).send().is(200);
        page["items"].as_array().unwrap().len()
    };
    wait_until("the script asks", || asked() > 0);
    server.revoke(&own);
    // Another token of the same asker sees what became of it.
    let again = server.issue(&asker);
    let path = format!("/api/v1/scripts/{}?wait=20", begun["id"].as_str().unwrap());
    let state = server.get(&path).token(&again.secret).send().is(200);
    assert_eq!(state["status"], "failed", "{state}");
    assert!(state["error"].as_str().unwrap().contains("revoked"), "{state}");
    assert_eq!(asked(), 1, "only what it had asked before");
}
