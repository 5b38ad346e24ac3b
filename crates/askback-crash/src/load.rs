//! The load: what its clients share, and how they are paused and ended.

use crate::Failure;
use crate::api::HubApi;
use crate::ledger::Ledger;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::Child;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::sleep;
use std::time::Duration;

/// The room of everything that is asked.
pub(crate) const ROOM: &str = "crash";

/// Requests that wait for an answerer, beyond which askers pause.
const JOBS_WAITING: usize = 120;

/// The pause of clients that have nothing to do.
const IDLE: Duration = Duration::from_millis(2);

/// Whether clients work, pause or end.
#[derive(Debug, Default)]
pub(crate) struct Switch(AtomicU8);

const WORKING: u8 = 0;
const PAUSED: u8 = 1;
const ENDING: u8 = 2;

impl Switch {
    /// Whether a client begins something new; waits while clients are paused.
    pub(crate) fn goes_on(&self) -> bool {
        while self.0.load(Ordering::Relaxed) == PAUSED {
            sleep(IDLE);
        }
        self.0.load(Ordering::Relaxed) == WORKING
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.0.load(Ordering::Relaxed) == ENDING
    }

    pub(crate) fn pause(&self) {
        self.0.store(PAUSED, Ordering::Relaxed);
    }

    pub(crate) fn resume(&self) {
        self.0.store(WORKING, Ordering::Relaxed);
    }

    pub(crate) fn end(&self) {
        self.0.store(ENDING, Ordering::Relaxed);
    }
}

/// A request for an answerer to end.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) mark: usize,
    pub(crate) id: String,
}

/// The jobs of one answerer.
#[derive(Debug, Default)]
pub(crate) struct JobQueue {
    jobs: Mutex<VecDeque<Job>>,
    pushed: Condvar,
}

impl JobQueue {
    fn jobs(&self) -> MutexGuard<'_, VecDeque<Job>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, job: Job) {
        self.jobs().push_back(job);
        self.pushed.notify_one();
    }

    /// The next job, if there is one within a moment.
    pub(crate) fn pop(&self) -> Option<Job> {
        let waited = self.pushed.wait_timeout_while(self.jobs(), IDLE, |jobs| jobs.is_empty());
        waited.unwrap_or_else(PoisonError::into_inner).0.pop_front()
    }

    fn len(&self) -> usize {
        self.jobs().len()
    }
}

/// A token of a client, with the name that it signs with.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) name: String,
    pub(crate) secret: String,
}

/// What the clients share.
#[derive(Debug)]
pub(crate) struct Load {
    pub(crate) program: PathBuf,
    pub(crate) api: HubApi,
    pub(crate) ledger: Ledger,
    /// Clients that ask.
    pub(crate) asking: Switch,
    /// Clients that answer, and the one that follows the events.
    pub(crate) answering: Switch,
    /// The jobs of each answerer.
    pub(crate) jobs: Vec<JobQueue>,
    pub(crate) askers: Vec<Token>,
    pub(crate) answerers: Vec<Token>,
    /// The token of this machine's person, who sees everything.
    pub(crate) person: Token,
    failure: Mutex<Option<String>>,
    /// Processes that a client waits for.
    children: Mutex<Vec<Weak<Mutex<Child>>>>,
}

impl Load {
    pub(crate) fn new(program: PathBuf, api: HubApi, tokens: Tokens) -> Self {
        let Tokens { askers, answerers, person } = tokens;
        Self {
            program,
            api,
            ledger: Ledger::default(),
            asking: Switch::default(),
            answering: Switch::default(),
            jobs: answerers.iter().map(|_| JobQueue::default()).collect(),
            askers,
            answerers,
            person,
            failure: Mutex::default(),
            children: Mutex::default(),
        }
    }

    /// Whether a client asks something new. Waits while there is much to answer.
    pub(crate) fn goes_on_asking(&self) -> bool {
        while self.jobs_waiting() > JOBS_WAITING && !self.asking.is_ending() {
            sleep(IDLE);
        }
        self.asking.goes_on()
    }

    fn jobs_waiting(&self) -> usize {
        self.jobs.iter().map(JobQueue::len).sum()
    }

    /// Whether a request waits for an answerer.
    pub(crate) fn has_jobs(&self) -> bool {
        self.jobs_waiting() > 0
    }

    /// Runs a client. If it fails, all others end, and the campaign hears why.
    pub(crate) fn run(&self, name: &str, client: impl FnOnce() -> Result<(), Failure>) {
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(client));
        let why = match ended {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it has panicked".to_owned(),
        };
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(format!("{name}: {why}"));
        drop(failure);
        self.abandon();
    }

    /// An error if a client has failed.
    pub(crate) fn check_clients(&self) -> Result<(), Failure> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.as_ref().map_or(Ok(()), |why| Err(why.clone().into()))
    }

    /// Keeps a process that a client waits for, so that it can be ended.
    pub(crate) fn keep_child(&self, child: &Arc<Mutex<Child>>) {
        let mut children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        children.retain(|child| child.strong_count() > 0);
        children.push(Arc::downgrade(child));
    }

    /// Ends every client, also one that repeats a call or waits for a process.
    pub(crate) fn abandon(&self) {
        self.api.abandon();
        self.asking.end();
        self.answering.end();
        let children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        children.iter().filter_map(Weak::upgrade).for_each(|child| end_child(&child));
    }
}

/// Ends a process and waits for it. It may have ended before.
pub(crate) fn end_child(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = child.kill();
    let _ = child.wait();
}

/// The tokens of all clients.
#[derive(Debug)]
pub(crate) struct Tokens {
    pub(crate) askers: Vec<Token>,
    pub(crate) answerers: Vec<Token>,
    pub(crate) person: Token,
}

impl Tokens {
    /// Issues a token for each client, as this machine's person.
    pub(crate) fn issue(api: &HubApi, person: String, askers: usize, answerers: usize) -> Result<Self, Failure> {
        let issue = |role: &str, number: usize| {
            let name = format!("{role}-{number}");
            let body = serde_json::json!({"role": role, "name": name});
            let response = api.send_until_decided(&api.post("/api/v1/tokens", &person, &body))?;
            let secret = response.json()["token"].as_str().ok_or(response.body)?.to_owned();
            Ok::<_, Failure>(Token { name, secret })
        };
        let askers = (0..askers).map(|number| issue("asker", number)).collect::<Result<_, _>>()?;
        let answerers = (0..answerers).map(|number| issue("answerer", number)).collect::<Result<_, _>>()?;
        let me = api.send_until_decided(&api.call("GET", "/api/v1/me", &person))?.json();
        let name = me["name"].as_str().unwrap_or_default().to_owned();
        Ok(Self { askers, answerers, person: Token { name, secret: person } })
    }
}
