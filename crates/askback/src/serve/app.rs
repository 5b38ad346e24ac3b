//! What every call shares: the hub, who may call it from where, and what is counted.

use super::audience::Audience;
use super::claims::Claims;
use super::events::Written;
use super::limits::{ASKS, FAILURES};
use super::metrics::Counters;
use super::rate::Rates;
use crate::config::Config;
use crate::fault::{Fault, Kind};
use askback_core::{Json, RequestId};
use askback_hub::{Hub, Record};
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::watch;

use super::caller::Caller;
use super::gate::Gate;
use super::scripts::registry::Scripts;
use super::sync::socket::Space;

/// The server's state.
pub(crate) struct App {
    pub(crate) hub: Hub,
    pub(super) gate: Gate,
    pub(super) counters: Counters,
    pub(super) written: Written,
    pub(super) audience: Arc<Audience>,
    /// Requests made, by the number of the token.
    pub(super) asks: Rates<u64>,
    /// Failures to say who one is.
    pub(super) failures: Rates<IpAddr>,
    /// Place for what clients in rooms have begun to say.
    pub(super) space: Arc<Space>,
    pub(super) options: Options,
    pub(super) scripts: Scripts,
    pub(super) claims: Claims,
    stopping: watch::Receiver<bool>,
}

/// What a server was told to be.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    /// Where sessions of MCP clients are kept over a restart.
    pub(super) sessions: Option<PathBuf>,
    /// MCP clients whose own dialog is a surface (S1), by what they call themselves.
    pub(super) dialogs: Vec<String>,
}

/// One of the places for connections, held for as long as it lasts, whatever becomes of it.
pub(super) type Place = tokio::sync::OwnedSemaphorePermit;

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
    pub(super) fn address(&self) -> Option<IpAddr> {
        match self {
            Self::Local => None,
            Self::Tcp(address) => Some(address.ip()),
        }
    }
}

impl App {
    pub(super) fn new(hub: Hub, gate: Gate, options: Options, stopping: watch::Receiver<bool>) -> Self {
        let (asks, failures) = (Rates::new(ASKS), Rates::new(FAILURES));
        let (counters, written, space) = (Counters::default(), Written::default(), Arc::default());
        let audience = Arc::default();
        let (scripts, claims) = (Scripts::default(), Claims::default());
        Self { hub, gate, counters, written, audience, asks, failures, space, options, scripts, claims, stopping }
    }

    /// The same with those whom a configuration says are told of new requests.
    pub(super) fn telling(self, config: &Config) -> Self {
        Self { audience: Arc::new(Audience::of(config)), ..self }
    }

    /// Whether the server is about to stop.
    pub(super) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Completes when the server is about to stop.
    pub(super) async fn stopped(&self) {
        let mut stopping = self.stopping.clone();
        // A server that is gone has stopped, too.
        let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
    }

    /// A request that the caller may see; for all others it is not there.
    pub(super) async fn visible(&self, caller: &Caller, id: &str) -> Result<Arc<Record>, Fault> {
        let unknown = || {
            let id = askback_core::show::quote(id);
            Fault::new(Kind::NoSuchRequest, format!("there is no request {id} that this token may see"))
        };
        let id = RequestId::parse(id).map_err(|_| unknown())?;
        let record = self.hub.record(&id).await.map_err(|error| match Fault::from(error) {
            fault if fault.kind == Kind::NoSuchRequest => unknown(),
            fault => fault,
        })?;
        if caller.sees(&record) { Ok(record) } else { Err(unknown()) }
    }
}

/// An answer in JSON.
pub(super) fn json(status: StatusCode, json: &Json) -> Response {
    typed(status, "application/json", json.to_string())
}

pub(super) fn ok(body: &Json) -> Response {
    json(StatusCode::OK, body)
}

pub(super) fn typed(status: StatusCode, kind: &'static str, text: String) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = typed(status, "application/problem+json", self.to_json().to_string());
        let headers = response.headers_mut();
        match self.kind {
            Kind::Unauthenticated => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Kind::TooMany | Kind::Stopping | Kind::StoreFailed => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
            }
            _ => {}
        }
        response
    }
}
