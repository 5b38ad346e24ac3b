//! Replays of old events take turns, and lose nothing by it.

use super::*;
use crate::service::audience::Audience;
use askback_api::{AnswerBody, AskQuery};
use askback_core::{Limits, Name, Request};
use askback_hub::limits::REPLAYED_EVENTS;
use askback_hub::store::memory::{Faults, MemoryStore};
use askback_hub::{Ask, Hub, HubOptions, NewToken, Purpose, Role};
use futures_util::FutureExt;
use std::future::poll_fn;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use tokio::sync::watch;

fn service_of(hub: &Hub) -> (Service, watch::Sender<bool>) {
    let (stopping, is_stopping) = watch::channel(false);
    (Service::new(hub.clone(), "http://127.0.0.1:4770", Vec::new(), Audience::default(), is_stopping), stopping)
}

async fn asker(hub: &Hub, name: &str) -> Caller {
    caller(hub, Role::Asker, name).await
}

async fn caller(hub: &Hub, role: Role, name: &str) -> Caller {
    let (purpose, name) = (Purpose::Token, Name::parse(name).unwrap());
    let room = Room::parse("shop").ok();
    let new = NewToken { purpose, role, name, room, expires_at: None, issued_by: None };
    Caller::program(hub.issue(new).await.unwrap().0)
}

async fn ask(hub: &Hub, caller: &Caller, count: u64) {
    let request = Request::parse(br#"{"type": "confirm", "message": "Deploy?"}"#, &Limits::DEFAULT).unwrap();
    for _ in 0..count {
        hub.ask(Ask::new(request.clone(), caller.name().clone(), Room::parse("shop").unwrap())).await.unwrap();
        // Nothing of a hub in memory waits, and the follower of its log has a place for 256 hints.
        tokio::task::yield_now().await;
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

// S3, S8
#[tokio::test]
async fn few_replays_read_while_a_person_answers() {
    const STREAMS: usize = 40;
    let hub = Hub::in_memory(HubOptions::default()).await.unwrap();
    let (service, _stopping) = service_of(&hub);
    let service = Arc::new(service);
    let askers = [asker(&hub, "agents").await, asker(&hub, "others").await];
    let rita = caller(&hub, Role::Answerer, "rita").await;
    ask(&hub, &askers[0], 4 * REPLAYED_EVENTS).await;
    let (reads, ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    for number in 0..STREAMS {
        let (caller, service) = (askers[number % 2].clone(), Arc::clone(&service));
        let (reads, ended) = (Arc::clone(&reads), Arc::clone(&ended));
        let mut stream = followed(&service, &caller).await;
        tokio::spawn(async move {
            while stream.replay.is_some() {
                stream.next(&caller).await.unwrap();
                // The store in memory does not take any time to read.
                let mut has_waited = false;
                poll_fn(|context| {
                    context.waker().wake_by_ref();
                    if std::mem::replace(&mut has_waited, true) { Poll::Ready(()) } else { Poll::Pending }
                })
                .await;
                while stream.next_replayed(&caller).is_some() {}
                stream.end_turn();
                reads.fetch_add(1, Ordering::Relaxed);
            }
            ended.fetch_add(1, Ordering::Relaxed);
        });
    }
    // Each call is a task, which is polled in turn with those of the streams.
    let call = Arc::new(async move || {
        let permit = service.admit_ask(&askers[0]).unwrap();
        let request = Request::parse(br#"{"type": "confirm", "message": "Deploy?"}"#, &Limits::DEFAULT).unwrap();
        let asked = service.ask(&askers[0], permit, request, AskQuery::default()).await.unwrap();
        let yes = AnswerBody { responses: Some(vec!["yes".to_owned()]), ..AnswerBody::default() };
        service.answer(&rita, asked.id().as_str(), yes).await.unwrap();
    });
    let counted = Arc::clone(&reads);
    let calls = tokio::spawn(async move {
        let mut most = 0;
        for _ in 0..20 {
            let (before, call) = (counted.load(Ordering::Relaxed), Arc::clone(&call));
            tokio::spawn(async move { call().await }).await.unwrap();
            most = most.max(counted.load(Ordering::Relaxed) - before);
        }
        most
    });
    let most = calls.await.unwrap();
    assert!(ended.load(Ordering::Relaxed) < STREAMS / 2, "the replays went on beside the calls");
    assert!(most <= 4, "{most} of {STREAMS} streams have read during one call");
}
