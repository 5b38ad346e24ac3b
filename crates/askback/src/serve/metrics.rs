//! What the server counts, as Prometheus reads it. Numbers alone: no names of rooms or people.

use super::app::{App, typed};
use crate::fault::Fault;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What was counted since the start.
#[derive(Default)]
pub(super) struct Counters {
    /// Responses by the first digit of their status.
    responses: [AtomicU64; 6],
    pub(super) waiting: Gauge,
    pub(super) following: Gauge,
    pub(super) syncing: Gauge,
    pub(super) connections: Gauge,
}

/// How many there are now.
#[derive(Default)]
pub(super) struct Gauge(AtomicU64);

impl Gauge {
    /// One more, until what comes back is dropped.
    pub(super) fn enter(&self) -> Entered<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Entered(self)
    }

    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

pub(super) struct Entered<'a>(&'a Gauge);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Counters {
    pub(super) fn count(&self, status: StatusCode) {
        self.responses[usize::from(status.as_u16() / 100).min(5)].fetch_add(1, Ordering::Relaxed);
    }
}

pub(super) async fn metrics(State(app): State<Arc<App>>) -> Result<Response, Fault> {
    let counters = &app.counters;
    let waiting = app.hub.waiting_deliveries().await?;
    let mut text = String::new();
    let mut put = |name: &str, kind: &str, help: &str, value: u64| {
        let _ = writeln!(text, "# HELP askback_{name} {help}\n# TYPE askback_{name} {kind}\naskback_{name} {value}");
    };
    put("requests_pending", "gauge", "Requests that wait for an answer.", app.hub.pending() as u64);
    put("events_total", "counter", "Changes in the log.", app.hub.last_event());
    put("waiting_calls", "gauge", "Calls that wait for an outcome.", counters.waiting.get());
    put("event_streams", "gauge", "Streams of events.", counters.following.get());
    put("room_connections", "gauge", "Connections in rooms.", counters.syncing.get());
    put("webhooks_waiting", "gauge", "Events that wait to be delivered to webhooks.", waiting);
    put("connections", "gauge", "Open connections.", counters.connections.get());
    let _ =
        writeln!(text, "# HELP askback_responses_total Responses by class.\n# TYPE askback_responses_total counter");
    for (class, count) in counters.responses.iter().enumerate().skip(2) {
        let count = count.load(Ordering::Relaxed);
        let _ = writeln!(text, "askback_responses_total{{class=\"{class}xx\"}} {count}");
    }
    Ok(typed(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", text))
}
