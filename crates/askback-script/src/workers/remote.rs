//! A script that a worker runs, on the side of the hub: what it asks, what it has written, what it holds, and its end. What
//! the worker says of it is checked against the limits that an honest worker keeps to.

use super::accounts::Accounts;
use super::process::Process;
use crate::console::{Level, Transcript};
use crate::ended::{Ended, Ending, Finished, Snapshot};
use crate::host::Host;
use crate::limits::{ARGUMENT_BYTES, ARGUMENTS_OPEN_BYTES, CALLS, CALLS_OPEN, DATA_BYTES};
use crate::script::Running;
use crate::wire::ToWorker;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

/// A script to start.
pub(crate) struct New {
    pub(crate) number: u64,
    pub(crate) owner: Arc<str>,
    pub(crate) code: String,
    pub(crate) host: Arc<dyn Host>,
}

pub(crate) struct RemoteScript {
    number: u64,
    owner: Arc<str>,
    /// Weak: the process has its scripts.
    process: Weak<Process>,
    accounts: Arc<Accounts>,
    runtime: Handle,
    /// Until it has ended: a host may well hold the script's handle.
    host: Mutex<Option<Arc<dyn Host>>>,
    state: Mutex<State>,
    ending: Ending,
}

#[derive(Debug, Default)]
struct State {
    calls: HashMap<u32, Open>,
    /// Calls so far.
    asked: u32,
    /// Bytes of the arguments of open calls.
    argument_bytes: usize,
    /// Bytes that it holds in its worker.
    held_bytes: usize,
    /// What it was last weighed with.
    weighed: usize,
    console: Transcript,
}

/// A call that the host has not answered.
#[derive(Debug)]
struct Open {
    /// Absent while the call is being made.
    task: Option<AbortHandle>,
    bytes: usize,
}

/// What an honest worker does not send.
#[derive(Debug)]
pub(crate) struct Violation(pub(crate) String);

impl RemoteScript {
    pub(crate) fn new(new: &New, process: &Arc<Process>, accounts: &Arc<Accounts>, runtime: &Handle) -> Arc<Self> {
        let New { number, owner, host, .. } = new;
        let (host, process) = (Some(Arc::clone(host)), Arc::downgrade(process));
        Arc::new(Self::with(*number, Arc::clone(owner), process, host, accounts, runtime))
    }

    /// A script that was not admitted.
    pub(crate) fn refused(accounts: &Arc<Accounts>, runtime: &Handle, ended: Ended) -> Arc<Self> {
        let script = Self::with(0, "".into(), Weak::new(), None, accounts, runtime);
        script.ending.set(Finished { ended, console: Transcript::default() });
        Arc::new(script)
    }

    fn with(
        number: u64,
        owner: Arc<str>,
        process: Weak<Process>,
        host: Option<Arc<dyn Host>>,
        accounts: &Arc<Accounts>,
        runtime: &Handle,
    ) -> Self {
        let (accounts, runtime) = (Arc::clone(accounts), runtime.clone());
        let (host, state, ending) = (Mutex::new(host), Mutex::default(), Ending::default());
        Self { number, owner, process, accounts, runtime, host, state, ending }
    }

    /// It asks.
    pub(crate) fn asks(self: &Arc<Self>, call: u32, argument: &str) -> Result<(), Violation> {
        let read: Value = serde_json::from_str(argument).map_err(|error| Violation(error.to_string()))?;
        let bytes = argument.len();
        let Some(host) = self.host().clone() else { return Ok(()) };
        {
            let mut state = self.lock();
            // The worker compares the texts of the script, which can be a little shorter than its own.
            let is_too_much = state.calls.len() >= CALLS_OPEN
                || state.asked >= CALLS
                || state.argument_bytes + bytes > ARGUMENTS_OPEN_BYTES + ARGUMENT_BYTES;
            if is_too_much || !read.is_object() || state.calls.contains_key(&call) {
                return Err(Violation("it asks what no script can".to_owned()));
            }
            state.asked += 1;
            state.argument_bytes += bytes;
            // Noted before it is known outside: it may be answered at once.
            state.calls.insert(call, Open { task: None, bytes });
        }
        self.weigh();
        let answering = host.request_user_input(read);
        let reply = Reply { script: Arc::clone(self), call, answer: None };
        let task = self.runtime.spawn(async move { reply.give(answering.await) });
        let mut state = self.lock();
        if self.ending.is_over() {
            drop(state);
            task.abort();
        } else if let Some(open) = state.calls.get_mut(&call) {
            open.task = Some(task.abort_handle());
        }
        Ok(())
    }

