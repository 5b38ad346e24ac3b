//! Every order of events in a race: a person here, a person on the page, and a link to the hub that breaks.

use super::{
    Link, LinkError, LinkFuture, Local, LocalSurface, Prompting, ProposalResult, Race, RaceError, RaceRequest, Raced,
    Signer, TakenAway,
};
use askback_core::{
    Answers, Ending, Limits, Name, Outcome, Path, RawAnswer, Request, RequestId, Resolution, Room, State, Surface,
};
use askback_hub::store::memory::MemoryStore;
use askback_hub::{Ask, Asked, Clock, Hub, HubError, HubLimits, HubOptions, Signature, StoreError};
use jiff::{SignedDuration, Timestamp};
use std::collections::VecDeque;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::sleep;

mod any;
mod here;
mod there;

/// A request from its JSON.
fn request(json: &str) -> Request {
    Request::parse(json.as_bytes(), &Limits::DEFAULT).unwrap()
}

/// A request that is answered with a text.
fn question(message: &str) -> Request {
    request(&format!(r#"{{"type": "text", "message": "{message}"}}"#))
}

/// Answers to a request, in their written form.
fn answers(request: &Request, written: &[&str]) -> Answers {
    let raw: Vec<RawAnswer<'_>> = written.iter().map(|text| RawAnswer::Response(text)).collect();
    request.parse_answers(&raw, &Path::root()).unwrap()
}

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

fn room(text: &str) -> Room {
    Room::parse(text).unwrap()
}

/// An id that is known beforehand.
fn id(number: u64) -> RequestId {
    RequestId::parse(&format!("019a8b3c-0000-7000-8000-{number:012x}")).unwrap()
}

/// A clock that goes as tokio's does, which tests can pause.
struct TokioClock(tokio::time::Instant);

impl TokioClock {
    fn new() -> Self {
        Self(tokio::time::Instant::now())
    }
}

impl Clock for TokioClock {
    fn now(&self) -> Timestamp {
        let start = Timestamp::from_second(1_800_000_000).unwrap();
        start.checked_add(SignedDuration::try_from(self.0.elapsed()).unwrap()).unwrap()
    }
}

/// The fate of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It arrives after so many milliseconds, and so does what comes back.
    Late(u64),
    /// It never arrives, and the sender gets an error.
    Lost,
    /// It arrives, and the sender gets an error.
    AnswerLost,
    /// It arrives, and the sender gets no response.
    Silence,
    /// The hub refuses it.
    Refused,
    /// The hub is at a limit.
    NotNow,
}

/// A link to a real hub, with the fates of its messages in order.
struct Way {
    hub: Hub,
    /// The name under which the hub knows the person here, if it is not "ada".
    known_as: Option<Name>,
    connect: Mutex<VecDeque<Fate>>,
    ask: Mutex<VecDeque<Fate>>,
    wait: Mutex<VecDeque<Fate>>,
    propose: Mutex<VecDeque<Fate>>,
    log: Log,
}

type Log = Arc<Mutex<Vec<&'static str>>>;

async fn on<T>(fate: Option<Fate>, message: impl Future<Output = Result<T, LinkError>>) -> Result<T, LinkError> {
    let lost = || Err(LinkError::Lost("the line is cut".to_owned()));
    match fate {
        None => message.await,
        Some(Fate::Late(milliseconds)) => {
            sleep(Duration::from_millis(milliseconds)).await;
            let answer = message.await;
            sleep(Duration::from_millis(milliseconds)).await;
            answer
        }
        Some(Fate::Lost) => lost(),
        Some(Fate::AnswerLost) => message.await.and_then(|_| lost()),
        Some(Fate::Silence) => {
            let _ = message.await;
            pending().await
        }
        Some(Fate::Refused) => Err(LinkError::Refused("not you".to_owned())),
        Some(Fate::NotNow) => Err(LinkError::NotNow("there are too many".to_owned())),
    }
}

impl Way {
    /// To a hub of its own, with time paused.
    async fn new() -> Self {
        tokio::time::pause();
        Self::another().await
    }

    /// The same where time is paused already.
    async fn another() -> Self {
        Self::with(HubLimits::DEFAULT).await
    }

    async fn with(limits: HubLimits) -> Self {
        let (store, signal) = MemoryStore::default().connect();
        let options = HubOptions { clock: Arc::new(TokioClock::new()), limits };
        let hub = Hub::over(Arc::new(store), Box::new(signal), options).await.unwrap();
        let none = || Mutex::new(VecDeque::new());
        Self { hub, known_as: None, connect: none(), ask: none(), wait: none(), propose: none(), log: Log::default() }
    }

    fn fate(&self, message: &'static str, fates: &Mutex<VecDeque<Fate>>) -> Option<Fate> {
        self.log.lock().unwrap().push(message);
        fates.lock().unwrap().pop_front()
    }

    /// Answers on the page after so many milliseconds.
    fn page_answers(&self, id: &RequestId, after_ms: u64) {
        let (hub, id) = (self.hub.clone(), id.clone());
        tokio::spawn(async move {
            sleep(Duration::from_millis(after_ms)).await;
            let signature = Signature::new(name("rita"), Surface::Page);
            let _ = hub.answer(&id, answers(&question("?"), &["there"]), signature).await;
        });
    }
}

fn link_error(error: HubError) -> LinkError {
    let why = error.to_string();
    match error {
        HubError::Store(StoreError::Failed(_)) => LinkError::Lost(why),
        error if error.is_passing() => LinkError::NotNow(why),
        _ => LinkError::Refused(why),
    }
}

impl Way {
    async fn asked(&self, ask: RaceRequest) -> Result<State, LinkError> {
        let RaceRequest { request, id, asked_at } = ask;
        let ask = Ask::new(Request::clone(&request), name("agent"), room("shop")).with_id(id).asked_at(asked_at);
        Ok(match self.hub.ask(ask).await.map_err(link_error)? {
            Asked::New(record) => State::Pending(record.id.clone()),
            Asked::Known(record) => record.state(),
        })
    }

    async fn waited(&self, id: RequestId) -> Result<Outcome, LinkError> {
        match self.hub.wait(&id, None).await.map_err(link_error)? {
            State::Final(outcome) => Ok(outcome),
            State::Pending(_) => Err(LinkError::Lost("the wait ended before the request did".to_owned())),
        }
    }

    async fn proposed(
        &self,
        id: RequestId,
        resolution: Resolution,
        key: Option<Name>,
    ) -> Result<ProposalResult, LinkError> {
        let by = self.known_as.clone().unwrap_or_else(|| name("ada"));
        let signature = key.into_iter().fold(Signature::new(by, Surface::Terminal), Signature::with_key);
        let proposed = match resolution.ending() {
            Ending::Answered(answers) | Ending::Declined { answers: Some(answers), .. } => {
                self.hub.answer(&id, answers.clone(), signature).await
            }
            Ending::Declined { reason, answers: None } => self.hub.decline(&id, reason.cloned(), signature).await,
            Ending::Cancelled { reason } => self.hub.cancel(&id, reason.cloned(), signature).await,
            Ending::Expired { .. } => return Err(LinkError::Refused("the hub itself says when time is up".to_owned())),
        };
        match proposed {
            Ok(outcome) => Ok(ProposalResult::Accepted(Outcome::clone(&outcome))),
            Err(HubError::AlreadyEnded(outcome)) => Ok(ProposalResult::Late(Outcome::clone(&outcome))),
            Err(error) => Err(link_error(error)),
        }
    }
}

impl Link for Way {
    fn connect(&self) -> LinkFuture<'_, ()> {
        let fate = self.fate("connect", &self.connect);
        Box::pin(on(fate, async { Ok(()) }))
    }

    fn ask(&self, ask: RaceRequest) -> LinkFuture<'_, State> {
        let fate = self.fate("ask", &self.ask);
        Box::pin(on(fate, self.asked(ask)))
    }

    fn wait(&self, id: RequestId) -> LinkFuture<'_, Outcome> {
        let fate = self.fate("wait", &self.wait);
        Box::pin(on(fate, self.waited(id)))
    }

    fn propose(&self, id: RequestId, resolution: Resolution, key: Option<Name>) -> LinkFuture<'_, ProposalResult> {
        let fate = self.fate("propose", &self.propose);
        Box::pin(on(fate, self.proposed(id, resolution, key)))
    }
}

