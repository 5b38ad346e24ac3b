//! Requests that a session asked and that are pending: the hub hears every few seconds that their asker is still there (L9).

use crate::client::Client;
use askback_api::ApiError;
use askback_core::RequestId;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::time::sleep;

/// The pause between two rounds: a request counts as attended for a minute after each.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// Requests of one session that are kept attended. Past it the oldest are left out.
const MOST: usize = 1_000;

#[derive(Debug, Default)]
pub(crate) struct AttendedRequests {
    pending: Mutex<BTreeSet<RequestId>>,
}

impl AttendedRequests {
    /// Adds a request. Ids begin with their time, so that the first one is the oldest.
    pub(crate) fn add(&self, id: &RequestId) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.insert(id.clone());
        if pending.len() > MOST {
            pending.pop_first();
        }
    }

    pub(crate) fn remove(&self, id: &RequestId) {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    fn ids(&self) -> Vec<RequestId> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// Reads the state of each request from time to time, which counts as a call of its asker. Ends with the last client that adds any.
async fn keep_attended(client: Client, attended: Weak<AttendedRequests>) {
    loop {
        sleep(HEARTBEAT).await;
        let Some(attended) = attended.upgrade() else { return };
        for id in attended.ids() {
            match client.is_pending(&id).await {
                Ok(true) => {}
                Ok(false) | Err(ApiError::Refused(_)) => attended.remove(&id),
                // The hub is away; the next round tries again.
                Err(_) => break,
            }
        }
    }
}

impl Client {
    /// Keeps what this client asks attended for as long as the client lives, also between two calls (L9).
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime.
    #[must_use]
    pub fn keeping_attended(mut self) -> Self {
        let attended = Arc::new(AttendedRequests::default());
        tokio::spawn(keep_attended(self.clone(), Arc::downgrade(&attended)));
        self.attended = Some(attended);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // L9, S3
    #[test]
    fn only_the_newest_requests_of_a_session_are_kept_attended() {
        let attended = AttendedRequests::default();
        let ids: Vec<_> = (0..=MOST).map(|_| crate::asking::new_id()).collect();
        ids.iter().for_each(|id| attended.add(id));
        attended.add(&ids[MOST]);
        assert_eq!(attended.ids().len(), MOST);
        assert!(attended.ids().contains(&ids[MOST]));
        attended.remove(&ids[MOST]);
        assert_eq!(attended.ids().len(), MOST - 1);
    }
}
