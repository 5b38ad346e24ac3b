//! The memory budget for incomplete messages of clients in rooms, over all connections.

use crate::limits::{SOCKET_READ, UNFINISHED_BYTES};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The unit of the budget, and the size that a connection may use outside of it.
pub(crate) const UNIT: usize = SOCKET_READ;

/// The budget that all connections share.
pub(crate) struct MessageSpace(Arc<Semaphore>);

impl Default for MessageSpace {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(UNFINISHED_BYTES / UNIT)))
    }
}

impl MessageSpace {
    /// Waits for this many units. The semaphore is never closed, so this succeeds in the end.
    pub(crate) async fn take(&self, units: u32) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0).acquire_many_owned(units).await.ok()
    }

    /// The free units.
    #[cfg(test)]
    pub(crate) fn available(&self) -> usize {
        self.0.available_permits()
    }
}
