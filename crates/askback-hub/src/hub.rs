//! The hub: the one writer, and the handle through which everything asks it.

use crate::clock::{Clock, SystemClock, whole_microseconds};
use crate::error::{HubError, StoreError};
use crate::gauge::Gauge;
use crate::keyring::Keyring;
use crate::limits::{HubLimits, TokenLimits, WRITE_RETRIES};
use crate::log::Log;
use crate::mutex::Mutex;
use crate::recent::Recent;
use crate::record::Record;
use crate::signal::Signal;
use crate::store::memory::MemoryStore;
use crate::store::{LogEntry, Opening, Store, StoreFuture};
use crate::waiters::Waiters;
use askback_core::RequestId;
use jiff::{SignedDuration, Timestamp};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

mod ask;
mod asker;
mod deadlines;
mod follower;
mod hook_leases;
mod inbox;
mod listeners;
mod logins;
mod outbox;
mod presence;
mod resolve;
mod rooms;
#[cfg(test)]
mod tests;
mod tokens;
mod waited;

pub use ask::{Ask, Asked, new_id};
pub use inbox::{AskerPresence, Attendance, Listed};
pub use presence::PersonPresence;
pub use resolve::Signature;

use deadlines::Deadlines;
use hook_leases::HookLeases;
use listeners::Listeners;
use presence::Presence;
use rooms::Rooms;

/// How a hub is to be.
#[derive(Clone)]
pub struct HubOptions {
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// How much it takes on.
    pub limits: HubLimits,
}

impl fmt::Debug for HubOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HubOptions").field("limits", &self.limits).finish_non_exhaustive()
    }
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
/// use askback_core::{Limits, Name, Path, Request, State, Surface};
/// use askback_hub::{Ask, Hub, HubOptions, Room, Signature};
///
/// let hub = Hub::in_memory(HubOptions::default()).await?;
/// let request = Request::parse(br#"{"type": "confirm", "message": "Deploy?"}"#, &Limits::DEFAULT)?;
/// let asked = hub.ask(Ask::new(request, Name::parse("release-agent")?, Room::parse("shop")?)).await?;
///
/// let reviewer = Signature::new(Name::parse("reviewer")?, Surface::Page);
/// hub.answer(asked.id(), &["yes".into()], reviewer).await?;
///
/// let State::Final(outcome) = hub.wait(asked.id(), None).await? else { panic!("it waits for as long as it takes") };
/// assert_eq!((outcome.responses(), outcome.by()), (vec!["yes".to_owned()], "reviewer"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Hub {
    pub(crate) shared: Arc<Shared>,
    /// Aborted with the last handle.
    tasks: Arc<Mutex<JoinSet<()>>>,
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
    pub(crate) listeners: Listeners,
    presence: Presence,
    pub(crate) opened_at: Timestamp,
    pub(crate) deadlines: Deadlines,
    pub(crate) rooms: Rooms,
    keyring: Keyring,
    token_limits: TokenLimits,
    most_waiting: usize,
    attended_for: SignedDuration,
    hook_leases: HookLeases,
}

impl Hub {
    /// A hub that forgets everything when it is closed.
    pub async fn in_memory(options: HubOptions) -> Result<Self, HubError> {
        let (store, signal) = MemoryStore::default().connect();
        Self::over(Arc::new(store), Box::new(signal), options).await
    }

