//! Requests in memory, for tests and for programs that need nothing kept. It lasts as long as somebody holds it.

use super::{
    AskerRename, Created, Delivery, NewOutcome, NewRequest, Refill, Refilled, Resolved, Store, StoredDispatch,
    StoredSnapshot, StoredToken, Storing,
};
use crate::error::StoreError;
use crate::limits::{PAGE_BYTES, PAGE_ITEMS, ROOMS_COUNTED};
use crate::mutex::Mutex;
use crate::outbox::Settled;
use crate::query::{AuditQuery, Counts, Cursor, Page, Query, Unattended};
use crate::record::{Event, Record};
use crate::room::{Room, Scope};
use crate::signal::{Hints, LocalSignal, local};
use askback_core::{Name, RequestId};
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use uuid::Uuid;

mod outbox;
mod tokens;

/// Keeps requests while it lives. Clones share what they keep.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    kept: Arc<Mutex<Kept>>,
    is_closed: Arc<AtomicBool>,
    /// Whether a request that has ended can end again: set by tests alone, to show that they notice it.
    is_careless: bool,
}

#[derive(Debug, Default)]
struct Kept {
    /// By the number of the event that created them.
    requests: BTreeMap<u64, Row>,
    numbers: HashMap<RequestId, u64>,
    events: Vec<Event>,
    tokens: tokens::Tokens,
    outbox: outbox::Outbox,
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
}

impl MemoryStore {
    /// The store for a hub, with the signal that tells it when to look. The hub before it, if there was one, hears no more.
    pub fn connect(&self) -> (Self, LocalSignal) {
        let (hints, signal) = local();
        self.kept.lock().hints = Some(hints);
        (Self { is_closed: Arc::default(), ..self.clone() }, signal)
    }

    /// Everything is done at once, and then waited for.
    fn done<T: Send + 'static>(&self, work: impl FnOnce(&mut Kept) -> T) -> Storing<'static, T> {
        let is_closed = self.is_closed.load(Ordering::SeqCst);
        let done = if is_closed { Err(StoreError::Closed) } else { Ok(work(&mut self.kept.lock())) };
        Box::pin(std::future::ready(done))
    }

    #[cfg(test)]
    pub(crate) fn careless() -> Self {
        Self { is_careless: true, ..Self::default() }
    }
}

impl Kept {
    fn find(&self, new: &NewRequest) -> Option<Created> {
        let of_asker = |row: &&Row| row.record.asker == new.asker && row.record.room == new.room;
        let record = |row: &Row| Arc::new(row.record.clone());
        let is_open = |row: &&Row| row.record.outcome.is_none() || row.delivered_at.is_none();
        if let Some(fingerprint) = new.fingerprint
            && let mut same = self.requests.values().rev().filter(|row| row.fingerprint == Some(fingerprint))
            && let Some(row) = same.find(|row| of_asker(row) && is_open(row))
        {
            return Some(Created::SameFingerprint(record(row)));
        }
        if let Some(row) = self.numbers.get(&new.id).and_then(|number| self.requests.get(number)) {
            return Some(Created::SameId(record(row)));
        }
        let key = new.request.key()?;
        let same = self.requests.values().find(|row| of_asker(row) && row.record.request.key() == Some(key));
        same.map(|row| Created::SameKey(record(row)))
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

    fn create(&mut self, new: NewRequest) -> Created {
        if let Some(found) = self.find(&new) {
            return found;
        }
        let size = new.request.to_json().to_string().len();
        let (number, fingerprint) = (self.events.len() as u64 + 1, new.fingerprint);
        let record = new.into_record(number, size);
        self.numbers.insert(record.id.clone(), number);
        let row = Row { record: record.clone(), fingerprint, resolution_key: None, delivered_at: None };
        self.requests.insert(number, row);
        let record = Arc::new(record);
        self.log(Event::created(Arc::clone(&record)));
        Created::New(record)
    }

    fn resolve(&mut self, ending: NewOutcome, is_careless: bool) -> Resolved {
        let Some(row) = self.requests.get_mut(&ending.record.number) else {
            return Resolved::Unknown;
        };
        match &row.record.outcome {
            Some(outcome) if !is_careless => {
                Resolved::Before { outcome: Arc::clone(outcome), key: row.resolution_key.clone() }
            }
            _ => {
                let bytes = ending.outcome.to_json(&row.record.request).to_string().len();
                let event = Event::ended(self.events.len() as u64 + 1, &row.record, &ending.outcome, bytes);
                row.record.size += bytes;
                row.record.outcome = Some(ending.outcome);
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

impl Store for MemoryStore {
    fn create(&self, new: NewRequest) -> Storing<'_, Created> {
        self.done(|kept| kept.create(new))
    }

    fn find(&self, new: NewRequest) -> Storing<'_, Option<Created>> {
        self.done(|kept| kept.find(&new))
    }

    fn resolve(&self, ending: NewOutcome) -> Storing<'_, Resolved> {
        self.done(|kept| kept.resolve(ending, self.is_careless))
    }

    fn deliver(&self, id: RequestId, delivery: Delivery) -> Storing<'_, bool> {
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

    fn waited(&self, seen: Vec<(RequestId, Timestamp)>) -> Storing<'_, ()> {
        self.done(|kept| {
            for (id, at) in seen {
                if let Some(row) = kept.row(&id).filter(|row| row.record.outcome.is_none()) {
                    row.record.waited_at = row.record.waited_at.max(at);
                }
            }
        })
    }

    fn get(&self, id: RequestId) -> Storing<'_, Option<Record>> {
        self.done(|kept| kept.row(&id).map(|row| row.record.clone()))
    }

