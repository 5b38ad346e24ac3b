//! Waiting for an event: the condition is polled until it holds or the deadline has passed.

use std::time::{Duration, Instant};

/// The deadline of every wait: longer than anything takes on a busy machine that does not hang.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The pause between two polls, and the only sleep of the tests.
const INTERVAL: Duration = Duration::from_millis(5);

/// Waits until a condition holds.
#[track_caller]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    wait_for(what, || holds().then_some(()));
}

/// Waits until there is a value, and returns it.
#[track_caller]
pub fn wait_for<T>(what: &str, find: impl FnMut() -> Option<T>) -> T {
    poll(PATIENCE, find).unwrap_or_else(|| panic!("timed out: {what}"))
}

/// Waits until there is a value; none if there is none in time.
pub(crate) fn poll<T>(patience: Duration, mut find: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + patience;
    loop {
        if let Some(found) = find() {
            return Some(found);
        }
        if Instant::now() > deadline {
            return None;
        }
        std::thread::sleep(INTERVAL);
    }
}

/// [`wait_for`] in a task: other tasks run between two polls.
pub async fn wait_for_async<T, F: Future<Output = Option<T>>>(what: &str, mut find: impl FnMut() -> F) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = find().await {
            return found;
        }
        assert!(Instant::now() < deadline, "timed out: {what}");
        tokio::time::sleep(INTERVAL).await;
    }
}
