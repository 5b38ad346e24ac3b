//! Every order of events in a race: a person here, a person on the page, and a connection to the hub that breaks.

use super::{HubReplies, LocalSurface, PromptResult, Prompting, Race, RaceError, Raced, Signer, TakenAway};
use askback_core::{
    AnswerInput, Answers, Limits, Name, Outcome, Path, PromptEnd, Request, RequestId, Resolution, Room, State, Surface,
};
use askback_hub::Clock;
use jiff::{SignedDuration, Timestamp};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::sleep;
use way::{Fate, Log, Way};

mod any;
mod here;
mod there;
mod way;

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
    let raw: Vec<AnswerInput> = written.iter().map(|text| AnswerInput::from(*text)).collect();
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

/// A surface whose person does one thing after so many milliseconds.
struct Person {
    after_ms: u64,
    does: PromptResult,
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
                    Ok(PromptEnd::Withdrawn)
                }
            }
        })
    }
}

/// The person here answers.
fn answered() -> PromptResult {
    Ok(PromptEnd::Decided(Resolution::from_answers(answers(&question("?"), &["here"]))))
}

const NEVER: u64 = 1_000_000_000;

struct Course {
    raced: Result<Raced, RaceError>,
    notice: Option<String>,
}

/// Runs a race in which the person here does this after so many milliseconds.
async fn run(way: &Way, after_ms: u64, does: PromptResult) -> Course {
    run_asking(way, after_ms, does, question("?")).await
}

async fn run_asking(way: &Way, after_ms: u64, does: PromptResult, request: Request) -> Course {
    let person = Person { after_ms, does, notice: Mutex::default(), log: Arc::clone(&way.log) };
    let clock = TokioClock::new();
    let clock = || clock.now();
    let signer = Signer { by: name("ada"), surface: Surface::Terminal };
    let race =
        Race { asker: way, person: way, surface: &person, clock: &clock, signer, replies: HubReplies::default() };
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
        Raced::Ended { leftover: Some(leftover), .. } => leftover.settle(way, way).await.unwrap().unwrap(),
        other => panic!("nothing is left over: {other:?}"),
    }
}

fn fates(list: &Mutex<VecDeque<Fate>>, fates: &[Fate]) {
    list.lock().unwrap().extend(fates);
}
