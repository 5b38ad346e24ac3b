//! Faults of the store in memory, for tests.

use crate::record::{Event, Record};
use crate::store::{LogEntry, UnreadableEvent};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Faults that tests inject, to show that they notice them.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    /// Whether a request that has ended can end again.
    pub is_careless: bool,
    /// Whether attempt ids are ignored.
    pub ignores_attempts: bool,
    /// The number of writes whose reply is lost after the write was stored.
    pub lost_replies: Arc<AtomicUsize>,
    /// The number of renewals of presence that fail.
    pub failed_renewals: Arc<AtomicUsize>,
    /// A word in requests and outcomes that can't be read, as if another version of askback had written them.
    pub unreadable: Arc<OnceLock<String>>,
}

/// Takes one of a number of faults; false if none is left.
pub(super) fn take_one(left: &AtomicUsize) -> bool {
    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
}

impl Faults {
    pub(super) fn hides(&self, record: &Record) -> bool {
        let outcome = || record.outcome.as_ref().map(|outcome| outcome.to_json(&record.request).to_string());
        let contains = |word: &String| {
            record.request.to_json().to_string().contains(word) || outcome().is_some_and(|text| text.contains(word))
        };
        self.unreadable.get().is_some_and(contains)
    }

    /// The entry of the log for an event.
    pub(super) fn read(&self, event: &Event) -> LogEntry {
        let Event { number, record, .. } = event;
        if !self.hides(record) {
            return LogEntry::Event(event.clone());
        }
        let (id, asker, is_end) = (Some(record.id.clone()), Some(record.asker.clone()), record.outcome.is_some());
        LogEntry::Unreadable(UnreadableEvent { number: *number, id, asker, is_end })
    }
}
