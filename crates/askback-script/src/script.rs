//! `Script`: the handle of a script, wherever it runs.

use crate::ended::{Ended, Ending, Finished, Snapshot};
use std::fmt::Debug;
use std::sync::Arc;

/// A script that was started. Clones are the same script; when the last one is dropped, the script is stopped, and what it
/// asks is cancelled.
#[derive(Debug, Clone)]
pub struct Script {
    held: Arc<Held>,
}

#[derive(Debug)]
struct Held(Arc<dyn Running>);

/// A script that runs, in this process or in a worker.
pub(crate) trait Running: Debug + Send + Sync {
    fn ending(&self) -> &Ending;

    fn snapshot(&self) -> Snapshot;

    /// Ends the script, unless it has ended.
    fn end(self: Arc<Self>, ended: Ended);
}

impl Script {
    pub(crate) fn new(running: Arc<dyn Running>) -> Self {
        Self { held: Arc::new(Held(running)) }
    }

    /// Waits until the script has ended. Any number of callers may wait, before and after its end.
    pub async fn finished(&self) -> Arc<Finished> {
        self.held.0.ending().finished().await
    }

    /// The script as it is now.
    pub fn snapshot(&self) -> Snapshot {
        self.held.0.snapshot()
    }

    /// Ends the script, unless it has ended.
    pub fn stop(&self, why: &str) {
        Arc::clone(&self.held.0).end(Ended::Stopped(why.to_owned()));
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        Arc::clone(&self.0).end(Ended::Stopped("nobody waits for it any more".to_owned()));
    }
}
