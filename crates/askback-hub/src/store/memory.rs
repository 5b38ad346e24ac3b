//! Requests in memory, for tests and for programs that need nothing kept. It lasts as long as somebody holds it.

use super::{
    AskerRename, AttemptId, Created, Delivery, HookLease, LogEntry, NewOutcome, NewRequest, NodeId, Opening,
    OutboxStore, PresenceTable, Refill, Refilled, RequestStore, Resolved, Sameness, SnapshotStore, Store, StoreFuture,
    StoredDispatch, StoredSnapshot, StoredToken, StoredTokens, TokenStore, WantedLeases,
};
use crate::clock::new_uuid;
use crate::error::StoreError;
use crate::limits::{PAGE_BYTES, PAGE_ITEMS, ROOMS_COUNTED};
use crate::mutex::Mutex;
use crate::outbox::Settled;
use crate::query::{AuditQuery, Counts, Cursor, Page, Query};
use crate::record::{Event, Record};
use crate::room::{Room, Scope};
use crate::signal::{Hints, LocalSignal, local};
use askback_core::{Name, RequestId};
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

mod attendance;
mod faults;
mod outbox;
mod tokens;

pub use faults::Faults;

/// Keeps requests while it lives. Clones share what they keep.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    kept: Arc<Mutex<Kept>>,
    is_closed: Arc<AtomicBool>,
    faults: Faults,
}

#[derive(Debug, Default)]
struct Kept {
    /// By the number of the event that created them.
    requests: BTreeMap<u64, Row>,
    numbers: HashMap<RequestId, u64>,
    events: Vec<Event>,
    tokens: tokens::Tokens,
    outbox: outbox::Outbox,
    presence: PresenceTable,
    /// What tells this log from others, once somebody has asked.
    identity: Option<[u8; 16]>,
    snapshots: HashMap<Scope, StoredSnapshot>,
    hints: Option<Hints>,
}

#[derive(Debug)]
struct Row {
    record: Record,
    fingerprint: Option<[u8; 32]>,
    resolution_key: Option<String>,
    delivered_at: Option<Timestamp>,
    /// The attempt that created it.
    created_by: AttemptId,
    /// The attempt that ended it.
    ended_by: Option<AttemptId>,
}

impl MemoryStore {
    /// The store for a hub, with the signal that tells it when to look. The hub before it, if there was one, hears no more.
    pub fn connect(&self) -> (Self, LocalSignal) {
        let (hints, signal) = local();
        self.kept.lock().hints = Some(hints);
        (Self { is_closed: Arc::default(), ..self.clone() }, signal)
    }

    /// Runs a call at once; its future is ready.
    fn done<T: Send + 'static>(&self, work: impl FnOnce(&mut Kept) -> T) -> StoreFuture<'static, T> {
        let is_closed = self.is_closed.load(Ordering::SeqCst);
        let done = if is_closed { Err(StoreError::Closed) } else { Ok(work(&mut self.kept.lock())) };
        Box::pin(std::future::ready(done))
    }

    /// Runs a write whose reply a test may have chosen to lose.
    fn written<T: Send + 'static>(&self, work: impl FnOnce(&mut Kept) -> T) -> StoreFuture<'static, T> {
        let done = self.done(work);
        match faults::take_one(&self.faults.lost_replies) {
            true => Box::pin(std::future::ready(Err(StoreError::Failed("the reply was lost".to_owned())))),
            false => done,
        }
    }

    /// A store with faults.
    pub fn with_faults(faults: Faults) -> Self {
        Self { faults, ..Self::default() }
    }
}

impl Kept {
    /// The stored request that a new one counts as the same as.
    fn same(&self, new: &NewRequest) -> Option<(Sameness, &Row)> {
        let of_asker = |row: &&Row| row.record.asker == new.asker && row.record.room == new.room;
        let is_open = |row: &&Row| row.record.outcome.is_none() || row.delivered_at.is_none();
        let find = |sameness| match sameness {
            Sameness::Fingerprint => {
                let fingerprint = new.fingerprint?;
                let mut same = self.requests.values().rev().filter(|row| row.fingerprint == Some(fingerprint));
                same.find(|row| of_asker(row) && is_open(row))
            }
            Sameness::Id => self.requests.get(self.numbers.get(&new.id)?),
            Sameness::Key => {
                let key = new.request.key()?;
                self.requests.values().find(|row| of_asker(row) && row.record.request.key() == Some(key))
            }
        };
        Sameness::ORDER.into_iter().find_map(|sameness| Some((sameness, find(sameness)?)))
    }

