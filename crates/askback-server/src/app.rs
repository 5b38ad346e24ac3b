//! What the ports share: the use cases, the gate, and what is counted.

use crate::counters::Counters;
use crate::encoded_events::EncodedEvents;
use crate::fault::Fault;
use crate::gate::Gate;
use crate::message_space::MessageSpace;
use crate::service::Service;
use askback_api::ProblemCode;
use axum::body::Body;
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
    /// Memory for what clients in rooms have begun to send.
    pub(crate) space: Arc<MessageSpace>,
    /// Where sessions of MCP clients are kept over a restart.
    pub(crate) mcp_sessions: Option<PathBuf>,
}

/// One of the slots for connections, held for as long as the connection lasts.
pub(crate) type ConnectionSlot = tokio::sync::OwnedSemaphorePermit;

/// Where a call comes from.
#[derive(Debug, Clone)]
pub(crate) enum Connection {
    /// Through the socket of this machine.
    Local,
    /// Over TCP.
    Tcp(SocketAddr),
}

impl Connection {
    /// The address, unless it is this machine's socket.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        match self {
            Self::Local => None,
            Self::Tcp(address) => Some(address.ip()),
        }
    }
}

impl App {
    pub(crate) fn new(service: Arc<Service>, gate: Gate, mcp_sessions: Option<PathBuf>) -> Self {
        let (counters, encoded, space) = (Counters::default(), EncodedEvents::default(), Arc::default());
        Self { service, gate, counters, encoded, space, mcp_sessions }
    }
}

/// A response in JSON.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    // Every type of the API has texts as keys, without which it could not be written.
    typed(status, "application/json", serde_json::to_string(body).unwrap_or_default())
}

pub(crate) fn ok(body: &impl Serialize) -> Response {
    json(StatusCode::OK, body)
}

pub(crate) fn typed(status: StatusCode, kind: &'static str, text: String) -> Response {
    let mut response = Response::new(Body::from(text));
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
