//! The use cases, as the ports call them.

use super::audience::Audience;
use super::{Caller, Service};
use crate::fault::Fault;
use askback_api::ProblemCode;
use askback_core::Role;
use askback_hub::{Clock, Hub, HubOptions, NewToken, Purpose, Record, Timestamp};
use askback_testkit::sample::{moment, name, request, room};
use std::sync::Arc;
use tokio::sync::watch;
use tokio::time::Instant;

mod ending;
mod reading;
mod rights;

const CONFIRM: &str = r#"{"type": "confirm", "message": "Deploy?"}"#;

/// A clock that follows tokio's, which tests can pause.
struct TokioClock(Instant);

impl Clock for TokioClock {
    fn now(&self) -> Timestamp {
        moment(0).checked_add(self.0.elapsed()).unwrap()
    }
}

/// A service over a hub in memory.
struct TestService {
    service: Service,
    /// The server stops when this is dropped.
    _stopping: watch::Sender<bool>,
}

impl TestService {
    /// A service that accepts the dialogs of these MCP clients.
    async fn new(dialogs: &[&str]) -> Self {
        let clock = Arc::new(TokioClock(Instant::now()));
        let hub = Hub::in_memory(HubOptions { clock, ..HubOptions::default() }).await.unwrap();
        let (stopping, is_stopping) = watch::channel(false);
        let dialogs = dialogs.iter().map(|dialog| (*dialog).to_owned()).collect();
        let service = Service::new(hub, "http://127.0.0.1:4770", dialogs, Audience::default(), is_stopping);
        Self { service, _stopping: stopping }
    }

    /// The caller with a new token, bound to a room or not.
    async fn caller(&self, role: Role, holder: &str, bound_to: Option<&str>) -> Caller {
        let (name, room) = (name(holder), bound_to.map(room));
        let new = NewToken { purpose: Purpose::Token, role, name, room, expires_at: None, issued_by: None };
        Caller::program(self.service.hub.issue(new).await.unwrap().0)
    }

    /// A request of this asker in this room.
    async fn asked(&self, asker: &Caller, place: &str, json: &str) -> Arc<Record> {
        Arc::clone(self.service.hub.ask(asker.ask(Arc::new(request(json)), room(place))).await.unwrap().record())
    }
}

fn code<T>(result: Result<T, Fault>) -> Option<ProblemCode> {
    result.err().map(|fault| fault.code)
}
