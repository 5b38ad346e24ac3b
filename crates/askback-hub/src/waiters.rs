//! Those who wait, by what they wait for. A request has one slot however many wait for it.

use crate::error::{HubError, StoreError};
use crate::mutex::Mutex;
use askback_core::{Outcome, RequestId};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use tokio::sync::SetOnce;
use uuid::Uuid;

#[derive(Debug)]
pub(crate) struct Waiters {
    slots: Mutex<Slots>,
    limit: usize,
}

#[derive(Debug, Default)]
struct Slots {
    by_id: HashMap<u128, Waited>,
    waiting: usize,
    is_closed: bool,
}

#[derive(Debug, Default)]
struct Waited {
    slot: Arc<Slot>,
    by: usize,
}

/// The end of a wait.
type Slot = SetOnce<WaitEnd>;

#[derive(Debug, Clone)]
enum WaitEnd {
    Outcome(Arc<Outcome>),
    /// The log has an event of the request that can't be read.
    Unreadable,
    /// The hub was closed.
    Closed,
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
        let mut slots = self.slots.lock();
        if slots.is_closed {
            return Err(StoreError::Closed.into());
        }
        if slots.waiting >= self.limit {
            let advice = "come back with the id later";
            return Err(HubError::Limit { what: "too many are waiting", limit: self.limit, advice });
        }
        slots.waiting += 1;
        let waited = slots.by_id.entry(id).or_default();
        waited.by += 1;
        let slot = Arc::clone(&waited.slot);
        Ok(Waiter { waiters: self, id, slot })
    }

    pub(crate) fn wake(&self, outcome: &Arc<Outcome>) {
        // Whoever comes now finds the outcome in the store.
        let waited = self.slots.lock().by_id.remove(&key(outcome.id()));
        if let Some(waited) = waited {
            let _ = waited.slot.set(WaitEnd::Outcome(Arc::clone(outcome)));
        }
    }

    /// Wakes the waiters of a request of which an event can't be read.
    pub(crate) fn fail(&self, id: &RequestId) {
        let waited = self.slots.lock().by_id.remove(&key(id));
        if let Some(waited) = waited {
            let _ = waited.slot.set(WaitEnd::Unreadable);
        }
    }

    /// Wakes everyone, and lets nobody wait any more.
    pub(crate) fn close(&self) {
        let mut slots = self.slots.lock();
        slots.is_closed = true;
        slots.by_id.drain().for_each(|(_, waited)| drop(waited.slot.set(WaitEnd::Closed)));
    }

    pub(crate) fn ids(&self) -> Vec<RequestId> {
        let slots = self.slots.lock();
        slots.by_id.keys().filter_map(|id| RequestId::parse(&Uuid::from_u128(*id).to_string()).ok()).collect()
    }

    pub(crate) fn is_waited_for(&self, id: &RequestId) -> bool {
        self.slots.lock().by_id.contains_key(&key(id))
    }
}

impl Waiter<'_> {
    pub(crate) async fn outcome(&self) -> Result<Arc<Outcome>, HubError> {
        match self.slot.wait().await {
            WaitEnd::Outcome(outcome) => Ok(Arc::clone(outcome)),
            WaitEnd::Unreadable => {
                let why = "an event of the request that another version of askback wrote".to_owned();
                Err(StoreError::Unreadable(why).into())
            }
            WaitEnd::Closed => Err(StoreError::Closed.into()),
        }
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let mut slots = self.waiters.slots.lock();
        slots.waiting -= 1;
        // Woken, it is no longer there, and another may be.
        if let Entry::Occupied(mut waited) = slots.by_id.entry(self.id)
            && Arc::ptr_eq(&waited.get().slot, &self.slot)
        {
            waited.get_mut().by -= 1;
            if waited.get().by == 0 {
                waited.remove();
            }
        }
    }
}

/// Sixteen bytes instead of a text, since there are many.
fn key(id: &RequestId) -> u128 {
    // An id is a UUID, so that this never fails.
    Uuid::parse_str(id.as_str()).map_or(0, |id| id.as_u128())
}

#[cfg(test)]
mod tests {
    use super::Waiters;
    use crate::testing::id;
    use std::sync::Arc;

    // L9
    #[test]
    fn two_that_leave_at_once_leave_nothing_behind() {
        let waiters = Arc::new(Waiters::new(10));
        let pairs = 20_000;
        let both = std::sync::Barrier::new(2);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for pair in 0..pairs {
                        let waiter = waiters.register(&id(pair)).unwrap();
                        both.wait();
                        drop(waiter);
                    }
                });
            }
        });
        let left = (0..pairs).filter(|pair| waiters.is_waited_for(&id(*pair))).count();
        assert_eq!(left, 0);
    }
}
