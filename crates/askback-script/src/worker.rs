//! A worker: the process that runs scripts for a hub. It reads what to run on its standard input and says on its standard
//! output what the scripts ask; it can do nothing else.

mod confinement;

use crate::console::Level;
use crate::engine::Engine;
use crate::host::{Answering, Host, Observer};
use crate::limits::Limits;
use crate::script::Script;
use crate::wire::{FromWorker, ToWorker, encode, read_blocking};
use serde_json::Value;
use std::collections::HashMap;
use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

/// Runs a worker, until its standard input ends. The first thing that it does is to confine this process for good; the caller
/// must have started no thread and opened nothing.
pub fn run_worker() -> io::Result<()> {
    let outcome = confinement::confine().and_then(|()| serve());
    if let Err(error) = &outcome {
        io::stdout().write_all(&encode(&FromWorker::Failed(error.to_string())))?;
        io::stdout().flush()?;
    }
    outcome
}

fn serve() -> io::Result<()> {
    let (output, frames) = mpsc::channel();
    let (messages, mut received) = unbounded_channel();
    // Without drivers of its own: it opens nothing, and only wakes this thread.
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let engine = Engine::new(Limits::of_worker(), runtime.handle().clone())?;
    spawn("askback-write", move || write_all(&frames))?;
    spawn("askback-read", move || read_all(&messages))?;
    runtime.block_on(async {
        let mut scripts = Scripts { engine, output, running: Arc::default() };
        while let Some(message) = received.recv().await {
            scripts.handle(message);
        }
    });
    Ok(())
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(run).map(drop)
}

/// Reads until the hub closes the pipe, which its end does, too. Then this process has no more use, whatever its threads do.
fn read_all(messages: &UnboundedSender<ToWorker>) {
    let mut input = io::stdin().lock();
    while let Ok(Some(message)) = read_blocking(&mut input) {
        if messages.send(message).is_err() {
            break;
        }
    }
    process::exit(0);
}

/// Writes what the scripts ask and say. It is a thread of its own so that no script waits for the hub.
fn write_all(frames: &mpsc::Receiver<Vec<u8>>) {
    let mut output = io::stdout().lock();
    while let Ok(frame) = frames.recv() {
        if output.write_all(&frame).and_then(|()| output.flush()).is_err() {
            process::exit(0);
        }
    }
}

/// The scripts of this worker.
struct Scripts {
    engine: Engine,
    output: mpsc::Sender<Vec<u8>>,
    running: Arc<Mutex<Running>>,
}

/// Scripts by their numbers, each with its way to the hub.
type Running = HashMap<u64, (Script, Arc<Port>)>;

impl Scripts {
    fn handle(&mut self, message: ToWorker) {
        match message {
            ToWorker::Start { script, code } => self.start(script, code),
            ToWorker::Answer { script, call, answer } => {
                let port = self.lock().get(&script).map(|(_, port)| Arc::clone(port));
                port.into_iter().for_each(|port| port.answer(call, &answer));
            }
            ToWorker::Stop { script } => {
                let stopped = self.lock().remove(&script);
                stopped.into_iter().for_each(|(script, _)| script.stop("the hub has stopped it"));
            }
        }
    }

    fn start(&self, number: u64, code: String) {
        let port = Arc::new(Port {
            script: number,
            output: self.output.clone(),
            next_call: AtomicU32::new(0),
            open: Mutex::default(),
            reported: Mutex::default(),
        });
        let script = self.engine.start_observed(code, Arc::clone(&port) as _, Arc::clone(&port) as _);
        self.lock().insert(number, (script.clone(), port));
        let (engine, output, running) = (self.engine.clone(), self.output.clone(), Arc::clone(&self.running));
        tokio::spawn(async move {
            let finished = script.finished().await;
            running.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
            let (end, dropped_lines) = ((&finished.ended).into(), finished.console.dropped);
            let lost_threads = engine.lost_threads();
            let _ = output.send(encode(&FromWorker::Finished { script: number, end, dropped_lines, lost_threads }));
        });
    }

    fn lock(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The way of one script to the hub.
struct Port {
    script: u64,
    output: mpsc::Sender<Vec<u8>>,
    next_call: AtomicU32,
    open: Mutex<HashMap<u32, oneshot::Sender<Result<Value, String>>>>,
    /// What it said last of its memory and its lines.
    reported: Mutex<(usize, usize)>,
}

impl Port {
    fn answer(&self, call: u32, answer: &Result<String, String>) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&call);
        let Some(open) = open else { return };
        let answer = match answer {
            Ok(text) => serde_json::from_str(text).map_err(|error| format!("the answer can't be read: {error}")),
            Err(why) => Err(why.clone()),
        };
        let _ = open.send(answer);
    }

    fn send(&self, message: &FromWorker) {
        // If nothing writes any more, this process is about to end.
        let _ = self.output.send(encode(message));
    }
}

impl Host for Port {
    fn request_user_input(&self, argument: Value) -> Answering {
        let call = self.next_call.fetch_add(1, Relaxed);
        let (sender, answer) = oneshot::channel();
        self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(call, sender);
        self.send(&FromWorker::Ask { script: self.script, call, argument: argument.to_string() });
        Box::pin(async move { answer.await.unwrap_or_else(|_| Err("the question was lost".to_owned())) })
    }
}

impl Observer for Port {
    fn wrote(&self, level: Level, text: &str) {
        self.send(&FromWorker::Wrote { script: self.script, level, text: text.to_owned() });
    }

    fn rests(&self, held_bytes: usize, dropped_lines: usize) {
        let now = (held_bytes, dropped_lines);
        let before = std::mem::replace(&mut *self.reported.lock().unwrap_or_else(PoisonError::into_inner), now);
        if before != now {
            self.send(&FromWorker::Rests { script: self.script, held_bytes, dropped_lines });
        }
    }

    fn lost_thread(&self, thread: u32, lost_threads: usize) {
        // The hub lowers the priority: here the call is refused, which could be used on any process.
        self.send(&FromWorker::LostThread { script: self.script, thread, lost_threads });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// One step of the engine, which takes about a second and can't be interrupted.
    const LONG: &str = "((1n << 800000n) - 1n).toString()";

    // S3
    #[tokio::test(flavor = "multi_thread")]
    async fn worker_says_how_many_of_its_threads_are_lost() {
        let (late, stuck) = (Duration::from_millis(50), Duration::from_millis(150));
        let limits = Limits { late, stuck, cpu: Duration::from_secs(60), ..Limits::of_worker() };
        let most = limits.most_workers();
        let (output, frames) = mpsc::channel();
        let engine = Engine::new(limits, tokio::runtime::Handle::current()).unwrap();
        let mut scripts = Scripts { engine, output, running: Arc::default() };
        for script in 0..most as u64 {
            scripts.handle(ToWorker::Start { script, code: LONG.to_owned() });
        }
        let says_all = |frame: Vec<u8>| {
            let text = String::from_utf8_lossy(&frame).into_owned();
            text.contains("LostThread") && text.contains(&format!("\"lost_threads\":{most}"))
        };
        let is_said = tokio::task::block_in_place(|| {
            std::iter::from_fn(|| frames.recv_timeout(Duration::from_secs(30)).ok()).any(says_all)
        });
        assert!(is_said);
    }
}