    /// It has written a line.
    pub(crate) fn wrote(&self, level: Level, text: &str) {
        self.lock().console.push(level, text);
    }

    /// It waits, and holds so many bytes in its worker.
    pub(crate) fn rests(self: &Arc<Self>, held_bytes: usize, dropped_lines: usize) -> Result<(), Violation> {
        if held_bytes > DATA_BYTES {
            return Err(Violation(format!("a script of it holds {held_bytes} bytes, which is more than it can have")));
        }
        {
            let mut state = self.lock();
            state.held_bytes = held_bytes;
            state.console.dropped = dropped_lines;
        }
        self.weigh();
        Ok(())
    }

    /// Its worker says that it has ended.
    pub(crate) fn finished(&self, ended: Ended, dropped_lines: usize) {
        self.lock().console.dropped = dropped_lines;
        self.finish(ended);
    }

    /// Ends it if it holds too much.
    fn weigh(self: &Arc<Self>) {
        let mut state = self.lock();
        if self.ending.is_over() {
            return;
        }
        let now = state.held_bytes.saturating_add(state.argument_bytes);
        let before = std::mem::replace(&mut state.weighed, now);
        let weighed = self.accounts.weigh(&self.owner, before, now);
        drop(state);
        if let Err(why) = weighed {
            Arc::clone(self).end(Ended::Limit(why));
        }
    }

    /// Sets its end, and cancels what it has asked. Returns false if it had ended already.
    pub(crate) fn finish(&self, ended: Ended) -> bool {
        let mut state = self.lock();
        let console = state.console.clone();
        if !self.ending.set(Finished { ended, console }) {
            return false;
        }
        let calls = std::mem::take(&mut state.calls);
        let weighed = state.weighed;
        drop(state);
        self.accounts.leave(&self.owner, weighed);
        calls.into_values().filter_map(|call| call.task).for_each(|task| task.abort());
        let host = self.host().take();
        drop(host);
        self.ending.announce();
        true
    }

    fn host(&self) -> MutexGuard<'_, Option<Arc<dyn Host>>> {
        self.host.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Running for RemoteScript {
    fn ending(&self) -> &Ending {
        &self.ending
    }

    fn snapshot(&self) -> Snapshot {
        let state = self.lock();
        Snapshot { console: state.console.clone(), calls_open: state.calls.len() }
    }

    fn end(self: Arc<Self>, ended: Ended) {
        if self.finish(ended)
            && let Some(process) = self.process.upgrade()
        {
            process.forget(self.number);
            process.send(&ToWorker::Stop { script: self.number });
        }
    }
}

impl fmt::Debug for RemoteScript {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RemoteScript").field("ending", &self.ending).finish_non_exhaustive()
    }
}

/// A call's way back, which says something even if the host never does.
struct Reply {
    script: Arc<RemoteScript>,
    call: u32,
    answer: Option<Result<Value, String>>,
}

impl Reply {
    fn give(mut self, answer: Result<Value, String>) {
        self.answer = Some(answer);
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        let answer = self.answer.take().unwrap_or_else(|| Err("the question was lost".to_owned()));
        let mut state = self.script.lock();
        let Some(open) = state.calls.remove(&self.call) else {
            // The script has ended.
            return;
        };
        state.argument_bytes -= open.bytes;
        drop(state);
        self.script.weigh();
        let Some(process) = self.script.process.upgrade() else { return };
        let answer = answer.map(|value| value.to_string());
        process.send(&ToWorker::Answer { script: self.script.number, call: self.call, answer });
    }
}
