//! `/mcp`, as its handler serves it.

use super::*;
use crate::gate::Gate;
use crate::service::Service;
use crate::service::audience::Audience;
use askback_core::RequestId;
use askback_hub::{Hub, HubOptions, NewToken, Purpose, Role};
use askback_mcp::delivery::{DeliverableKind, Due};
use askback_mcp::limits::SESSIONS_IN_MEMORY_OF_TOKEN;
use askback_testkit::sample::{name, room};
use askback_testkit::wait::wait_for_async;
use futures_util::future::join_all;
use serde_json::json;
use std::path::Path;
use tokio::sync::watch;

/// `/mcp` of a hub in memory, and an asker's token.
struct TestMcp {
    state: Arc<McpState>,
    secret: String,
    /// The server stops when this is dropped.
    _stopping: watch::Sender<bool>,
}

impl TestMcp {
    async fn new(directory: Option<&Path>) -> Self {
        let gate = Gate::new(([127, 0, 0, 1], 4770).into(), None);
        let hub = Hub::in_memory(HubOptions::default()).await.unwrap();
        let (purpose, role) = (Purpose::Token, Role::Asker);
        let new =
            NewToken { purpose, role, name: name("ada"), room: Some(room("shop")), expires_at: None, issued_by: None };
        let (_, secret) = hub.issue(new).await.unwrap();
        let (stopping, is_stopping) = watch::channel(false);
        let service = Service::new(hub, &gate.address, Vec::new(), Audience::default(), is_stopping);
        let app = Arc::new(App::new(Arc::new(service), gate, directory.map(Path::to_owned)));
        let state = Arc::new(McpState::new(&app));
        Self { state, secret: secret.as_str().to_owned(), _stopping: stopping }
    }

    /// Makes a call of the asker, with these headers beside those of every call.
    async fn post(&self, message: impl Into<Body>, headers: &[(&str, &str)]) -> HandlerResult {
        let call = Request::post("/mcp").header("host", "127.0.0.1:4770").header(CONTENT_TYPE, "application/json");
        let call = call.header("accept", "application/json, text/event-stream");
        let call = call.header("authorization", format!("Bearer {}", self.secret));
        let call = headers.iter().fold(call, |call, (name, value)| call.header(*name, *value));
        serve(State(Arc::clone(&self.state)), call.body(message.into()).unwrap()).await
    }

    /// Begins a session and reads the whole response. Returns the session's id.
    async fn initialize(&self) -> Result<String, Fault> {
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let response = self.post(message.to_string(), &[]).await?;
        assert_eq!(response.status(), StatusCode::OK);
        let id = sessions::session_id(response.headers()).unwrap().to_owned();
        response.into_body().collect().await.unwrap();
        Ok(id)
    }

    async fn in_memory(&self) -> usize {
        self.state.manager.sessions.read().await.len()
    }
}

// S3, S8
#[tokio::test]
async fn concurrent_beginnings_of_one_token_leave_at_most_its_share_of_sessions() {
    let mcp = TestMcp::new(None).await;
    let begun = join_all((0..3 * SESSIONS_IN_MEMORY_OF_TOKEN).map(|_| mcp.initialize())).await;
    assert!(mcp.in_memory().await <= SESSIONS_IN_MEMORY_OF_TOKEN, "{} sessions", mcp.in_memory().await);
    let refused = begun.iter().filter_map(|begun| begun.as_ref().err().map(|fault| fault.code));
    assert!(refused.clone().count() > 0 && refused.clone().all(|code| code == ProblemCode::TooMany));
    // The sessions of calls that have ended are idle, and make room.
    mcp.initialize().await.unwrap();
    assert_eq!(mcp.in_memory().await, SESSIONS_IN_MEMORY_OF_TOKEN);
}

// S3, S8
#[tokio::test]
async fn session_beyond_the_share_leaves_memory_and_is_restored_when_it_is_used() {
    let directory = tempfile::tempdir().unwrap();
    let mcp = TestMcp::new(Some(directory.path())).await;
    let mut ids = Vec::new();
    for _ in 0..SESSIONS_IN_MEMORY_OF_TOKEN + 20 {
        ids.push(mcp.initialize().await.unwrap());
        assert!(mcp.in_memory().await <= SESSIONS_IN_MEMORY_OF_TOKEN);
    }
    let is_in_memory = async |id: &str| mcp.state.manager.sessions.read().await.contains_key(id);
    assert!(!is_in_memory(&ids[0]).await && is_in_memory(&ids[20]).await);
    let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}).to_string();
    let response = mcp.post(ping.clone(), &[(sessions::HEADER, &ids[0])]).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert!(is_in_memory(&ids[0]).await && !is_in_memory(&ids[20]).await);
    assert_eq!(mcp.in_memory().await, SESSIONS_IN_MEMORY_OF_TOKEN);
    // It stays for as long as its response is open, however many others are used.
    for _ in 0..SESSIONS_IN_MEMORY_OF_TOKEN {
        mcp.initialize().await.unwrap();
    }
    assert!(is_in_memory(&ids[0]).await && !is_in_memory(ids.last().unwrap()).await);
    // An id without a session makes no room.
    let unknown = mcp.post(ping, &[(sessions::HEADER, "019a8b3c-0000-7000-8000-000000000000")]).await.unwrap();
    assert_eq!((unknown.status(), mcp.in_memory().await), (StatusCode::NOT_FOUND, SESSIONS_IN_MEMORY_OF_TOKEN));
    drop(response);
}

// S3, S8
#[tokio::test]
async fn call_of_the_newer_protocol_that_waits_has_no_bytes_in_flight() {
    const VERSION: &str = "2026-07-28";
    let mcp = Arc::new(TestMcp::new(None).await);
    let arguments = json!({"type": "text", "message": "Which name?"});
    let meta =
        json!({"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}});
    let params = json!({"name": "request_user_input", "arguments": arguments, "_meta": meta});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    // Far more than the bytes that need no share.
    let padded = format!("{}{message}", " ".repeat(1 << 20));
    let headers = [("mcp-protocol-version", VERSION), ("mcp-method", "tools/call"), ("mcp-name", "request_user_input")];
    let calling = Arc::clone(&mcp);
    let call = tokio::spawn(async move { calling.post(padded, &headers).await });
    let hub = &mcp.state.app.service.hub;
    wait_for_async("the request is pending", || async { (hub.pending() > 0).then_some(()) }).await;
    assert!(!call.is_finished(), "the handler waits for the outcome");
    assert_eq!(mcp.state.app.in_flight.used(), 0);
    call.abort();
}

// S5
#[test]
fn result_that_carries_an_outcome_is_found() {
    let event = |message: &str| format!("id: 3\ndata: {message}\n\n").into_bytes();
    let id = "019a8b3c-0000-7000-8000-000000000000";
    let carries = |kind| Some(Deliverable { id: RequestId::parse(id).unwrap(), kind, due: Due::Everyone });
    let result = |name: &str| {
        event(&format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[],"_meta":{{"{name}":"{id}"}}}}}}"#))
    };
    assert_eq!(deliverable(&result("askback/outcome")), carries(DeliverableKind::Outcome));
    assert_eq!(deliverable(&result("askback/script")), carries(DeliverableKind::ScriptResult));
    // The text of a person does not count.
    let said = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"_meta\":{\"askback/outcome\":\"019\"}}"}]}}"#;
    for other in [said, r#"{"method":"x","params":{"_meta":{"askback/outcome":"019"}}}"#, "", "no JSON \"askback/\""] {
        assert_eq!(deliverable(&event(other)), None, "{other}");
    }
}
