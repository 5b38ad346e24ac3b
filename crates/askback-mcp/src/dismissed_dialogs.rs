//! The dialogs that clients have dismissed.

use crate::limits::DIALOGS_REMEMBERED;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// The requests whose dialogs a client has dismissed: they are not shown there again.
#[derive(Clone, Default)]
pub(crate) struct DismissedDialogs(Arc<Mutex<HashSet<String>>>);

impl DismissedDialogs {
    /// Past the limit all are forgotten together; their dialogs may then be shown once more.
    pub(crate) fn insert(&self, id: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= DIALOGS_REMEMBERED {
            known.clear();
        }
        known.insert(id.to_owned());
    }

    pub(crate) fn contains(&self, id: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(id)
    }
}
