//! Memory for messages of clients in rooms that are not whole yet, over all connections.

use crate::limits::{SOCKET_READ, UNFINISHED_BYTES};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The unit in which memory is counted, and what a connection may have without asking for it.
pub(crate) const UNIT: usize = SOCKET_READ;

/// The memory that all connections share.
pub(crate) struct MessageSpace(Arc<Semaphore>);

impl Default for MessageSpace {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(UNFINISHED_BYTES / UNIT)))
    }
}

impl MessageSpace {
    /// Waits for so many units. It is never closed, so that there are some in the end.
    pub(crate) async fn take(&self, units: u32) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0).acquire_many_owned(units).await.ok()
    }

    /// The units that no connection has.
    #[cfg(test)]
    pub(crate) fn available(&self) -> usize {
        self.0.available_permits()
    }
}
