//! Those who wait, by what they wait for. A request has one slot however many wait for it.

use crate::error::{HubError, StoreError};
use askback_core::{Outcome, RequestId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::Notify;
use uuid::Uuid;

#[derive(Debug)]
pub(crate) struct Waiters {
    slots: Mutex<Slots>,
    limit: usize,
}

#[derive(Debug, Default)]
struct Slots {
    by_id: HashMap<u128, Arc<Slot>>,
    waiting: usize,
    is_closed: bool,
}

#[derive(Debug, Default)]
struct Slot {
    /// None if the hub was closed first.
    outcome: OnceLock<Option<Arc<Outcome>>>,
    ended: Notify,
}

/// A place among those who wait. Whatever happens to the request after it was taken wakes it.
#[derive(Debug)]
pub(crate) struct Waiter<'w> {
    waiters: &'w Waiters,
    id: u128,
    slot: Arc<Slot>,
}

impl Waiters {
    pub(crate) fn new(limit: usize) -> Self {
        Self { slots: Mutex::default(), limit }
    }

    pub(crate) fn register(&self, id: &RequestId) -> Result<Waiter<'_>, HubError> {
        let id = key(id);
        let mut slots = self.lock();
        if slots.is_closed {
            return Err(StoreError::Closed.into());
        }
        if slots.waiting >= self.limit {
            let advice = "come back with the id later";
            return Err(HubError::Limit { what: "too many are waiting", limit: self.limit, advice });
        }
        slots.waiting += 1;
        let slot = Arc::clone(slots.by_id.entry(id).or_default());
        Ok(Waiter { waiters: self, id, slot })
    }

    /// Wakes everyone who waits for this request.
    pub(crate) fn wake(&self, outcome: &Arc<Outcome>) {
        // Whoever comes now finds the outcome in the store.
        let slot = self.lock().by_id.remove(&key(outcome.id()));
        if let Some(slot) = slot {
            slot.end(Some(Arc::clone(outcome)));
        }
    }

    /// Wakes everyone, and lets nobody wait any more.
    pub(crate) fn close(&self) {
        let mut slots = self.lock();
        slots.is_closed = true;
        slots.by_id.drain().for_each(|(_, slot)| slot.end(None));
    }

    /// Whether anyone waits for it now.
    pub(crate) fn is_waited_for(&self, id: &RequestId) -> bool {
        self.lock().by_id.contains_key(&key(id))
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slot {
    fn end(&self, outcome: Option<Arc<Outcome>>) {
        let _ = self.outcome.set(outcome);
        self.ended.notify_waiters();
    }
}

impl Waiter<'_> {
    /// The outcome, once there is one.
    pub(crate) async fn outcome(&self) -> Result<Arc<Outcome>, HubError> {
        loop {
            let ended = self.slot.ended.notified();
            // Looked at after listening began, so that nothing falls between the two.
            match self.slot.outcome.get() {
                Some(Some(outcome)) => return Ok(Arc::clone(outcome)),
                Some(None) => return Err(StoreError::Closed.into()),
                None => ended.await,
            }
        }
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let mut slots = self.waiters.lock();
        slots.waiting -= 1;
        let is_ours = slots.by_id.get(&self.id).is_some_and(|slot| Arc::ptr_eq(slot, &self.slot));
        // The map's and our own: nobody else waits, and nobody can begin to while the map is locked.
        if is_ours && Arc::strong_count(&self.slot) == 2 {
            slots.by_id.remove(&self.id);
        }
    }
}

/// Sixteen bytes instead of a text, since there are many.
fn key(id: &RequestId) -> u128 {
    // An id is a UUID, so that this never fails.
    Uuid::parse_str(id.as_str()).map_or(0, |id| id.as_u128())
}
