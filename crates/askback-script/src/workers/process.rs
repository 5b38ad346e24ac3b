//! One worker process, from its start to its end.

use super::accounts::Accounts;
use super::remote::{New, RemoteScript, Violation};
use crate::ended::Ended;
use crate::limits::{ENDS_WITHIN, Limits, QUEUED_BYTES, QUEUED_BYTES_OF_NEW, READS_WITHIN, STOPS_WITHIN};
use crate::priority::lower_thread_of;
use crate::wire::{FromWorker, ToWorker, encode, read};
use std::collections::HashMap;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{sleep, timeout};

#[derive(Debug)]
pub(crate) struct Process {
    frames: UnboundedSender<Vec<u8>>,
    /// Bytes of frames that were not written yet.
    queued_bytes: AtomicUsize,
    state: Mutex<State>,
    /// It is to end, and why.
    closing: Notify,
    id: OnceLock<u32>,
}

#[derive(Debug, Default)]
struct State {
    scripts: HashMap<u64, Arc<RemoteScript>>,
    /// Threads of it that are inside scripts that were given up, when it said so last.
    lost_threads: usize,
    /// Whether it was given a script since it was looked at last.
    is_used: bool,
    /// It takes no more scripts.
    is_over: bool,
    is_stalled: bool,
}

/// Why a process has ended or is to end.
#[derive(Debug)]
enum Why {
    /// It closed a pipe, so that it has ended.
    Died,
    /// It does not do what a worker does, or can't.
    Wrong(String),
    /// It had nothing to do.
    Idle,
    /// The workers were dropped.
    Closed,
}

impl Process {
    /// Starts a process, on its way to which scripts may be sent already.
    pub(crate) fn start(command: Command, idle: Duration, runtime: &Handle) -> Arc<Self> {
        let (frames, queue) = unbounded_channel();
        let (queued_bytes, state, closing) = (AtomicUsize::new(0), Mutex::default(), Notify::new());
        let process = Arc::new(Self { frames, queued_bytes, state, closing, id: OnceLock::new() });
        runtime.spawn(Arc::clone(&process).attend(command, queue, idle));
        process
    }

    pub(crate) fn is_over(&self) -> bool {
        self.lock().is_over
    }

    /// What speaks against giving it another script.
    pub(crate) fn load(&self) -> (bool, usize, usize) {
        let state = self.lock();
        (self.is_behind(), state.lost_threads, state.scripts.len())
    }

    pub(crate) fn is_free(&self) -> bool {
        self.load() == (false, 0, 0)
    }

    /// Whether it has so much to read that it gets no other script.
    pub(crate) fn is_behind(&self) -> bool {
        self.queued_bytes.load(Relaxed) > QUEUED_BYTES_OF_NEW
    }

    /// Has it run a script; gives it back if it is over.
    pub(crate) fn run(
        self: &Arc<Self>,
        new: New,
        accounts: &Arc<Accounts>,
        runtime: &Handle,
    ) -> Result<Arc<RemoteScript>, New> {
        let mut state = self.lock();
        if state.is_over {
            return Err(new);
        }
        let script = RemoteScript::new(&new, self, accounts, runtime);
        state.scripts.insert(new.number, Arc::clone(&script));
        state.is_used = true;
        drop(state);
        self.send(&ToWorker::Start { script: new.number, code: new.code });
        Ok(script)
    }

    /// Sends it a message, unless it has stopped reading: then it is ended.
    pub(crate) fn send(&self, message: &ToWorker) {
        let frame = encode(message);
        if self.queued_bytes.fetch_add(frame.len(), Relaxed) + frame.len() > QUEUED_BYTES {
            self.lock().is_stalled = true;
            self.closing.notify_one();
        }
        // Without a receiver it is over, and its scripts have ended.
        let _ = self.frames.send(frame);
    }

    /// Removes a script.
    pub(crate) fn forget(&self, script: u64) -> Option<Arc<RemoteScript>> {
        self.lock().scripts.remove(&script)
    }

    /// Ends it, and its scripts.
    pub(crate) fn close(&self) {
        self.closing.notify_one();
    }

    /// The whole life of the process.
    async fn attend(self: Arc<Self>, mut command: Command, queue: UnboundedReceiver<Vec<u8>>, idle: Duration) {
        // In a group of its own: a signal of the terminal to the hub is not meant for it.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let child = tokio::process::Command::from(command).kill_on_drop(true).spawn();
        let _guard = PanicGuard(&self);
        let ended = match child {
            Ok(mut child) => {
                if let Some(id) = child.id() {
                    let _ = self.id.set(id);
                }
                self.serve(&mut child, queue, idle).await
            }
            Err(error) => Ended::Lost(format!("the worker process that runs scripts can't be started: {error}")),
        };
        self.end_scripts(&ended);
    }

    /// Takes no more scripts, and ends those that it has.
    fn end_scripts(&self, ended: &Ended) {
        let scripts = {
            let mut state = self.lock();
            state.is_over = true;
            std::mem::take(&mut state.scripts)
        };
        for script in scripts.into_values() {
            script.finish(ended.clone());
        }
    }

