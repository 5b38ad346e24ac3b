//! One script from first to last: whose turn it is, what it waits for, and how it ended.

use crate::console::{Level, Transcript};
use crate::ended::{Ended, Ending, Finished, Snapshot};
use crate::globals::Outside;
use crate::host::{Host, Observer};
use crate::json::Json;
use crate::machine::{Answer, Machine, Step};
use crate::meter::Meter;
use crate::pool::Pool;
use crate::priority;
use crate::script::Running;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

/// A script, shared by its handles, the workers and the calls that it waits for.
pub(crate) struct Run {
    meter: Arc<Meter>,
    pool: Arc<Pool>,
    /// Until it has ended: a host may well hold the script's handle.
    host: Mutex<Option<Arc<dyn Host>>>,
    observer: Option<Arc<dyn Observer>>,
    runtime: Handle,
    state: Mutex<State>,
    /// Only the worker whose turn it is looks here.
    inside: Mutex<Inside>,
    held_bytes: AtomicUsize,
    ending: Ending,
}

#[derive(Debug, Default)]
struct State {
    stage: Stage,
    answers: Vec<Answer>,
    calls: HashMap<u32, Open>,
    console: Transcript,
}

/// A call that the host has not answered.
#[derive(Debug)]
struct Open {
    /// Not there for as long as the call is being made.
    task: Option<AbortHandle>,
    /// How long what was asked is.
    bytes: usize,
}

/// Where a script is between its workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    #[default]
    Waiting,
    Queued,
    Running,
    /// Something has happened while it ran, so that it is queued again.
    RunningOn,
    /// Ended, and nothing is left of it.
    Over,
}

enum Inside {
    Code(String),
    Machine(Machine),
    Nothing,
}

impl Run {
    pub(crate) fn new(
        pool: &Arc<Pool>,
        code: String,
        host: Arc<dyn Host>,
        observer: Option<Arc<dyn Observer>>,
        runtime: Handle,
    ) -> Arc<Self> {
        let run = Arc::new(Self { observer, ..Self::with(pool, Inside::Code(code), Some(host), runtime) });
        pool.register(&run);
        run
    }

    /// A script that has ended before it began.
    pub(crate) fn refused(pool: &Arc<Pool>, runtime: Handle, ended: Ended) -> Arc<Self> {
        let run = Self::with(pool, Inside::Nothing, None, runtime);
        run.ending.set(Finished { ended, console: Transcript::default() });
        Arc::new(run)
    }

    fn with(pool: &Arc<Pool>, inside: Inside, host: Option<Arc<dyn Host>>, runtime: Handle) -> Self {
        Self {
            meter: Arc::new(Meter::new(&pool.limits)),
            pool: Arc::clone(pool),
            host: Mutex::new(host),
            observer: None,
            runtime,
            state: Mutex::default(),
            inside: Mutex::new(inside),
            held_bytes: AtomicUsize::new(0),
            ending: Ending::default(),
        }
    }

    /// Has the script driven on.
    pub(crate) fn wake(self: &Arc<Self>) {
        let mut state = self.lock();
        match state.stage {
            Stage::Waiting => state.stage = Stage::Queued,
            Stage::Running => {
                state.stage = Stage::RunningOn;
                return;
            }
            Stage::Queued | Stage::RunningOn | Stage::Over => return,
        }
        drop(state);
        if let Err(run) = self.pool.push(Arc::clone(self))
            && run.ending.is_over()
        {
            run.turn();
        }
    }

    /// Ends a script that was taken from the queue, and frees what it holds here and now.
    pub(crate) fn end_unqueued(self: &Arc<Self>, ended: Ended) {
        self.finish(ended);
        self.turn();
    }

    /// Drives the script on until it waits, has ended, or others should go first. Called by one worker at a time.
    pub(crate) fn turn(self: &Arc<Self>) {
        let answers = {
            let mut state = self.lock();
            state.stage = Stage::Running;
            std::mem::take(&mut state.answers)
        };
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        // A fault of ours ends this script, and not the worker.
        let step = catch_unwind(AssertUnwindSafe(|| self.step(&mut inside, answers)));
        let step =
            step.unwrap_or_else(|_| Step::Ended(Ended::Limit("the engine failed inside this script".to_owned())));
        let goes_on = matches!(step, Step::GoesOn);
        if let Step::Ended(ended) = step {
            self.finish(ended);
        }
        let is_over = self.ending.is_over();
        if is_over {
            *inside = Inside::Nothing;
            self.weigh(0);
        }
        drop(inside);
        let mut state = self.lock();
        let again = !is_over && (goes_on || state.stage == Stage::RunningOn);
        state.stage = if is_over { Stage::Over } else { Stage::Waiting };
        drop(state);
        if again {
            self.wake();
        }
    }

