//! The one thread that writes. Writes that wait while it syncs share the next sync.

use super::change::{Change, change};
use super::failure::{explain, is_locked, leaves_no_trust};
use super::opening::Lock;
use super::select::last_event;
use super::writes::Changes;
use crate::error::StoreError;
use crate::limits::{GATHERING_NAP, WRITE_BYTES_WAITING, WRITES_IN_BATCH, WRITES_WAITING};
use crate::record::Event;
use crate::signal::Hints;
use crate::store::{Created, Delivery, NewOutcome, NewRequest, Resolved, Storing};
use askback_core::RequestId;
use jiff::Timestamp;
use rusqlite::{Connection, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::task::spawn_blocking;

/// The way back to whoever wrote.
pub(super) type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// One write, with what is to be written already in words.
pub(super) enum Write {
    Create { new: NewRequest, text: String, reply: Reply<Created> },
    Resolve { ending: NewOutcome, text: String, reply: Reply<Resolved> },
    Deliver { id: RequestId, delivery: Delivery, reply: Reply<bool> },
    Waited { seen: Vec<(RequestId, Timestamp)>, reply: Reply<()> },
    Beside(Box<dyn Change>),
}

/// The writing thread's queue.
#[derive(Debug)]
pub(super) struct Writer {
    queue: Mutex<Option<mpsc::Sender<(Write, usize)>>>,
    bytes: Arc<AtomicUsize>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    pub(super) fn start(path: &Path, connection: Connection, hints: Hints, lock: Lock) -> Result<Self, StoreError> {
        let last = last_event(&connection).map_err(|error| explain(path, &error))?;
        let (queue, waiting) = mpsc::channel(WRITES_WAITING);
        let bytes = Arc::new(AtomicUsize::new(0));
        let thread = Thread {
            path: path.to_owned(),
            connection,
            hints,
            last,
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
    pub(super) fn write<T: Send + 'static>(
        &self,
        size: usize,
        write: impl FnOnce(Reply<T>) -> Write,
    ) -> Storing<'static, T> {
        let (reply, done) = oneshot::channel();
        let queued = self.queue(write(reply), size);
        Box::pin(async move {
            queued?;
            done.await.unwrap_or(Err(StoreError::Closed))
        })
    }

    /// The same for a change beside requests and their log.
    pub(super) fn change<T: Send + 'static>(
        &self,
        size: usize,
        statements: impl FnMut(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Storing<'static, T> {
        self.write(size, |reply| Write::Beside(change(statements, reply)))
    }

    fn queue(&self, write: Write, size: usize) -> Result<(), StoreError> {
        let give_back = || {
            self.bytes.fetch_sub(size, Ordering::Relaxed);
        };
        if self.bytes.fetch_add(size, Ordering::Relaxed) > WRITE_BYTES_WAITING {
            give_back();
            return Err(StoreError::Busy { what: "bytes waiting to be stored", limit: WRITE_BYTES_WAITING });
        }
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Lets nothing more in, and gives the thread that finishes what is queued.
    fn finish(&self) -> Option<JoinHandle<()>> {
        *self.queue.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.thread.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Waits until everything that was queued is written, and the file closed.
    pub(super) async fn close(&self) {
        if let Some(thread) = self.finish() {
            let _ = spawn_blocking(|| thread.join()).await;
        }
    }
}

struct Thread {
    path: PathBuf,
    connection: Connection,
    hints: Hints,
    /// The number of the last event that is durable.
    last: u64,
    waiting: mpsc::Receiver<(Write, usize)>,
    bytes: Arc<AtomicUsize>,
    /// Why nothing is written any more.
    broken: Option<String>,
    /// Those that wrote with the last sync, and those that were waiting when it was over.
    writers: usize,
    last_sync: Duration,
    /// Given back after the connection is closed, being the last field.
    _lock: Lock,
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
    fn write(&mut self, mut batch: Vec<Write>) {
        if let Some(why) = &self.broken {
            let error = StoreError::Broken(why.clone());
            batch.into_iter().for_each(|write| write.fail(&error));
            return;
        }
        match self.commit(&mut batch) {
            Ok(done) => self.acknowledge(batch, done),
            Err(error) if self.is_broken_by(&error) => {
                let unknown = StoreError::Failed(error.to_string());
                batch.into_iter().for_each(|write| write.fail(&unknown));
            }
            // Whoever holds the database holds it for all of them.
            Err(error) if is_locked(&error) => {
                let locked = explain(&self.path, &error);
                batch.into_iter().for_each(|write| write.fail(&locked));
            }
            Err(error) => match <[Write; 1]>::try_from(batch) {
                Ok([write]) => write.fail(&explain(&self.path, &error)),
                Err(batch) => batch.into_iter().for_each(|write| self.write(vec![write])),
            },
        }
    }

    fn is_broken_by(&mut self, error: &rusqlite::Error) -> bool {
        if leaves_no_trust(error) {
            tracing::error!(%error, "the store takes nothing more");
            self.broken = Some(error.to_string());
        }
        self.broken.is_some()
    }

    fn commit(&mut self, batch: &mut [Write]) -> rusqlite::Result<(Vec<Done>, Vec<Event>)> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut changes = Changes::after(self.last, &transaction);
        let done = batch.iter_mut().map(|write| changes.make(write)).collect::<rusqlite::Result<Vec<_>>>()?;
        let events = changes.events;
        let begun = Instant::now();
        transaction.commit()?;
        self.last_sync = begun.elapsed();
        self.writers = batch.len() + self.waiting.len();
        self.last += events.len() as u64;
        tracing::trace!(writes = batch.len(), "committed");
        Ok((done, events))
    }

    /// Tells the waiting first, whose answer is on its way anyhow, then those who wrote.
    fn acknowledge(&self, batch: Vec<Write>, (done, events): (Vec<Done>, Vec<Event>)) {
        self.hints.committed(events);
        for (write, done) in batch.into_iter().zip(done) {
            // Whoever does not wait any more is told nothing.
            match (write, done) {
                (Write::Create { reply, .. }, Done::Created(created)) => drop(reply.send(Ok(created))),
                (Write::Resolve { reply, .. }, Done::Resolved(resolved)) => drop(reply.send(Ok(resolved))),
                (Write::Deliver { reply, .. }, Done::Delivered(changed)) => drop(reply.send(Ok(changed))),
                (Write::Waited { reply, .. }, Done::Waited) => drop(reply.send(Ok(()))),
                (Write::Beside(change), Done::Beside) => change.acknowledge(),
                (write, _) => write.fail(&StoreError::Failed("another write's result came back".to_owned())),
            }
        }
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        if std::thread::panicking() {
            tracing::error!("the thread that writes has panicked; the store takes nothing more");
        }
    }
}

/// What came of a write.
pub(super) enum Done {
    Created(Created),
    Resolved(Resolved),
    Delivered(bool),
    Waited,
    Beside,
}

impl Write {
    fn fail(self, error: &StoreError) {
        let error = error.clone();
        match self {
            Self::Create { reply, .. } => drop(reply.send(Err(error))),
            Self::Resolve { reply, .. } => drop(reply.send(Err(error))),
            Self::Deliver { reply, .. } => drop(reply.send(Err(error))),
            Self::Waited { reply, .. } => drop(reply.send(Err(error))),
            Self::Beside(change) => change.fail(error),
        }
    }
}
