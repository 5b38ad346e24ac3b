//! Deadlines, which the hub owns.

use super::{answer, ask, asked, by, ended, hub, hub_on, hub_over, response};
use crate::error::HubError;
use crate::limits::HubLimits;
use crate::store::memory::MemoryStore;
use crate::testing::{TokioClock, moment, name, question, request};
use askback_core::{State, Status, Surface};
use std::sync::Arc;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn with_timeout(seconds: u32) -> askback_core::Request {
    request(&format!(r#"{{"type": "text", "message": "Name?", "timeout": {seconds}}}"#))
}

// L4
#[tokio::test]
async fn a_request_expires_when_its_time_is_up_and_silence_is_no_answer() {
    let hub = hub().await;
    let id = asked(&hub, with_timeout(60)).await;
    assert_eq!(hub.wait(&id, Some(59 * SECOND)).await.unwrap(), State::Pending(id.clone()));
    let State::Final(outcome) = hub.wait(&id, None).await.unwrap() else { panic!("it is over") };
    assert_eq!((outcome.resolution().status(), outcome.surface()), (Status::Expired, Surface::Hub));
    assert!(outcome.resolution().answers().is_none());
    assert!(outcome.at() >= moment(60) && outcome.at() < moment(62), "{}", outcome.at());
}

// L4
#[tokio::test]
async fn a_declared_default_comes_with_the_expiry() {
    let hub = hub().await;
    let text = r#"{"type": "confirm", "message": "Go on?", "timeout": 5, "onTimeout": {"default": ["no"]}}"#;
    let id = asked(&hub, request(text)).await;
    hub.wait(&id, None).await.unwrap();
    let outcome = ended(&hub, &id).await;
    assert_eq!((outcome.resolution().status(), response(&outcome).as_str()), (Status::Expired, "no"));
}

// L4
#[tokio::test]
async fn without_a_timeout_a_request_waits_for_ever() {
    let hub = hub().await;
    let id = asked(&hub, question("Name?")).await;
    let day = 24 * 3_600 * SECOND;
    assert_eq!(hub.wait(&id, Some(day)).await.unwrap(), State::Pending(id.clone()));
}

// L4
#[tokio::test]
async fn a_nearer_deadline_does_not_wait_for_a_farther_one() {
    let hub = hub().await;
    let far = asked(&hub, with_timeout(1_000)).await;
    tokio::time::sleep(SECOND).await;
    let near = asked(&hub, with_timeout(2)).await;
    hub.wait(&near, None).await.unwrap();
    assert!(ended(&hub, &near).await.at() < moment(5));
    assert_eq!(hub.outcome(&far).await.unwrap(), State::Pending(far));
}

// L4
#[tokio::test]
async fn deadlines_that_pass_while_no_hub_runs_are_kept() {
    tokio::time::pause();
    let kept = MemoryStore::default();
    let clock = Arc::new(TokioClock::new());
    let open = async || hub_on(&kept, &clock).await;
    let hub = open().await;
    let id = asked(&hub, with_timeout(10)).await;
    drop(hub);
    tokio::time::sleep(3_600 * SECOND).await;
    let hub = open().await;
    hub.wait(&id, Some(SECOND)).await.unwrap();
    assert_eq!(ended(&hub, &id).await.resolution().status(), Status::Expired);
}

// L4
#[tokio::test]
async fn an_answer_after_the_deadline_is_late_even_if_nobody_noticed() {
    tokio::time::pause();
    let (store, signal) = MemoryStore::default().connect();
    let hub = hub_over(Arc::new(store), Box::new(signal), HubLimits::DEFAULT).await;
    let asked = hub.ask(ask(with_timeout(10))).await.unwrap();
    // Nothing else has run since.
    tokio::time::advance(10 * SECOND).await;
    let error = answer(&hub, asked.id(), "late", by("rita")).await.unwrap_err();
    assert!(matches!(&error, HubError::AlreadyEnded(outcome) if outcome.resolution().status() == Status::Expired));
    assert_eq!(error.to_string(), "nobody answered in time: the request has expired");
}

// L4, L1
#[tokio::test]
async fn a_retry_after_the_deadline_replays_what_came_before_it() {
    let hub = hub().await;
    let id = asked(&hub, with_timeout(10)).await;
    let keyed = || by("rita").with_key(name("k"));
    answer(&hub, &id, "in time", keyed()).await.unwrap();
    tokio::time::sleep(60 * SECOND).await;
    assert_eq!(response(&answer(&hub, &id, "in time", keyed()).await.unwrap()), "in time");
}

// L4
#[tokio::test]
async fn thousands_that_expire_at_once_all_do() {
    let hub = hub().await;
    let mut ids = Vec::new();
    for _ in 0..1_200 {
        ids.push(asked(&hub, with_timeout(5)).await);
    }
    for id in ids {
        hub.wait(&id, Some(60 * SECOND)).await.unwrap();
        assert_eq!(ended(&hub, &id).await.resolution().status(), Status::Expired);
    }
}
