//! The log as the hub has seen it: the newest events in memory, for those who follow them.

use crate::error::{HubError, StoreError};
use crate::limits::{FOLLOWED_BYTES, FOLLOWED_EVENTS, RECENT_EVENT_BYTES, RECENT_EVENTS, REPLAYED_EVENTS};
use crate::mutex::Mutex;
use crate::query::{AuditQuery, Cursor};
use crate::record::Event;
use crate::store::Store;
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::watch;

/// The newest events, without a gap.
#[derive(Debug)]
pub(crate) struct Log {
    recent: Mutex<Recent>,
    told: watch::Sender<Told>,
}

#[derive(Debug, Clone, Copy)]
struct Told {
    last: u64,
    is_closed: bool,
}

#[derive(Debug, Default)]
struct Recent {
    events: VecDeque<Event>,
    bytes: usize,
}

impl Recent {
    /// Whether all events after a number are in memory.
    fn reaches(&self, after: u64) -> bool {
        self.events.front().is_some_and(|oldest| oldest.number <= after + 1)
    }
}

impl Log {
    /// Nothing was seen since the event of this number.
    pub(crate) fn after(last: u64) -> Self {
        Self { recent: Mutex::default(), told: watch::Sender::new(Told { last, is_closed: false }) }
    }

    pub(crate) fn last(&self) -> u64 {
        self.told.borrow().last
    }

    /// Keeps events that follow on the last one.
    pub(crate) fn append(&self, events: &[Event]) {
        let Some(last) = events.last() else { return };
        let mut recent = self.recent.lock();
        for event in events {
            recent.bytes += event.record.size;
            recent.events.push_back(event.clone());
        }
        while recent.events.len() > RECENT_EVENTS || recent.bytes > RECENT_EVENT_BYTES {
            let Some(oldest) = recent.events.pop_front() else { break };
            recent.bytes -= oldest.record.size;
        }
        drop(recent);
        self.told.send_modify(|told| told.last = last.number);
    }

    /// Everything up to this number was looked at, though perhaps not all of it could be read.
    pub(crate) fn pass(&self, number: u64) {
        self.told.send_modify(|told| told.last = told.last.max(number));
    }

    pub(crate) fn close(&self) {
        self.told.send_modify(|told| told.is_closed = true);
    }

    /// Events after a number, if they are still in memory: at least one, and no more than a follower may hold.
    fn since(&self, after: u64) -> Option<Vec<Event>> {
        let recent = self.recent.lock();
        if !recent.reaches(after) {
            return None;
        }
        let seen = recent.events.partition_point(|event| event.number <= after);
        let mut bytes = 0;
        let fits = |(index, event): &(usize, &Event)| {
            bytes += event.record.size;
            *index == 0 || bytes <= FOLLOWED_BYTES
        };
        let events = recent.events.iter().skip(seen).take(FOLLOWED_EVENTS).enumerate().take_while(fits);
        Some(events.map(|(_, event)| event.clone()).collect())
    }
}

/// Events from some number on, in order and without a gap, for as long as one likes. Whoever reads slowly misses nothing:
/// there is no queue, only the log.
#[derive(Clone)]
pub struct Events {
    store: Arc<dyn Store>,
    log: Arc<Log>,
    after: u64,
    ahead: VecDeque<Event>,
}

impl Events {
    pub(crate) fn new(store: &Arc<dyn Store>, log: &Arc<Log>, after: u64) -> Self {
        Self { store: Arc::clone(store), log: Arc::clone(log), after, ahead: VecDeque::new() }
    }

    /// The next event, once there is one; an error if the hub was closed. Dropped in the middle, nothing is lost.
    pub async fn next(&mut self) -> Result<Event, HubError> {
        loop {
            if let Some(event) = self.read_once().await? {
                return Ok(event);
            }
        }
    }

    /// The same, but reads the log at most once: none if what it reads has no event that can be read.
    pub async fn read_once(&mut self) -> Result<Option<Event>, HubError> {
        if let Some(event) = self.next_read() {
            return Ok(Some(event));
        }
        let mut told = self.log.told.subscribe();
        // Its sender is held by the log, which we hold.
        let seen = told.wait_for(|told| told.last > self.after || told.is_closed).await.map(|told| told.last);
        let last = seen.ok().filter(|last| *last > self.after).ok_or(StoreError::Closed)?;
        let through = match self.log.since(self.after) {
            Some(events) => {
                self.ahead = events.into();
                last
            }
            None => {
                let after = Some(Cursor(self.after));
                let page =
                    self.store.events(AuditQuery { after, limit: FOLLOWED_EVENTS, ..AuditQuery::default() }).await?;
                self.ahead = page.items.into();
                page.next.map_or(last, |next| next.0)
            }
        };
        // What can't be read is left out, and not waited for.
        if self.ahead.is_empty() {
            self.after = through;
        }
        Ok(self.next_read())
    }

    /// Whether [`Self::read_once`] begins to read old events: from the store, or many of those in memory.
    pub fn is_behind(&self) -> bool {
        let behind = self.log.last().saturating_sub(self.after);
        let is_in_memory = || self.log.recent.lock().reaches(self.after);
        self.ahead.is_empty() && (behind > REPLAYED_EVENTS || (behind > 0 && !is_in_memory()))
    }

    /// The next event, if it was read together with the last one.
    pub fn next_read(&mut self) -> Option<Event> {
        let event = self.ahead.pop_front()?;
        self.after = event.number;
        Some(event)
    }

    /// Whether there is an event that was read together with the last one.
    pub fn has_read_ahead(&self) -> bool {
        !self.ahead.is_empty()
    }

    /// Frees the events that were read ahead. They are read again when it is their turn.
    pub fn forget_ahead(&mut self) {
        self.ahead = VecDeque::new();
    }

    /// The number to come back with, to miss nothing and see nothing twice.
    pub fn after(&self) -> u64 {
        self.after
    }
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Events").field("after", &self.after).finish_non_exhaustive()
    }
}