    fn list(&self, query: Query) -> Storing<'_, Page<Record>> {
        self.done(|kept| kept.list(&query))
    }

    fn unattended(&self, room: Option<Room>, since: Timestamp, among: usize) -> Storing<'_, Vec<Unattended>> {
        self.done(|kept| {
            let there = kept.pending().rev().filter(|record| room.as_ref().is_none_or(|room| record.room == *room));
            let unattended = there.take(among).filter(|record| record.waited_at < since);
            let unattended = unattended.map(|Record { id, asker, waited_at, .. }| Unattended {
                id: id.clone(),
                asker: asker.clone(),
                waited_at: *waited_at,
            });
            unattended.collect()
        })
    }

    fn pending(&self, room: Option<Room>, at_most: usize) -> Storing<'_, u64> {
        self.done(|kept| {
            let there = kept.pending().filter(|record| room.as_ref().is_none_or(|room| record.room == *room));
            there.take(at_most).count() as u64
        })
    }

    fn counts(&self) -> Storing<'_, Counts> {
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

    fn pending_of_askers(&self) -> Storing<'_, Vec<(Name, u64)>> {
        self.done(|kept| {
            let mut askers = BTreeMap::new();
            kept.pending().for_each(|record| *askers.entry(record.asker.clone()).or_insert(0) += 1);
            askers.into_iter().collect()
        })
    }

    fn events(&self, query: AuditQuery) -> Storing<'_, Page<Event>> {
        self.done(|kept| kept.events(&query))
    }

    fn last_event(&self) -> Storing<'_, u64> {
        self.done(|kept| kept.events.len() as u64)
    }

    fn due(&self, by: Timestamp, limit: usize) -> Storing<'_, Vec<Record>> {
        self.done(|kept| {
            let is_due = |record: &&Record| record.deadline.is_some_and(|deadline| deadline <= by);
            let mut due: Vec<Record> = kept.pending().filter(is_due).cloned().collect();
            due.sort_by_key(|record| record.deadline);
            due.truncate(limit);
            due
        })
    }

    fn next_deadline(&self) -> Storing<'_, Option<Timestamp>> {
        self.done(|kept| kept.pending().filter_map(|record| record.deadline).min())
    }

    fn keep_token(&self, new: StoredToken) -> Storing<'_, u64> {
        self.done(|kept| kept.tokens.keep(new))
    }

    fn redeem_token(&self, login: u64, session: StoredToken) -> Storing<'_, Option<u64>> {
        self.done(|kept| kept.tokens.redeem(login, session))
    }

    fn forget_tokens(&self, numbers: Vec<u64>) -> Storing<'_, ()> {
        self.done(|kept| kept.tokens.forget(&numbers))
    }

    fn rename_asker(&self, token: u64, renamed: AskerRename) -> Storing<'_, ()> {
        self.done(|kept| kept.rename_asker(token, &renamed))
    }

    fn tokens(&self) -> Storing<'_, Vec<(u64, StoredToken)>> {
        self.done(|kept| kept.tokens.all())
    }

    fn set_hooks(&self, hooks: Vec<Name>) -> Storing<'_, ()> {
        self.done(|kept| kept.outbox.set_hooks(&hooks, kept.events.len()))
    }

    fn refill_outbox(&self, refill: Refill) -> Storing<'_, Refilled> {
        self.done(|kept| kept.outbox.refill(&refill, &kept.events))
    }

    fn due_dispatches(&self, by: Timestamp, limit: usize) -> Storing<'_, Vec<StoredDispatch>> {
        self.done(|kept| kept.outbox.due(by, limit))
    }

    fn settle_dispatch(&self, number: u64, settled: Settled) -> Storing<'_, Option<(Name, u64)>> {
        self.done(|kept| kept.outbox.settle(number, settled))
    }

    fn next_dispatch(&self) -> Storing<'_, Option<Timestamp>> {
        self.done(|kept| kept.outbox.next())
    }

    fn waiting_dispatches(&self) -> Storing<'_, u64> {
        self.done(|kept| kept.outbox.waiting())
    }

    fn log_identity(&self) -> Storing<'_, [u8; 16]> {
        self.done(|kept| *kept.identity.get_or_insert_with(|| Uuid::now_v7().into_bytes()))
    }

    fn keep_snapshot(&self, scope: Scope, snapshot: StoredSnapshot) -> Storing<'_, ()> {
        self.done(|kept| {
            if kept.snapshots.get(&scope).is_none_or(|before| before.through <= snapshot.through) {
                kept.snapshots.insert(scope, snapshot);
            }
        })
    }

    fn snapshot(&self, scope: Scope) -> Storing<'_, Option<StoredSnapshot>> {
        self.done(|kept| kept.snapshots.get(&scope).cloned())
    }

    fn close(&self) -> Storing<'_, ()> {
        self.is_closed.store(true, Ordering::SeqCst);
        Box::pin(std::future::ready(Ok(())))
    }
}
