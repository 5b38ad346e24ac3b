//! The traits of a store, one for each noun. A store persists; what that means for askers and answerers is decided in the hub,
//! so that stores can't differ in it.

use crate::error::StoreError;
use askback_core::{BoxFuture, Name};

mod attendance;
pub mod memory;
mod node;
mod outbox;
mod presence;
mod requests;
mod snapshots;
mod tokens;

pub use attendance::AttendanceStore;
pub use node::NodeId;
pub use outbox::{HookLease, OutboxStore, Refill, Refilled, StoredDispatch, WantedLeases};
pub(crate) use presence::sees;
pub use presence::{Observer, PresenceChange, PresenceRenewal, PresenceStore, PresenceTable};
pub use requests::{
    AttemptId, Created, Delivery, LogEntry, NewOutcome, NewRequest, RequestStore, Resolved, Sameness, UnreadableEvent,
};
pub use snapshots::{SnapshotStore, StoredSnapshot};
pub use tokens::{AskerRename, StoredToken, StoredTokens, TokenStore};

/// A call of a store. `Ok` of a write means that it survives a crash and a power cut.
///
/// Once called, a write happens or fails as a whole, even if its future is dropped.
pub type StoreFuture<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// A store for everything that a hub persists.
pub trait Store: RequestStore + TokenStore + OutboxStore + AttendanceStore + PresenceStore + SnapshotStore {
    /// Reads everything that a hub starts with, in one consistent read.
    fn open(&self) -> StoreFuture<'_, Opening>;

    /// Checks that a write would be persisted now, by a small one. A store whose larger writes may fail where a small one does not
    /// overrides this.
    fn check_writable(&self) -> StoreFuture<'_, ()> {
        self.mark_seen(Vec::new())
    }

    /// Finishes the writes under way, and refuses further calls. A process that opens the same store afterwards is the only one.
    fn close(&self) -> StoreFuture<'_, ()>;
}

/// The state that a hub starts with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The number of the last event, 0 if there is none.
    pub last_event: u64,
    /// The number of pending requests of each asker.
    pub pending: Vec<(Name, u64)>,
    /// The tokens.
    pub tokens: StoredTokens,
    /// The identity of the log, which no other log has.
    pub identity: [u8; 16],
}
