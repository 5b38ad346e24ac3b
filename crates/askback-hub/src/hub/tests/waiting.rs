//! Waiting, and being known to wait.

use super::{answer, ask, asked, by, ended, hub, hub_on, hub_over, hub_with, response};
use crate::error::{HubError, StoreError};
use crate::hub::{Ask, Attendance, Hub};
use crate::limits::{HubLimits, UNATTENDED};
use crate::query::Query;
use crate::signal::{Hint, Hinting, LocalSignal, Signal};
use crate::store::memory::MemoryStore;
use crate::testing::{TokioClock, moment, name, question, request, room};
use askback_core::{AskError, Asker, RequestId, State, Status};
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

const SECOND: Duration = Duration::from_secs(1);

// L3
#[tokio::test]
async fn everyone_who_waits_gets_the_same_outcome() {
    let hub = hub().await;
    let id = asked(&hub, question("Name?")).await;
    let waiting: Vec<_> = (0..100)
        .map(|_| {
            let (hub, id) = (hub.clone(), id.clone());
            tokio::spawn(async move { hub.wait(&id, None).await.unwrap() })
        })
        .collect();
    sleep(SECOND).await;
    let outcome = answer(&hub, &id, "x", by("rita")).await.unwrap();
    for waiter in waiting {
        assert_eq!(waiter.await.unwrap(), State::Final(askback_core::Outcome::clone(&outcome)));
    }
    assert_eq!(hub.wait(&id, None).await.unwrap(), State::Final(ended(&hub, &id).await), "also whoever comes later");
}

/// A signal that loses, repeats and delays its hints.
struct Bad {
    signal: LocalSignal,
    count: usize,
    old: Option<Hint>,
}

impl Signal for Bad {
    fn next(&mut self) -> Hinting<'_> {
        Box::pin(async {
            loop {
                self.count += 1;
                let hint = match (self.count % 4, self.old.take()) {
                    (0, Some(old)) => return old,
                    (1, _) => return Hint::Look,
                    _ => self.signal.next().await,
                };
                // Only now and then one gets through, and it is an old one.
                self.old = Some(hint);
            }
        })
    }
}

// L3
#[tokio::test]
async fn a_signal_that_loses_its_hints_makes_nobody_wait_for_ever() {
    tokio::time::pause();
    let (store, signal) = MemoryStore::default().connect();
    let bad = Bad { signal, count: 1, old: None };
    let hub = hub_over(Arc::new(store), Box::new(bad), HubLimits::DEFAULT).await;
    let mut events = hub.events(0).await.unwrap();
    for round in 1..20 {
        let id = asked(&hub, question("Name?")).await;
        let waiter = tokio::spawn({
            let (hub, id) = (hub.clone(), id.clone());
            async move { hub.wait(&id, Some(20 * SECOND)).await.unwrap() }
        });
        sleep(SECOND).await;
        answer(&hub, &id, "x", by("rita")).await.unwrap();
        assert!(matches!(waiter.await.unwrap(), State::Final(_)), "round {round}");
        let numbers = [events.next().await.unwrap().number, events.next().await.unwrap().number];
        assert_eq!(numbers, [2 * round - 1, 2 * round], "nothing is missed, and nothing told twice");
    }
}

// S3
#[tokio::test]
async fn too_many_waits_are_refused_and_a_wait_that_ends_makes_place() {
    let hub = hub_with(HubLimits { waiters: 1, ..HubLimits::DEFAULT }).await;
    let id = asked(&hub, question("Name?")).await;
    let first = tokio::spawn({
        let (hub, id) = (hub.clone(), id.clone());
        async move { hub.wait(&id, Some(SECOND)).await }
    });
    tokio::task::yield_now().await;
    let error = hub.wait(&id, None).await.unwrap_err();
    assert_eq!(error.to_string(), "too many are waiting: the limit is 1; come back with the id later");
    first.await.unwrap().unwrap();
    hub.wait(&id, Some(SECOND)).await.unwrap();
}

/// Whether the newest request is waited for; when it was, to the second.
async fn attendance(hub: &Hub) -> Attendance {
    let whole_second = |at: Timestamp| Timestamp::from_second(at.as_second()).unwrap();
    match hub.list(Query { limit: 1, ..Query::default() }).await.unwrap().items[0].attendance {
        Attendance::Idle(at) => Attendance::Idle(whole_second(at)),
        Attendance::Absent(at) => Attendance::Absent(whole_second(at)),
        Attendance::Waiting => Attendance::Waiting,
    }
}

