//! The dialogs that clients have dismissed.

use crate::limits::DIALOGS_REMEMBERED;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Dialogs that a client has dismissed: nobody is there, or nobody wants to be asked there.
#[derive(Clone, Default)]
pub(crate) struct DismissedDialogs(Arc<Mutex<HashSet<String>>>);

impl DismissedDialogs {
    /// Past the limit all are forgotten together: one is then shown once more, and no harm done.
    pub(crate) fn keep(&self, id: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= DIALOGS_REMEMBERED {
            known.clear();
        }
        known.insert(id.to_owned());
    }

    pub(crate) fn has(&self, id: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(id)
    }
}
