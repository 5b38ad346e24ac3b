//! The last result of a call to the store. It is used for a while, so that callers can't make the hub call the store more often.

use askback_hub::HubError;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// The result of a call, and when it was made.
#[derive(Debug)]
pub(crate) struct RecentResult<T> {
    used_for: Duration,
    last: Mutex<Option<(Instant, Result<T, HubError>)>>,
}

impl<T: Clone> RecentResult<T> {
    pub(crate) fn new(used_for: Duration) -> Self {
        Self { used_for, last: Mutex::default() }
    }

    /// The last result, or that of this call if the last one is too old. Callers at the same time share one call.
    pub(crate) async fn get(&self, call: impl Future<Output = Result<T, HubError>>) -> Result<T, HubError> {
        let mut last = self.last.lock().await;
        if let Some((at, result)) = &*last
            && at.elapsed() < self.used_for
        {
            return result.clone();
        }
        let result = call.await;
        *last = Some((Instant::now(), result.clone()));
        result
    }
}
