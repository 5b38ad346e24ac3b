//! The one thread that writes. Writes that wait while it syncs share the next sync.

use crate::failure::{explain, leaves_no_trust};
use crate::files_in_place::FilesInPlace;
use crate::limits::{GATHERING_NAP, WRITE_BYTES_WAITING, WRITES_IN_BATCH, WRITES_WAITING};
use crate::lock;
use crate::mark::{Mark, Marker};
use crate::open_file::move_log;
use crate::writes::Changes;
use askback_hub::Event;
use askback_hub::StoreError;
use askback_hub::signal::Hints;
use askback_hub::store::StoreFuture;
use rusqlite::{Connection, TransactionBehavior};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::task::spawn_blocking;

/// One write on its way to the disk.
trait Write: Send {
    /// Makes it, inside a transaction that is not its own. If that fails as a whole, it is made again in another.
    fn make(&mut self, changes: &mut Changes<'_>) -> rusqlite::Result<()>;

    /// Tells the caller what came of it once it is durable, or why it was not made.
    fn end(self: Box<Self>, durable: Result<(), StoreError>);
}

struct Statements<T, F> {
    statements: F,
    made: Option<T>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T: Send, F: FnMut(&mut Changes<'_>) -> rusqlite::Result<T> + Send> Write for Statements<T, F> {
    fn make(&mut self, changes: &mut Changes<'_>) -> rusqlite::Result<()> {
        self.made = Some((self.statements)(changes)?);
        Ok(())
    }

    fn end(self: Box<Self>, durable: Result<(), StoreError>) {
        let Self { made, reply, .. } = *self;
        let nothing = || StoreError::Failed("a change was acknowledged that was not made".to_owned());
        // A caller that does not wait any more is told nothing.
        drop(reply.send(durable.and_then(|()| made.ok_or_else(nothing))));
    }
}

type Queue = mpsc::Sender<(Box<dyn Write>, usize)>;

#[derive(Debug)]
pub(crate) struct Writer {
    queue: Mutex<Option<Queue>>,
    bytes: Arc<AtomicUsize>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    pub(crate) fn start(path: &Path, connection: Connection, hints: Hints, lock: File) -> Result<Self, StoreError> {
        let failed = |error| explain(path, &error);
        let opened = Mark::of(&connection).map_err(failed)?;
        let marker = Marker::start(path, opened)
            .map_err(|error| StoreError::Failed(format!("no thread to mark the log with: {error}")))?;
        let (queue, waiting) = mpsc::channel(WRITES_WAITING);
        let bytes = Arc::new(AtomicUsize::new(0));
        let thread = Thread {
            path: path.to_owned(),
            files: FilesInPlace::of(path),
            connection,
            hints,
            last: opened.last,
            marker,
            waiting,
            bytes: Arc::clone(&bytes),
            broken: None,
            writers: 0,
            last_sync: Duration::ZERO,
            _lock: lock,
        };
        let thread = std::thread::Builder::new().name("askback-store".to_owned()).spawn(move || thread.run());
        let thread = thread.map_err(|error| StoreError::Failed(format!("no thread to write with: {error}")))?;
        Ok(Self { queue: Mutex::new(Some(queue)), bytes, thread: Mutex::new(Some(thread)) })
    }

    /// Queues a write, and waits until it is durable. It is queued when this returns, before the wait begins.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        size: usize,
        statements: impl FnMut(&mut Changes<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> StoreFuture<'static, T> {
        let (reply, done) = oneshot::channel();
        let queued = self.queue(Box::new(Statements { statements, made: None, reply }), size);
        Box::pin(async move {
            queued?;
            done.await.unwrap_or(Err(StoreError::Closed))
        })
    }

    fn queue(&self, write: Box<dyn Write>, size: usize) -> Result<(), StoreError> {
        let give_back = || {
            self.bytes.fetch_sub(size, Ordering::Relaxed);
        };
        if self.bytes.fetch_add(size, Ordering::Relaxed) > WRITE_BYTES_WAITING {
            give_back();
            return Err(StoreError::Busy { what: "bytes waiting to be stored", limit: WRITE_BYTES_WAITING });
        }
        let queue = lock(&self.queue);
        let queued = match &*queue {
            None => Err(StoreError::Closed),
            Some(queue) => queue.try_send((write, size)).map_err(|error| match error {
                mpsc::error::TrySendError::Full(_) => {
                    StoreError::Busy { what: "writes waiting to be stored", limit: WRITES_WAITING }
                }
                mpsc::error::TrySendError::Closed(_) => StoreError::Closed,
            }),
        };
        queued.inspect_err(|_| give_back())
    }

