//! The threads: a few workers that take turns at all scripts, and one that watches them.
//!
//! The engine can't be interrupted inside some of its own functions. A worker that is late is given a substitute, and
//! leaves when it comes back; a script that does not let go of its worker is given up, and its thread gets what time
//! nobody else wants. How many can be lost in this way is bounded; while all of them are, scripts are
//! refused, and the hub replaces the process.

use crate::ended::Ended;
use crate::limits::{Limits, THREAD_STACK_BYTES, WATCH};
use crate::priority;
use crate::run::Run;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Instant;

/// Why nobody comes to a script.
const ALL_ARE_LOST: &str = "all threads are busy with scripts that can't be interrupted: try again later";

#[derive(Debug)]
pub(crate) struct Pool {
    pub(crate) limits: Limits,
    /// Bytes that scripts held when they were last looked at.
    pub(crate) held_bytes: AtomicUsize,
    alive: AtomicUsize,
    state: Mutex<State>,
    queued: Condvar,
    working: Condvar,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Arc<Run>>,
    turns: HashMap<u64, Turn>,
    /// All that were ever started, for those that are still there to be ended.
    runs: Vec<Weak<Run>>,
    /// Workers that are there.
    workers: usize,
    /// Those of them that are late.
    late: usize,
    next_worker: u64,
    /// Whether the watch looks at the turns, and need not be woken.
    is_watching: bool,
    is_closed: bool,
}

/// A worker at a script.
#[derive(Debug)]
struct Turn {
    run: Arc<Run>,
    since: Instant,
    lateness: Lateness,
    thread: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lateness {
    OnTime,
    Late,
    GivenUp,
}

impl State {
    fn lost_threads(&self) -> usize {
        self.turns.values().filter(|turn| turn.lateness == Lateness::GivenUp).count()
    }
}

impl Pool {
    pub(crate) fn start(limits: Limits) -> io::Result<Arc<Self>> {
        let pool = Arc::new(Self {
            limits,
            held_bytes: AtomicUsize::new(0),
            alive: AtomicUsize::new(0),
            state: Mutex::default(),
            queued: Condvar::new(),
            working: Condvar::new(),
        });
        let watching = Arc::clone(&pool);
        thread::Builder::new().name("askback-scripts".to_owned()).spawn(move || watching.watch())?;
        for _ in 0..pool.limits.workers.max(1) {
            if let Err(error) = pool.add_worker(&mut pool.lock()) {
                pool.close();
                return Err(error);
            }
        }
        Ok(pool)
    }

    /// Counts one more script, unless there are too many.
    pub(crate) fn admit(&self) -> bool {
        self.alive.fetch_update(Relaxed, Relaxed, |alive| (alive < self.limits.scripts).then_some(alive + 1)).is_ok()
    }

    /// A script that was admitted has ended.
    pub(crate) fn leave(&self) {
        self.alive.fetch_sub(1, Relaxed);
    }

    /// Remembers a script, to be ended with the pool.
    pub(crate) fn register(&self, run: &Arc<Run>) {
        let mut state = self.lock();
        if state.runs.len() >= self.limits.scripts * 2 {
            state.runs.retain(|run| run.strong_count() > 0);
        }
        state.runs.push(Arc::downgrade(run));
    }

    /// Has a script driven on, after those that came first. Gives it back if there is nobody to do so any more.
    pub(crate) fn push(&self, run: Arc<Run>) -> Result<(), Arc<Run>> {
        let mut state = self.lock();
        if state.is_closed {
            return Err(run);
        }
        state.queue.push_back(run);
        self.queued.notify_one();
        Ok(())
    }

    /// Ends all scripts and threads; those that are inside a script end when they come back.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        let queue = std::mem::take(&mut state.queue);
        let runs = std::mem::take(&mut state.runs);
        drop(state);
        self.queued.notify_all();
        self.working.notify_all();
        let why = || Ended::Stopped("the engine was closed".to_owned());
        queue.into_iter().for_each(|run| run.end_unqueued(why()));
        runs.iter().filter_map(Weak::upgrade).for_each(|run| run.finish(why()));
    }

