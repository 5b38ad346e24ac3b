//! A store in an SQLite database: one thread writes, and writes that wait share a sync; other connections read.

use crate::readers::Readers;
use crate::writer::Writer;
use askback_core::{Name, RequestId};
use askback_hub::Settled;
use askback_hub::signal::{LocalSignal, Signal, local};
use askback_hub::store::{
    AskerRename, AttendanceStore, Created, Delivery, HookLease, LogEntry, NewOutcome, NewRequest, NodeId, Observer,
    Opening, OutboxStore, PresenceRenewal, PresenceStore, PresenceTable, Refill, Refilled, RequestStore, Resolved,
    SnapshotStore, Store, StoreFuture, StoredDispatch, StoredSnapshot, StoredToken, StoredTokens, TokenStore,
    WantedLeases,
};
use askback_hub::{AuditQuery, Counts, Page, Query, Unattended};
use askback_hub::{Event, Record};
use askback_hub::{Hub, HubError, HubOptions, StoreError};
use askback_hub::{Room, Scope};
use jiff::Timestamp;
use rusqlite::Connection;
use std::future::ready;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::spawn_blocking;

mod beside;
mod failure;
mod files_in_place;
pub mod limits;
mod mark;
mod open_file;
mod outbox;
mod readers;
mod room;
mod rows;
mod select;
mod snapshots;
#[cfg(test)]
mod tests;
mod tokens;
mod writer;
mod writes;

/// A database file that this process alone has open.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    // Closed in this order: those who read go, the writer finishes what it was given and leaves a single file behind, and
    // gives the lock back. Dropped, the same happens by itself a moment later.
    readers: Readers,
    writer: Writer,
    /// In memory: the hubs that share this store are in this process.
    presence: PresenceTable,
}

/// Opens a database where that may wait for the disk, as a store and its signal for a hub.
pub async fn open(path: &Path) -> Result<(Arc<dyn Store>, Box<dyn Signal>), StoreError> {
    let path = path.to_owned();
    let opened = spawn_blocking(move || SqliteStore::open(&path)).await;
    let (store, signal) = opened.map_err(|error| StoreError::Failed(error.to_string()))??;
    Ok((Arc::new(store), Box::new(signal)))
}

/// Opens a hub over a database file, which is created if need be, with its folder, and which this process alone may have open. A
/// hub belongs to the runtime that it was opened on, and is closed when that ends.
///
/// # Panics
///
/// Outside of a tokio runtime with time enabled, as `#[tokio::main]` makes one.
pub async fn open_hub(path: impl AsRef<Path>, options: HubOptions) -> Result<Hub, HubError> {
    let (store, signal) = open(path.as_ref()).await?;
    Hub::over(store, signal, options).await
}

/// Locks a mutex, also after a panic of one of its holders.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SqliteStore {
    /// Opens a database, making it and its folder if need be. What is there and is no database of ours, or one from a
    /// newer program, is left alone. Waits for the disk: on a runtime, call it where that is allowed.
    pub fn open(path: &Path) -> Result<(Self, LocalSignal), StoreError> {
        let path = &open_file::whole(path)?;
        let opened = || {
            let lock = open_file::lock(path)?;
            let connection = open_file::open(path)?;
            let (hints, signal) = local();
            let readers = Readers::open(path)?;
            let writer = Writer::start(path, connection, hints, lock)?;
            Ok((Self { path: path.clone(), readers, writer, presence: PresenceTable::default() }, signal))
        };
        opened().map_err(|error| match error {
            // Nothing was to be stored yet.
            StoreError::Failed(why) => StoreError::Unusable { store: path.display().to_string(), why },
            error => error,
        })
    }
}

/// Everything that a hub starts with, as of one moment.
fn opening(connection: &Connection) -> rusqlite::Result<Opening> {
    let moment = connection.unchecked_transaction()?;
    Ok(Opening {
        last_event: select::last_event(&moment)?,
        pending: select::pending_of_askers(&moment)?,
        tokens: tokens::all(&moment)?,
        identity: snapshots::log_identity(&moment)?,
    })
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

impl PresenceStore for SqliteStore {
    fn renew_presence(&self, renewal: PresenceRenewal) -> StoreFuture<'_, bool> {
        Box::pin(ready(Ok(self.presence.renew(renewal))))
    }

    fn release_presence(&self, node: NodeId) -> StoreFuture<'_, ()> {
        self.presence.release(node);
        Box::pin(ready(Ok(())))
    }

    fn attended_elsewhere(
        &self,
        observer: Observer,
        requests: Vec<(RequestId, Name)>,
    ) -> StoreFuture<'_, Vec<RequestId>> {
        Box::pin(ready(Ok(self.presence.attended_elsewhere(observer, requests))))
    }

    fn people_elsewhere(&self, observer: Observer, room: Option<Room>) -> StoreFuture<'_, u64> {
        Box::pin(ready(Ok(self.presence.people_elsewhere(observer, room.as_ref()))))
    }
}

impl TokenStore for SqliteStore {
    fn add_token(&self, new: StoredToken, replaced: Vec<u64>) -> StoreFuture<'_, u64> {
        self.writer.write(size_of::<StoredToken>(), move |changes| tokens::add(changes.connection, &new, &replaced))
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

    fn lease_hooks(&self, wanted: WantedLeases) -> StoreFuture<'_, Vec<HookLease>> {
        self.writer.write(size_of_val(&*wanted.hooks), move |changes| outbox::lease(changes.connection, &wanted))
    }

    fn release_hooks(&self, node: NodeId) -> StoreFuture<'_, ()> {
        self.writer.write(0, move |changes| outbox::release(changes.connection, node))
    }

    fn settle_dispatch(&self, number: u64, fence: u64, settled: Settled) -> StoreFuture<'_, Option<(Name, u64)>> {
        self.writer.write(0, move |changes| outbox::settle(changes.connection, number, fence, settled))
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
        Box::pin(self.readers.read(opening))
    }

    fn check_writable(&self) -> StoreFuture<'_, ()> {
        // The page of a row is written and synced as any other, also where its content stays the same.
        let sql = "UPDATE log SET tokens_version = tokens_version";
        let written =
            self.writer.write(0, move |changes| changes.connection.prepare_cached(sql)?.execute([]).map(drop));
        let path = self.path.clone();
        Box::pin(async move {
            // A full disk may still take one page where the write-ahead log has room, and no request.
            let room = spawn_blocking(move || room::check(&path)).await;
            room.map_err(|error| StoreError::Failed(error.to_string()))??;
            written.await
        })
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        Box::pin(async {
            self.readers.close().await;
            self.writer.close().await;
            Ok(())
        })
    }
}