// L3
#[tokio::test]
async fn a_hub_that_is_closed_lets_nobody_wait_for_ever() {
    let hub = hub().await;
    let id = asked(&hub, question("Name?")).await;
    let waiter = tokio::spawn({
        let (hub, id) = (hub.clone(), id.clone());
        async move { hub.wait(&id, None).await }
    });
    let mut events = hub.events(0).await.unwrap();
    events.next().await.unwrap();
    let watcher = tokio::spawn(async move { events.next().await });
    sleep(SECOND).await;
    hub.close().await.unwrap();
    let closed = |error: HubError| matches!(error, HubError::Store(StoreError::Closed));
    assert!(closed(waiter.await.unwrap().unwrap_err()));
    assert!(closed(watcher.await.unwrap().unwrap_err()));
    assert!(closed(hub.wait(&id, None).await.unwrap_err()));
    assert!(closed(answer(&hub, &id, "x", by("rita")).await.unwrap_err()));
    hub.close().await.unwrap();
}

// L3
#[tokio::test]
async fn events_end_with_the_last_handle() {
    let hub = hub().await;
    let mut events = hub.events(0).await.unwrap();
    asked(&hub, question("Name?")).await;
    sleep(SECOND).await;
    drop(hub);
    assert_eq!(events.next().await.unwrap().number, 1, "what was told is there");
    assert!(events.next().await.is_err());
}

// L9
#[tokio::test]
async fn the_hub_knows_when_an_asker_last_waited() {
    tokio::time::pause();
    let kept = MemoryStore::default();
    let (store, signal) = kept.connect();
    let hub = hub_over(Arc::new(store), Box::new(signal), HubLimits::DEFAULT).await;
    let id = asked(&hub, question("Name?")).await;
    assert_eq!(attendance(&hub).await, Attendance::Idle(moment(0)));
    sleep(10 * SECOND).await;
    let waiter = tokio::spawn({
        let (hub, id) = (hub.clone(), id.clone());
        async move { hub.wait(&id, Some(20 * SECOND)).await }
    });
    sleep(SECOND).await;
    assert_eq!(attendance(&hub).await, Attendance::Waiting);
    waiter.await.unwrap().unwrap();
    assert_eq!(attendance(&hub).await, Attendance::Idle(moment(30)));
    // It is written down, for the next hub.
    sleep(30 * SECOND).await;
    drop(hub);
    let (store, signal) = kept.connect();
    let hub = hub_over(Arc::new(store), Box::new(signal), HubLimits::DEFAULT).await;
    assert_eq!(attendance(&hub).await, Attendance::Idle(moment(30)));
}

// L9
#[tokio::test]
async fn an_asker_that_waits_while_the_hub_is_closed_was_seen_until_then() {
    tokio::time::pause();
    let kept = MemoryStore::default();
    let clock = Arc::new(TokioClock::new());
    let open = async || hub_on(&kept, &clock).await;
    let hub = open().await;
    let id = asked(&hub, question("Name?")).await;
    tokio::spawn({
        let (hub, id) = (hub.clone(), id.clone());
        async move { hub.wait(&id, None).await }
    });
    sleep(3 * 3_600 * SECOND).await;
    hub.close().await.unwrap();
    let hub = open().await;
    assert_eq!(attendance(&hub).await, Attendance::Idle(moment(3 * 3_600)));
    sleep(1_800 * SECOND).await;
    let dismiss = async |long| hub.dismiss(Query::default(), long, None, by("rita")).await.unwrap();
    assert_eq!(dismiss(3_600 * SECOND).await, 0, "the hub has not been there long enough to know");
    let unwaited = Query { unwaited_since: Some(moment(3 * 3_600 + 1)), ..Query::default() };
    assert_eq!(hub.list(unwaited.clone()).await.unwrap().items.len(), 1);
    let waiter = tokio::spawn({
        let (hub, id) = (hub.clone(), id.clone());
        async move { hub.wait(&id, Some(SECOND)).await }
    });
    tokio::task::yield_now().await;
    assert!(hub.list(unwaited).await.unwrap().items.is_empty(), "it is waited for again");
    waiter.await.unwrap().unwrap();
    sleep(3_601 * SECOND).await;
    assert_eq!(dismiss(3_600 * SECOND).await, 1);
}

