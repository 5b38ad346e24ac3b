//! Requests that were asked a moment ago and whose end the log has not told yet, for whoever waits for them or answers
//! them: those need not be read again.

use crate::limits::{RECENT_REQUEST_BYTES, RECENT_REQUESTS};
use crate::mutex::Mutex;
use crate::record::Record;
use askback_core::RequestId;
use lru::LruCache;
use std::num::NonZero;
use std::sync::Arc;

#[derive(Debug)]
pub(crate) struct Recent(Mutex<Kept>);

#[derive(Debug)]
struct Kept {
    records: LruCache<RequestId, Arc<Record>>,
    /// The last event that the follower has told or is telling.
    told: u64,
}

impl Recent {
    /// Nothing is kept, and everything up to this event was told.
    pub(crate) fn after(told: u64) -> Self {
        let most = NonZero::new(RECENT_REQUESTS).unwrap_or(NonZero::<usize>::MIN);
        Self(Mutex::new(Kept { records: LruCache::new(most), told }))
    }

    /// The follower is about to tell events up to this number.
    pub(crate) fn telling(&self, number: u64) {
        let mut kept = self.0.lock();
        kept.told = kept.told.max(number);
    }

    /// Keeps a request whose creation the follower tells.
    pub(crate) fn keep(&self, record: &Arc<Record>) {
        self.0.lock().keep(record);
    }

    /// Keeps a request that was just acknowledged, if its end is sure to be told later.
    pub(crate) fn keep_new(&self, record: &Arc<Record>) {
        let mut kept = self.0.lock();
        if record.number > kept.told {
            kept.keep(record);
        }
    }

    /// A request whose end was not told yet; it may have ended in the store.
    pub(crate) fn get(&self, id: &RequestId) -> Option<Arc<Record>> {
        self.0.lock().records.get(id).map(Arc::clone)
    }

    pub(crate) fn forget(&self, id: &RequestId) {
        self.0.lock().records.pop(id);
    }
}

impl Kept {
    fn keep(&mut self, record: &Arc<Record>) {
        if record.size <= RECENT_REQUEST_BYTES {
            self.records.put(record.id.clone(), Arc::clone(record));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Recent;
    use crate::record::Record;
    use crate::testing::{id, moment, name, question, room};
    use std::sync::Arc;

    fn record(number: u64) -> Arc<Record> {
        Arc::new(Record {
            number,
            id: id(number),
            room: room("shop"),
            asker: name("ada"),
            request: Arc::new(question("?")),
            created_at: moment(0),
            deadline: None,
            waited_at: moment(0),
            outcome: None,
            size: 10,
        })
    }

    // L3: were it kept, a waiter would take it for pending and never be woken.
    #[test]
    fn what_may_have_been_told_to_have_ended_is_not_kept() {
        let recent = Recent::after(4);
        recent.keep_new(&record(5));
        assert!(recent.get(&id(5)).is_some());
        recent.telling(7);
        recent.forget(&id(5));
        recent.keep_new(&record(5));
        recent.keep_new(&record(7));
        assert!(recent.get(&id(5)).is_none() && recent.get(&id(7)).is_none());
        recent.keep_new(&record(8));
        assert!(recent.get(&id(8)).is_some());
    }
}