    fn rename_asker(&mut self, token: u64, AskerRename { from, to }: &AskerRename) {
        self.tokens.rename(token, to);
        let key_of = |record: &Record| record.request.key().map(|key| (record.room.clone(), key.to_owned()));
        let of = |name: &Name, row: &Row| row.record.asker == *name;
        let taken: Vec<_> = self.requests.values().filter(|row| of(to, row)).map(|row| key_of(&row.record)).collect();
        for row in self.requests.values_mut().filter(|row| of(from, row)) {
            let key = key_of(&row.record);
            if key.is_none() || !taken.contains(&key) {
                row.record.asker = to.clone();
            }
        }
        for event in &mut self.events {
            let asker = self.requests.get(&event.record.number).map(|row| row.record.asker.clone());
            if let Some(asker) = asker.filter(|asker| *asker != event.record.asker) {
                event.record = Arc::new(Record { asker, ..Record::clone(&event.record) });
            }
        }
        self.snapshots.clear();
        self.identity = None;
    }

    fn create(&mut self, new: NewRequest, faults: &Faults) -> Created {
        let own = self.numbers.get(&new.id).and_then(|number| self.requests.get(number));
        if let Some(own) = own.filter(|own| own.created_by == new.attempt && !faults.ignores_attempts) {
            return Created::Repeated(Arc::new(own.record.clone()));
        }
        if let Some((sameness, row)) = self.same(&new) {
            return Created::Same(sameness, Arc::new(row.record.clone()));
        }
        let size = new.request.to_json().to_string().len();
        let (number, fingerprint, created_by) = (self.events.len() as u64 + 1, new.fingerprint, new.attempt);
        let record = new.into_record(number, size);
        self.numbers.insert(record.id.clone(), number);
        let (resolution_key, delivered_at, ended_by) = (None, None, None);
        let row = Row { record: record.clone(), fingerprint, resolution_key, delivered_at, created_by, ended_by };
        self.requests.insert(number, row);
        let record = Arc::new(record);
        self.log(Event::created(Arc::clone(&record)));
        Created::New(record)
    }

    fn resolve(&mut self, ending: NewOutcome, faults: &Faults) -> Resolved {
        let Some(row) = self.requests.get_mut(&ending.record.number) else {
            return Resolved::Unknown;
        };
        match &row.record.outcome {
            Some(_) if row.ended_by == Some(ending.attempt) && !faults.ignores_attempts => Resolved::Now,
            Some(outcome) if !faults.is_careless => {
                Resolved::Before { outcome: Arc::clone(outcome), key: row.resolution_key.clone() }
            }
            _ => {
                let bytes = ending.outcome.to_json(&row.record.request).to_string().len();
                let event = Event::ended(self.events.len() as u64 + 1, &row.record, &ending.outcome, bytes);
                row.record.size += bytes;
                row.record.outcome = Some(ending.outcome);
                row.ended_by = Some(ending.attempt);
                row.resolution_key = ending.key.map(|key| key.as_str().to_owned());
                self.log(event);
                Resolved::Now
            }
        }
    }

    fn log(&mut self, event: Event) {
        self.events.push(event.clone());
        if let Some(hints) = &self.hints {
            hints.committed(vec![event]);
        }
    }

    fn row(&mut self, id: &RequestId) -> Option<&mut Row> {
        self.requests.get_mut(self.numbers.get(id)?)
    }

    fn pending(&self) -> impl DoubleEndedIterator<Item = &Record> {
        self.requests.values().map(|row| &row.record).filter(|record| record.outcome.is_none())
    }

    fn list(&self, query: &Query) -> Page<Record> {
        let wanted = self.requests.values().rev().map(|row| &row.record).filter(|record| {
            query.status.is_none_or(|status| record.status() == status)
                && query.room.as_ref().is_none_or(|room| record.room == *room)
                && query.asker.as_ref().is_none_or(|asker| record.asker == *asker)
                && query.unwaited_since.is_none_or(|since| record.waited_at < since)
                && query.after.is_none_or(|cursor| record.number < cursor.0)
        });
        page(wanted.cloned(), query.limit, |record| (record.number, record.size))
    }

