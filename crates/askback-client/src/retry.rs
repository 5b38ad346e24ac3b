//! Retries of calls that fail with a transient error.

use crate::limits::RETRY;
use askback_api::ApiError;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The time since which a hub has been away: that of the first call that failed, or that at which its response was due.
#[derive(Default)]
pub(crate) struct Absence(Option<Instant>);

impl Absence {
    /// Records that a call failed at `now` whose response was due at `due`, and returns whether the hub has been away for longer
    /// than `patience`.
    pub(crate) fn lasts_longer_than(&mut self, patience: Option<Duration>, due: Instant, now: Instant) -> bool {
        let away = now.duration_since(*self.0.get_or_insert(due.min(now)));
        patience.is_some_and(|patience| away >= patience)
    }
}

/// Makes a call until it succeeds, fails with an error that is not transient, or fails after `patience`. Unless `patience` is zero, there
/// is at least one retry, no matter how long the first call took.
pub async fn retry<T, F>(patience: Duration, mut call: impl FnMut() -> F) -> Result<T, ApiError>
where
    F: Future<Output = Result<T, ApiError>>,
{
    let until = Instant::now() + patience;
    let mut is_first = !patience.is_zero();
    loop {
        match call().await {
            Err(error) if error.is_transient() && (std::mem::take(&mut is_first) || Instant::now() + RETRY < until) => {
                sleep(RETRY).await;
            }
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // L3
    #[tokio::test(start_paused = true)]
    async fn absence_counts_from_the_first_failure_and_not_from_the_call() {
        let mut absence = Absence::default();
        let patience = Some(Duration::from_secs(5));
        let lasts = |absence: &mut Absence, patience| {
            let now = Instant::now();
            absence.lasts_longer_than(patience, now + Duration::from_secs(20), now)
        };
        // A long poll has just failed, before its response was due.
        sleep(Duration::from_secs(40)).await;
        assert!(!lasts(&mut absence, patience));
        sleep(Duration::from_secs(4)).await;
        assert!(!lasts(&mut absence, patience));
        sleep(Duration::from_secs(1)).await;
        assert!(lasts(&mut absence, patience));
        assert!(!lasts(&mut Absence::default(), None), "for as long as it takes");
        assert!(lasts(&mut Absence::default(), Some(Duration::ZERO)), "not at all");
    }

    // L3
    #[tokio::test(start_paused = true)]
    async fn absence_of_a_hub_that_does_not_respond_counts_from_when_the_response_was_due() {
        let patience = Some(Duration::from_secs(5));
        let due = Instant::now() + Duration::from_secs(10);
        sleep(Duration::from_secs(14)).await;
        assert!(!Absence::default().lasts_longer_than(patience, due, Instant::now()));
        sleep(Duration::from_secs(1)).await;
        assert!(Absence::default().lasts_longer_than(patience, due, Instant::now()));
    }

    // L3
    #[tokio::test(start_paused = true)]
    async fn call_that_failed_is_made_once_more_however_long_it_took() {
        for (patience, expected) in [(Duration::ZERO, 1), (Duration::from_secs(1), 2), (Duration::from_secs(35), 4)] {
            let mut calls = 0;
            let failed: Result<(), ApiError> = retry(patience, || {
                calls += 1;
                async {
                    sleep(Duration::from_secs(10)).await;
                    Err(ApiError::Lost("gone".to_owned()))
                }
            })
            .await;
            assert!(failed.is_err());
            assert_eq!(calls, expected, "{patience:?}");
        }
    }
}
