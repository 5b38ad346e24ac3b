//! Ends requests whose time is up (L4).

use super::Shared;
use crate::error::HubError;
use crate::limits::{DEADLINE_CHECK, EXPIRED_AT_ONCE, LOOK_AGAIN};
use crate::mutex::Mutex;
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// What the watch over deadlines waits for.
#[derive(Debug)]
pub(crate) struct Deadlines {
    /// It looks again by then anyhow.
    next: Mutex<Timestamp>,
    pub(crate) nearer: Notify,
}

impl Deadlines {
    pub(crate) fn new() -> Self {
        Self { next: Mutex::new(Timestamp::MAX), nearer: Notify::new() }
    }

    /// A request has this deadline, which may be nearer than the others.
    pub(crate) fn set(&self, deadline: Timestamp) {
        let mut next = self.next.lock();
        if deadline < *next {
            *next = deadline;
            self.nearer.notify_one();
        }
    }

    /// Nothing is known: whatever is set from here on is told.
    fn forget(&self) {
        *self.next.lock() = Timestamp::MAX;
    }

    /// It looks by then, or by what was set meanwhile.
    fn look_by(&self, deadline: Timestamp) {
        let mut next = self.next.lock();
        *next = deadline.min(*next);
    }
}

/// Watches over deadlines for as long as it is let. Those that passed while no hub was running come first.
pub(crate) async fn watch(shared: Arc<Shared>) {
    loop {
        let sleep = match expire(&shared).await {
            Ok(sleep) => sleep,
            Err(error) => {
                tracing::warn!(%error, "deadlines can't be looked at; it is tried again");
                DEADLINE_CHECK
            }
        };
        // Either way it is looked again.
        let _ = timeout(sleep, shared.deadlines.nearer.notified()).await;
    }
}

/// Expires what is due, and says how long there is nothing to do.
async fn expire(shared: &Arc<Shared>) -> Result<Duration, HubError> {
    let now = shared.now();
    shared.deadlines.forget();
    let due = shared.store.due(now, EXPIRED_AT_ONCE).await?;
    if due.is_empty() {
        let Some(next) = shared.store.next_deadline().await? else { return Ok(LOOK_AGAIN) };
        shared.deadlines.look_by(next);
        let until = Duration::try_from(next.duration_since(now)).unwrap_or_default();
        // What is due and can't be read is not looked at all the time.
        return Ok(if until.is_zero() { DEADLINE_CHECK } else { until.min(DEADLINE_CHECK) });
    }
    // All of them at once, so that they share a sync.
    let mut expiring = JoinSet::new();
    for record in due {
        let shared = Arc::clone(shared);
        expiring.spawn(async move { shared.expire(Arc::new(record)).await });
    }
    while let Some(expired) = expiring.join_next().await {
        // Who was faster has ended it, which is as well.
        if let Ok(Err(error @ HubError::Store(_))) = expired {
            return Err(error);
        }
    }
    Ok(Duration::ZERO)
}
