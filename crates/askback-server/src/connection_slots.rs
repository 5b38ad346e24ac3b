//! The slots of a listener's connections (S3, S8). A connection belongs to the token that it has shown last. Those that have shown none
//! are few, and the longest idle of them makes place for the next one, so that connections alone keep no person out.

use crate::limits::{UNHELD_GRACE, UNHELD_LEAST, UNHELD_PART};
use crate::pool::{Holder, Pool, PoolError, PoolLease, Quota};
use std::collections::HashMap;
use std::future::pending;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, sleep_until, timeout};

/// The slots of one listener.
pub(crate) struct ConnectionSlots {
    free: Arc<Semaphore>,
    unheld: Arc<UnheldConnections>,
    quota: Quota,
    pool: Pool,
}

impl ConnectionSlots {
    /// As many as there may be of a quota.
    pub(crate) fn new(quota: Quota, total: usize) -> Self {
        let quota = quota.of_total(total);
        let unheld = Arc::new(UnheldConnections::new(most_unheld(quota.total)));
        Self { free: Arc::new(Semaphore::new(quota.total)), unheld, quota, pool: Pool::new(quota) }
    }

    /// Waits for a slot for the next connection. Meanwhile, the longest idle connections that have shown no token are closed. `None` if there
    /// are no more slots for good.
    pub(crate) async fn take(&self) -> Option<ConnectionSlot> {
        let permits = async {
            let of_unheld = Arc::clone(&self.unheld.free).acquire_owned().await.ok()?;
            Some((of_unheld, Arc::clone(&self.free).acquire_owned().await.ok()?))
        };
        tokio::pin!(permits);
        let (of_unheld, permit) = loop {
            tokio::select! {
                biased;
                permits = &mut permits => break permits?,
                () = self.unheld.close_longest_idle() => {}
            }
        };
        let place = UnheldPlace::new(Arc::clone(&self.unheld), of_unheld);
        let holding = Mutex::new(Holding::Unheld(place));
        Some(ConnectionSlot { pool: self.pool.clone(), holding, is_refused: AtomicBool::new(false), _permit: permit })
    }

    /// Waits until all slots are free. A connection keeps its slot until it is closed, also after an upgrade.
    pub(crate) async fn all_free(&self) {
        let _ = self.free.acquire_many(u32::try_from(self.quota.total).unwrap_or(u32::MAX)).await;
    }
}

/// How many of so many connections may have shown no token.
pub(crate) const fn most_unheld(total: usize) -> usize {
    let part = total / UNHELD_PART;
    if part < UNHELD_LEAST { UNHELD_LEAST } else { part }
}

/// A slot for a connection, held for as long as the connection is open.
pub(crate) struct ConnectionSlot {
    pool: Pool,
    holding: Mutex<Holding>,
    is_refused: AtomicBool,
    _permit: OwnedSemaphorePermit,
}

/// Whose share a connection is part of.
enum Holding {
    /// Nobody's: it has shown no token.
    Unheld(UnheldPlace),
    /// The share of the token that was shown last.
    Token(PoolLease),
}

impl ConnectionSlot {
    /// Counts the connection as one of this holder's.
    pub(crate) fn hold(&self, holder: Holder) -> Result<(), PoolError> {
        let mut holding = self.lock();
        if matches!(&*holding, Holding::Token(lease) if lease.holder().token == holder.token) {
            return Ok(());
        }
        let mut lease = self.pool.lease(holder);
        if let Err(error) = lease.grow_to(1) {
            self.is_refused.store(matches!(&*holding, Holding::Unheld(_)), Ordering::Relaxed);
            return Err(error);
        }
        *holding = Holding::Token(lease);
        Ok(())
    }

    /// The token that the connection has shown last.
    pub(crate) fn holder(&self) -> Option<Holder> {
        match &*self.lock() {
            Holding::Unheld(_) => None,
            Holding::Token(lease) => Some(lease.holder()),
        }
    }

    /// Notes that the connection is used: it was opened, or a call began. The idle time of one that has shown no token begins anew.
    pub(crate) fn note_use(&self) {
        if let Holding::Unheld(place) = &*self.lock() {
            place.note_use();
        }
    }

    /// Whether the connection is in no token's share and was refused one. It is closed after the response: open, it would count for nobody.
    pub(crate) fn is_refused(&self) -> bool {
        self.is_refused.load(Ordering::Relaxed)
    }

