//! Which requests and events a caller reads.

use super::{CONFIRM, TestService, code};
use crate::fault::Fault;
use crate::limits::{ASKER_LISTS, READ_TURNS};
use askback_api::{AuditQuery, CancelBody, ListQuery, ProblemCode, RoomQuery};
use askback_core::{Role, Status};
use askback_testkit::sample::{name, room};
use futures_util::FutureExt;
use std::time::Duration;

// S1
#[tokio::test]
async fn list_has_the_requests_that_the_query_names_and_the_caller_sees() {
    let hub = TestService::new(&[]).await;
    let (ada, bob) = (hub.caller(Role::Asker, "ada", None).await, hub.caller(Role::Asker, "bob", None).await);
    let rita = hub.caller(Role::Answerer, "rita", None).await;
    let records = [
        hub.asked(&ada, "shop", CONFIRM).await,
        hub.asked(&ada, "garden", CONFIRM).await,
        hub.asked(&bob, "shop", CONFIRM).await,
    ];
    hub.service.cancel(&bob, records[2].id.as_str(), CancelBody::default()).await.unwrap();
    let listed = async |caller, query: ListQuery| {
        let page = hub.service.listed(caller, query).await?;
        let position = |id: &_| records.iter().position(|record| record.id == *id).unwrap();
        Ok::<_, Fault>((page.items.iter().map(|item| position(&item.record.id)).collect::<Vec<_>>(), page.next))
    };
    let all = ListQuery::default;
    for (caller, query, expected) in [
        (&rita, all(), &[2, 1, 0][..]),
        (&rita, ListQuery { status: Some(Status::Pending), ..all() }, &[1, 0]),
        (&rita, ListQuery { room: Some(room("shop")), ..all() }, &[2, 0]),
        (&rita, ListQuery { asker: Some(name("ada")), ..all() }, &[1, 0]),
        (&ada, all(), &[1, 0]),
        (&ada, ListQuery { asker: Some(name("ada")), ..all() }, &[1, 0]),
        (&bob, ListQuery { room: Some(room("garden")), ..all() }, &[]),
    ] {
        let (items, next) = listed(caller, query.clone()).await.unwrap();
        assert_eq!((items.as_slice(), next), (expected, None), "{}: {query:?}", caller.name());
    }
    let refused = listed(&ada, ListQuery { asker: Some(name("bob")), ..all() }).await;
    assert_eq!(code(refused), Some(ProblemCode::Forbidden));

    let (first, next) = listed(&rita, ListQuery { limit: Some(2), ..all() }).await.unwrap();
    let cursor = next.map(|cursor| cursor.to_string());
    let (second, last) = listed(&rita, ListQuery { limit: Some(2), cursor, ..all() }).await.unwrap();
    assert_eq!((first, second, last), (vec![2, 1], vec![0], None));
}

// S1
#[tokio::test]
async fn followed_events_are_of_requests_in_the_room_that_the_caller_sees() {
    let hub = TestService::new(&[]).await;
    let (ada, bob) = (hub.caller(Role::Asker, "ada", None).await, hub.caller(Role::Asker, "bob", None).await);
    let rita = hub.caller(Role::Answerer, "rita", None).await;
    let follow = async |caller, place: Option<&str>| {
        hub.service.follow(caller, RoomQuery { room: place.map(room) }, None).await.unwrap()
    };
    let mut own = follow(&ada, None).await;
    let (mut in_shop, mut everywhere) = (follow(&rita, Some("shop")).await, follow(&rita, None).await);
    let of_bob = hub.asked(&bob, "garden", CONFIRM).await;
    let of_ada = hub.asked(&ada, "shop", CONFIRM).await;
    assert_eq!(own.next(&ada).await.unwrap().record.id, of_ada.id);
    assert_eq!(in_shop.next(&rita).await.unwrap().record.id, of_ada.id);
    assert_eq!(everywhere.next(&rita).await.unwrap().record.id, of_bob.id);
}

// S3
#[tokio::test]
async fn unknown_script_is_refused_without_a_list_past_the_rate_of_lists() {
    let hub = TestService::new(&[]).await;
    let ada = hub.caller(Role::Asker, "ada", None).await;
    let of_script = r#"{"type": "confirm", "message": "Deploy?", "metadata": {"source": "execute_code"}}"#;
    let left = hub.asked(&ada, "shop", of_script).await;
    let names_it = async || {
        let refused = hub.service.wait_for_script(&ada, "unknown", Duration::ZERO).await.unwrap_err();
        assert_eq!(refused.code, ProblemCode::NotFound);
        refused.detail.contains(left.id.as_str())
    };
    assert!(names_it().await);
    let mut calls = 0;
    while names_it().await {
        calls += 1;
        assert!(calls < 20 * ASKER_LISTS.burst, "each call reads a page of the store");
    }
    assert_eq!(code(hub.service.list(&ada, ListQuery::default()).await), Some(ProblemCode::TooMany));
}

// S3, S8
#[tokio::test]
async fn reads_of_an_asker_that_has_its_turns_wait_and_those_of_others_do_not() {
    let test = TestService::new(&[]).await;
    let [asker, other] =
        [test.caller(Role::Asker, "ada", Some("shop")).await, test.caller(Role::Asker, "eve", Some("shop")).await];
    let person = test.caller(Role::Answerer, "rita", None).await;
    let id = test.asked(&asker, "shop", CONFIRM).await.id.clone();
    let service = &test.service;
    let mut turns = Vec::new();
    for _ in 0..READ_TURNS.of_asker {
        turns.push(service.read_turns.take(asker.holder()).await);
    }
    assert!(service.visible(&asker, id.as_str()).now_or_never().is_none());
    assert!(service.list(&asker, ListQuery::default()).now_or_never().is_none());
    for caller in [&other, &person] {
        assert!(service.visible(caller, id.as_str()).now_or_never().unwrap().is_ok());
        assert!(service.list(caller, ListQuery::default()).now_or_never().unwrap().is_ok());
    }
    assert!(service.unattended(&person, RoomQuery::default()).now_or_never().unwrap().is_ok());
    assert!(service.audit(&person, AuditQuery::default()).now_or_never().unwrap().is_ok());
    drop(turns);
    assert!(service.visible(&asker, id.as_str()).now_or_never().unwrap().is_ok());
}
