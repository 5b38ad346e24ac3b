//! Replays of old events take turns, and lose nothing by it.

use super::*;
use crate::service::audience::Audience;
use askback_core::{Limits, Name, Request};
use askback_hub::limits::REPLAYED_EVENTS;
use askback_hub::{Ask, Hub, HubOptions, NewToken, Purpose, Role};
use futures_util::FutureExt;
use tokio::sync::watch;

async fn followed(service: &Service, caller: &Caller) -> FollowedEvents {
    service.follow(caller, RoomQuery::default(), Some(0)).await.unwrap()
}

// S3, S8, L3
#[tokio::test]
async fn replays_of_one_token_take_turns_and_miss_nothing() {
    let hub = Hub::in_memory(HubOptions::default()).await.unwrap();
    let (_stopping, is_stopping) = watch::channel(false);
    let service = Service::new(hub.clone(), "http://127.0.0.1:4770", Vec::new(), Audience::default(), is_stopping);
    let name = Name::parse("agents").unwrap();
    let new = NewToken {
        purpose: Purpose::Token,
        role: Role::Asker,
        name: name.clone(),
        room: None,
        expires_at: None,
        issued_by: None,
    };
    let caller = Caller::program(hub.issue(new).await.unwrap().0);
    let request = Request::parse(br#"{"type": "confirm", "message": "Deploy?"}"#, &Limits::DEFAULT).unwrap();
    let count = REPLAYED_EVENTS + 100;
    for _ in 0..count {
        hub.ask(Ask::new(request.clone(), name.clone(), Room::parse("shop").unwrap())).await.unwrap();
    }
    let mut events = hub.events(count - 1).await.unwrap();
    events.next().await.unwrap();

    let [mut first, mut second] = [followed(&service, &caller).await, followed(&service, &caller).await];
    let mut numbers = vec![first.next(&caller).await.unwrap().number];
    assert!(first.is_replaying());
    assert!(second.next(&caller).now_or_never().is_none(), "it is the turn of the first");
    while let Some(event) = first.next_replayed(&caller) {
        numbers.push(event.number);
    }
    first.end_turn();
    assert_eq!(second.next(&caller).await.unwrap().number, 1);
    second.end_turn();
    while numbers.len() < usize::try_from(count).unwrap() {
        numbers.push(first.next(&caller).await.unwrap().number);
    }
    assert_eq!(numbers, (1..=count).collect::<Vec<_>>());
    assert!(!first.is_replaying() && first.replay.is_none(), "it has caught up");
    assert_eq!(second.next(&caller).await.unwrap().number, 2, "what was read ahead and not sent is read again");
}