    /// A hub over any store, with the signal that tells when to look there. A hub belongs to the runtime that it was opened on, and is
    /// closed when that ends.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with time enabled, as `#[tokio::main]` makes one.
    pub async fn over(store: Arc<dyn Store>, signal: Box<dyn Signal>, options: HubOptions) -> Result<Self, HubError> {
        // Panics here rather than in a task that nobody looks at.
        drop(tokio::time::sleep(Duration::ZERO));
        let Opening { last_event: last, pending, tokens, identity } = store.open().await?;
        let HubOptions { clock, limits } = options;
        let presence_changed = Arc::default();
        // The clock may have been set back since the last event.
        let latest = store.log(last.saturating_sub(1), 1).await?.iter().filter_map(LogEntry::at).max();
        let shared = Arc::new(Shared {
            store,
            waiters: Waiters::new(limits.waiters, Arc::clone(&presence_changed)),
            keyring: Keyring::new(tokens.tokens, Arc::clone(&clock)),
            token_limits: limits.of_tokens,
            most_waiting: limits.outbox,
            attended_for: limits.attended_for,
            hook_leases: HookLeases::default(),
            gauge: Gauge::new(limits, pending),
            log: Arc::new(Log::after(last)),
            recent: Recent::after(last),
            waited: waited::Marks::default(),
            listeners: Listeners::new(Arc::clone(&presence_changed)),
            presence: Presence::new(presence_changed),
            opened_at: whole_microseconds(clock.now()),
            clock,
            deadlines: Deadlines::new(),
            rooms: Rooms::new(identity, last),
        });
        shared.keyring.expire(latest.map_or(shared.now(), |latest| latest.max(shared.now())));
        let mut tasks = JoinSet::new();
        tasks.spawn(follower::follow(Arc::clone(&shared), signal));
        tasks.spawn(deadlines::watch(Arc::clone(&shared)));
        tasks.spawn(waited::write_down(Arc::clone(&shared)));
        tasks.spawn(rooms::follow(Arc::clone(&shared)));
        tasks.spawn(presence::report(Arc::clone(&shared)));
        tasks.spawn(tokens::sweep(Arc::clone(&shared)));
        Ok(Self { shared, tasks: Arc::new(Mutex::new(tasks)) })
    }

    /// Checks deadlines at once. A clock that was set calls it; otherwise they are checked every second.
    pub fn clock_changed(&self) {
        self.shared.deadlines.nearer.notify_one();
    }

    /// Checks that the store takes writes now, by a small one that changes nothing.
    pub async fn check_writable(&self) -> Result<(), HubError> {
        Ok(self.shared.store.check_writable().await?)
    }

    /// Closes the hub for every handle: finishes what was begun and gives the database back. Who waits and what comes later
    /// gets [`StoreError::Closed`]. A hub whose last handle is dropped closes, too, a moment later.
    pub async fn close(&self) -> Result<(), HubError> {
        let now = self.shared.now();
        self.shared.waiters.ids().iter().for_each(|id| self.shared.waited.mark(id, now));
        self.shared.close();
        let mut tasks = std::mem::take(&mut *self.tasks.lock());
        tasks.shutdown().await;
        rooms::save_each(&self.shared, self.shared.rooms.all()).await;
        // Who has been waiting is not worth more than closing.
        if let Err(error) = self.shared.waited.flush(&*self.shared.store).await {
            tracing::warn!(%error, "who has been waiting can't be written down");
        }
        self.release_leases().await;
        Ok(self.shared.store.close().await?)
    }
}

impl Hub {
    /// Releases the leases of this node. One that can't be released expires.
    async fn release_leases(&self) {
        let Shared { store, presence, hook_leases, .. } = &*self.shared;
        let mut released = store.release_presence(presence.node).await;
        if hook_leases.clear() {
            released = released.and(store.release_hooks(presence.node).await);
        }
        if let Err(error) = released {
            tracing::warn!(%error, "the leases of this node can't be released; they expire");
        }
    }
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("last_event", &self.shared.log.last()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

impl Shared {
    pub(crate) fn now(&self) -> Timestamp {
        whole_microseconds(self.clock.now())
    }

    /// Makes a write, and repeats it while the store can't tell whether it was stored. Every call has the same attempt id, so that
    /// it is stored once.
    pub(crate) async fn write<'s, T>(
        &'s self,
        write: impl Fn(&'s dyn Store) -> StoreFuture<'s, T>,
    ) -> Result<T, StoreError> {
        let first = write(&*self.store).await;
        let Err(StoreError::Failed(why)) = &first else { return first };
        tracing::warn!(why, "a write failed; it is repeated");
        for pause in WRITE_RETRIES {
            tokio::time::sleep(pause).await;
            match write(&*self.store).await {
                Ok(written) => return Ok(written),
                Err(StoreError::Failed(_)) => {}
                Err(_) => break,
            }
        }
        // Whatever the later errors are: it is not known whether the first call stored it.
        first
    }

    /// Tells those who wait and those who follow that nothing more will come.
    pub(crate) fn close(&self) {
        self.waiters.close();
        self.log.close();
    }

    pub(crate) async fn read(&self, id: &RequestId) -> Result<Arc<Record>, HubError> {
        let record = self.store.get(id.clone()).await?.ok_or_else(|| HubError::Unknown(id.clone()))?;
        Ok(Arc::new(record))
    }
}
