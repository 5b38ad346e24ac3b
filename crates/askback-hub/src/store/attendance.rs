//! When askers were last seen waiting.

use super::StoreFuture;
use crate::query::Unattended;
use crate::room::Room;
use askback_core::RequestId;
use jiff::Timestamp;

/// Persists when askers were last seen waiting for their requests (L9).
pub trait AttendanceStore: Send + Sync {
    /// Records when askers were last seen waiting. A time before the recorded one, and a request that has ended, change nothing.
    fn mark_seen(&self, seen: Vec<(RequestId, Timestamp)>) -> StoreFuture<'_, ()>;

    /// Among the newest `among` pending requests, those whose asker has not been seen waiting since `since`, the newest first.
    fn unattended(&self, room: Option<Room>, since: Timestamp, among: usize) -> StoreFuture<'_, Vec<Unattended>>;
}
