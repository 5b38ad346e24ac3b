//! Ends requests whose time is up (L4).

use crate::hub::Shared;
use crate::limits::{DEADLINE_CHECK, EXPIRED_AT_ONCE, LOOK_AGAIN};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::timeout;

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
        let _ = timeout(sleep, shared.deadline_set.notified()).await;
    }
}

/// Expires what is due, and says how long there is nothing to do.
async fn expire(shared: &Arc<Shared>) -> Result<Duration, crate::HubError> {
    let due = shared.store.due(EXPIRED_AT_ONCE).await?;
    let now = shared.now();
    let is_due = |deadline: jiff::Timestamp| deadline <= now;
    let (due, later): (Vec<_>, Vec<_>) = due.into_iter().partition(|record| record.deadline.is_some_and(is_due));
    if due.is_empty() {
        let next = later.first().and_then(|record| record.deadline);
        let until = next.map(|deadline| Duration::try_from(deadline.duration_since(now)).unwrap_or_default());
        return Ok(until.map_or(LOOK_AGAIN, |until| until.min(DEADLINE_CHECK)));
    }
    // All of them at once, so that they share a sync.
    let mut expiring = JoinSet::new();
    for record in due {
        let shared = Arc::clone(shared);
        expiring.spawn(async move { shared.expire(Arc::new(record)).await });
    }
    while let Some(expired) = expiring.join_next().await {
        // Who was faster has ended it, which is as well.
        if let Ok(Err(error @ crate::HubError::Store(_))) = expired {
            return Err(error);
        }
    }
    Ok(Duration::ZERO)
}