    fn events(&self, query: &AuditQuery) -> Page<Event> {
        let wanted = self.events.iter().filter(|event| {
            query.after.is_none_or(|cursor| event.number > cursor.0)
                && query.id.as_ref().is_none_or(|id| event.record.id == *id)
                && query.room.as_ref().is_none_or(|room| event.record.room == *room)
                && query.status.is_none_or(|status| event.status == status)
                && query.by.as_ref().is_none_or(|by| event.by() == by.as_str())
                && query.from.is_none_or(|from| event.at() >= from)
                && query.until.is_none_or(|until| event.at() < until)
        });
        page(wanted.cloned(), query.limit, |event| (event.number, event.record.size))
    }
}

fn page<T>(wanted: impl Iterator<Item = T>, limit: usize, measure: impl Fn(&T) -> (u64, usize)) -> Page<T> {
    let limit = limit.clamp(1, PAGE_ITEMS);
    let mut items: Vec<T> = Vec::new();
    let mut bytes = 0;
    for item in wanted {
        bytes += measure(&item).1;
        if items.len() == limit || (bytes > PAGE_BYTES && !items.is_empty()) {
            let next = items.last().map(|last| Cursor(measure(last).0));
            return Page { items, next };
        }
        items.push(item);
    }
    Page { items, next: None }
}

impl RequestStore for MemoryStore {
    fn create(&self, new: NewRequest) -> StoreFuture<'_, Created> {
        self.written(|kept| kept.create(new, &self.faults))
    }

    fn find(&self, new: NewRequest) -> StoreFuture<'_, Option<Created>> {
        self.done(|kept| kept.same(&new).map(|(sameness, row)| Created::Same(sameness, Arc::new(row.record.clone()))))
    }

    fn resolve(&self, ending: NewOutcome) -> StoreFuture<'_, Resolved> {
        self.written(|kept| kept.resolve(ending, &self.faults))
    }

    fn deliver(&self, id: RequestId, delivery: Delivery) -> StoreFuture<'_, bool> {
        self.done(|kept| {
            kept.row(&id).is_some_and(|row| {
                let (is_delivered, ended) = (row.delivered_at.is_some(), row.record.outcome.is_some());
                match delivery {
                    Delivery::Made(at) if !is_delivered && ended => row.delivered_at = Some(at),
                    Delivery::Failed if is_delivered => row.delivered_at = None,
                    _ => return false,
                }
                true
            })
        })
    }

    fn get(&self, id: RequestId) -> StoreFuture<'_, Option<Record>> {
        self.done(|kept| kept.row(&id).map(|row| row.record.clone()))
    }

    fn list(&self, query: Query) -> StoreFuture<'_, Page<Record>> {
        self.done(|kept| {
            let mut page = kept.list(&query);
            page.items.retain(|record| !self.faults.hides(record));
            page
        })
    }

    fn pending(&self, room: Option<Room>, at_most: usize) -> StoreFuture<'_, u64> {
        self.done(|kept| {
            let there = kept.pending().filter(|record| room.as_ref().is_none_or(|room| record.room == *room));
            there.take(at_most).count() as u64
        })
    }

    fn counts(&self) -> StoreFuture<'_, Counts> {
        self.done(|kept| {
            let mut rooms = BTreeMap::new();
            kept.pending().for_each(|record| *rooms.entry(record.room.clone()).or_insert(0) += 1);
            let pending = rooms.values().sum();
            let mut rooms: Vec<_> = rooms.into_iter().collect();
            rooms.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            rooms.truncate(ROOMS_COUNTED);
            Counts { pending, rooms }
        })
    }

    fn events(&self, query: AuditQuery) -> StoreFuture<'_, Page<Event>> {
        self.done(|kept| {
            let mut page = kept.events(&query);
            page.items.retain(|event| !self.faults.hides(&event.record));
            page
        })
    }

    fn log(&self, after: u64, limit: usize) -> StoreFuture<'_, Vec<LogEntry>> {
        self.done(|kept| {
            // An event stands where its number says.
            let later = kept.events.iter().skip(usize::try_from(after).unwrap_or(usize::MAX));
            later.take(limit).map(|event| self.faults.read(event)).collect()
        })
    }

    fn last_event(&self) -> StoreFuture<'_, u64> {
        self.done(|kept| kept.events.len() as u64)
    }

    fn due(&self, by: Timestamp, limit: usize) -> StoreFuture<'_, Vec<Record>> {
        self.done(|kept| {
            let is_due = |record: &&Record| record.deadline.is_some_and(|deadline| deadline <= by);
            let mut due: Vec<Record> = kept.pending().filter(is_due).cloned().collect();
            due.sort_by_key(|record| record.deadline);
            due.truncate(limit);
            due
        })
    }

    fn next_deadline(&self) -> StoreFuture<'_, Option<Timestamp>> {
        self.done(|kept| kept.pending().filter_map(|record| record.deadline).min())
    }
}

