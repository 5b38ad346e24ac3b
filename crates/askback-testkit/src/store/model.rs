//! Whatever happens, in whatever order: the hub against a model of a few lines.
//!
//! A round is a handful of calls made at once, for a few requests. Sometimes the hub goes away in the middle of a round:
//! nobody hears what came of its calls, and they are all tried again on the next hub. (That a killed process leaves the same
//! behind is shown with real ones, in tests/killed.) What must hold: a request comes to one outcome, made by some call of its
//! round, or by its deadline and then only when that has passed; who made it hears so, also when trying again, and everyone
//! else hears who it was; every waiter and every later look gives exactly that one; and what was acknowledged stays.

use crate::sample::{id, moment, name, question, request, room};
use askback_core::{Outcome, RequestId, State, Status, Surface};
use askback_hub::Clock;
use askback_hub::HubError;
use askback_hub::HubLimits;
use askback_hub::HubOptions;
use askback_hub::signal::Signal;
use askback_hub::store::Store;
use askback_hub::store::memory::MemoryStore;
use askback_hub::{Ask, Asked, Hub, Signature};
use jiff::Timestamp;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::JoinSet;

const REQUESTS: u64 = 3;
/// The last request has a deadline, so many seconds after it was asked.
const TIMEOUT: i64 = 100;
/// How long those wait who wait through a round, and perhaps through a crash.
const WATCHED: Duration = Duration::from_millis(20);

#[derive(Debug, Clone, Copy)]
enum Call {
    Ask,
    Answer,
    Decline,
    Cancel,
    Wait,
    /// Time passes, perhaps beyond the deadline.
    Tick(u8),
}

#[derive(Debug, Clone)]
struct Round {
    calls: Vec<(u64, Call)>,
    /// After so many turns of the runtime the hub is gone.
    crash: Option<u8>,
}

fn round() -> impl Strategy<Value = Round> {
    let call = prop_oneof![
        3 => Just(Call::Ask),
        3 => Just(Call::Answer),
        1 => Just(Call::Decline),
        1 => Just(Call::Cancel),
        2 => Just(Call::Wait),
        1 => (0..80_u8).prop_map(Call::Tick),
    ];
    (vec((0..REQUESTS, call), 1..6), proptest::option::weighted(0.3, 0..12_u8))
        .prop_map(|(calls, crash)| Round { calls, crash })
}

/// A clock that is set by hand.
#[derive(Default)]
struct HandClock(AtomicI64);

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        moment(self.0.load(Ordering::SeqCst))
    }
}

/// A place where the hubs of one history live, one after the other.
pub trait World {
    /// Opens the store for the next hub. The hub before it ends when its last task has noticed.
    fn open(&self) -> impl Future<Output = (Arc<dyn Store>, Box<dyn Signal>)> + Send;
}

impl World for MemoryStore {
    async fn open(&self) -> (Arc<dyn Store>, Box<dyn Signal>) {
        let (store, signal) = self.connect();
        (Arc::new(store), Box::new(signal))
    }
}

async fn open(world: &impl World, clock: &Arc<HandClock>) -> Hub {
    let options = HubOptions { clock: Arc::clone(clock) as Arc<dyn Clock>, limits: HubLimits::DEFAULT };
    let (store, signal) = world.open().await;
    Hub::over(store, signal, options).await.unwrap()
}

/// What is known of each request: whether it is sure to have been asked, and every outcome anyone was given.
#[derive(Default)]
struct Model {
    asked: HashSet<u64>,
    /// Those that were asked before the round began.
    asked_before: HashSet<u64>,
    seen: Vec<(u64, Outcome)>,
    /// The calls that could have ended each request, by the names they sign with.
    attempts: HashMap<u64, Vec<String>>,
}

impl Model {
    fn saw(&mut self, number: u64, outcome: &Outcome) -> Result<(), TestCaseError> {
        for (_, before) in self.seen.iter().filter(|(of, _)| *of == number) {
            prop_assert_eq!(before, outcome, "request {} came to two outcomes", number);
        }
        let attempts = self.attempts.entry(number).or_default();
        prop_assert!(attempts.iter().any(|name| name == outcome.by()), "nobody called {} tried that", outcome.by());
        prop_assert!(self.asked.contains(&number), "request {} was answered before it was asked", number);
        self.seen.push((number, outcome.clone()));
        Ok(())
    }
}

