//! Requests in an SQLite database: one thread writes, and writes that wait share a sync; others read.

use super::{
    AskerRename, Created, Delivery, NewOutcome, NewRequest, Refill, Refilled, Resolved, Store, StoredDispatch,
    StoredSnapshot, StoredToken, Storing,
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
            StoreError::Failed(why) => StoreError::Unusable { path: path.clone(), why },
            error => error,
        })
    }
}

impl Store for SqliteStore {
    fn create(&self, new: NewRequest) -> Storing<'_, Created> {
        let text = new.request.to_json().to_string();
        self.writer.write(text.len(), move |changes| changes.create(&new, &text))
    }

    fn find(&self, new: NewRequest) -> Storing<'_, Option<Created>> {
        Box::pin(self.readers.read(move |connection| select::same(connection, &new)))
    }

    fn resolve(&self, ending: NewOutcome) -> Storing<'_, Resolved> {
        let text = ending.outcome.to_json(&ending.record.request).to_string();
        self.writer.write(text.len(), move |changes| changes.resolve(&ending, &text))
    }

    fn deliver(&self, id: RequestId, delivery: Delivery) -> Storing<'_, bool> {
        self.writer.write(0, move |changes| changes.deliver(&id, delivery))
    }

    fn waited(&self, seen: Vec<(RequestId, Timestamp)>) -> Storing<'_, ()> {
        self.writer.write(seen.len() * size_of::<(u128, i64)>(), move |changes| changes.waited(&seen))
    }

    fn get(&self, id: RequestId) -> Storing<'_, Option<Record>> {
        Box::pin(self.readers.read(move |connection| select::by_id(connection, &id)))
    }

    fn list(&self, query: Query) -> Storing<'_, Page<Record>> {
        Box::pin(self.readers.read(move |connection| select::page(connection, &query)))
    }

    fn unattended(&self, room: Option<Room>, since: Timestamp, among: usize) -> Storing<'_, Vec<Unattended>> {
        Box::pin(self.readers.read(move |connection| select::unattended(connection, room.as_ref(), since, among)))
    }

    fn pending(&self, room: Option<Room>, at_most: usize) -> Storing<'_, u64> {
        Box::pin(self.readers.read(move |connection| select::pending(connection, room.as_ref(), at_most)))
    }

    fn counts(&self) -> Storing<'_, Counts> {
        Box::pin(self.readers.read(select::counts))
    }

    fn pending_of_askers(&self) -> Storing<'_, Vec<(Name, u64)>> {
        Box::pin(self.readers.read(select::pending_of_askers))
    }

    fn events(&self, query: AuditQuery) -> Storing<'_, Page<Event>> {
        Box::pin(self.readers.read(move |connection| select::events(connection, &query)))
    }

    fn last_event(&self) -> Storing<'_, u64> {
        Box::pin(self.readers.read(select::last_event))
    }

    fn due(&self, by: Timestamp, limit: usize) -> Storing<'_, Vec<Record>> {
        Box::pin(self.readers.read(move |connection| select::due(connection, by, limit)))
    }

    fn next_deadline(&self) -> Storing<'_, Option<Timestamp>> {
        Box::pin(self.readers.read(select::next_deadline))
    }

    fn keep_token(&self, new: StoredToken) -> Storing<'_, u64> {
        self.writer.write(size_of::<StoredToken>(), move |changes| tokens::keep(changes.connection, &new))
    }

    fn redeem_token(&self, login: u64, session: StoredToken) -> Storing<'_, Option<u64>> {
        self.writer.write(size_of::<StoredToken>(), move |changes| tokens::redeem(changes.connection, login, &session))
    }

    fn forget_tokens(&self, numbers: Vec<u64>) -> Storing<'_, ()> {
        self.writer.write(size_of_val(&*numbers), move |changes| tokens::forget(changes.connection, &numbers))
    }

    fn rename_asker(&self, token: u64, renamed: AskerRename) -> Storing<'_, ()> {
        self.writer
            .write(size_of::<AskerRename>(), move |changes| tokens::rename_asker(changes.connection, token, &renamed))
    }

    fn tokens(&self) -> Storing<'_, Vec<(u64, StoredToken)>> {
        Box::pin(self.readers.read(tokens::all))
    }

    fn set_hooks(&self, hooks: Vec<Name>) -> Storing<'_, ()> {
        self.writer.write(size_of_val(&*hooks), move |changes| outbox::set_hooks(changes.connection, &hooks))
    }

    fn refill_outbox(&self, refill: Refill) -> Storing<'_, Refilled> {
        self.writer.write(0, move |changes| outbox::refill(changes.connection, refill))
    }

    fn due_dispatches(&self, by: Timestamp, limit: usize) -> Storing<'_, Vec<StoredDispatch>> {
        Box::pin(self.readers.read(move |connection| outbox::due(connection, by, limit)))
    }

    fn settle_dispatch(&self, number: u64, settled: Settled) -> Storing<'_, Option<(Name, u64)>> {
        self.writer.write(0, move |changes| outbox::settle(changes.connection, number, settled))
    }

    fn next_dispatch(&self) -> Storing<'_, Option<Timestamp>> {
        Box::pin(self.readers.read(outbox::next))
    }

    fn waiting_dispatches(&self) -> Storing<'_, u64> {
        Box::pin(self.readers.read(outbox::waiting))
    }

    fn log_identity(&self) -> Storing<'_, [u8; 16]> {
        Box::pin(self.readers.read(snapshots::log_identity))
    }

    fn keep_snapshot(&self, scope: Scope, snapshot: StoredSnapshot) -> Storing<'_, ()> {
        self.writer
            .write(snapshot.document.len(), move |changes| snapshots::keep(changes.connection, &scope, &snapshot))
    }

    fn snapshot(&self, scope: Scope) -> Storing<'_, Option<StoredSnapshot>> {
        Box::pin(self.readers.read(move |connection| snapshots::get(connection, &scope)))
    }

    fn close(&self) -> Storing<'_, ()> {
        Box::pin(async {
            self.readers.close().await;
            self.writer.close().await;
            Ok(())
        })
    }
}
