//! The log as the hub has seen it: the newest events in memory, for those who follow them.

use crate::error::HubError;
use crate::limits::{PAGE_ITEMS, RECENT_EVENT_BYTES, RECENT_EVENTS};
use crate::query::{AuditQuery, Cursor};
use crate::record::Event;
use crate::store::Store;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// The newest events, without a gap.
#[derive(Debug)]
pub(crate) struct Log {
    recent: Mutex<Recent>,
    last: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Recent {
    events: VecDeque<Event>,
    bytes: usize,
}

impl Log {
    /// Nothing was seen since the event of this number.
    pub(crate) fn after(last: u64) -> Self {
        Self { recent: Mutex::default(), last: watch::Sender::new(last) }
    }

    /// The number of the last event seen.
    pub(crate) fn last(&self) -> u64 {
        *self.last.borrow()
    }

    /// Keeps events that follow on the last one.
    pub(crate) fn append(&self, events: &[Event]) {
        let Some(last) = events.last() else { return };
        let mut recent = self.lock();
        for event in events {
            recent.bytes += event.record.size;
            recent.events.push_back(event.clone());
        }
        while recent.events.len() > RECENT_EVENTS || recent.bytes > RECENT_EVENT_BYTES {
            let Some(oldest) = recent.events.pop_front() else { break };
            recent.bytes -= oldest.record.size;
        }
        drop(recent);
        self.last.send_replace(last.number);
    }

    /// Events after a number, if they are still in memory.
    fn since(&self, after: u64) -> Option<Vec<Event>> {
        let recent = self.lock();
        let first = recent.events.front()?.number;
        let skip = usize::try_from((after + 1).checked_sub(first)?).ok()?;
        Some(recent.events.iter().skip(skip).take(PAGE_ITEMS).cloned().collect())
    }

    fn lock(&self) -> MutexGuard<'_, Recent> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Events from some number on, in order and without a gap, for as long as one likes. Whoever reads slowly misses nothing:
/// there is no queue, only the log.
pub struct Events {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) log: Arc<Log>,
    pub(crate) after: u64,
    pub(crate) ahead: VecDeque<Event>,
}

impl Events {
    /// The next event, once there is one. Dropped in the middle, nothing is lost.
    pub async fn next(&mut self) -> Result<Event, HubError> {
        let mut last = self.log.last.subscribe();
        loop {
            if let Some(event) = self.ahead.pop_front() {
                self.after = event.number;
                return Ok(event);
            }
            // Its sender is held by the log, which we hold.
            if last.wait_for(|last| *last > self.after).await.is_err() {
                return Err(HubError::Store(crate::error::StoreError::Closed));
            }
            self.ahead = match self.log.since(self.after) {
                Some(events) => events.into(),
                None => {
                    let query =
                        AuditQuery { after: Some(Cursor(self.after)), limit: PAGE_ITEMS, ..AuditQuery::default() };
                    self.store.events(query).await?.items.into()
                }
            };
        }
    }

    /// The number to come back with, to miss nothing and see nothing twice.
    pub fn after(&self) -> u64 {
        self.after
    }
}
