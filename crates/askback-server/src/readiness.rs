//! Whether the hub is ready for work: its store takes writes.

use crate::limits::{READY_FOR, READY_TIMEOUT};
use crate::recent_result::RecentResult;
use askback_hub::Hub;
use tokio::time::timeout;

/// The last check of the store.
#[derive(Debug)]
pub(crate) struct Readiness(RecentResult<()>);

impl Default for Readiness {
    fn default() -> Self {
        Self(RecentResult::new(READY_FOR))
    }
}

impl Readiness {
    /// Checks that the store takes writes; otherwise the reason why it does not.
    pub(crate) async fn check(&self, hub: &Hub) -> Result<(), String> {
        match timeout(READY_TIMEOUT, self.0.get(hub.check_writable())).await {
            Ok(checked) => checked.map_err(|error| error.to_string()),
            Err(_) => Err(format!("the store has not answered within {} seconds", READY_TIMEOUT.as_secs())),
        }
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
