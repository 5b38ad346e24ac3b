//! Ending once, by whoever is first.

use super::{answer, ask, asked, by, ended, hub, respond, response};
use crate::error::HubError;
use crate::testing::{id, name, question, request};
use askback_core::{Reason, State, Status, Surface};

// L1
#[tokio::test]
async fn the_first_answer_wins_and_the_late_one_is_told_who_was_first() {
    let hub = hub().await;
    let id = asked(&hub, question("Name?")).await;
    let (first, second) = tokio::join!(answer(&hub, &id, "one", by("rita")), answer(&hub, &id, "two", by("paul")));
    assert_eq!(response(&first.unwrap()), "one");
    let error = second.unwrap_err();
    assert_eq!(error.to_string(), "already answered by \"rita\" (page)");
    assert!(matches!(&error, HubError::AlreadyEnded(outcome) if response(outcome) == "one"));
    for late in [
        hub.decline(&id, None, by("paul")).await,
        hub.cancel(&id, None, by("ada")).await,
        answer(&hub, &id, "one", by("rita")).await,
    ] {
        assert!(matches!(late, Err(HubError::AlreadyEnded(outcome)) if outcome.by() == "rita"));
    }
    assert_eq!(response(&ended(&hub, &id).await), "one");
}

// L1
#[tokio::test]
async fn a_retry_with_its_key_replays_and_does_not_conflict() {
    let hub = hub().await;
    let id = asked(&hub, question("Name?")).await;
    let keyed = || by("rita").with_key(name("try-1"));
    let first = answer(&hub, &id, "one", keyed()).await.unwrap();
    assert_eq!(answer(&hub, &id, "one", keyed()).await.unwrap(), first);
    assert!(
        matches!(answer(&hub, &id, "two", keyed()).await, Err(HubError::AlreadyEnded(_))),
        "it stands for one answer"
    );
    assert!(matches!(hub.decline(&id, None, keyed()).await, Err(HubError::AlreadyEnded(_))));
    let other = by("paul").with_key(name("try-1"));
    assert!(matches!(answer(&hub, &id, "one", other).await, Err(HubError::AlreadyEnded(_))), "a key is its owner's");
    let new = by("rita").with_key(name("try-2"));
    assert!(matches!(answer(&hub, &id, "one", new).await, Err(HubError::AlreadyEnded(_))));
}

// F15
#[tokio::test]
async fn invalid_answer_is_refused_with_its_rule_and_request_stays_pending() {
    let hub = hub().await;
    let port = request(r#"{"type": "number", "message": "Port?", "min": 1, "max": 65535, "integer": true}"#);
    let id = asked(&hub, port).await;
    for (written, message) in [
        (&["0.5"][..], "[0]: 0.5 is not whole"),
        (&["0"], "[0]: 0 is too small (expected a whole number from 1 to 65535)"),
        (&["http"], "[0]: \"http\" is not a finite number"),
        (&["80", "81"], "$: 2 answers came for 1 question"),
        (&[], "$: 0 answers came for 1 question"),
    ] {
        let error = respond(&hub, &id, written, by("rita")).await.unwrap_err();
        assert!(matches!(error, HubError::NotAnswers(_)), "{error}");
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(hub.outcome(&id).await.unwrap(), State::Pending(id.clone()));
    }
    assert_eq!(response(&respond(&hub, &id, &["80"], by("rita")).await.unwrap()), "80");
    // An answer that is both late and invalid is refused as late.
    for written in ["0", "8080"] {
        let late = respond(&hub, &id, &[written], by("paul")).await;
        assert!(matches!(late, Err(HubError::AlreadyEnded(outcome)) if outcome.by() == "rita"));
    }
}

// F0, L5
#[tokio::test]
async fn a_rejected_approval_is_declined_and_keeps_its_answer() {
    let hub = hub().await;
    let approval = request(r#"{"type": "approval", "message": "Deploy?"}"#);
    let id = asked(&hub, approval).await;
    let outcome = respond(&hub, &id, &["reject"], by("rita")).await.unwrap();
    assert_eq!((outcome.resolution().status(), response(&outcome).as_str()), (Status::Declined, "reject"));
}

// L5, L7
#[tokio::test]
async fn declining_with_a_question_back_and_cancelling_stay_different() {
    let hub = hub().await;
    let [one, other] = [asked(&hub, question("Region?")).await, asked(&hub, question("Region?")).await];
    let reason = Reason::parse("which region do you mean?").unwrap();
    hub.decline(&one, reason, by("rita")).await.unwrap();
    hub.cancel(&other, None, by("ada")).await.unwrap();
    let (one, other) = (ended(&hub, &one).await, ended(&hub, &other).await);
    assert_eq!(one.resolution().reason().unwrap().as_str(), "which region do you mean?");
    assert_eq!((one.resolution().status(), other.resolution().status()), (Status::Declined, Status::Cancelled));
    assert_eq!((one.by(), one.surface()), ("rita", Surface::Page));
}

// L1
#[tokio::test]
async fn what_does_not_exist_can_not_be_ended_nor_waited_for() {
    let hub = hub().await;
    let unknown = |error: HubError| matches!(error, HubError::Unknown(unknown) if unknown == id(9));
    assert!(unknown(answer(&hub, &id(9), "x", by("rita")).await.unwrap_err()));
    assert!(unknown(hub.wait(&id(9), None).await.unwrap_err()));
    assert!(unknown(hub.outcome(&id(9)).await.unwrap_err()));
}

// L1
#[tokio::test]
async fn the_hub_itself_answers_nothing() {
    let hub = hub().await;
    let asked = hub.ask(ask(question("?"))).await.unwrap();
    let nobody = super::Signature::new(name("askback"), Surface::Hub);
    let error = answer(&hub, asked.id(), "x", nobody).await.unwrap_err();
    assert!(error.to_string().contains("the hub itself answers nothing"), "{error}");
    assert_eq!(hub.outcome(asked.id()).await.unwrap(), State::Pending(asked.id().clone()));
}