// L9
#[tokio::test]
async fn requests_that_nobody_waits_for_are_dismissed_in_bulk() {
    let hub = hub().await;
    let mut ids = Vec::new();
    for _ in 0..450 {
        ids.push(asked(&hub, question("Name?")).await);
    }
    sleep(100 * SECOND).await;
    let fresh = asked(&hub, question("Just now?")).await;
    let waited_for = ids.pop().unwrap();
    let waiter = tokio::spawn({
        let (hub, id) = (hub.clone(), waited_for.clone());
        async move { hub.wait(&id, None).await }
    });
    let left_now = ids.pop().unwrap();
    hub.wait(&left_now, Some(SECOND)).await.unwrap();
    let dismissed = hub.dismiss(Query::default(), 60 * SECOND, None, by("rita")).await.unwrap();
    assert_eq!(dismissed, 448);
    assert_eq!(ended(&hub, &ids[0]).await.resolution().status(), Status::Cancelled);
    for id in [&fresh, &waited_for, &left_now] {
        assert_eq!(hub.outcome(id).await.unwrap(), State::Pending(id.clone()));
    }
    waiter.abort();
}

// L9
#[tokio::test]
async fn what_nobody_waits_for_is_told_without_what_it_asks() {
    let hub = hub().await;
    let [forgotten, left, waited_for] =
        [asked(&hub, question("1?")).await, asked(&hub, question("2?")).await, asked(&hub, question("3?")).await];
    let answered = asked(&hub, question("4?")).await;
    answer(&hub, &answered, "x", by("rita")).await.unwrap();
    let elsewhere = Ask::new(question("5?"), name("bob"), room("garden"));
    let elsewhere = hub.ask(elsewhere).await.unwrap().id().clone();
    sleep(50 * SECOND).await;
    // Seen later than it was made, which is not written down yet.
    hub.wait(&left, Some(SECOND)).await.unwrap();
    let waiter = tokio::spawn({
        let (hub, id) = (hub.clone(), waited_for.clone());
        async move { hub.wait(&id, None).await }
    });
    sleep(49 * SECOND).await;
    let found = async |place: Option<&str>, since| {
        let found = hub.unattended(place.map(room), moment(since)).await.unwrap();
        let seconds = |at: Timestamp| at.as_second() - moment(0).as_second();
        found.into_iter().map(|found| (found.id, seconds(found.waited_at))).collect::<Vec<_>>()
    };
    let unattended = |id: &RequestId, at: i64| (id.clone(), at);
    assert_eq!(found(None, 51).await, [unattended(&elsewhere, 0), unattended(&forgotten, 0)]);
    assert_eq!(found(None, 52).await.len(), 3, "the newest first");
    assert_eq!(found(Some("shop"), 52).await, [unattended(&left, 51), unattended(&forgotten, 0)]);
    assert_eq!(found(Some("shop"), 0).await, []);
    let pending = async |place: Option<&str>| hub.count_pending(place.map(room)).await.unwrap();
    assert_eq!([pending(None).await, pending(Some("shop")).await, pending(Some("garden")).await], [4, 3, 1]);
    let follows = hub.attend(name("ada"));
    assert_eq!(found(None, 99).await, [unattended(&elsewhere, 0)], "whoever follows waits for all it has asked");
    drop(follows);
    waiter.abort();
}

// L9, S3
#[tokio::test]
async fn of_very_many_that_nobody_waits_for_the_newest_are_told() {
    let hub = hub().await;
    let mut ids = Vec::new();
    for _ in 0..=UNATTENDED {
        ids.push(asked(&hub, question("Name?")).await);
    }
    let found = hub.unattended(None, moment(1)).await.unwrap();
    let found: Vec<_> = found.into_iter().map(|found| found.id).collect();
    assert_eq!(found, ids[1..].iter().rev().cloned().collect::<Vec<_>>());
    assert_eq!(hub.count_pending(None).await.unwrap(), ids.len() as u64, "all of them are counted");
}

