//! Replays of old events take turns, and lose nothing by it.

use super::*;
use crate::service::audience::Audience;
use askback_core::{Limits, Name, Request};
use askback_hub::limits::REPLAYED_EVENTS;
use askback_hub::store::memory::{Faults, MemoryStore};
use askback_hub::{Ask, Hub, HubOptions, NewToken, Purpose, Role};
use futures_util::FutureExt;
use tokio::sync::watch;

fn service_of(hub: &Hub) -> (Service, watch::Sender<bool>) {
    let (stopping, is_stopping) = watch::channel(false);
    (Service::new(hub.clone(), "http://127.0.0.1:4770", Vec::new(), Audience::default(), is_stopping), stopping)
}

async fn asker(hub: &Hub, name: &str) -> Caller {
    let (purpose, role, name) = (Purpose::Token, Role::Asker, Name::parse(name).unwrap());
    let new = NewToken { purpose, role, name, room: None, expires_at: None, issued_by: None };
    Caller::program(hub.issue(new).await.unwrap().0)
}

async fn ask(hub: &Hub, caller: &Caller, count: u64) {
    let request = Request::parse(br#"{"type": "confirm", "message": "Deploy?"}"#, &Limits::DEFAULT).unwrap();
    for _ in 0..count {
        hub.ask(Ask::new(request.clone(), caller.name().clone(), Room::parse("shop").unwrap())).await.unwrap();
    }
    let mut events = hub.events(hub.last_event().max(1) - 1).await.unwrap();
    events.next().await.unwrap();
}

async fn followed(service: &Service, caller: &Caller) -> FollowedEvents {
    service.follow(caller, RoomQuery::default(), Some(0)).await.unwrap()
}

// S3, S8, L3
#[tokio::test]
async fn replays_of_one_token_take_turns_and_miss_nothing() {
    let hub = Hub::in_memory(HubOptions::default()).await.unwrap();
    let (service, _stopping) = service_of(&hub);
    let caller = asker(&hub, "agents").await;
    let count = REPLAYED_EVENTS + 100;
    ask(&hub, &caller, count).await;

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

// S8, L3
#[tokio::test]
async fn stream_that_waits_after_events_that_can_not_be_read_has_no_turn() {
    let faults = Faults::default();
    let kept = MemoryStore::with_faults(faults.clone());
    let open = async || {
        let (store, signal) = kept.connect();
        Hub::over(Arc::new(store), Box::new(signal), HubOptions::default()).await.unwrap()
    };
    let hub = open().await;
    let other = asker(&hub, "other").await;
    ask(&hub, &other, 3).await;
    hub.close().await.unwrap();
    faults.unreadable.set("Deploy?".to_owned()).unwrap();

    // A hub that has just started has no events in memory.
    let hub = open().await;
    let (service, _stopping) = service_of(&hub);
    let caller = asker(&hub, "agents").await;
    let [mut first, mut second] = [followed(&service, &caller).await, followed(&service, &caller).await];
    for stream in [&mut first, &mut second] {
        assert!(stream.next(&caller).now_or_never().is_none(), "it waits for the next event");
        assert!(!stream.is_replaying() && stream.replay.is_none());
    }
}
