//! An engine inside this process, and starting scripts on it.

use crate::ended::Ended;
use crate::host::{Host, Observer};
use crate::limits::{CODE_BYTES, Limits};
use crate::pool::Pool;
use crate::run::Run;
use crate::script::Script;
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

impl Engine {
    /// Starts the threads. The host's answers are awaited on the given runtime.
    pub fn new(limits: Limits, runtime: Handle) -> io::Result<Self> {
        Ok(Self { threads: Arc::new(Threads(Pool::start(limits)?)), runtime })
    }

    /// Starts a script. What is wrong with it is told when it is finished, which may be at once.
    pub fn start(&self, code: String, host: Arc<dyn Host>) -> Script {
        self.start_with(code, host, None)
    }

    /// The same, with reports of what the script does beside asking.
    pub(crate) fn start_observed(&self, code: String, host: Arc<dyn Host>, observer: Arc<dyn Observer>) -> Script {
        self.start_with(code, host, Some(observer))
    }

    /// Threads that are inside scripts that were given up.
    pub(crate) fn lost_threads(&self) -> usize {
        self.threads.0.lost_threads()
    }

    fn start_with(&self, code: String, host: Arc<dyn Host>, observer: Option<Arc<dyn Observer>>) -> Script {
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
            None => Run::new(pool, code, host, observer, self.runtime.clone()),
        };
        run.wake();
        Script::new(run)
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.0.close();
    }
}
