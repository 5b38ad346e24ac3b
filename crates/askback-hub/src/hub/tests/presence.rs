//! Two hubs over one store: the askers and people of one count on the other (L9).

use super::super::Attendance;
use super::{asked, by, hub_on};
use crate::error::HubError;
use crate::hub::Hub;
use crate::limits::PRESENCE_LEASE;
use crate::query::Query;
use crate::store::memory::{Faults, MemoryStore};
use crate::testing::{TokioClock, moment, name, question, room};
use askback_core::{RequestId, State};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::sleep;

const SECOND: Duration = Duration::from_secs(1);

/// Two nodes in paused time.
async fn two_nodes() -> (Hub, Hub) {
    tokio::time::pause();
    two_more_nodes().await
}

/// The same, where time is paused already.
async fn two_more_nodes() -> (Hub, Hub) {
    let (kept, clock) = (MemoryStore::default(), Arc::new(TokioClock::new()));
    (hub_on(&kept, &clock).await, hub_on(&kept, &clock).await)
}

fn waiting(hub: &Hub, id: &RequestId) -> JoinHandle<Result<State, HubError>> {
    let (hub, id) = (hub.clone(), id.clone());
    tokio::spawn(async move { hub.wait(&id, None).await })
}

async fn attendance(hub: &Hub, id: &RequestId) -> Attendance {
    let record = hub.record(id).await.unwrap();
    let attendance = hub.attendance(&record).await.unwrap();
    let listed = hub.list(Query { limit: 1, ..Query::default() }).await.unwrap().items.remove(0);
    assert_eq!(listed.attendance, attendance, "lists agree");
    attendance
}

// L9
#[tokio::test]
async fn request_that_is_waited_for_on_another_node_is_not_dismissed() {
    let (one, other) = two_nodes().await;
    let id = asked(&one, question("Name?")).await;
    sleep(100 * SECOND).await;
    let waiter = waiting(&one, &id);
    sleep(SECOND).await;
    assert_eq!(
        (attendance(&one, &id).await, attendance(&other, &id).await),
        (Attendance::Waiting, Attendance::Waiting)
    );
    // Heartbeats keep the lease for longer than it lasts by itself.
    sleep(300 * SECOND).await;
    assert_eq!(attendance(&other, &id).await, Attendance::Waiting);
    assert_eq!(other.unattended(None, moment(400)).await.unwrap(), []);
    let dismiss = async || other.dismiss(Query::default(), 60 * SECOND, None, by("rita")).await.unwrap();
    assert_eq!(dismiss().await, 0);

    waiter.abort();
    sleep(SECOND).await;
    assert_ne!(attendance(&one, &id).await, Attendance::Waiting);
    assert_ne!(attendance(&other, &id).await, Attendance::Waiting, "the end of a wait is reported");
    assert_eq!(other.unattended(None, moment(500)).await.unwrap().len(), 1);
    sleep(100 * SECOND).await;
    assert_eq!(dismiss().await, 1);
}

// L9
#[tokio::test]
async fn asker_that_follows_the_events_on_another_node_waits_for_its_requests() {
    let (one, other) = two_nodes().await;
    let id = asked(&one, question("Name?")).await;
    let asker = one.record(&id).await.unwrap().asker.clone();
    let following = [one.attend(asker.clone()), one.attend(asker), one.attend(name("another"))];
    sleep(60 * SECOND).await;
    assert_eq!(attendance(&other, &id).await, Attendance::Waiting);
    drop(following);
    sleep(59 * SECOND).await;
    assert_eq!(attendance(&other, &id).await, Attendance::Waiting, "it may come back");
    // The next heartbeat reports that it did not.
    sleep(7 * SECOND).await;
    assert_eq!(attendance(&other, &id).await, Attendance::Absent(moment(0)));
}

// L9
#[tokio::test]
async fn asker_that_called_another_node_within_a_minute_attends_to_its_requests() {
    let (one, other) = two_nodes().await;
    let id = asked(&one, question("Name?")).await;
    let asker = one.record(&id).await.unwrap().asker.clone();
    let dismiss = async || other.dismiss(Query::default(), SECOND, None, by("rita")).await.unwrap();
    for _ in 0..4 {
        sleep(50 * SECOND).await;
        one.heard_from(&asker);
        sleep(SECOND).await;
        assert_eq!(attendance(&other, &id).await, Attendance::Waiting);
        assert_eq!(dismiss().await, 0);
    }
    assert!(matches!(attendance(&one, &id).await, Attendance::Idle(_)));
    sleep(66 * SECOND).await;
    assert_eq!(attendance(&other, &id).await, Attendance::Absent(moment(0)));
    assert_eq!(dismiss().await, 1);
}

// L9
#[tokio::test]
async fn dismissal_after_a_second_spares_what_an_asker_of_the_last_minute_asked() {
    let (one, _) = two_nodes().await;
    sleep(100 * SECOND).await;
    let id = asked(&one, question("Name?")).await;
    let asker = one.record(&id).await.unwrap().asker.clone();
    let dismiss = async || one.dismiss(Query::default(), SECOND, None, by("rita")).await.unwrap();
    sleep(59 * SECOND).await;
    assert_eq!(dismiss().await, 0);
    one.heard_from(&asker);
    sleep(59 * SECOND).await;
    assert_eq!(dismiss().await, 0, "it called in between");
    sleep(2 * SECOND).await;
    assert_eq!(dismiss().await, 1);
}

