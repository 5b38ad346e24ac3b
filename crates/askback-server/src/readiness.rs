//! Whether the hub is ready for work: its store takes writes.

use crate::limits::{READY_FOR, READY_TIMEOUT};
use askback_hub::Hub;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

/// Whether the store takes writes; otherwise the reason why it does not.
type Checked = Result<(), String>;

/// The check of the store: one is under way at most, and all callers share its result. On a disk that hangs, each further one would
/// hold a thread as well.
#[derive(Debug, Default)]
pub(crate) struct Readiness(Arc<Mutex<Checks>>);

#[derive(Debug, Default)]
struct Checks {
    /// The last result. It is used for a while, so that callers can't make the hub write more often.
    last: Option<(Instant, Checked)>,
    /// Closed when the check that was begun last is over.
    under_way: Option<watch::Receiver<()>>,
}

impl Readiness {
    /// Checks that the store takes writes; otherwise the reason why it does not.
    pub(crate) async fn check(&self, hub: &Hub) -> Checked {
        let hub = hub.clone();
        self.check_by(|| async move { hub.check_writable().await.map_err(|error| error.to_string()) }).await
    }

    async fn check_by<F>(&self, check: impl FnOnce() -> F) -> Checked
    where
        F: Future<Output = Checked> + Send + 'static,
    {
        let mut under_way = match self.last_or_begun(check) {
            Ok(checked) => return checked,
            Err(under_way) => under_way,
        };
        // Nothing is sent: it is closed.
        if timeout(READY_TIMEOUT, under_way.changed()).await.is_err() {
            return Err(format!("the store has not answered within {} seconds", READY_TIMEOUT.as_secs()));
        }
        let last = self.checks().last.clone();
        last.map_or_else(|| Err("the check of the store has failed".to_owned()), |(_, checked)| checked)
    }

    /// The last result; or else the check that is under way, which is begun if there is none.
    fn last_or_begun<F>(&self, check: impl FnOnce() -> F) -> Result<Checked, watch::Receiver<()>>
    where
        F: Future<Output = Checked> + Send + 'static,
    {
        let mut checks = self.checks();
        match (&checks.last, &checks.under_way) {
            (Some((at, checked)), _) if at.elapsed() < READY_FOR => return Ok(checked.clone()),
            (_, Some(under_way)) if under_way.has_changed().is_ok() => return Err(under_way.clone()),
            _ => {}
        }
        let (over, under_way) = watch::channel(());
        *checks = Checks { last: None, under_way: Some(under_way.clone()) };
        let (check, readiness) = (check(), Self(Arc::clone(&self.0)));
        tokio::spawn(async move {
            let checked = check.await;
            readiness.checks().last = Some((Instant::now(), checked));
            drop(over);
        });
        Err(under_way)
    }

    fn checks(&self) -> MutexGuard<'_, Checks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_hub::HubOptions;
    use tokio::sync::oneshot;

    // S3
    #[tokio::test(start_paused = true)]
    async fn result_of_a_check_is_used_for_a_while() {
        let hub = Hub::in_memory(HubOptions::default()).await.unwrap();
        let readiness = Readiness::default();
        readiness.check(&hub).await.unwrap();
        hub.close().await.unwrap();
        readiness.check(&hub).await.unwrap();
        tokio::time::advance(READY_FOR).await;
        readiness.check(&hub).await.unwrap_err();
    }

    // S3
    #[tokio::test(start_paused = true)]
    async fn callers_share_one_check_for_as_long_as_it_takes() {
        let readiness = Readiness::default();
        let (disk, hangs) = oneshot::channel();
        let first = readiness.check_by(|| async { hangs.await.unwrap() });
        let another = || -> std::future::Ready<Checked> { panic!("one is under way") };
        let second = readiness.check_by(another);
        let (first, second) = tokio::join!(first, second);
        for told in [first, second] {
            assert!(told.unwrap_err().contains("has not answered within 5 seconds"));
        }
        let third = readiness.check_by(another);
        disk.send(Ok(())).unwrap();
        assert_eq!(third.await, Ok(()));
        tokio::time::advance(READY_FOR).await;
        let full = readiness.check_by(|| async { Err("the disk is full".to_owned()) }).await;
        assert_eq!(full.unwrap_err(), "the disk is full", "the next check begins when one is over");
    }

    // S3
    #[tokio::test(start_paused = true)]
    async fn check_that_panics_is_told_and_does_not_end_the_next_one() {
        let readiness = Readiness::default();
        readiness.check_by(|| async { panic!("a test") }).await.unwrap_err();
        readiness.check_by(|| async { Ok(()) }).await.unwrap();
    }
}
