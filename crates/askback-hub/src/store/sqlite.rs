//! Requests in an SQLite database: one thread writes, and writes that wait share a sync; others read.

use super::{
    AskerRename, AttendanceStore, Created, Delivery, LogEntry, NewOutcome, NewRequest, Opening, OutboxStore, Refill,
    Refilled, RequestStore, Resolved, SnapshotStore, Store, StoreFuture, StoredDispatch, StoredSnapshot, StoredToken,
    StoredTokens, TokenStore,
};
use crate::error::StoreError;
use crate::outbox::Settled;
use crate::query::{AuditQuery, Counts, Page, Query, Unattended};
use crate::record::{Event, Record};
use crate::room::{Room, Scope};
use crate::signal::{LocalSignal, local};
use crate::store::sqlite::readers::Readers;
use crate::store::sqlite::writer::Writer;
use askback_core::{Name, RequestId};
use jiff::Timestamp;
use std::path::Path;

mod failure;
mod opening;
mod outbox;
mod readers;
mod rows;
mod select;
mod snapshots;
#[cfg(test)]
mod tests;
mod tokens;
mod writer;
mod writes;

#[cfg(test)]
pub(crate) use tests::write_as_if_newer;

/// A database file that this process alone has open.
#[derive(Debug)]
pub struct SqliteStore {
    // Closed in this order: those who read go, the writer finishes what it was given and leaves a single file behind, and
    // gives the lock back. Dropped, the same happens by itself a moment later.
    readers: Readers,
    writer: Writer,
}

impl SqliteStore {
    /// Opens a database, making it and its folder if need be. What is there and is no database of ours, or one from a
    /// newer program, is left alone. Waits for the disk: on a runtime, call it where that is allowed.
    pub fn open(path: &Path) -> Result<(Self, LocalSignal), StoreError> {
        let path = &opening::whole(path)?;
        let opened = || {
            let lock = opening::lock(path)?;
            let connection = opening::open(path)?;
            let (hints, signal) = local();
            let readers = Readers::open(path)?;
            let writer = Writer::start(path, connection, hints, lock)?;
            Ok((Self { readers, writer }, signal))
        };
        opened().map_err(|error| match error {
            // Nothing was to be stored yet.
            StoreError::Failed(why) => StoreError::Unusable { store: path.display().to_string(), why },
            error => error,
        })
    }
}

impl RequestStore for SqliteStore {
    fn create(&self, new: NewRequest) -> StoreFuture<'_, Created> {
        let text = new.request.to_json().to_string();
        self.writer.write(text.len(), move |changes| changes.create(&new, &text))
    }

    fn find(&self, new: NewRequest) -> StoreFuture<'_, Option<Created>> {
        Box::pin(self.readers.read(move |connection| {
            Ok(select::same(connection, &new)?.map(|(sameness, record)| Created::Same(sameness, record)))
        }))
    }

    fn resolve(&self, ending: NewOutcome) -> StoreFuture<'_, Resolved> {
        let text = ending.outcome.to_json(&ending.record.request).to_string();
        self.writer.write(text.len(), move |changes| changes.resolve(&ending, &text))
    }

    fn deliver(&self, id: RequestId, delivery: Delivery) -> StoreFuture<'_, bool> {
        self.writer.write(0, move |changes| changes.deliver(&id, delivery))
    }

    fn get(&self, id: RequestId) -> StoreFuture<'_, Option<Record>> {
        Box::pin(self.readers.read(move |connection| select::by_id(connection, &id)))
    }

    fn list(&self, query: Query) -> StoreFuture<'_, Page<Record>> {
        Box::pin(self.readers.read(move |connection| select::page(connection, &query)))
    }

    fn pending(&self, room: Option<Room>, at_most: usize) -> StoreFuture<'_, u64> {
        Box::pin(self.readers.read(move |connection| select::pending(connection, room.as_ref(), at_most)))
    }

    fn counts(&self) -> StoreFuture<'_, Counts> {
        Box::pin(self.readers.read(select::counts))
    }

    fn events(&self, query: AuditQuery) -> StoreFuture<'_, Page<Event>> {
        Box::pin(self.readers.read(move |connection| select::events(connection, &query)))
    }

    fn log(&self, after: u64, limit: usize) -> StoreFuture<'_, Vec<LogEntry>> {
        Box::pin(self.readers.read(move |connection| select::log(connection, after, limit)))
    }

    fn last_event(&self) -> StoreFuture<'_, u64> {
        Box::pin(self.readers.read(select::last_event))
    }

    fn due(&self, by: Timestamp, limit: usize) -> StoreFuture<'_, Vec<Record>> {
        Box::pin(self.readers.read(move |connection| select::due(connection, by, limit)))
    }

    fn next_deadline(&self) -> StoreFuture<'_, Option<Timestamp>> {
        Box::pin(self.readers.read(select::next_deadline))
    }
}

