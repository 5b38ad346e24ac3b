//! Webhooks and the command for new requests, by the real hub and receivers of every temper.

#![expect(clippy::panic, clippy::unwrap_used, reason = "what fails in a test should fail it")]

mod command;
mod configuration;
mod delivery;
mod hub;
mod receiver;

use std::time::{Duration, Instant};

/// How long anything may take that should happen at once, or after a repetition or two.
const PATIENCE: Duration = Duration::from_secs(20);

/// Waits until something is there.
#[track_caller]
fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < until, "{what} did not happen");
        std::thread::sleep(Duration::from_millis(10));
    }
}
