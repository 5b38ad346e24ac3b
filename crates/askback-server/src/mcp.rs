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
use http_body_util::combinators::BoxBody;
use rmcp::model::{ClientRequest, ErrorCode, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::{SessionManager, SessionStore};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use sessions::{CALLER, Reservation, SessionCaller, SessionLease, Sessions};
use std::collections::HashSet;
use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

mod delivery_stream;
mod sessions;
#[cfg(test)]
mod tests;

/// The state that every call shares.
struct McpState {
    app: Arc<App>,
    service: StreamableHttpService<McpServer, LocalSessionManager>,
    /// The sessions in memory.
    manager: Arc<LocalSessionManager>,
    sessions: Arc<Sessions>,
}

pub(super) fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    Router::new().route("/mcp", any(serve)).with_state(Arc::new(McpState::new(app)))
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
    let McpBody { body, is_initialize } = if parts.method == Method::POST {
        let lease = state.app.in_flight.lease(caller.holder());
        let received = caller.while_valid(body::receive(sent, MESSAGE_BYTES, lease)).await?;
        match read(&parts, received.into_bytes())? {
            Ok(body) => body,
            Err(response) => return Ok(response),
        }
    } else {
        McpBody { body: Body::empty(), is_initialize: false }
    };
    let is_stream = parts.method == Method::GET;
    let owner = caller.token.number;
    let (response, lease) = state.handle(owner, Request::from_parts(parts, body), is_initialize).await?;
    let (parts, body) = response.into_parts();
    let held = (hung_up.drop_guard(), lease, attending);
    let stream = DeliveryStream::new(body.boxed_unsync(), source, held);
    let token = Arc::clone(&caller.token);
    // A call ends with an error by itself, since the API refuses a revoked token; a notification stream would stay open.
    let revoked = async move { if is_stream { token.gone().await } else { pending().await } };
    Ok(Response::from_parts(parts, Body::from_stream(stream.into_stream().take_until(Box::pin(revoked)))))
}

impl McpState {
    fn new(app: &Arc<App>) -> Self {
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
        Self { app: Arc::clone(app), service, manager, sessions }
    }

    /// Ends a session, in memory or not. The Python SDK takes 200 and 204 for success, and reports any other status as a failure.
    async fn end_session(&self, headers: &HeaderMap, owner: u64) -> HandlerResult {
        let unknown = || Fault::new(ProblemCode::NotFound, "there is no such session: it has ended, or never began");
        let id = sessions::session_id(headers).ok_or_else(unknown)?;
        let caller = SessionCaller::new(owner, None);
        let is_owned = CALLER.scope(caller, self.sessions.load(id)).await.is_ok_and(|session| session.is_some());
        let is_in_memory = self.manager.sessions.read().await.contains_key(id);
        if !is_owned && !is_in_memory {
            return Err(unknown());
        }
        // A session that was evicted, or ended by itself, is an error here, and as good.
        let _ = self.manager.close_session(&id.into()).await;
        let _ = CALLER.scope(caller, self.sessions.delete(id)).await;
        Ok(StatusCode::NO_CONTENT.into_response())
    }

    /// Handles a call in its session, which stays in memory until the lease is dropped.
    async fn handle(
        &self,
        owner: u64,
        request: Request,
        is_initialize: bool,
    ) -> Result<(Response<BoxBody<Bytes, Infallible>>, Option<SessionLease>), Fault> {
        let named = sessions::session_id(request.headers()).map(str::to_owned);
        // First of all, so that the session is not evicted while it is in use.
        let lease = named.as_deref().and_then(|id| self.sessions.lease(id));
        let reservation = match &named {
            Some(id) if self.is_to_restore(owner, id).await => Some(self.make_room(owner).await?),
            None if is_initialize => Some(self.make_room(owner).await?),
            _ => None,
        };
        let caller = SessionCaller::new(owner, reservation.as_ref());
        let response = CALLER.scope(caller, self.service.handle(request)).await;
        let id = named.as_deref().or_else(|| sessions::session_id(response.headers()));
        let lease = lease.or_else(|| self.sessions.lease(id?));
        // Not before the lease, so that its session stays.
        drop(reservation);
        Ok((response, lease))
    }

    async fn is_to_restore(&self, owner: u64, id: &str) -> bool {
        !self.manager.sessions.read().await.contains_key(id) && self.sessions.is_persisted(owner, id)
    }

    /// Reserves a place in memory for a session of a token, and closes the sessions that leave it. A closed session can be restored.
    async fn make_room(&self, owner: u64) -> Result<Reservation, Fault> {
        let (closed, reserved) = {
            // Until the sessions are out of memory, no other call uses one or counts them.
            let mut in_memory = self.manager.sessions.write().await;
            let ids: HashSet<&str> = in_memory.keys().map(AsRef::as_ref).collect();
            let (leaving, reserved) = self.sessions.reserve(owner, &ids);
            let closed: Vec<_> = leaving.iter().filter_map(|id| in_memory.remove(id.as_str())).collect();
            (closed, reserved)
        };
        for session in closed {
            // A session that ended by itself is an error here, and as good.
            let _ = session.close().await;
        }
        Ok(reserved?)
    }
}

/// The body of a call. Its bytes count as in flight until the library has parsed and dropped it.
struct McpBody {
    body: Body,
    /// Whether it begins a session.
    is_initialize: bool,
}

/// The body, or the response if it is not a message: the library would report invalid JSON as a wrong content type.
fn read(parts: &Parts, bytes: Bytes) -> Result<Result<McpBody, Response>, Fault> {
    let is_json = parts.headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if !is_json {
        return Ok(Ok(McpBody { body: Body::from(bytes), is_initialize: false }));
    }
    Ok(match message::understand(&bytes) {
        Understood::Message(message) => {
            let is_initialize = matches!(&*message, JsonRpcMessage::Request(request) if matches!(request.request, ClientRequest::InitializeRequest(_)));
            if is_initialize && bytes.len() > BEGINNING_BYTES {
                let why = format!("the message that begins a session has more than {BEGINNING_BYTES} bytes");
                return Err(Fault::new(ProblemCode::TooLarge, why));
            }
            Ok(McpBody { body: Body::from(bytes.slice_ref(message::without_mark(&bytes))), is_initialize })
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
