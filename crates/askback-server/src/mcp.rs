//! `/mcp`: the MCP server over streamable HTTP, for both generations of the protocol. A caller sends an asker's token, and every tool
//! calls the API with that token: it has the rights of an asker, and no others (S1).

use crate::app::{App, HandlerResult};
use crate::body;
use crate::fault::Fault;
use crate::parameters::Parameters;
use crate::service::{Caller, CallerSession};
use askback_api::ProblemCode;
use askback_mcp::delivery::Deliverable;
use askback_mcp::limits::{BEGINNING_BYTES, LONGEST_WAIT, MESSAGE_BYTES, SESSION_SILENCE};
use askback_mcp::message::{self, Understood};
use askback_mcp::{AskerSource, FixedAsker, McpCaller, McpServer};
use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use bytes::Bytes;
use delivery_stream::DeliveryStream;
use futures_util::StreamExt;
use http_body_util::BodyExt;
use rmcp::model::{ClientRequest, ErrorCode, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::{SessionManager, SessionStore};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use sessions::{OWNER, Sessions};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

mod delivery_stream;
mod sessions;

/// The state that every call shares.
struct McpState {
    app: Arc<App>,
    service: StreamableHttpService<McpServer, LocalSessionManager>,
    /// The sessions in memory.
    manager: Arc<LocalSessionManager>,
    sessions: Arc<Sessions>,
}

pub(super) fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let stopping = CancellationToken::new();
    let (stopped, stop) = (Arc::clone(app), stopping.clone());
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn(async move {
            stopped.service.stopped().await;
            stop.cancel();
        });
    }
    let sessions = Arc::new(Sessions::open(app.mcp_sessions.as_deref()));
    // The gate has checked hosts and origins before, and knows all of them.
    let mut config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_cancellation_token(stopping)
        .with_max_request_body_bytes(MESSAGE_BYTES);
    config.session_store = Some(Arc::clone(&sessions) as _);
    let mut manager = LocalSessionManager::default();
    manager.session_config.keep_alive = Some(SESSION_SILENCE);
    let server = McpServer::default();
    let manager = Arc::new(manager);
    let service = StreamableHttpService::new(move || Ok(server.for_session()), Arc::clone(&manager), config);
    let state = McpState { app: Arc::clone(app), service, manager, sessions };
    Router::new().route("/mcp", any(serve)).with_state(Arc::new(state))
}

async fn serve(State(state): State<Arc<McpState>>, request: Request) -> HandlerResult {
    let (mut parts, sent) = request.into_parts();
    let caller = Caller::from_request_parts(&mut parts, &state.app).await?;
    caller.asks()?;
    let parameters = Parameters::parse(parts.uri.query(), &["room", "wait"])?;
    let room = caller.narrow_room(parameters.room()?)?;
    let wait = parameters.number("wait", 0, LONGEST_WAIT.as_secs())?.map(Duration::from_secs);
    // A session belongs to the token that created it; for all others it does not exist.
    if !state.sessions.may_use(&parts.headers, caller.token.number) {
        return Err(Fault::new(ProblemCode::NotFound, "there is no such session: initialize another one"));
    }
    if parts.method == Method::DELETE && parts.headers.contains_key(sessions::HEADER) {
        return state.end_session(&parts.headers, caller.token.number).await;
    }
    let attending = state.app.service.asker_presence(&caller);
    let session = CallerSession::new(Arc::clone(&state.app.service), caller.clone(), room);
    let source: Arc<dyn AskerSource> = Arc::new(FixedAsker(Arc::new(session)));
    let hung_up = CancellationToken::new();
    parts.extensions.insert(McpCaller { source: Arc::clone(&source), wait, hung_up: hung_up.clone() });
    let received = match parts.method {
        Method::POST => Some(
            caller.while_valid(body::receive(sent, MESSAGE_BYTES, state.app.in_flight.lease(caller.holder()))).await?,
        ),
        _ => None,
    };
    let McpBody { body, is_initialize } = match received.as_deref().map(|bytes| read(&parts, bytes)).transpose()? {
        Some(Ok(body)) => body,
        Some(Err(response)) => return Ok(response),
        None => McpBody { body: Body::empty(), is_initialize: false },
    };
    // First of all, so that the session is not evicted while it is in use.
    let lease = state.sessions.lease(&parts.headers);
    match sessions::session_id(&parts.headers) {
        Some(id) => state.make_room(caller.token.number, id).await?,
        None if is_initialize => state.make_room(caller.token.number, "").await?,
        None => {}
    }
    let is_stream = parts.method == Method::GET;
    let handling = state.service.handle(Request::from_parts(parts, body));
    let response = OWNER.scope(caller.token.number, handling).await;
    // It is parsed by now.
    drop(received);
    let (parts, body) = response.into_parts();
    let lease = lease.or_else(|| state.sessions.lease(&parts.headers));
    let held = (hung_up.drop_guard(), lease, attending);
    let stream = DeliveryStream::new(body.boxed_unsync(), source, held);
    let token = Arc::clone(&caller.token);
    // A call ends with an error by itself, since the API refuses a revoked token; a notification stream would stay open.
    let revoked = async move { if is_stream { token.gone().await } else { pending().await } };
    Ok(Response::from_parts(parts, Body::from_stream(stream.into_stream().take_until(Box::pin(revoked)))))
}