    fn step(self: &Arc<Self>, inside: &mut Inside, answers: Vec<Answer>) -> Step {
        if self.ending.is_over() {
            return Step::Waits;
        }
        if let Inside::Code(code) = inside {
            let code = std::mem::take(code);
            *inside = match Machine::new(self, Arc::clone(&self.meter), &self.pool.limits) {
                Ok(machine) => Inside::Machine(machine),
                Err(ended) => return Step::Ended(ended),
            };
            let Inside::Machine(machine) = inside else { return Step::Waits };
            if let Err(ended) = machine.start(&code) {
                return Step::Ended(ended);
            }
        }
        let Inside::Machine(machine) = inside else { return Step::Waits };
        let step = machine.step(answers, || self.is_waiting());
        if matches!(step, Step::Ended(_)) {
            return step;
        }
        // Also a script that goes on waits, for its turn.
        let held = machine.bytes();
        if let Some(observer) = &self.observer {
            observer.rests(held, self.lock().console.dropped);
        }
        let most = self.pool.limits.waiting_bytes;
        if self.weigh(held + self.open().1) > most {
            let why = format!("all scripts that wait hold more than {} MB together", most >> 20);
            return Step::Ended(Ended::Limit(why));
        }
        step
    }

    /// Notes what this script holds, and says what all of them do.
    fn weigh(&self, bytes: usize) -> usize {
        let before = self.held_bytes.swap(bytes, Relaxed);
        // Added first, so that it never goes below zero.
        self.pool.held_bytes.fetch_add(bytes, Relaxed);
        self.pool.held_bytes.fetch_sub(before, Relaxed) - before
    }

    /// Whether anything can still happen to it: a call is open, or its answer has just come.
    fn is_waiting(&self) -> bool {
        let state = self.lock();
        !state.calls.is_empty() || !state.answers.is_empty()
    }

    /// The script has ended, unless it had already: it is told to stop, and what it has asked is taken away.
    pub(crate) fn finish(self: &Arc<Self>, ended: Ended) {
        let mut state = self.lock();
        let console = state.console.clone();
        if !self.ending.set(Finished { ended, console }) {
            return;
        }
        let calls = std::mem::take(&mut state.calls);
        drop(state);
        self.meter.tell();
        self.pool.leave();
        calls.into_values().filter_map(|call| call.task).for_each(|task| task.abort());
        let host = self.host().take();
        drop(host);
        self.ending.announce();
        // A worker frees what it held.
        self.wake();
    }

    /// It does not let go of a thread, whose priority is lowered: so many are lost now.
    pub(crate) fn lose_thread(&self, thread: u32, lost_threads: usize) {
        match &self.observer {
            Some(observer) => observer.lost_thread(thread, lost_threads),
            None => priority::lower(thread),
        }
    }

    fn host(&self) -> MutexGuard<'_, Option<Arc<dyn Host>>> {
        self.host.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outside for Run {
    fn open(&self) -> (usize, usize) {
        let state = self.lock();
        (state.calls.len(), state.calls.values().map(|call| call.bytes).sum())
    }

    fn call(self: &Arc<Self>, number: u32, argument: Json) {
        let Some(host) = self.host().clone() else { return };
        // Noted before anybody can know of it: it may be answered at once.
        self.lock().calls.insert(number, Open { task: None, bytes: argument.bytes });
        let answering = host.request_user_input(argument.value);
        let reply = Reply { run: Arc::clone(self), number, answer: None };
        let task = self.runtime.spawn(async move { reply.give(answering.await) });
        let mut state = self.lock();
        if self.ending.is_over() {
            // Ended meanwhile, by somebody who could not know of it.
            state.calls.remove(&number);
            drop(state);
            task.abort();
        } else if let Some(call) = state.calls.get_mut(&number) {
            call.task = Some(task.abort_handle());
        }
    }

    fn write(&self, level: Level, text: &str) {
        let mut state = self.lock();
        if let (Some(line), Some(observer)) = (state.console.push(level, text), &self.observer) {
            observer.wrote(level, line);
        }
    }
}

impl Running for Run {
    fn ending(&self) -> &Ending {
        &self.ending
    }

    fn snapshot(&self) -> Snapshot {
        let state = self.lock();
        Snapshot { console: state.console.clone(), calls_open: state.calls.len() }
    }

    fn end(self: Arc<Self>, ended: Ended) {
        self.finish(ended);
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Run").field("ending", &self.ending).finish_non_exhaustive()
    }
}

/// A call's way back, which says something even if the host never does.
struct Reply {
    run: Arc<Run>,
    number: u32,
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
        let mut state = self.run.lock();
        if state.calls.remove(&self.number).is_none() {
            // The script has ended.
            return;
        }
        state.answers.push((self.number, answer));
        drop(state);
        self.run.wake();
    }
}