impl AttendanceStore for SqliteStore {
    fn mark_seen(&self, seen: Vec<(RequestId, Timestamp)>) -> StoreFuture<'_, ()> {
        self.writer.write(seen.len() * size_of::<(u128, i64)>(), move |changes| changes.mark_seen(&seen))
    }

    fn unattended(&self, room: Option<Room>, since: Timestamp, among: usize) -> StoreFuture<'_, Vec<Unattended>> {
        Box::pin(self.readers.read(move |connection| select::unattended(connection, room.as_ref(), since, among)))
    }
}

impl TokenStore for SqliteStore {
    fn add_token(&self, new: StoredToken) -> StoreFuture<'_, u64> {
        self.writer.write(size_of::<StoredToken>(), move |changes| tokens::add(changes.connection, &new))
    }

    fn redeem_token(&self, login: u64, session: StoredToken) -> StoreFuture<'_, Option<u64>> {
        self.writer.write(size_of::<StoredToken>(), move |changes| tokens::redeem(changes.connection, login, &session))
    }

    fn remove_tokens(&self, numbers: Vec<u64>) -> StoreFuture<'_, ()> {
        self.writer.write(size_of_val(&*numbers), move |changes| tokens::remove(changes.connection, &numbers))
    }

    fn rename_asker(&self, token: u64, renamed: AskerRename) -> StoreFuture<'_, ()> {
        self.writer
            .write(size_of::<AskerRename>(), move |changes| tokens::rename_asker(changes.connection, token, &renamed))
    }

    fn tokens(&self) -> StoreFuture<'_, StoredTokens> {
        Box::pin(self.readers.read(|connection| {
            let moment = connection.unchecked_transaction()?;
            tokens::all(&moment)
        }))
    }

    fn tokens_version(&self) -> StoreFuture<'_, u64> {
        Box::pin(self.readers.read(tokens::version))
    }
}

impl OutboxStore for SqliteStore {
    fn set_hooks(&self, hooks: Vec<Name>) -> StoreFuture<'_, ()> {
        self.writer.write(size_of_val(&*hooks), move |changes| outbox::set_hooks(changes.connection, &hooks))
    }

    fn refill_outbox(&self, refill: Refill) -> StoreFuture<'_, Refilled> {
        self.writer.write(0, move |changes| outbox::refill(changes.connection, refill))
    }

    fn due_dispatches(&self, by: Timestamp, limit: usize) -> StoreFuture<'_, Vec<StoredDispatch>> {
        Box::pin(self.readers.read(move |connection| outbox::due(connection, by, limit)))
    }

    fn settle_dispatch(&self, number: u64, settled: Settled) -> StoreFuture<'_, Option<(Name, u64)>> {
        self.writer.write(0, move |changes| outbox::settle(changes.connection, number, settled))
    }

    fn next_dispatch(&self) -> StoreFuture<'_, Option<Timestamp>> {
        Box::pin(self.readers.read(outbox::next))
    }

    fn waiting_dispatches(&self) -> StoreFuture<'_, u64> {
        Box::pin(self.readers.read(outbox::waiting))
    }
}

impl SnapshotStore for SqliteStore {
    fn put_snapshot(&self, scope: Scope, snapshot: StoredSnapshot) -> StoreFuture<'_, ()> {
        self.writer.write(snapshot.document.len(), move |changes| snapshots::put(changes.connection, &scope, &snapshot))
    }

    fn snapshot(&self, scope: Scope) -> StoreFuture<'_, Option<StoredSnapshot>> {
        Box::pin(self.readers.read(move |connection| snapshots::get(connection, &scope)))
    }
}

impl Store for SqliteStore {
    fn open(&self) -> StoreFuture<'_, Opening> {
        Box::pin(self.readers.read(select::opening))
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        Box::pin(async {
            self.readers.close().await;
            self.writer.close().await;
            Ok(())
        })
    }
}
