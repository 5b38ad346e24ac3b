//! The state that the ports share, and their responses.

use crate::counters::Counters;
use crate::encoded_events::EncodedEvents;
use crate::fault::Fault;
use crate::gate::Gate;
use crate::limits::{IN_FLIGHT, METRICS_FOR, RESPONSES};
use crate::pool::Pool;
use crate::readiness::Readiness;
use crate::recent_result::RecentResult;
use crate::service::Service;
use askback_api::ProblemCode;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

/// The server's state.
pub(crate) struct App {
    pub(crate) service: Arc<Service>,
    pub(crate) gate: Gate,
    pub(crate) counters: Counters,
    pub(crate) encoded: EncodedEvents,
    pub(crate) readiness: Readiness,
    /// How many events wait to be delivered to webhooks.
    pub(crate) waiting_deliveries: RecentResult<u64>,
    /// The memory for bodies and messages that arrive.
    pub(crate) in_flight: Pool,
    /// The memory for responses that clients have not yet received.
    pub(crate) responses: Pool,
    /// The directory in which sessions of MCP clients survive a restart.
    pub(crate) mcp_sessions: Option<PathBuf>,
}

/// The state of the server, as handlers extract it.
pub(crate) type Shared = State<Arc<App>>;

/// The result of a handler.
pub(crate) type HandlerResult = Result<Response, Fault>;

/// The origin of a call.
#[derive(Debug, Clone)]
pub(crate) enum Connection {
    /// The Unix socket of this machine.
    Local,
    /// TCP.
    Tcp(SocketAddr),
}

impl Connection {
    /// The peer's address; `None` for the Unix socket.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        match self {
            Self::Local => None,
            Self::Tcp(address) => Some(address.ip()),
        }
    }
}

impl App {
    pub(crate) fn new(service: Arc<Service>, gate: Gate, mcp_sessions: Option<PathBuf>) -> Self {
        let (counters, encoded) = (Counters::default(), EncodedEvents::default());
        let (in_flight, responses) = (Pool::new(IN_FLIGHT), Pool::new(RESPONSES));
        let (readiness, waiting_deliveries) = (Readiness::default(), RecentResult::new(METRICS_FOR));
        Self { service, gate, counters, encoded, readiness, waiting_deliveries, in_flight, responses, mcp_sessions }
    }
}

/// A JSON response.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    // This can't fail: all maps of the API's types have string keys.
    typed(status, "application/json", serde_json::to_string(body).unwrap_or_default())
}

pub(crate) fn ok(body: &impl Serialize) -> Response {
    json(StatusCode::OK, body)
}

pub(crate) fn typed(status: StatusCode, kind: &'static str, text: impl Into<Body>) -> Response {
    let mut response = Response::new(text.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let problem = self.to_problem();
        let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = json(status, &problem);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        match self.code {
            ProblemCode::Unauthenticated => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            code if code.is_transient() => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
            }
            _ => {}
        }
        response
    }
}
