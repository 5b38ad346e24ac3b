//! How a script ended, and what it left.

use crate::console::Transcript;
use serde_json::Value;
use std::sync::{Arc, OnceLock};
use tokio::sync::Notify;

/// How a script ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// It returned this, or nothing.
    Returned(Option<Value>),
    /// An error that it did not catch, in words: its name, its message, and where it happened.
    Threw(String),
    /// It used more than it may.
    Limit(String),
    /// Somebody ended it.
    Stopped(String),
    /// The worker process that ran it died.
    Lost(String),
}

/// A script that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// How it ended.
    pub ended: Ended,
    /// What it wrote.
    pub console: Transcript,
}

/// A script at this moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// What it has written so far.
    pub console: Transcript,
    /// Calls of the host that it waits for.
    pub calls_open: usize,
}

/// The end of a script, which others await.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    finished: OnceLock<Arc<Finished>>,
    has_ended: Notify,
}

impl Ending {
    /// Sets how the script ended, unless it had ended already. Returns whether this call ended it.
    pub(crate) fn set(&self, finished: Finished) -> bool {
        self.finished.set(Arc::new(finished)).is_ok()
    }

    /// Wakes those that await the end.
    pub(crate) fn announce(&self) {
        self.has_ended.notify_waiters();
    }

    pub(crate) fn is_over(&self) -> bool {
        self.finished.get().is_some()
    }

    pub(crate) async fn finished(&self) -> Arc<Finished> {
        loop {
            let ended = self.has_ended.notified();
            // Checked after listening began, so that no end is missed between the two.
            match self.finished.get() {
                Some(finished) => return Arc::clone(finished),
                None => ended.await,
            }
        }
    }
}
