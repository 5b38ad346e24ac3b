//! Identity (S9): agents act under a name of their own, and a request's `from` stays a claim.

use crate::ASKBACK;
use askback_core::{Limits, Name, Request};
use askback_hub::store::StoredToken;
use askback_hub::{Ask, HubOptions, NewToken, Purpose, Role, Room, Signature};
use askback_testkit::http::{Call, Reply};
use askback_testkit::hub_process::{DataDir, HubProcess, question};
use serde_json::{Value, json};
use std::path::Path;

fn name_of(server: &HubProcess, token: &str) -> String {
    server.get("/api/v1/me").token(token).send().is(200)["name"].as_str().unwrap().to_owned()
}

/// By whom a request was ended, as the audit log says.
fn ended_by(server: &HubProcess, id: &str) -> Value {
    let log = server.get(&format!("/api/v1/audit?id={id}")).token(&server.person).send().is(200);
    log["items"].as_array().unwrap().last().unwrap()["by"].clone()
}

/// Calls an MCP tool over HTTP as this client.
fn call_tool(server: &HubProcess, client: &str, tool: &str, arguments: &Value) -> Reply {
    let mcp = |message: &Value, session: Option<&str>| -> Call {
        let call = server.post("/mcp?room=shop&wait=0", message).token(&server.asker);
        let call =
            call.header("Content-Type", "application/json").header("Accept", "application/json, text/event-stream");
        session.into_iter().fold(call, |call, session| call.header("Mcp-Session-Id", session))
    };
    let info = json!({"name": client, "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info});
    let begun = mcp(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}), None).send();
    let session = begun.header("mcp-session-id").unwrap().to_owned();
    mcp(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), Some(&session)).send();
    let params = json!({"name": tool, "arguments": arguments});
    mcp(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}), Some(&session)).send()
}

// S9
#[test]
fn agents_cancel_under_their_own_name_and_the_person_under_theirs() {
    let server = HubProcess::start(ASKBACK);
    let person = name_of(&server, &server.person);
    let agents = name_of(&server, &server.asker);
    assert_eq!(agents, format!("{person}'s agents"));
    let by_agent = server.ask(&server.asker, "shop");
    call_tool(&server, "claude-code", "cancel_request", &json!({"request_id": by_agent}));
    assert_eq!(ended_by(&server, &by_agent), agents.as_str());
    let by_person = server.ask(&server.asker, "shop");
    let path = format!("/api/v1/requests/{by_person}/cancel");
    server.post(&path, &json!({})).token(&server.person).send().is(200);
    assert_eq!(ended_by(&server, &by_person), person.as_str());
}

// S9
#[test]
fn requests_of_mcp_clients_carry_the_clients_name_whatever_a_model_adds() {
    let server = HubProcess::start(ASKBACK);
    let ask = |from: Option<&str>| {
        let mut arguments = json!({"type": "text", "message": "Name?"});
        if let Some(from) = from {
            arguments["from"] = from.into();
        }
        call_tool(&server, "claude-code", "request_user_input", &arguments);
        let asked = server.pending().remove(0);
        server.answer(&server.person, asked["id"].as_str().unwrap(), "Ada").is(200);
        asked["request"]["from"].clone()
    };
    assert_eq!(ask(None), "claude-code");
    assert_eq!(ask(Some("rita")), "claude-code: rita");
}

// S9
#[test]
fn requests_of_a_script_carry_the_name_of_the_client_that_started_it() {
    let server = HubProcess::start(ASKBACK);
    let code = "await Promise.all([requestUserInput({type: 'text', message: 'One?'}), \
                requestUserInput({type: 'text', message: 'Two?', from: 'rita'})])";
    call_tool(&server, "codex", "execute_code", &json!({"code": code}));
    let asked = server.wait_for_pending(2);
    let mut claims: Vec<Value> = asked.iter().map(|asked| asked["request"]["from"].clone()).collect();
    claims.sort_by_key(ToString::to_string);
    assert_eq!(claims, [json!("codex"), json!("codex: rita")]);
}

