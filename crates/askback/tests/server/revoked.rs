//! Revoked tokens: authority is checked when a call acts, not when its head arrived (S8).

use crate::http::{Answer, Call};
use crate::logins::{plain_session, session};
use crate::process::{Given, PATIENCE, Server, question};
use serde_json::{Value, json};
use std::io::Read;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A call whose token is revoked while its body is on the way.
struct Case {
    role: &'static str,
    /// Sets up what the call is about; the call's path and body.
    prepare: fn(&Server, &Given) -> (String, Value),
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
fn pending(server: &Server) -> String {
    server.ask(&server.asker, "shop")
}

/// An answered request whose outcome is not delivered yet.
fn ended(server: &Server, asker: &Given) -> String {
    let id = server.ask(&asker.secret, "shop");
    server.answer(&server.person, &id, "Ada").is(200);
    id
}

fn script(server: &Server, asker: &Given, what: &str) -> String {
    let body = json!({"code": "return 1", "room": "shop"});
    let begun = server.post("/api/v1/scripts", &body).token(&asker.secret).send().is(201);
    format!("/scripts/{}/{what}", begun["id"].as_str().unwrap())
}

/// Everything that a call could have changed.
fn state(server: &Server) -> Value {
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
    let server = Server::start();
    let mut acted = Vec::new();
    for (number, Case { role, prepare }) in CASES.iter().enumerate() {
        let own = server.give(&json!({"role": role, "name": format!("caller {number}")}));
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
    let server = Server::start();
    let own = server.give(&json!({"role": "answerer", "name": "rita"}));
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
    let server = Server::start();
    let own = session(&server, &server.person);
    let id = pending(&server);
    let call = server.post(&format!("/api/v1/requests/{id}/answer"), &json!({"responses": ["Ada"]})).session(&own);
    let log_out = || assert_eq!(server.call("POST", "/api/v1/logout").session(&own).send().status, 204);
    call.send_late(log_out).is_problem(401, "unauthenticated");
    assert_eq!(server.get(&format!("/api/v1/requests/{id}")).token(&server.person).send().is(200)["status"], "pending");
}

fn mcp(server: &Server, token: &Given, message: &Value) -> Call {
    let call = server.post("/mcp?room=shop", message).token(&token.secret);
    call.header("Content-Type", "application/json").header("Accept", "application/json, text/event-stream")
}

fn initialize() -> Value {
    let params =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
}

/// Begins a session of the older protocol; its id.
fn begin_session(server: &Server, token: &Given) -> String {
    let begun = mcp(server, token, &initialize()).send();
    assert_eq!(begun.status, 200, "{begun:?}");
    begun.header("mcp-session-id").unwrap().to_owned()
}

/// Reads until the server ends the connection; fails if it stays open.
fn read_to_its_end(mut stream: TcpStream) -> String {
    let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
    let until = Instant::now() + PATIENCE;
    loop {
        match stream.read(&mut piece).expect("the server ends the stream") {
            0 => return String::from_utf8(bytes).unwrap(),
            count => bytes.extend(&piece[..count]),
        }
        // A stream that stays open says so now and then.
        assert!(Instant::now() < until, "the stream stays open");
    }
}

// S8
#[test]
fn mcp_message_that_arrives_after_its_token_was_revoked_is_refused() {
    let server = Server::start();
    let own = server.give(&json!({"role": "asker", "name": "agent"}));
    let answer = mcp(&server, &own, &initialize()).send_late(|| server.revoke(&own));
    answer.is_problem(401, "unauthenticated");
}

// S8
#[test]
fn mcp_stream_ends_when_its_token_is_revoked() {
    let server = Server::start();
    let own = server.give(&json!({"role": "asker", "name": "agent"}));
    let session = begin_session(&server, &own);
    let call = server.get("/mcp?room=shop").token(&own.secret).header("Mcp-Session-Id", &session);
    let mut stream = call.header("Accept", "text/event-stream").open();
    let mut head = [0; 12];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
    server.revoke(&own);
    read_to_its_end(stream);
}

// S8
#[test]
fn mcp_call_that_waits_ends_with_an_error_when_its_token_is_revoked() {
    let server = Server::start();
    let own = server.give(&json!({"role": "asker", "name": "agent"}));
    let session = begin_session(&server, &own);
    let arguments = json!({"type": "text", "message": "Name?"});
    let params = json!({"name": "request_user_input", "arguments": arguments});
    let message = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let stream = mcp(&server, &own, &message).header("Mcp-Session-Id", &session).open();
    server.until("waiting_calls", 1);
    server.revoke(&own);
    let said = read_to_its_end(stream);
    assert!(said.contains("\"isError\":true") && said.contains("revoked"), "{said}");
}

// S8
#[test]
fn script_of_a_revoked_asker_asks_nothing_more_and_ends() {
    let server = Server::start();
    let asker = json!({"role": "asker", "name": "agent"});
    let own = server.give(&asker);
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
    let until = Instant::now() + PATIENCE;
    while asked() == 0 {
        assert!(Instant::now() < until, "the script asks nothing at all");
        std::thread::sleep(Duration::from_millis(5));
    }
    server.revoke(&own);
    // Another token of the same asker sees what became of it.
    let again = server.give(&asker);
    let path = format!("/api/v1/scripts/{}?wait=20", begun["id"].as_str().unwrap());
    let state = server.get(&path).token(&again.secret).send().is(200);
    assert_eq!(state["status"], "failed", "{state}");
    assert!(state["error"].as_str().unwrap().contains("revoked"), "{state}");
    assert_eq!(asked(), 1, "only what it had asked before");
}

impl Call {
    /// Sends the head, waits until the server reads the body, does something else, and sends the body then.
    fn send_late(self, meanwhile: impl FnOnce()) -> Answer {
        let (head, body) = self.split();
        let mut stream = head.header("Expect", "100-continue").header("Content-Length", &body.len().to_string()).open();
        let mut interim = Vec::new();
        while !interim.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            interim.extend(byte);
        }
        assert!(interim.starts_with(b"HTTP/1.1 100 "), "{}", String::from_utf8_lossy(&interim));
        meanwhile();
        // The server may have answered and closed the connection before.
        let _ = std::io::Write::write_all(&mut stream, &body);
        Answer::read(stream).expect("an answer")
    }
}