// L3, L9
#[tokio::test]
async fn an_asker_that_follows_the_events_waits_for_all_it_has_asked() {
    let hub = hub().await;
    let id = asked(&hub, question("Name?")).await;
    let attending = hub.attend(name("ada"));
    let other = hub.attend(name("somebody else"));
    sleep(100 * SECOND).await;
    assert_eq!(attendance(&hub).await, Attendance::Waiting);
    assert_eq!(hub.dismiss(Query::default(), 60 * SECOND, None, by("rita")).await.unwrap(), 0);
    drop(attending);
    assert_eq!(attendance(&hub).await, Attendance::Idle(moment(100)), "and no longer");
    sleep(61 * SECOND).await;
    assert_eq!(hub.dismiss(Query::default(), 60 * SECOND, None, by("rita")).await.unwrap(), 1);
    assert_eq!(ended(&hub, &id).await.status(), Status::Cancelled);
    drop(other);
}

// L9
#[tokio::test]
async fn whoever_only_watches_is_not_taken_for_the_asker() {
    let hub = hub().await;
    let id = asked(&hub, question("Name?")).await;
    let watching = tokio::spawn({
        let (hub, id) = (hub.clone(), id.clone());
        async move { hub.watch(&id, 1_000 * SECOND).await }
    });
    sleep(100 * SECOND).await;
    assert_eq!(attendance(&hub).await, Attendance::Absent(moment(0)));
    let other = asked(&hub, question("Another?")).await;
    answer(&hub, &other, "x", by("rita")).await.unwrap();
    answer(&hub, &id, "x", by("rita")).await.unwrap();
    assert_eq!(watching.await.unwrap().unwrap(), State::Final(ended(&hub, &id).await));
    assert_eq!(hub.watch(&id, SECOND).await.unwrap(), State::Final(ended(&hub, &id).await), "it is over already");
    let open = asked(&hub, question("Open?")).await;
    assert_eq!(hub.watch(&open, SECOND).await.unwrap(), State::Pending(open));
}

// L3, S9
#[tokio::test]
async fn the_hub_is_somebody_to_ask() {
    let hub = hub().await;
    let answering = async {
        let mut events = hub.events(0).await.unwrap();
        let event = events.next().await.unwrap();
        let claim = event.record.request.from();
        assert_eq!((event.record.asker.as_str(), claim), ("agent", Some("release-agent")), "a claim names nobody");
        answer(&hub, &event.record.id, "2.0", by("rita")).await.unwrap();
    };
    let request = request(r#"{"type": "text", "message": "Version?", "from": "release-agent"}"#);
    let (outcome, ()) = tokio::join!(Asker::ask(&hub, request), answering);
    assert_eq!(response(&outcome.unwrap()), "2.0");
}

// L3
#[tokio::test]
async fn a_dropped_asking_takes_the_question_away_unless_somebody_may_come_back_for_it() {
    let hub = hub().await;
    let keyed = || request(r#"{"type": "text", "message": "Version?", "key": "v"}"#);
    assert!(tokio::time::timeout(SECOND, Asker::ask(&hub, keyed())).await.is_err());
    sleep(SECOND).await;
    let newest = async || hub.list(Query { limit: 1, ..Query::default() }).await.unwrap().items[0].record.id.clone();
    let kept = newest().await;
    assert_eq!(hub.outcome(&kept).await.unwrap(), State::Pending(kept.clone()), "its key leads back to it");
    let again = tokio::spawn({
        let hub = hub.clone();
        async move { Asker::ask(&hub, keyed()).await }
    });
    sleep(SECOND).await;
    answer(&hub, &kept, "2.0", by("rita")).await.unwrap();
    assert_eq!(response(&again.await.unwrap().unwrap()), "2.0");

    assert!(tokio::time::timeout(SECOND, Asker::ask(&hub, question("Version?"))).await.is_err());
    sleep(SECOND).await;
    let id = newest().await;
    let outcome = ended(&hub, &id).await;
    assert_eq!(outcome.resolution().status(), Status::Cancelled);
    assert_eq!(outcome.resolution().reason().unwrap().as_str(), "the asker went away");
}

// S3
#[tokio::test]
async fn what_the_hub_refuses_is_no_answer() {
    let hub = hub_with(HubLimits { pending: 0, ..HubLimits::DEFAULT }).await;
    assert!(matches!(hub.ask(ask(question("?"))).await, Err(HubError::Limit { limit: 0, .. })));
    let error = Asker::ask(&hub, question("?")).await.unwrap_err();
    assert!(matches!(&error, AskError::Failed(why) if why.contains("too many requests are pending")), "{error}");
    hub.close().await.unwrap();
    assert!(
        matches!(Asker::ask(&hub, question("?")).await, Err(AskError::Nobody(_))),
        "there is nobody to come back to"
    );
}
