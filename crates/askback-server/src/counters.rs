//! What the server counts.

use axum::http::StatusCode;
use std::sync::atomic::{AtomicU64, Ordering};

/// What was counted since the start.
#[derive(Default)]
pub(crate) struct Counters {
    /// Responses by the first digit of their status.
    responses: [AtomicU64; 6],
    pub(crate) following: Gauge,
    pub(crate) syncing: Gauge,
    pub(crate) connections: Gauge,
}

/// How many there are now.
#[derive(Default)]
pub(crate) struct Gauge(AtomicU64);

impl Gauge {
    /// One more, until what comes back is dropped.
    pub(crate) fn enter(&self) -> Entered<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Entered(self)
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

pub(crate) struct Entered<'a>(&'a Gauge);

impl Drop for Entered<'_> {
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
