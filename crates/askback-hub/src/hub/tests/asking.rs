//! Asking once, whatever is tried twice.

use super::{answer, ask, asked, by, hub, hub_with, is_new, respond};
use crate::error::HubError;
use crate::hub::Ask;
use crate::limits::HubLimits;
use crate::testing::{id, name, question, request, room};
use askback_core::Status;

// L3
#[tokio::test]
async fn asking_twice_with_one_key_is_asking_once() {
    let hub = hub().await;
    let keyed = || request(r#"{"type": "text", "message": "Port?", "key": "port-1"}"#);
    let first = hub.ask(ask(keyed())).await.unwrap();
    let second = hub.ask(ask(keyed())).await.unwrap();
    assert!(is_new(&first) && !is_new(&second));
    assert_eq!(first.id(), second.id());
    answer(&hub, first.id(), "8080", by("rita")).await.unwrap();
    let third = hub.ask(ask(keyed())).await.unwrap();
    assert_eq!((third.id(), third.record().status()), (first.id(), Status::Answered), "also when it has ended");
}

// L3, S5
#[tokio::test]
async fn a_key_stands_for_what_was_shown_and_nothing_else() {
    let hub = hub().await;
    let keyed = |message: &str| request(&format!(r#"{{"type": "approval", "message": "{message}", "key": "k"}}"#));
    let first = hub.ask(ask(keyed("Delete one file?"))).await.unwrap();
    let error = hub.ask(ask(keyed("Delete all files?"))).await.unwrap_err();
    assert!(matches!(&error, HubError::KeyTaken { key, id } if key == "k" && id == first.id()));
    assert!(error.to_string().contains("ask this one with another key"), "{error}");
    let named = r#"{"type": "approval", "message": "Delete one file?", "key": "k", "room": "shop"}"#;
    assert_eq!(hub.ask(ask(request(named))).await.unwrap().id(), first.id(), "wherever its room is named");
    let elsewhere = Ask::new(keyed("Delete all files?"), name("ada"), room("garden"));
    assert!(is_new(&hub.ask(elsewhere).await.unwrap()), "a key is its room's own");
    let other = Ask::new(keyed("Delete all files?"), name("bob"), room("shop"));
    assert!(is_new(&hub.ask(other).await.unwrap()), "and its asker's");
}

// L3
#[tokio::test]
async fn an_asker_that_chose_the_id_finds_its_request_again() {
    let hub = hub().await;
    let first = hub.ask(ask(question("Name?")).with_id(id(1))).await.unwrap();
    let again = hub.ask(ask(question("Name?")).with_id(id(1))).await.unwrap();
    assert!(is_new(&first) && !is_new(&again));
    let error = hub.ask(ask(question("Another?")).with_id(id(1))).await.unwrap_err();
    assert!(matches!(error, HubError::IdTaken(taken) if taken == id(1)));
}

// S5
#[tokio::test]
async fn asking_the_same_again_attaches_until_the_outcome_was_delivered() {
    let hub = hub().await;
    let approval = || ask(request(r#"{"type": "approval", "message": "Deploy?"}"#)).attaching();
    let first = hub.ask(approval()).await.unwrap();
    assert_eq!(hub.ask(approval()).await.unwrap().id(), first.id(), "it is pending");
    respond(&hub, first.id(), &["approve"], by("rita")).await.unwrap();

    let second = hub.ask(approval()).await.unwrap();
    assert_eq!((second.id(), second.record().status()), (first.id(), Status::Answered), "nobody has heard of it yet");
    let third = hub.ask(approval()).await.unwrap();
    assert!(is_new(&third), "the approval was delivered, and is never used again");

    // A port delivers, fails, and says so.
    respond(&hub, third.id(), &["approve"], by("rita")).await.unwrap();
    assert!(hub.delivered(third.id()).await.unwrap());
    assert!(hub.not_delivered(third.id()).await.unwrap());
    assert_eq!(hub.ask(approval()).await.unwrap().id(), third.id());
    assert!(is_new(&hub.ask(approval()).await.unwrap()));
}

// S5
#[tokio::test]
async fn what_is_found_to_be_delivered_later_is_found_until_then() {
    let hub = hub().await;
    let approval = || ask(request(r#"{"type": "approval", "message": "Deploy?"}"#)).attaching_to_deliver();
    let first = hub.ask(approval()).await.unwrap();
    respond(&hub, first.id(), &["approve"], by("rita")).await.unwrap();
    for _ in 0..2 {
        let found = hub.ask(approval()).await.unwrap();
        assert_eq!((found.id(), found.record().status()), (first.id(), Status::Answered), "it was not handed over yet");
    }
    assert!(hub.delivered(first.id()).await.unwrap());
    assert!(is_new(&hub.ask(approval()).await.unwrap()));
}

// S5
#[tokio::test]
async fn an_undelivered_outcome_goes_to_one_of_those_who_ask_at_once() {
    let hub = hub().await;
    let approval = || ask(request(r#"{"type": "approval", "message": "Deploy?"}"#)).attaching();
    let first = hub.ask(approval()).await.unwrap();
    respond(&hub, first.id(), &["approve"], by("rita")).await.unwrap();
    let (one, other, third) = tokio::join!(hub.ask(approval()), hub.ask(approval()), hub.ask(approval()));
    let records = [one, other, third].map(|asked| asked.unwrap().record().clone());
    let approved = records.iter().filter(|record| record.status() == Status::Answered).count();
    assert_eq!(approved, 1, "one approval, used once");
}

// S5
#[tokio::test]
async fn an_outcome_that_nobody_came_for_is_not_used_days_later() {
    let hub = hub().await;
    for attaching in [Ask::attaching, Ask::attaching_to_deliver] {
        let approval = || attaching(ask(request(r#"{"type": "approval", "message": "Deploy?"}"#)));
        let first = hub.ask(approval()).await.unwrap();
        respond(&hub, first.id(), &["approve"], by("rita")).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_secs(25 * 3_600)).await;
        let second = hub.ask(approval()).await.unwrap();
        assert!(is_new(&second));
        hub.cancel(second.id(), None, by("bot")).await.unwrap();
        hub.delivered(second.id()).await.unwrap();
    }
}

// S5
#[tokio::test]
async fn who_does_not_attach_asks_anew() {
    let hub = hub().await;
    let [first, second] = [asked(&hub, question("Name?")).await, asked(&hub, question("Name?")).await];
    assert_ne!(first, second);
}

// S3
#[tokio::test]
async fn too_many_pending_requests_are_refused_by_name_and_a_retry_is_not() {
    let limits = HubLimits { pending: 3, pending_of_asker: 2, ..HubLimits::DEFAULT };
    let hub = hub_with(limits).await;
    let keyed = || ask(request(r#"{"type": "text", "message": "Port?", "key": "k"}"#));
    let first = hub.ask(keyed()).await.unwrap();
    asked(&hub, question("Two?")).await;
    let error = hub.ask(ask(question("Three?"))).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "too many requests of this asker are pending: the limit is 2; answer, cancel or dismiss some of them"
    );
    assert!(error.is_passing());
    assert_eq!(hub.ask(keyed()).await.unwrap().id(), first.id(), "what is there already is not one too many");
    let of = |who: &str| Ask::new(question("Mine?"), name(who), room("shop"));
    hub.ask(of("bob")).await.unwrap();
    let error = hub.ask(of("eve")).await.unwrap_err();
    assert!(error.to_string().starts_with("too many requests are pending: the limit is 3"), "{error}");

    answer(&hub, first.id(), "80", by("rita")).await.unwrap();
    // The place is free when the log has told of it.
    hub.wait(first.id(), None).await.unwrap();
    tokio::task::yield_now().await;
    hub.ask(of("eve")).await.unwrap();
}

// L8
#[tokio::test]
async fn a_request_lives_in_its_own_room_or_else_in_the_askers() {
    let hub = hub().await;
    let named = hub.ask(ask(request(r#"{"type": "text", "message": "?", "room": "tower"}"#))).await.unwrap();
    let unnamed = hub.ask(ask(question("?"))).await.unwrap();
    assert_eq!((named.record().room.as_str(), unnamed.record().room.as_str()), ("tower", "shop"));
}