/// What a call heard.
#[derive(Debug, Clone, PartialEq)]
enum Heard {
    Asked,
    /// As the one hears it whose call it was, also if it tries again.
    Ended(Outcome),
    /// As everyone else does.
    Late(Outcome),
    Unknown,
    Pending,
    Nothing,
}

fn request_id(number: u64) -> RequestId {
    id(number + 1)
}

async fn make(hub: &Hub, clock: &HandClock, number: u64, call: Call, caller: &str) -> Result<Heard, HubError> {
    let id = request_id(number);
    let sign = Signature::new(name(caller), Surface::Page).with_key(name(caller));
    let heard = |result: Result<Arc<Outcome>, HubError>| match result {
        Ok(outcome) => Ok(Heard::Ended(Outcome::clone(&outcome))),
        Err(HubError::AlreadyEnded(outcome)) => Ok(Heard::Late(Outcome::clone(&outcome))),
        Err(HubError::Unknown(_)) => Ok(Heard::Unknown),
        Err(error) => Err(error),
    };
    match call {
        Call::Ask => {
            let asked = match number {
                2 => request(&format!(r#"{{"type": "text", "message": "?", "key": "k", "timeout": {TIMEOUT}}}"#)),
                _ => question("?"),
            };
            let asked = hub.ask(Ask::new(asked, name("asker"), room("room")).with_id(id)).await?;
            Ok(match asked {
                Asked::New(_) => Heard::Asked,
                Asked::Known(record) => record.outcome.as_deref().map_or(Heard::Asked, |o| Heard::Late(o.clone())),
            })
        }
        Call::Answer => heard(hub.answer(&id, &[caller.into()], sign).await),
        Call::Decline => heard(hub.decline(&id, None, sign).await),
        Call::Cancel => heard(hub.cancel(&id, None, sign).await),
        Call::Wait => match hub.wait(&id, Some(Duration::from_millis(1))).await {
            Ok(State::Final(outcome)) => Ok(Heard::Late(outcome)),
            Ok(State::Pending(_)) => Ok(Heard::Pending),
            Err(HubError::Unknown(_)) => Ok(Heard::Unknown),
            Err(error) => Err(error),
        },
        Call::Tick(seconds) => {
            clock.0.fetch_add(seconds.into(), Ordering::SeqCst);
            hub.clock_changed();
            Ok(Heard::Nothing)
        }
    }
}

async fn live(world: impl World, rounds: Vec<Round>) -> Result<(), TestCaseError> {
    let clock = Arc::new(HandClock::default());
    let mut hub = open(&world, &clock).await;
    let mut model = Model::default();
    // Those who wait through everything; each notes what it is given, for ever.
    let given: Arc<Mutex<Vec<(u64, Outcome)>>> = Arc::default();
    for (at, Round { calls, crash }) in rounds.into_iter().enumerate() {
        let calls: Vec<_> = calls
            .into_iter()
            .enumerate()
            .map(|(index, (number, call))| (number, call, format!("call {at}.{index}")))
            .collect();
        for (number, call, caller) in &calls {
            let attempts = model.attempts.entry(*number).or_default();
            match call {
                Call::Answer | Call::Decline | Call::Cancel => attempts.push(caller.clone()),
                _ => attempts.push("askback".to_owned()),
            }
        }
        model.asked_before.clone_from(&model.asked);
        let mut running = JoinSet::new();
        for (number, call, caller) in calls.clone() {
            let (hub, clock) = (hub.clone(), Arc::clone(&clock));
            running.spawn(async move {
                let heard = make(&hub, &clock, number, call, &caller).await;
                (number, call, caller, heard)
            });
        }
        if let Some(turns) = crash {
            for _ in 0..turns {
                tokio::task::yield_now().await;
            }
            running.shutdown().await;
            drop(hub);
            hub = open(&world, &clock).await;
            // Tried again in their order, with the same ids and keys; time does not pass twice.
            for (number, call, caller) in calls.into_iter().filter(|(_, call, _)| !matches!(call, Call::Tick(_))) {
                let heard = make(&hub, &clock, number, call, &caller).await;
                note(&mut model, number, call, &caller, heard)?;
            }
        } else {
            let mut heard = Vec::new();
            while let Some(done) = running.join_next().await {
                heard.push(done.unwrap());
            }
            // Those who asked are heard first: a round is one moment.
            heard.sort_by_key(|(_, call, _, _)| !matches!(call, Call::Ask));
            for (number, call, caller, heard) in heard {
                note(&mut model, number, call, &caller, heard)?;
            }
        }
        for number in model.asked.iter().copied().collect::<Vec<_>>() {
            watch(&hub, &given, number);
            look(&hub, &clock, &mut model, number).await?;
        }
    }
    // Everyone who waited was given what everyone else saw, and nothing else.
    for number in model.asked.iter().copied().collect::<Vec<_>>() {
        look(&hub, &clock, &mut model, number).await?;
    }
    tokio::time::sleep(2 * WATCHED).await;
    for (number, outcome) in given.lock().unwrap().clone() {
        model.saw(number, &outcome)?;
    }
    drop(hub);
    Ok(())
}

fn note(
    model: &mut Model,
    number: u64,
    call: Call,
    caller: &str,
    heard: Result<Heard, HubError>,
) -> Result<(), TestCaseError> {
    match &heard {
        Ok(Heard::Ended(outcome)) => prop_assert_eq!(outcome.by(), caller, "another's outcome is told as one's own"),
        Ok(Heard::Late(outcome)) => prop_assert_ne!(outcome.by(), caller, "one's own outcome is told as another's"),
        _ => {}
    }
    match heard {
        Err(error) => return Err(TestCaseError::fail(format!("{call:?} of {number}: {error}"))),
        Ok(Heard::Asked) => {
            model.asked.insert(number);
        }
        Ok(Heard::Ended(outcome) | Heard::Late(outcome)) => {
            model.asked.insert(number);
            model.saw(number, &outcome)?;
        }
        Ok(Heard::Unknown) => {
            prop_assert!(!model.asked_before.contains(&number), "request {} was forgotten", number);
        }
        Ok(Heard::Pending | Heard::Nothing) => {}
    }
    Ok(())
}

/// Looks at a request after a round: it is there, and what it came to stays.
async fn look(hub: &Hub, clock: &HandClock, model: &mut Model, number: u64) -> Result<(), TestCaseError> {
    let record = hub.record(&request_id(number)).await;
    let record = record.map_err(|error| TestCaseError::fail(format!("request {number} is lost: {error}")))?;
    let is_due = record.deadline.is_some_and(|deadline| deadline <= clock.now());
    let state =
        if is_due { hub.wait(&record.id, Some(Duration::from_secs(20))).await.unwrap() } else { record.state() };
    match state {
        State::Final(outcome) => {
            // Time is up when it is up, and not before; nothing else counts afterwards.
            let was_due = record.deadline.is_some_and(|deadline| deadline <= outcome.at());
            prop_assert_eq!(outcome.status() == Status::Expired, was_due, "request {} at {}", number, outcome.at());
            model.saw(number, &outcome)
        }
        State::Pending(_) => {
            prop_assert!(!is_due, "request {} should have expired", number);
            prop_assert!(!model.seen.iter().any(|(of, _)| *of == number), "request {} is pending again", number);
            Ok(())
        }
    }
}

fn watch(hub: &Hub, given: &Arc<Mutex<Vec<(u64, Outcome)>>>, number: u64) {
    let (hub, given) = (hub.clone(), Arc::clone(given));
    tokio::spawn(async move {
        if let Ok(State::Final(outcome)) = hub.wait(&request_id(number), Some(WATCHED)).await {
            given.lock().unwrap().push((number, outcome));
        }
    });
}

/// Runs histories of this many cases, each in a world of its own; the first that breaks a rule is the error.
pub fn any_history_gives_one_outcome<W: World>(world: impl Fn() -> W, cases: u32) -> Result<(), String> {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let ran = TestRunner::new(config).run(&vec(round(), 1..8), |rounds| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(live(world(), rounds))
    });
    ran.map_err(|error| error.to_string())
}
