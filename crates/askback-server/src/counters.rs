//! The counters of the server.

use axum::http::StatusCode;
use std::sync::atomic::{AtomicU64, Ordering};

/// The counters since the start.
#[derive(Default)]
pub(crate) struct Counters {
    /// Responses by the first digit of their status.
    responses: [AtomicU64; 6],
    pub(crate) following: Gauge,
    pub(crate) syncing: Gauge,
    pub(crate) connections: Gauge,
}

/// The current number of something.
#[derive(Default)]
pub(crate) struct Gauge(AtomicU64);

impl Gauge {
    /// Counts one more until the guard is dropped.
    pub(crate) fn enter(&self) -> GaugeGuard<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        GaugeGuard(self)
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

pub(crate) struct GaugeGuard<'a>(&'a Gauge);

impl Drop for GaugeGuard<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Counters {
    /// Responses by the first digit of their status.
    pub(crate) fn responses(&self) -> impl Iterator<Item = u64> {
        self.responses.iter().map(|count| count.load(Ordering::Relaxed))
    }

    pub(crate) fn count(&self, status: StatusCode) {
        self.responses[usize::from(status.as_u16() / 100).min(5)].fetch_add(1, Ordering::Relaxed);
    }
}
