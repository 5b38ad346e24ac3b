//! What was acknowledged: clients that say aloud what a hub tells them, the ledger of what they said, and the check
//! that all of it is true afterwards. The tests that kill a hub and the campaign that cuts its power share it.

use askback_hub::{Hub, HubError, HubOptions, StoreError};
use std::error::Error;
use std::path::Path;
use std::time::Duration;
use tokio::time::{Instant, sleep};

pub(crate) mod check;
pub(crate) mod clients;
pub(crate) mod exchange;
pub(crate) mod ledger;

/// Whatever kept this from being found out.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// Opens a hub. The lock of one that was just closed may live a moment longer, in a process that was being started.
pub(crate) async fn open(path: &Path) -> Result<Hub, HubError> {
    const PATIENCE: Duration = Duration::from_secs(10);
    let start = Instant::now();
    loop {
        match askback_sqlite::open_hub(path, HubOptions::default()).await {
            Err(HubError::Store(StoreError::InUse { .. })) if start.elapsed() < PATIENCE => {
                sleep(Duration::from_millis(5)).await;
            }
            opened => return opened,
        }
    }
}
