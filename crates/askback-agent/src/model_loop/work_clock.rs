//! How long a turn has worked: the time a person takes to answer is theirs.

use crate::stream::EventSender;
use askback_core::{Asker, Asking, Request};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// A clock that stands still while somebody is being asked.
#[derive(Debug)]
pub(super) struct WorkClock {
    started: Instant,
    waits: Mutex<Waits>,
}

#[derive(Debug, Default)]
struct Waits {
    /// Questions that are open, and since when there has been one.
    open: usize,
    since: Option<Instant>,
    total: Duration,
}

impl WorkClock {
    pub(super) fn start() -> Self {
        Self { started: Instant::now(), waits: Mutex::default() }
    }

    pub(super) fn worked(&self) -> Duration {
        let waits = self.waits();
        let open = waits.since.map_or(Duration::ZERO, |since| since.elapsed());
        self.started.elapsed().saturating_sub(waits.total + open)
    }

    fn waits(&self) -> MutexGuard<'_, Waits> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An asker whose time does not count.
pub(super) struct Paused {
    pub(super) clock: Arc<WorkClock>,
    pub(super) asker: EventSender,
}

impl Asker for Paused {
    fn ask(&self, request: Request) -> Asking<'_> {
        Box::pin(async move {
            let _wait = Wait::begin(&self.clock);
            self.asker.ask(request).await
        })
    }
}

/// A question that is open.
struct Wait<'c>(&'c WorkClock);

impl<'c> Wait<'c> {
    fn begin(clock: &'c WorkClock) -> Self {
        let mut waits = clock.waits();
        waits.open += 1;
        waits.since.get_or_insert_with(Instant::now);
        Self(clock)
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let mut waits = self.0.waits();
        waits.open -= 1;
        if waits.open == 0
            && let Some(since) = waits.since.take()
        {
            waits.total += since.elapsed();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // S3
    #[tokio::test(start_paused = true)]
    async fn waiting_for_a_person_is_no_work() {
        let clock = WorkClock::start();
        tokio::time::advance(Duration::from_secs(1)).await;
        {
            let _first = Wait::begin(&clock);
            tokio::time::advance(Duration::from_secs(60)).await;
            let _second = Wait::begin(&clock);
            tokio::time::advance(Duration::from_secs(60)).await;
            assert_eq!(clock.worked(), Duration::from_secs(1), "while it is open");
        }
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(clock.worked(), Duration::from_secs(3), "and afterwards");
    }
}
