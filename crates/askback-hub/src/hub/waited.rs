//! When askers were last seen waiting (L9): remembered at once, and written down from time to time.

use super::Shared;
use crate::error::HubError;
use crate::limits::{WAITED_FLUSH, WAITED_MARKS, WAITED_MARKS_MOST};
use crate::mutex::Mutex;
use crate::store::Store;
use askback_core::RequestId;
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

#[derive(Debug, Default)]
pub(crate) struct Marks {
    seen: Mutex<HashMap<RequestId, Timestamp>>,
    some: Notify,
    many: Notify,
}

impl Marks {
    /// An asker was waiting until now.
    pub(crate) fn mark(&self, id: &RequestId, now: Timestamp) {
        let mut seen = self.seen.lock();
        // The store is slow; who has been waiting is not worth more memory.
        if seen.len() >= WAITED_MARKS_MOST && !seen.contains_key(id) {
            return;
        }
        seen.insert(id.clone(), now);
        let marks = seen.len();
        drop(seen);
        self.some.notify_one();
        if marks >= WAITED_MARKS {
            self.many.notify_one();
        }
    }

    /// When an asker was seen, if that is not written down yet.
    pub(crate) fn get(&self, id: &RequestId) -> Option<Timestamp> {
        self.seen.lock().get(id).copied()
    }

    /// It has ended, so that nobody asks any more.
    pub(crate) fn forget(&self, id: &RequestId) {
        self.seen.lock().remove(id);
    }

    pub(crate) async fn flush(&self, store: &dyn Store) -> Result<(), HubError> {
        let seen: Vec<(RequestId, Timestamp)> = self.seen.lock().iter().map(|(id, at)| (id.clone(), *at)).collect();
        if seen.is_empty() {
            return Ok(());
        }
        store.mark_seen(seen.clone()).await?;
        let mut marks = self.seen.lock();
        for (id, at) in seen {
            // One that was seen again meanwhile stays.
            if marks.get(&id) == Some(&at) {
                marks.remove(&id);
            }
        }
        Ok(())
    }
}

/// Writes the marks down for as long as it is let.
pub(crate) async fn write_down(shared: Arc<Shared>) {
    loop {
        shared.waited.some.notified().await;
        let _ = timeout(WAITED_FLUSH, shared.waited.many.notified()).await;
        while let Err(error) = shared.waited.flush(&*shared.store).await {
            tracing::warn!(%error, "who has been waiting can't be written down; it is tried again");
            sleep(WAITED_FLUSH).await;
        }
    }
}