/// A surface whose person does one thing after so many milliseconds.
struct Person {
    after_ms: u64,
    does: Local,
    notice: Mutex<Option<String>>,
    log: Log,
}

impl LocalSurface for Person {
    fn prompt<'a>(&'a self, _: &'a Request, taken_away: TakenAway) -> Prompting<'a> {
        Box::pin(async move {
            self.log.lock().unwrap().push("paint");
            tokio::select! {
                biased;
                () = sleep(Duration::from_millis(self.after_ms)) => self.does.clone(),
                notice = taken_away.notice() => {
                    *self.notice.lock().unwrap() = Some(notice);
                    Local::TakenAway
                }
            }
        })
    }
}

/// The person here answers.
fn answered() -> Local {
    Local::Decided(Resolution::from_answers(answers(&question("?"), &["here"])))
}

const NEVER: u64 = 1_000_000_000;

struct Course {
    raced: Result<Raced, RaceError>,
    notice: Option<String>,
}

/// Runs a race in which the person here does this after so many milliseconds.
async fn run(way: &Way, after_ms: u64, does: Local) -> Course {
    run_asking(way, after_ms, does, question("?")).await
}

async fn run_asking(way: &Way, after_ms: u64, does: Local, request: Request) -> Course {
    let person = Person { after_ms, does, notice: Mutex::default(), log: Arc::clone(&way.log) };
    let clock = TokioClock::new();
    let clock = || clock.now();
    let signer = Signer { by: name("ada"), surface: Surface::Terminal };
    let race = Race { link: way, surface: &person, clock: &clock, signer };
    let raced = race.run(Arc::new(request), id(1)).await;
    Course { raced, notice: person.notice.into_inner().unwrap() }
}

/// The written answer of an outcome or its status, whether the person was late, and whether a request was left.
fn told(course: &Course) -> (String, bool, bool) {
    match course.raced.as_ref().unwrap() {
        Raced::Ended { outcome, late, leftover, .. } => (written(outcome), late.is_some(), leftover.is_some()),
        Raced::Detached(_) => ("detached".to_owned(), false, false),
    }
}

fn written(outcome: &Outcome) -> String {
    match outcome.resolution().answers() {
        Some(answers) => answers.iter().next().unwrap().written(),
        None => outcome.resolution().status().name().to_owned(),
    }
}

/// The state of the request on the hub.
async fn on_hub(way: &Way) -> String {
    match way.hub.outcome(&id(1)).await {
        Ok(State::Final(outcome)) => written(&outcome),
        Ok(State::Pending(_)) => "pending".to_owned(),
        Err(_) => "unknown".to_owned(),
    }
}

async fn settle(way: &Way, course: &Course) -> Outcome {
    match course.raced.as_ref().unwrap() {
        Raced::Ended { leftover: Some(leftover), .. } => leftover.settle(way).await.unwrap().unwrap(),
        other => panic!("nothing is left over: {other:?}"),
    }
}

fn fates(list: &Mutex<VecDeque<Fate>>, fates: &[Fate]) {
    list.lock().unwrap().extend(fates);
}