    fn add_worker(self: &Arc<Self>, state: &mut State) -> io::Result<()> {
        let (pool, number) = (Arc::clone(self), state.next_worker);
        let thread = thread::Builder::new().name("askback-script".to_owned()).stack_size(THREAD_STACK_BYTES);
        thread.spawn(move || pool.work(number))?;
        state.next_worker += 1;
        state.workers += 1;
        Ok(())
    }

    fn work(self: Arc<Self>, worker: u64) {
        while let Some(run) = self.next(worker) {
            run.turn();
            // The last handle may be this one, and what it holds is freed before the worker is free.
            drop(run);
            if self.come_back(worker) == Lateness::GivenUp {
                return;
            }
        }
    }

    /// The next script, or nothing if this worker is no longer needed.
    fn next(&self, worker: u64) -> Option<Arc<Run>> {
        let mut state = self.lock();
        loop {
            if state.is_closed || state.workers - state.late > self.limits.workers.max(1) {
                state.workers -= 1;
                return None;
            }
            if let Some(run) = state.queue.pop_front() {
                let (since, lateness) = (Instant::now(), Lateness::OnTime);
                let turn = Turn { run: Arc::clone(&run), since, lateness, thread: priority::this_thread() };
                state.turns.insert(worker, turn);
                if !state.is_watching {
                    self.working.notify_one();
                }
                return Some(run);
            }
            state = self.queued.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Says how late it was: a thread that was given up has a priority that it can't work with, and leaves.
    fn come_back(self: &Arc<Self>, worker: u64) -> Lateness {
        let mut state = self.lock();
        let turn = state.turns.remove(&worker);
        let lateness = turn.as_ref().map_or(Lateness::OnTime, |turn| turn.lateness);
        if lateness > Lateness::OnTime {
            state.late -= 1;
        }
        if lateness == Lateness::GivenUp {
            state.workers -= 1;
            self.add_workers(&mut state);
        }
        // What a script holds is freed without keeping the others waiting.
        drop(state);
        drop(turn);
        lateness
    }

    /// Threads that are inside scripts that were given up.
    pub(crate) fn lost_threads(&self) -> usize {
        self.lock().lost_threads()
    }

    fn watch(self: Arc<Self>) {
        let mut state = self.lock();
        while !state.is_closed {
            state.is_watching = !state.turns.is_empty();
            if state.is_watching {
                state = self.working.wait_timeout(state, WATCH).unwrap_or_else(PoisonError::into_inner).0;
                let given_up = self.give_up(&mut state);
                self.add_workers(&mut state);
                let lost_threads = state.lost_threads();
                let refused =
                    if lost_threads == state.workers { std::mem::take(&mut state.queue) } else { VecDeque::new() };
                drop(state);
                for (run, thread, why) in given_up {
                    run.lose_thread(thread, lost_threads);
                    run.finish(Ended::Limit(why));
                }
                refused.into_iter().for_each(|run| run.end_unqueued(Ended::Limit(ALL_ARE_LOST.to_owned())));
                state = self.lock();
            } else {
                state = self.working.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Notes which turns are late, and gives the scripts that don't let go of their workers, with their threads and the reason of
    /// their end.
    fn give_up(&self, state: &mut State) -> Vec<(Arc<Run>, u32, String)> {
        let mut given_up = Vec::new();
        for turn in state.turns.values_mut() {
            let time = turn.since.elapsed();
            if turn.lateness == Lateness::OnTime && time > self.limits.late {
                turn.lateness = Lateness::Late;
                state.late += 1;
            }
            if turn.lateness == Lateness::Late && time > self.limits.stuck {
                turn.lateness = Lateness::GivenUp;
                let why = format!("one step took more than {} ms and could not be interrupted", time.as_millis());
                given_up.push((Arc::clone(&turn.run), turn.thread, why));
            }
        }
        given_up
    }

    /// Adds workers for those that are late, as far as there may be more.
    fn add_workers(self: &Arc<Self>, state: &mut State) {
        let (wanted, most) = (self.limits.workers.max(1), self.limits.most_workers());
        while state.workers - state.late < wanted && state.workers < most && self.add_worker(state).is_ok() {}
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
