//! Those who wait, by what they wait for. A request has one slot however many wait for it.

use crate::error::{HubError, StoreError};
use crate::mutex::Mutex;
use crate::request_key::{request_id, request_key};
use crate::set_changes::SetChanges;
use askback_core::{Outcome, RequestId};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use tokio::sync::{Notify, SetOnce};

#[derive(Debug)]
pub(crate) struct Waiters {
    slots: Mutex<Slots>,
    limit: usize,
    /// Notified when the set of requests that are waited for has changed.
    changed: Arc<Notify>,
}

#[derive(Debug, Default)]
struct Slots {
    by_id: HashMap<u128, Waited>,
    changes: SetChanges<u128>,
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
    pub(crate) fn new(limit: usize, changed: Arc<Notify>) -> Self {
        Self { slots: Mutex::default(), limit, changed }
    }

    pub(crate) fn register(&self, id: &RequestId) -> Result<Waiter<'_>, HubError> {
        let id = request_key(id);
        let slots = &mut *self.slots.lock();
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
        let (slot, is_first) = (Arc::clone(&waited.slot), waited.by == 1);
        if is_first {
            slots.changes.add(id);
            self.changed.notify_one();
        }
        Ok(Waiter { waiters: self, id, slot })
    }

    pub(crate) fn wake(&self, outcome: &Arc<Outcome>) {
        // Whoever comes now finds the outcome in the store.
        let waited = self.remove(outcome.id());
        if let Some(waited) = waited {
            let _ = waited.slot.set(WaitEnd::Outcome(Arc::clone(outcome)));
        }
    }

    /// Wakes the waiters of a request of which an event can't be read.
    pub(crate) fn fail(&self, id: &RequestId) {
        let waited = self.remove(id);
        if let Some(waited) = waited {
            let _ = waited.slot.set(WaitEnd::Unreadable);
        }
    }

    fn remove(&self, id: &RequestId) -> Option<Waited> {
        let key = request_key(id);
        let mut slots = self.slots.lock();
        let waited = slots.by_id.remove(&key)?;
        slots.changes.remove(key);
        self.changed.notify_one();
        Some(waited)
    }

    /// Wakes everyone, and lets nobody wait any more.
    pub(crate) fn close(&self) {
        let slots = &mut *self.slots.lock();
        slots.is_closed = true;
        slots.by_id.drain().for_each(|(_, waited)| drop(waited.slot.set(WaitEnd::Closed)));
    }

    pub(crate) fn ids(&self) -> Vec<RequestId> {
        self.slots.lock().by_id.keys().filter_map(|key| request_id(*key)).collect()
    }

    /// All requests that are waited for. Later changes count from here.
    pub(crate) fn take_all(&self) -> SetChanges<u128> {
        let mut slots = self.slots.lock();
        slots.changes = SetChanges::default();
        SetChanges { added: slots.by_id.keys().copied().collect(), ..SetChanges::default() }
    }

    /// The changes of the requests that are waited for, since they were last taken.
    pub(crate) fn take_changes(&self) -> SetChanges<u128> {
        std::mem::take(&mut self.slots.lock().changes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.slots.lock().by_id.is_empty()
    }

    pub(crate) fn is_waited_for(&self, id: &RequestId) -> bool {
        self.slots.lock().by_id.contains_key(&request_key(id))
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
        let slots = &mut *self.waiters.slots.lock();
        slots.waiting -= 1;
        // Woken, it is no longer there, and another may be.
        if let Entry::Occupied(mut waited) = slots.by_id.entry(self.id)
            && Arc::ptr_eq(&waited.get().slot, &self.slot)
        {
            waited.get_mut().by -= 1;
            if waited.get().by == 0 {
                waited.remove();
                slots.changes.remove(self.id);
                self.waiters.changed.notify_one();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Waiters;
    use crate::testing::id;
    use std::sync::Arc;

    // L9
    #[test]
    fn two_that_leave_at_once_leave_nothing_behind() {
        let waiters = Arc::new(Waiters::new(10, Arc::default()));
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
