//! The way in: an engine, and the scripts that it runs.

use crate::ended::{Ended, Finished, Snapshot};
use crate::host::Host;
use crate::limits::{CODE_BYTES, Limits};
use crate::pool::Pool;
use crate::run::Run;
use std::io;
use std::sync::Arc;
use tokio::runtime::Handle;

/// Threads that run scripts. Clones are the same engine; when the last one goes, its scripts and threads do.
#[derive(Debug, Clone)]
pub struct Engine {
    threads: Arc<Threads>,
    runtime: Handle,
}

#[derive(Debug)]
struct Threads(Arc<Pool>);

/// A script that was started. Clones are the same script; when the last one goes, the script is stopped, and with it
/// what it has asked.
#[derive(Debug, Clone)]
pub struct Script {
    held: Arc<Held>,
}

#[derive(Debug)]
struct Held(Arc<Run>);

impl Engine {
    /// Starts the threads. The host's answers are awaited on the given runtime.
    pub fn new(limits: Limits, runtime: Handle) -> io::Result<Self> {
        Ok(Self { threads: Arc::new(Threads(Pool::start(limits)?)), runtime })
    }

    /// Starts a script. What is wrong with it is told when it is finished, which may be at once.
    pub fn start(&self, code: String, host: Arc<dyn Host>) -> Script {
        let pool = &self.threads.0;
        let refused = if code.len() > CODE_BYTES {
            Some(format!("the code has {} bytes, and may have {CODE_BYTES}", code.len()))
        } else if !pool.admit() {
            let most = pool.limits.scripts;
            Some(format!("{most} scripts are running or waiting: stop one, or try again later"))
        } else {
            None
        };
        let run = match refused {
            Some(why) => Run::refused(pool, self.runtime.clone(), Ended::Limit(why)),
            None => Run::new(pool, code, host, self.runtime.clone()),
        };
        run.wake();
        Script { held: Arc::new(Held(run)) }
    }
}

impl Script {
    /// Waits until the script has ended. Any number may wait, before and after it has.
    pub async fn finished(&self) -> Arc<Finished> {
        self.held.0.finished().await
    }

    /// The script as it is now.
    pub fn snapshot(&self) -> Snapshot {
        self.held.0.snapshot()
    }

    /// Ends the script, unless it has ended.
    pub fn stop(&self, why: &str) {
        self.held.0.finish(Ended::Stopped(why.to_owned()));
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.finish(Ended::Stopped("nobody waits for it any more".to_owned()));
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.0.close();
    }
}