// L9
#[tokio::test]
async fn people_count_on_every_node_where_they_look_and_while_they_do() {
    let (one, other) = two_nodes().await;
    let (everywhere, in_shop) = (one.enter_person(None), other.enter_person(Some(room("shop"))));
    let second = one.enter_person(Some(room("shop")));
    sleep(SECOND).await;
    for hub in [&one, &other] {
        let counts = async |place: Option<&str>| hub.people(place.map(room)).await.unwrap();
        assert_eq!([counts(None).await, counts(Some("shop")).await, counts(Some("api")).await], [3, 3, 1]);
    }
    drop((everywhere, second));
    sleep(SECOND).await;
    for hub in [&one, &other] {
        assert_eq!([hub.people(None).await.unwrap(), hub.people(Some(room("api"))).await.unwrap()], [1, 0]);
    }
    drop(in_shop);
    sleep(SECOND).await;
    assert_eq!([one.people(None).await.unwrap(), other.people(None).await.unwrap()], [0, 0]);
}

// L9
#[tokio::test]
async fn presence_of_a_node_ends_with_it_or_with_its_lease() {
    let (one, other) = two_nodes().await;
    let id = asked(&one, question("Name?")).await;
    let (_waiter, person) = (waiting(&one, &id), one.enter_person(None));
    sleep(SECOND).await;
    assert_eq!((attendance(&other, &id).await, other.people(None).await.unwrap()), (Attendance::Waiting, 1));
    // Its tasks end without a word, as with a process that is killed.
    one.tasks.lock().abort_all();
    let lease = Duration::try_from(PRESENCE_LEASE).unwrap();
    sleep(lease - 2 * SECOND).await;
    assert_eq!(other.people(None).await.unwrap(), 1);
    sleep(3 * SECOND).await;
    assert_eq!((attendance(&other, &id).await, other.people(None).await.unwrap()), (Attendance::Idle(moment(0)), 0));

    drop(person);
    let (third, fourth) = two_more_nodes().await;
    let _person = third.enter_person(None);
    sleep(SECOND).await;
    assert_eq!(fourth.people(None).await.unwrap(), 1);
    third.close().await.unwrap();
    assert_eq!(fourth.people(None).await.unwrap(), 0, "a hub that is closed releases its lease");
}

// L9
#[tokio::test]
async fn node_that_was_paused_for_longer_than_its_lease_reports_everything_again() {
    let (one, other) = two_nodes().await;
    let id = asked(&one, question("Name?")).await;
    let (_waiter, _person) = (waiting(&one, &id), one.enter_person(None));
    sleep(SECOND).await;
    one.shared.store.release_presence(one.shared.presence.node).await.unwrap();
    assert_eq!(other.people(None).await.unwrap(), 0);
    sleep(10 * SECOND).await;
    assert_eq!((attendance(&other, &id).await, other.people(None).await.unwrap()), (Attendance::Waiting, 1));
}

// L9
#[tokio::test]
async fn asker_is_reported_although_the_first_renewal_failed() {
    tokio::time::pause();
    let faults = Faults::default();
    let (kept, clock) = (MemoryStore::with_faults(faults.clone()), Arc::new(TokioClock::new()));
    let (one, other) = (hub_on(&kept, &clock).await, hub_on(&kept, &clock).await);
    let id = asked(&one, question("Name?")).await;
    faults.failed_renewals.store(1, Ordering::SeqCst);
    let _waiting = waiting(&one, &id);
    sleep(20 * SECOND).await;
    assert_eq!(faults.failed_renewals.load(Ordering::SeqCst), 0, "a renewal has failed");
    assert_eq!(attendance(&other, &id).await, Attendance::Waiting);
}

// L9
#[tokio::test]
async fn other_node_agrees_after_any_sequence_of_waits_and_people() {
    let (one, other) = two_nodes().await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(asked(&one, question("Name?")).await);
    }
    let mut waits: Vec<Option<JoinHandle<_>>> = ids.iter().map(|_| None).collect();
    let mut person = None;
    let mut random = 1_u32;
    for step in 0..400 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let which = (random >> 16) as usize % 5;
        match waits.get_mut(which) {
            Some(wait) => match wait.take() {
                Some(waiting) => waiting.abort(),
                None => *wait = Some(waiting(&one, &ids[which])),
            },
            None => person = if person.is_some() { None } else { Some(one.enter_person(None)) },
        }
        sleep(Duration::from_millis(u64::from(random >> 8) % 1_200)).await;
        if step % 20 == 0 {
            sleep(7 * SECOND).await;
            for (id, wait) in ids.iter().zip(&waits) {
                let record = other.record(id).await.unwrap();
                let is_waiting = other.attendance(&record).await.unwrap() == Attendance::Waiting;
                assert_eq!(is_waiting, wait.is_some(), "step {step}");
            }
            assert_eq!(other.people(None).await.unwrap(), u64::from(person.is_some()), "step {step}");
        }
    }
}
