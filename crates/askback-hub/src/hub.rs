//! The hub: the one writer, and the handle through which everything asks it.

use crate::clock::{Clock, SystemClock, whole_microseconds};
use crate::deadlines::Deadlines;
use crate::error::{HubError, StoreError};
use crate::gauge::Gauge;
use crate::limits::HubLimits;
use crate::log::Log;
use crate::recent::Recent;
use crate::record::Record;
use crate::signal::Signal;
use crate::store::Store;
use crate::store::memory::MemoryStore;
use crate::store::sqlite::SqliteStore;
use crate::waiters::Waiters;
use crate::{deadlines, follower, waited};
use askback_core::RequestId;
use jiff::Timestamp;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use tokio::task::{AbortHandle, spawn_blocking};

mod ask;
mod asker;
mod inbox;
mod resolve;
#[cfg(test)]
mod tests;

pub use ask::{Ask, Asked};
pub use inbox::{Attendance, AuditLines, Listed};
pub use resolve::Signature;

/// How a hub is to be.
#[derive(Clone)]
pub struct HubOptions {
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// How much it takes on.
    pub limits: HubLimits,
}

impl Default for HubOptions {
    /// The machine's clock, and limits that only something gone wild meets.
    fn default() -> Self {
        Self { clock: Arc::new(SystemClock), limits: HubLimits::DEFAULT }
    }
}

/// A handle on a hub; clones are handles on the same one. When the last is gone, the hub is closed.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use askback_core::{Limits, Name, RawAnswer, Path, Request, Surface};
/// use askback_hub::{Ask, Hub, HubOptions, Room, Signature};
///
/// let hub = Hub::in_memory(HubOptions::default()).await?;
/// let request = Request::parse(br#"{"type": "confirm", "message": "Deploy?"}"#, &Limits::DEFAULT)?;
/// let asked = hub.ask(Ask::new(request, Name::parse("release-agent")?, Room::parse("shop")?)).await?;
///
/// let record = hub.record(asked.id()).await?;
/// let answers = record.request.parse_answers(&[RawAnswer::Response("yes")], &Path::root())?;
/// let reviewer = Signature::new(Name::parse("reviewer")?, Surface::Page);
/// hub.answer(asked.id(), answers, reviewer).await?;
///
/// let state = hub.wait(asked.id(), None).await?;
/// assert!(matches!(state, askback_core::State::Final(outcome) if outcome.by() == "reviewer"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Hub {
    pub(crate) shared: Arc<Shared>,
    tasks: Arc<Tasks>,
}

/// What the handles and the tasks of a hub share.
pub(crate) struct Shared {
    pub(crate) store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    pub(crate) gauge: Gauge,
    pub(crate) log: Arc<Log>,
    pub(crate) recent: Recent,
    pub(crate) waiters: Waiters,
    pub(crate) waited: waited::Marks,
    pub(crate) deadlines: Deadlines,
}

/// The tasks of a hub, which end with its last handle.
struct Tasks {
    handles: Vec<AbortHandle>,
    log: Arc<Log>,
}

impl Tasks {
    fn stop(&self) {
        self.handles.iter().for_each(AbortHandle::abort);
        self.log.close();
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Hub {
    /// A hub over a database file, which is made if need be and which it alone may have open.
    pub async fn open(path: &Path, options: HubOptions) -> Result<Self, HubError> {
        let path = path.to_owned();
        let opened = spawn_blocking(move || SqliteStore::open(&path)).await;
        let (store, signal) = opened.map_err(|error| StoreError::Failed(error.to_string()))??;
        Self::over(Arc::new(store), Box::new(signal), options).await
    }

    /// A hub that forgets everything when it is closed.
    pub async fn in_memory(options: HubOptions) -> Result<Self, HubError> {
        let (store, signal) = MemoryStore::default().connect();
        Self::over(Arc::new(store), Box::new(signal), options).await
    }

    /// A hub over any store, with the signal that tells when to look there.
    pub async fn over(store: Arc<dyn Store>, signal: Box<dyn Signal>, options: HubOptions) -> Result<Self, HubError> {
        let last = store.last_event().await?;
        let pending = store.pending_of_askers().await?;
        let HubOptions { clock, limits } = options;
        let shared = Arc::new(Shared {
            store,
            clock,
            waiters: Waiters::new(limits.waiters),
            gauge: Gauge::new(limits, pending),
            log: Arc::new(Log::after(last)),
            recent: Recent::new(),
            waited: waited::Marks::default(),
            deadlines: Deadlines::new(),
        });
        let log = Arc::clone(&shared.log);
        let handles = vec![
            tokio::spawn(follower::follow(Arc::clone(&shared), signal)).abort_handle(),
            tokio::spawn(deadlines::watch(Arc::clone(&shared))).abort_handle(),
            tokio::spawn(waited::write_down(Arc::clone(&shared))).abort_handle(),
        ];
        Ok(Self { shared, tasks: Arc::new(Tasks { handles, log }) })
    }

    /// Closes the hub for every handle: finishes what was begun and gives the database back. Who waits and what comes later
    /// gets [`StoreError::Closed`]. A hub whose last handle is dropped closes, too, a moment later.
    pub async fn close(&self) -> Result<(), HubError> {
        self.shared.waiters.close();
        self.tasks.stop();
        // Who has been waiting is not worth more than closing.
        if let Err(error) = self.shared.waited.flush(&*self.shared.store).await {
            tracing::warn!(%error, "who has been waiting can't be written down");
        }
        Ok(self.shared.store.close().await?)
    }
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("last_event", &self.shared.log.last()).finish_non_exhaustive()
    }
}

impl Shared {
    pub(crate) fn now(&self) -> Timestamp {
        whole_microseconds(self.clock.now())
    }

    /// A request, read from the store.
    pub(crate) async fn read(&self, id: &RequestId) -> Result<Arc<Record>, HubError> {
        let record = self.store.get(id.clone()).await?.ok_or_else(|| HubError::Unknown(id.clone()))?;
        Ok(Arc::new(record))
    }
}