impl McpState {
    /// Ends a session, in memory or not. The Python SDK takes 200 and 204 for success, and reports any other status as a failure.
    async fn end_session(&self, headers: &HeaderMap, owner: u64) -> HandlerResult {
        let unknown = || Fault::new(ProblemCode::NotFound, "there is no such session: it has ended, or never began");
        let id = sessions::session_id(headers).ok_or_else(unknown)?;
        let is_owned = OWNER.scope(owner, self.sessions.load(id)).await.is_ok_and(|session| session.is_some());
        let is_in_memory = self.manager.sessions.read().await.contains_key(id);
        if !is_owned && !is_in_memory {
            return Err(unknown());
        }
        // A session that was evicted, or ended by itself, is an error here, and as good.
        let _ = self.manager.close_session(&id.into()).await;
        let _ = OWNER.scope(owner, self.sessions.delete(id)).await;
        Ok(StatusCode::NO_CONTENT.into_response())
    }

    /// Makes room in memory for a session of a token that is not there, or for a new one.
    async fn make_room(&self, owner: u64, id: &str) -> Result<(), Fault> {
        let in_memory = self.manager.sessions.read().await;
        if in_memory.contains_key(id) {
            return Ok(());
        }
        let evicted = self.sessions.to_evict(owner, |id| in_memory.contains_key(id))?;
        drop(in_memory);
        let Some(id) = evicted else { return Ok(()) };
        // A session that ended by itself is an error here, and as good. Its owner is kept until it is closed.
        let _ = self.manager.close_session(&id.as_str().into()).await;
        self.sessions.forget(&id);
        Ok(())
    }
}

/// The body of a call.
struct McpBody {
    body: Body,
    /// Whether it begins a session.
    is_initialize: bool,
}

/// The body, or the response if it is not a message: the library would report invalid JSON as a wrong content type.
fn read(parts: &Parts, bytes: &Bytes) -> Result<Result<McpBody, Response>, Fault> {
    let is_json = parts.headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if !is_json {
        return Ok(Ok(McpBody { body: Body::from(bytes.clone()), is_initialize: false }));
    }
    Ok(match message::understand(bytes) {
        Understood::Message(message) => {
            let is_initialize = matches!(&*message, JsonRpcMessage::Request(request) if matches!(request.request, ClientRequest::InitializeRequest(_)));
            if is_initialize && bytes.len() > BEGINNING_BYTES {
                let why = format!("the message that begins a session has more than {BEGINNING_BYTES} bytes");
                return Err(Fault::new(ProblemCode::TooLarge, why));
            }
            Ok(McpBody { body: Body::from(bytes.slice_ref(message::without_mark(bytes))), is_initialize })
        }
        Understood::Nothing if bytes.trim_ascii().is_empty() => {
            Err(refused(&message::refusal(None, ErrorCode::PARSE_ERROR, "there is no message".to_owned())))
        }
        Understood::Nothing => Err(StatusCode::ACCEPTED.into_response()),
        Understood::Wrong(refusal) => Err(refused(&refusal)),
    })
}

fn refused(refusal: &ServerJsonRpcMessage) -> Response {
    let text = serde_json::to_string(refusal).unwrap_or_default();
    (StatusCode::BAD_REQUEST, [(CONTENT_TYPE, "application/json")], text).into_response()
}

/// The deliverable in a chunk of an event stream.
fn deliverable(bytes: &[u8]) -> Option<Deliverable> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.contains("\"askback/"))?;
    let messages = text.lines().filter_map(|line| line.strip_prefix("data:"));
    messages.filter_map(|data| serde_json::from_str::<Value>(data).ok()).find_map(|message| {
        let meta = message.get("result")?.get("_meta")?.as_object()?;
        Deliverable::in_meta(meta)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_core::RequestId;
    use askback_mcp::delivery::{DeliverableKind, Due};

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
        for other in
            [said, r#"{"method":"x","params":{"_meta":{"askback/outcome":"019"}}}"#, "", "no JSON \"askback/\""]
        {
            assert_eq!(deliverable(&event(other)), None, "{other}");
        }
    }
}