    /// Completes when the connection has to make place for others.
    pub(crate) async fn gives_way(&self) {
        let told = match &*self.lock() {
            Holding::Unheld(place) => Some(place.must_close.clone()),
            Holding::Token(_) => None,
        };
        let must_close = match told {
            Some(mut told) => told.wait_for(|must_close| *must_close).await.is_ok(),
            None => false,
        };
        // A connection that shows a token at the last moment stays.
        if !must_close || matches!(&*self.lock(), Holding::Token(_)) {
            pending::<()>().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Holding> {
        self.holding.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The connections of one listener that have shown no token.
struct UnheldConnections {
    free: Arc<Semaphore>,
    open: Mutex<HashMap<u64, Unheld>>,
    opened: AtomicU64,
}

struct Unheld {
    /// When its last call began, or else when it was opened.
    used_at: Instant,
    must_close: watch::Sender<bool>,
}

impl UnheldConnections {
    fn new(most: usize) -> Self {
        Self { free: Arc::new(Semaphore::new(most)), open: Mutex::default(), opened: AtomicU64::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Unheld>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a connection has been idle for long enough to be closed, and closes it.
    async fn close_longest_idle(&self) {
        let longest = self.lock().iter().map(|(number, unheld)| (unheld.used_at, *number)).min();
        // Without any, the caller waits for connections that belong to tokens.
        let Some((used_at, number)) = longest else { return pending().await };
        sleep_until(used_at + UNHELD_GRACE).await;
        let closed = {
            let mut open = self.lock();
            let is_idle = open.get(&number).is_some_and(|unheld| unheld.used_at == used_at);
            is_idle.then(|| open.remove(&number)).flatten()
        };
        if let Some(Unheld { must_close, .. }) = closed {
            must_close.send_replace(true);
            // Its slot is free before the next one is closed. A connection to a room closes by itself, after its timeout.
            let _ = timeout(UNHELD_GRACE, must_close.closed()).await;
        }
    }
}

/// The place of a connection among those that have shown no token.
struct UnheldPlace {
    all: Arc<UnheldConnections>,
    number: u64,
    must_close: watch::Receiver<bool>,
    _permit: OwnedSemaphorePermit,
}

impl UnheldPlace {
    fn new(all: Arc<UnheldConnections>, permit: OwnedSemaphorePermit) -> Self {
        let number = all.opened.fetch_add(1, Ordering::Relaxed);
        let (sender, must_close) = watch::channel(false);
        all.lock().insert(number, Unheld { used_at: Instant::now(), must_close: sender });
        Self { all, number, must_close, _permit: permit }
    }

    fn note_use(&self) {
        if let Some(unheld) = self.all.lock().get_mut(&self.number) {
            unheld.used_at = Instant::now();
        }
    }
}

impl Drop for UnheldPlace {
    fn drop(&mut self) {
        self.all.lock().remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::CONNECTIONS;
    use futures_util::FutureExt;

    fn asker(token: u64) -> Holder {
        Holder { token, is_person: false }
    }

    async fn held(slots: &ConnectionSlots, holder: Holder) -> Result<ConnectionSlot, PoolError> {
        let slot = slots.take().await.unwrap();
        slot.hold(holder).map(|()| slot)
    }

    // S3, S8
    #[tokio::test]
    async fn connection_counts_for_the_token_that_it_has_shown_last() {
        // Of ten connections, a token may have five and all askers eight.
        let slots = ConnectionSlots::new(CONNECTIONS, 10);
        let mut open = Vec::new();
        for _ in 0..5 {
            open.push(held(&slots, asker(1)).await.unwrap());
        }
        assert!(held(&slots, asker(1)).await.is_err(), "it has its share");
        open[0].hold(asker(1)).unwrap();
        for _ in 0..3 {
            open.push(held(&slots, asker(2)).await.unwrap());
        }
        let refused = slots.take().await.unwrap();
        assert!(refused.hold(asker(3)).is_err(), "askers leave some to people");
        assert!(refused.is_refused(), "open, it would count for nobody");
        drop(refused);
        for _ in 0..2 {
            open.push(held(&slots, Holder { token: 4, is_person: true }).await.unwrap());
        }
        // A proxy sends calls of several tokens over one connection.
        open[0].hold(asker(2)).unwrap_err();
        assert!(!open[0].is_refused(), "it still counts for the other token");
        open.pop();
        open[0].hold(Holder { token: 5, is_person: true }).unwrap();
        let freed = held(&slots, asker(2)).await;
        assert!(freed.is_ok(), "what the connection counted for before is free again");
        drop(freed);
        drop(open);
        assert_eq!(slots.pool.used(), 0);
        assert!(slots.all_free().now_or_never().is_some());
    }

    // S3, S8
    #[tokio::test(start_paused = true)]
    async fn longest_idle_connection_without_a_token_makes_place_for_the_next_one() {
        let slots = ConnectionSlots::new(CONNECTIONS, 100);
        let person = held(&slots, Holder { token: 1, is_person: true }).await.unwrap();
        let mut idle = Vec::new();
        for _ in 0..most_unheld(100) {
            idle.push(slots.take().await.unwrap());
        }
        assert!(slots.take().now_or_never().is_none(), "a connection has time to show its token");
        tokio::time::advance(UNHELD_GRACE).await;
        idle[0].note_use();
        let second = idle.remove(1);
        let closing = async {
            second.gives_way().await;
            drop(second);
        };
        let (taken, ()) = tokio::join!(slots.take(), closing);
        assert!(taken.is_some());
        for kept in idle.iter().chain([&person]) {
            assert!(kept.gives_way().now_or_never().is_none(), "one place was needed");
        }
    }

    // S3, S8
    #[tokio::test(start_paused = true)]
    async fn connection_that_shows_a_token_at_the_last_moment_stays() {
        let slots = ConnectionSlots::new(CONNECTIONS, 100);
        let mut open = Vec::new();
        for _ in 0..most_unheld(100) {
            open.push(slots.take().await.unwrap());
        }
        tokio::time::advance(UNHELD_GRACE).await;
        let mut next = Box::pin(slots.take());
        assert!(next.as_mut().now_or_never().is_none(), "the first is told to close");
        open[0].hold(asker(1)).unwrap();
        assert!(next.await.is_some());
        assert!(open[0].gives_way().now_or_never().is_none());
    }
}
