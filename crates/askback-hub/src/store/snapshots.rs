//! Snapshots of rooms' documents.

use super::StoreFuture;
use crate::room::Scope;

/// Persists the documents of rooms. They follow from the log; a snapshot saves reading all of it.
pub trait SnapshotStore: Send + Sync {
    /// Replaces the snapshot of a room, unless the stored one shows later events.
    fn put_snapshot(&self, scope: Scope, snapshot: StoredSnapshot) -> StoreFuture<'_, ()>;

    /// The newest snapshot of a room.
    fn snapshot(&self, scope: Scope) -> StoreFuture<'_, Option<StoredSnapshot>>;
}

/// A room's document as of some event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSnapshot {
    /// The number of the last event that it shows.
    pub through: u64,
    /// The document.
    pub document: Vec<u8>,
}
