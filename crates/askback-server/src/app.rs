//! The state that the ports share, and their responses.

use crate::counters::Counters;
use crate::encoded_events::EncodedEvents;
use crate::fault::Fault;
use crate::gate::Gate;
use crate::limits::{IN_FLIGHT, METRICS_FOR};
use crate::pool::{Holder, Pool, PoolError, PoolLease};
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
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedSemaphorePermit;

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
    /// The directory in which sessions of MCP clients survive a restart.
    pub(crate) mcp_sessions: Option<PathBuf>,
}

/// The state of the server, as handlers extract it.
pub(crate) type Shared = State<Arc<App>>;

/// The result of a handler.
pub(crate) type HandlerResult = Result<Response, Fault>;

/// A slot for a connection, held for as long as the connection is open.
pub(crate) struct ConnectionSlot {
    pool: Pool,
    /// The share of the token that was shown last.
    lease: Mutex<Option<PoolLease>>,
    _permit: OwnedSemaphorePermit,
}

impl ConnectionSlot {
    pub(crate) fn new(permit: OwnedSemaphorePermit, pool: Pool) -> Self {
        Self { pool, lease: Mutex::default(), _permit: permit }
    }

    /// Counts the connection as one of this holder's.
    pub(crate) fn hold(&self, holder: Holder) -> Result<(), PoolError> {
        let mut lease = self.lease.lock().unwrap_or_else(PoisonError::into_inner);
        if lease.as_ref().is_none_or(|lease| lease.token() != holder.token) {
            let mut new = self.pool.lease(holder);
            new.grow_to(1)?;
            *lease = Some(new);
        }
        Ok(())
    }
}

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
        let (counters, encoded, in_flight) = (Counters::default(), EncodedEvents::default(), Pool::new(IN_FLIGHT));
        let (readiness, waiting_deliveries) = (Readiness::default(), RecentResult::new(METRICS_FOR));
        Self { service, gate, counters, encoded, readiness, waiting_deliveries, in_flight, mcp_sessions }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::CONNECTIONS;
    use tokio::sync::Semaphore;

    // S3, S8
    #[tokio::test]
    async fn connection_counts_for_the_token_that_it_has_shown_last() {
        // Of ten connections, a token may have five and all askers eight.
        let pool = Pool::new(CONNECTIONS.of_total(10));
        let free = Arc::new(Semaphore::new(20));
        let open = || ConnectionSlot::new(Arc::clone(&free).try_acquire_owned().unwrap(), pool.clone());
        let asker = |token| Holder { token, is_person: false };
        let held = |holder| {
            let slot = open();
            slot.hold(holder).map(|()| slot)
        };
        let mut slots: Vec<ConnectionSlot> = (0..5).map(|_| held(asker(1)).unwrap()).collect();
        assert!(held(asker(1)).is_err(), "it has its share");
        slots[0].hold(asker(1)).unwrap();
        slots.extend((0..3).map(|_| held(asker(2)).unwrap()));
        assert!(held(asker(3)).is_err(), "askers leave some to people");
        slots.extend((0..2).map(|_| held(Holder { token: 4, is_person: true }).unwrap()));
        // A proxy sends calls of several tokens over one connection.
        slots[0].hold(asker(2)).unwrap_err();
        slots.pop();
        slots[0].hold(Holder { token: 5, is_person: true }).unwrap();
        let freed = held(asker(2));
        assert!(freed.is_ok(), "what the connection counted for before is free again");
        drop(freed);
        drop(slots);
        assert_eq!(pool.used(), 0);
    }
}