/// A data directory of an older version: both tokens have the person's name, and so have the requests.
struct OldData {
    pending: String,
    undelivered: String,
}

async fn old_data(folder: &Path) -> OldData {
    let hub = askback_sqlite::open_hub(folder.join("askback.db"), HubOptions::default()).await.unwrap();
    let ada = Name::parse("ada").unwrap();
    for (role, file) in [(Role::Asker, "asker.token"), (Role::Admin, "person.token")] {
        let (purpose, name) = (Purpose::Token, ada.clone());
        let new = NewToken { purpose, role, name, room: None, expires_at: None, issued_by: None };
        let (_, secret) = hub.issue(new).await.unwrap();
        std::fs::write(folder.join(file), secret.as_str()).unwrap();
    }
    let ask = async |text: &str| {
        let request = Request::parse(text.as_bytes(), &Limits::DEFAULT).unwrap();
        let ask = Ask::new(request, ada.clone(), Room::parse("shop").unwrap()).attaching();
        hub.ask(ask).await.unwrap().id().clone()
    };
    let pending = ask(r#"{"type": "text", "message": "Pending?", "room": "shop", "key": "k"}"#).await;
    let undelivered = ask(r#"{"type": "text", "message": "Undelivered?", "room": "shop"}"#).await;
    let signature = Signature::new(ada.clone(), askback_core::Surface::Page);
    hub.answer(&undelivered, &["yes".into()], signature).await.unwrap();
    hub.close().await.unwrap();
    OldData { pending: pending.to_string(), undelivered: undelivered.to_string() }
}

// S9
#[test]
fn agents_of_an_older_data_directory_get_their_own_name_and_keep_what_they_asked() {
    let data = DataDir::new(ASKBACK);
    let old = tokio::runtime::Runtime::new().unwrap().block_on(old_data(data.path()));
    let secret = std::fs::read_to_string(data.path().join("asker.token")).unwrap();
    let server = data.serve();
    assert_eq!(server.asker, secret, "agents that run go on with their token");
    assert_eq!(
        (name_of(&server, &server.person), name_of(&server, &server.asker)),
        ("ada".into(), "ada's agents".into())
    );

    let state = |id: &str| server.get(&format!("/api/v1/requests/{id}")).token(&server.asker).send().is(200);
    assert_eq!(state(&old.pending)["status"], "pending", "it is still theirs to wait for");
    assert_eq!(state(&old.undelivered)["answers"][0]["response"], "yes");
    let again = |request: &Value| {
        let answer = server.post("/api/v1/requests?attach=true", request).token(&server.asker).send();
        answer.is(200)["id"].as_str().unwrap().to_owned()
    };
    let keyed = json!({"type": "text", "message": "Pending?", "room": "shop", "key": "k"});
    assert_eq!(again(&keyed), old.pending, "its key leads to it");
    let asked = json!({"type": "text", "message": "Undelivered?", "room": "shop"});
    assert_eq!(again(&asked), old.undelivered, "the same question finds it (S5)");
    let cancelled = server.post(&format!("/api/v1/requests/{}/cancel", old.pending), &json!({})).token(&server.asker);
    cancelled.send().is(200);
    assert_eq!(ended_by(&server, &old.pending), "ada's agents");
    let log = server.get("/api/v1/audit?by=ada").token(&server.person).send().is(200);
    let events: Vec<&Value> = log["items"].as_array().unwrap().iter().map(|item| &item["event"]).collect();
    assert_eq!(events, ["request.answered"], "the person did nothing else");
    drop(server);
    let server = data.serve();
    assert_eq!(name_of(&server, &server.asker), "ada's agents", "and it is done once");
    assert_eq!(server.post("/api/v1/requests", &question("shop")).token(&server.asker).send().status, 201);
}

/// A second asker's token under the old name, as another program has it.
struct OtherAsker {
    number: u64,
    secret: String,
    asked: String,
}

const ASKED_BY_OTHER: &str = r#"{"type": "text", "message": "Of another program?", "room": "till"}"#;

async fn other_asker(folder: &Path, room: Option<Room>) -> OtherAsker {
    let hub = askback_sqlite::open_hub(folder.join("askback.db"), HubOptions::default()).await.unwrap();
    let (purpose, role, name) = (Purpose::Token, Role::Asker, Name::parse("ada").unwrap());
    let new = NewToken { purpose, role, name: Name::parse("other").unwrap(), room, expires_at: None, issued_by: None };
    let (issued, secret) = hub.issue(new).await.unwrap();
    hub.close().await.unwrap();
    // A hub refuses two askers of one name; one of an older version could have both.
    let (store, _signal) = askback_sqlite::open(&folder.join("askback.db")).await.unwrap();
    let renamed = StoredToken { name: name.clone(), ..StoredToken::clone(&issued) };
    let number = store.add_token(renamed, vec![issued.number]).await.unwrap();
    store.close().await.unwrap();
    let hub = askback_sqlite::open_hub(folder.join("askback.db"), HubOptions::default()).await.unwrap();
    let request = Request::parse(ASKED_BY_OTHER.as_bytes(), &Limits::DEFAULT).unwrap();
    let ask = Ask::new(request, name, Room::parse("till").unwrap()).attaching();
    let asked = hub.ask(ask).await.unwrap().id().to_string();
    hub.close().await.unwrap();
    OtherAsker { number, secret: secret.as_str().to_owned(), asked }
}

// S5, S9
#[test]
fn agents_keep_an_old_name_until_no_other_asker_has_it() {
    for room in [None, Some(Room::parse("till").unwrap())] {
        let data = DataDir::new(ASKBACK);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let old = runtime.block_on(old_data(data.path()));
        let other = runtime.block_on(other_asker(data.path(), room));
        let start = || data.serve();
        let is_pending = |server: &HubProcess| {
            let record = server.get(&format!("/api/v1/requests/{}", old.pending)).token(&server.asker).send().is(200);
            record["status"] == "pending"
        };

        let server = start();
        let body = serde_json::from_str(ASKED_BY_OTHER).unwrap();
        let again = server.post("/api/v1/requests?attach=true", &body).token(&other.secret).send().json();
        assert_eq!(again["id"], other.asked.as_str(), "the other program finds its request");
        assert!(is_pending(&server), "the agents find theirs");
        assert_eq!(name_of(&server, &server.asker), "ada");
        let path = format!("/api/v1/tokens/{}", other.number);
        assert_eq!(server.call("DELETE", &path).token(&server.person).send().status, 204);
        drop(server);

        let server = start();
        assert_eq!(name_of(&server, &server.asker), "ada's agents", "the old name is theirs alone");
        assert!(is_pending(&server));
    }
}

// S1, S9
#[test]
fn credential_whose_file_was_lost_is_replaced_and_no_longer_valid() {
    let data = DataDir::new(ASKBACK);
    let start = || data.serve();
    let server = start();
    let (lost, person) = (server.asker.clone(), server.person.clone());
    let id = server.ask(&server.asker, "shop");
    drop(server);
    std::fs::remove_file(data.path().join("asker.token")).unwrap();
    let server = start();
    assert_eq!(server.get("/api/v1/me").token(&lost).send().status, 401);
    assert_eq!((&server.person, server.asker == lost), (&person, false), "the person's credential stays");
    assert!(name_of(&server, &server.asker).ends_with("'s agents"));
    let record = server.get(&format!("/api/v1/requests/{id}")).token(&server.asker).send().is(200);
    assert_eq!(record["status"], "pending", "what the agents asked stays theirs");
}
