//! Whether the hub is ready for work: its store takes writes.

use crate::limits::{READY_FOR, READY_TIMEOUT};
use askback_hub::Hub;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

/// The result of the last check of the store. It is used for a while, so that callers can't make the hub write more often.
#[derive(Debug, Default)]
pub(crate) struct Readiness(Mutex<Option<(Instant, Result<(), String>)>>);

impl Readiness {
    /// Checks that the store takes writes; otherwise the reason why it does not.
    pub(crate) async fn check(&self, hub: &Hub) -> Result<(), String> {
        let silent = |_| Err(format!("the store has not answered within {} seconds", READY_TIMEOUT.as_secs()));
        timeout(READY_TIMEOUT, self.checked(hub)).await.unwrap_or_else(silent)
    }

    async fn checked(&self, hub: &Hub) -> Result<(), String> {
        let mut last = self.0.lock().await;
        if let Some((at, checked)) = &*last
            && at.elapsed() < READY_FOR
        {
            return checked.clone();
        }
        let checked = hub.check_writable().await.map_err(|error| error.to_string());
        *last = Some((Instant::now(), checked.clone()));
        checked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_hub::HubOptions;

    // S3
    #[tokio::test(start_paused = true)]
    async fn result_of_a_check_is_used_for_a_while() {
        let hub = Hub::in_memory(HubOptions::default()).await.unwrap();
        let readiness = Readiness::default();
        readiness.check(&hub).await.unwrap();
        hub.close().await.unwrap();
        readiness.check(&hub).await.unwrap();
        tokio::time::advance(READY_FOR).await;
        readiness.check(&hub).await.unwrap_err();
    }
}