    /// Lets nothing more in, and waits until everything that was queued is written, and the file closed.
    pub(crate) async fn close(&self) {
        *lock(&self.queue) = None;
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread {
            let _ = spawn_blocking(|| thread.join()).await;
        }
    }
}

struct Thread {
    path: PathBuf,
    files: FilesInPlace,
    connection: Connection,
    hints: Hints,
    /// The number of the last event that is durable.
    last: u64,
    marker: Marker,
    waiting: mpsc::Receiver<(Box<dyn Write>, usize)>,
    bytes: Arc<AtomicUsize>,
    /// Why nothing is written any more.
    broken: Option<String>,
    /// Those that wrote with the last sync, and those that were waiting when it was over.
    writers: usize,
    last_sync: Duration,
    /// Given back after the connection is closed, being the last field.
    _lock: File,
}

impl Thread {
    fn run(mut self) {
        while let Some(first) = self.waiting.blocking_recv() {
            self.gather();
            let mut batch = vec![first];
            while batch.len() < WRITES_IN_BATCH
                && let Ok(next) = self.waiting.try_recv()
            {
                batch.push(next);
            }
            let size: usize = batch.iter().map(|(_, size)| size).sum();
            self.write(batch.into_iter().map(|(write, _)| write).collect());
            self.bytes.fetch_sub(size, Ordering::Relaxed);
        }
    }

    /// Where a sync takes long, those that were just acknowledged are on their way back: waiting a quarter of a sync for
    /// them saves every second one. Who writes alone never waits.
    fn gather(&self) {
        let patience = self.last_sync / 4;
        let start = Instant::now();
        while self.waiting.len() + 1 < self.writers && start.elapsed() + GATHERING_NAP < patience {
            std::thread::sleep(GATHERING_NAP);
        }
    }

    /// Writes all of it in one transaction, or, if that fails, each on its own, so that only what can't be written fails.
    fn write(&mut self, mut batch: Vec<Box<dyn Write>>) {
        self.look_after_files();
        if let Some(why) = &self.broken {
            return end_all(batch, &Err(StoreError::Broken(why.clone())));
        }
        let committed = self.commit(&mut batch);
        // Looked at first: the system's error is that of its last call that failed.
        let committed = committed.map_err(|error| (leaves_no_trust(&error), explain(&self.path, &error), error));
        match committed {
            Ok(events) => {
                // Waiters first, whose answer is on its way anyhow, then the callers that wrote.
                self.hints.committed(events);
                end_all(batch, &Ok(()));
            }
            Err((true, _, error)) => {
                tracing::error!(%error, "the store takes nothing more");
                self.broken = Some(error.to_string());
                end_all(batch, &Err(StoreError::Failed(error.to_string())));
            }
            // A program that holds the database holds it for all of them.
            Err((_, locked @ StoreError::Locked(_), _)) => end_all(batch, &Err(locked)),
            Err((_, why, _)) if batch.len() == 1 => end_all(batch, &Err(why)),
            Err(_) => batch.into_iter().for_each(|write| self.write(vec![write])),
        }
    }

    /// Takes nothing more once a file of the database was removed or replaced. What the log has is moved into the database, so
    /// that nothing acknowledged is lost with the process.
    fn look_after_files(&mut self) {
        if self.broken.is_some() {
            return;
        }
        let Some(missing) = self.files.missing() else { return };
        let why = format!("{} was removed or replaced while the hub ran", missing.display());
        let saved = move_log(&self.connection).is_ok_and(|is_whole| is_whole);
        tracing::error!(why, saved, "the store takes nothing more");
        self.broken = Some(why);
    }

    fn commit(&mut self, batch: &mut [Box<dyn Write>]) -> rusqlite::Result<Vec<Event>> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut changes = Changes::after(self.last, &transaction);
        batch.iter_mut().try_for_each(|write| write.make(&mut changes))?;
        let events = changes.events;
        let begun = Instant::now();
        transaction.commit()?;
        self.last_sync = begun.elapsed();
        self.writers = batch.len() + self.waiting.len();
        if !events.is_empty() {
            self.last += events.len() as u64;
            self.marker.pass(self.last);
        }
        tracing::trace!(writes = batch.len(), "committed");
        Ok(events)
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        if std::thread::panicking() {
            tracing::error!("the thread that writes has panicked; the store takes nothing more");
        }
    }
}

fn end_all(batch: Vec<Box<dyn Write>>, durable: &Result<(), StoreError>) {
    batch.into_iter().for_each(|write| write.end(durable.clone()));
}
