//! Requests that were asked a moment ago and whose end the log has not told yet, for whoever waits for them or answers
//! them: those need not be read again. Only the follower changes what is kept, in the order of the log.

use crate::limits::{RECENT_REQUEST_BYTES, RECENT_REQUESTS};
use crate::record::Record;
use askback_core::RequestId;
use lru::LruCache;
use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub(crate) struct Recent(Mutex<LruCache<RequestId, Arc<Record>>>);

impl Recent {
    pub(crate) fn new() -> Self {
        let most = NonZero::new(RECENT_REQUESTS).unwrap_or(NonZero::<usize>::MIN);
        Self(Mutex::new(LruCache::new(most)))
    }

    pub(crate) fn keep(&self, record: &Arc<Record>) {
        if record.size <= RECENT_REQUEST_BYTES {
            self.lock().put(record.id.clone(), Arc::clone(record));
        }
    }

    /// A request whose end was not told yet; it may have ended in the store.
    pub(crate) fn get(&self, id: &RequestId) -> Option<Arc<Record>> {
        self.lock().get(id).map(Arc::clone)
    }

    pub(crate) fn forget(&self, id: &RequestId) {
        self.lock().pop(id);
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<RequestId, Arc<Record>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
