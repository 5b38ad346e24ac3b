//! Ids that something happened to. There may be very many in the life of a hub, so that at some point all are forgotten together: whoever
//! remembers must be right without it, only less quick.

use super::limits::IDS_REMEMBERED;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Clones remember the same.
#[derive(Clone, Default)]
pub(super) struct Remembered(Arc<Mutex<HashSet<String>>>);

impl Remembered {
    pub(super) fn keep(&self, id: &str) {
        let mut known = self.lock();
        if known.len() >= IDS_REMEMBERED {
            known.clear();
        }
        known.insert(id.to_owned());
    }

    pub(super) fn has(&self, id: &str) -> bool {
        self.lock().contains(id)
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
