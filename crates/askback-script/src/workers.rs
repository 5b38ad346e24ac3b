//! The workers of a hub: a few processes that run its scripts, started when they are needed.

mod accounts;
mod process;
mod remote;

use crate::ended::Ended;
use crate::host::Host;
use crate::limits::{CODE_BYTES, WorkerLimits};
use crate::script::Script;
use accounts::Accounts;
use askback_process::ChildRole;
use process::Process;
use remote::{New, RemoteScript};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::Handle;

/// Why a script is refused that no worker can read soon.
const ALL_ARE_BEHIND: &str = "the workers have not read the scripts that were started before: try again later";

/// The program that is a worker: one that calls [`run_worker`](crate::run_worker) when it is started with these arguments.
#[derive(Debug, Clone)]
pub struct WorkerProgram {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// Processes that run scripts. Clones are the same workers; when the last one is dropped, the scripts and processes end.
#[derive(Debug, Clone)]
pub struct Workers {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    program: WorkerProgram,
    limits: WorkerLimits,
    runtime: Handle,
    accounts: Arc<Accounts>,
    next_script: AtomicU64,
    processes: Mutex<Vec<Arc<Process>>>,
}

impl Workers {
    /// Starts no process yet: the first script does. The host's answers are awaited on the given runtime, which must have
    /// drivers for I/O and time.
    pub fn new(program: WorkerProgram, limits: WorkerLimits, runtime: Handle) -> Self {
        let accounts = Arc::new(Accounts::new(limits.clone()));
        let (next_script, processes) = (AtomicU64::new(0), Mutex::default());
        Self { shared: Arc::new(Shared { program, limits, runtime, accounts, next_script, processes }) }
    }

    /// Starts a script of this owner. What is wrong with it is told when it is finished, which may be at once.
    pub fn start(&self, owner: &str, code: String, host: Arc<dyn Host>) -> Script {
        let shared = &self.shared;
        let refused = if code.len() > CODE_BYTES {
            Some(format!("the code has {} bytes, and may have {CODE_BYTES}", code.len()))
        } else {
            shared.accounts.admit(owner).err()
        };
        if let Some(why) = refused {
            return Script::new(RemoteScript::refused(&shared.accounts, &shared.runtime, Ended::Limit(why)));
        }
        let new = New { number: shared.next_script.fetch_add(1, Relaxed), owner: owner.into(), code, host };
        Script::new(shared.start(new))
    }
}

impl Shared {
    fn start(&self, mut new: New) -> Arc<RemoteScript> {
        let mut processes = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            processes.retain(|process| !process.is_over());
            let best = processes.iter().min_by_key(|process| process.load());
            let process = match best {
                Some(process) if process.is_free() || processes.len() >= self.limits.processes => Arc::clone(process),
                _ => {
                    let started = Process::start(self.command(), self.limits.idle, &self.runtime);
                    processes.push(Arc::clone(&started));
                    started
                }
            };
            // All are behind. Ending one for it would end the scripts of others.
            if process.is_behind() {
                self.accounts.leave(&new.owner, 0);
                return RemoteScript::refused(&self.accounts, &self.runtime, Ended::Limit(ALL_ARE_BEHIND.to_owned()));
            }
            // One that has just ended takes none.
            match process.run(new, &self.accounts, &self.runtime) {
                Ok(script) => return script,
                Err(refused) => new = refused,
            }
        }
    }

    fn command(&self) -> Command {
        let mut command = ChildRole::ScriptWorker.command(&self.program.program);
        command.args(&self.program.arguments);
        command
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let processes = self.processes.get_mut().unwrap_or_else(PoisonError::into_inner);
        processes.iter().for_each(|process| process.close());
    }
}