impl TokenStore for MemoryStore {
    fn add_token(&self, new: StoredToken, replaced: Vec<u64>) -> StoreFuture<'_, u64> {
        self.done(|kept| kept.tokens.add(new, &replaced))
    }

    fn redeem_token(&self, login: u64, session: StoredToken) -> StoreFuture<'_, Option<u64>> {
        self.done(|kept| kept.tokens.redeem(login, session))
    }

    fn remove_tokens(&self, numbers: Vec<u64>) -> StoreFuture<'_, ()> {
        self.done(|kept| kept.tokens.remove(&numbers))
    }

    fn rename_asker(&self, token: u64, renamed: AskerRename) -> StoreFuture<'_, ()> {
        self.done(|kept| kept.rename_asker(token, &renamed))
    }

    fn tokens(&self) -> StoreFuture<'_, StoredTokens> {
        self.done(|kept| kept.tokens.all())
    }

    fn tokens_version(&self) -> StoreFuture<'_, u64> {
        self.done(|kept| kept.tokens.version())
    }
}

impl OutboxStore for MemoryStore {
    fn set_hooks(&self, hooks: Vec<Name>) -> StoreFuture<'_, ()> {
        self.done(|kept| kept.outbox.set_hooks(&hooks, kept.events.len()))
    }

    fn refill_outbox(&self, refill: Refill) -> StoreFuture<'_, Refilled> {
        self.done(|kept| kept.outbox.refill(&refill, &kept.events))
    }

    fn due_dispatches(&self, by: Timestamp, limit: usize) -> StoreFuture<'_, Vec<StoredDispatch>> {
        self.done(|kept| {
            let mut due = kept.outbox.due(by, limit);
            let hides = |event: &Event| self.faults.hides(&event.record);
            due.iter_mut().for_each(|due| drop(due.event.take_if(|event| hides(event))));
            due
        })
    }

    fn lease_hooks(&self, wanted: WantedLeases) -> StoreFuture<'_, Vec<HookLease>> {
        self.done(|kept| kept.outbox.lease(&wanted))
    }

    fn release_hooks(&self, node: NodeId) -> StoreFuture<'_, ()> {
        self.done(|kept| kept.outbox.release(node))
    }

    fn settle_dispatch(&self, number: u64, fence: u64, settled: Settled) -> StoreFuture<'_, Option<(Name, u64)>> {
        self.done(|kept| kept.outbox.settle(number, fence, settled))
    }

    fn next_dispatch(&self) -> StoreFuture<'_, Option<Timestamp>> {
        self.done(|kept| kept.outbox.next())
    }

    fn waiting_dispatches(&self) -> StoreFuture<'_, u64> {
        self.done(|kept| kept.outbox.waiting())
    }
}

impl SnapshotStore for MemoryStore {
    fn put_snapshot(&self, scope: Scope, snapshot: StoredSnapshot) -> StoreFuture<'_, ()> {
        self.done(|kept| {
            if kept.snapshots.get(&scope).is_none_or(|before| before.through <= snapshot.through) {
                kept.snapshots.insert(scope, snapshot);
            }
        })
    }

    fn snapshot(&self, scope: Scope) -> StoreFuture<'_, Option<StoredSnapshot>> {
        self.done(|kept| kept.snapshots.get(&scope).cloned())
    }
}

impl Store for MemoryStore {
    fn open(&self) -> StoreFuture<'_, Opening> {
        self.done(|kept| {
            let mut askers = BTreeMap::new();
            kept.pending().for_each(|record| *askers.entry(record.asker.clone()).or_insert(0) += 1);
            Opening {
                last_event: kept.events.len() as u64,
                pending: askers.into_iter().collect(),
                tokens: kept.tokens.all(),
                identity: *kept.identity.get_or_insert_with(|| new_uuid().into_bytes()),
            }
        })
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        self.is_closed.store(true, Ordering::SeqCst);
        Box::pin(std::future::ready(Ok(())))
    }
}