    /// Runs scripts until the process has ended. Returns how those end that are left.
    async fn serve(&self, child: &mut Child, queue: UnboundedReceiver<Vec<u8>>, idle: Duration) -> Ended {
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Ended::Lost("the worker process has no pipes".to_owned());
        };
        let why = tokio::select! {
            why = self.read_all(output) => why,
            why = self.write_all(input, queue) => why,
            why = self.watch(idle) => why,
            () = self.closing.notified() => match self.lock().is_stalled {
                true => Why::Wrong("it does not read what the hub sends".to_owned()),
                false => Why::Closed,
            },
        };
        // Before it is known how it ended: no script is to be sent to it meanwhile.
        self.lock().is_over = true;
        let status = match &why {
            Why::Died => timeout(ENDS_WITHIN, child.wait()).await.ok().and_then(Result::ok),
            Why::Wrong(_) | Why::Idle | Why::Closed => None,
        };
        if status.is_none() {
            let _ = child.kill().await;
        }
        if status.is_some_and(is_stopped) {
            sleep(STOPS_WITHIN).await;
        }
        match why {
            Why::Idle | Why::Closed => Ended::Stopped("the workers were closed".to_owned()),
            Why::Wrong(what) => lost(&what),
            Why::Died => lost(&status.map_or_else(|| "it closed its output".to_owned(), |status| status.to_string())),
        }
    }

    async fn read_all(&self, mut output: ChildStdout) -> Why {
        loop {
            match read(&mut output).await {
                Ok(Some(message)) => {
                    if let Err(Violation(what)) = self.receive(message) {
                        return Why::Wrong(what);
                    }
                }
                Ok(None) => return Why::Died,
                Err(error) if error.kind() == std::io::ErrorKind::InvalidData => return Why::Wrong(error.to_string()),
                // A frame that is cut off is that of a process that died.
                Err(_) => return Why::Died,
            }
        }
    }

    fn receive(&self, message: FromWorker) -> Result<(), Violation> {
        let find = |script: u64| self.lock().scripts.get(&script).cloned();
        // A script that is not found was stopped meanwhile.
        match message {
            FromWorker::Failed(why) => return Err(Violation(why)),
            FromWorker::Ask { script, call, argument } => {
                if let Some(script) = find(script) {
                    script.asks(call, &argument)?;
                }
            }
            FromWorker::Wrote { script, level, text } => {
                find(script).into_iter().for_each(|script| script.wrote(level, &text));
            }
            FromWorker::Rests { script, held_bytes, dropped_lines } => {
                if let Some(script) = find(script) {
                    script.rests(held_bytes, dropped_lines)?;
                }
            }
            FromWorker::LostThread { script, thread, lost_threads } => {
                self.id.get().into_iter().for_each(|id| lower_thread_of(*id, thread));
                self.lock().lost_threads = lost_threads;
                // One that is found is finished next, with the reason.
                if find(script).is_none() {
                    self.check_threads()?;
                }
            }
            FromWorker::Finished { script, end, dropped_lines, lost_threads } => {
                let ended = Ended::try_from(end).map_err(|error| Violation(error.to_string()))?;
                self.lock().lost_threads = lost_threads;
                self.forget(script).into_iter().for_each(|script| script.finished(ended.clone(), dropped_lines));
                self.check_threads()?;
            }
        }
        Ok(())
    }

    /// Without a thread that runs scripts it is of no use: its scripts would wait for those that were given up.
    fn check_threads(&self) -> Result<(), Violation> {
        if self.lock().lost_threads < Limits::of_worker().most_workers() {
            return Ok(());
        }
        Err(Violation("all its threads are inside scripts that can't be interrupted".to_owned()))
    }

    async fn write_all(&self, mut input: ChildStdin, mut queue: UnboundedReceiver<Vec<u8>>) -> Why {
        while let Some(frame) = queue.recv().await {
            match timeout(READS_WITHIN, input.write_all(&frame)).await {
                Ok(Ok(())) => {
                    self.queued_bytes.fetch_sub(frame.len(), Relaxed);
                }
                Ok(Err(_)) => return Why::Died,
                Err(_) => return Why::Wrong("it does not read what the hub sends".to_owned()),
            }
        }
        Why::Closed
    }

    /// Completes when the process had nothing to do for a while.
    async fn watch(&self, idle: Duration) -> Why {
        loop {
            sleep(idle).await;
            let mut state = self.lock();
            let is_used = std::mem::replace(&mut state.is_used, false);
            if !is_used && state.scripts.is_empty() {
                state.is_over = true;
                return Why::Idle;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the scripts of a process when attending to it panics: otherwise nothing would end them, and more would be given to it.
struct PanicGuard<'a>(&'a Process);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end_scripts(&lost("the hub could not attend to it"));
        }
    }
}

/// Whether the process was ended by a signal that the hub may have got, too.
fn is_stopped(status: ExitStatus) -> bool {
    const STOPPING: [i32; 3] = [
        rustix::process::Signal::TERM.as_raw(),
        rustix::process::Signal::INT.as_raw(),
        rustix::process::Signal::HUP.as_raw(),
    ];
    status.signal().is_some_and(|signal| STOPPING.contains(&signal))
}

fn lost(how: &str) -> Ended {
    Ended::Lost(format!(
        "the worker process that ran this script has ended ({how}), and what the script has asked is cancelled: run it again"
    ))
}
