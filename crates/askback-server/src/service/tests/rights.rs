//! What a caller may do and see.

use super::{CONFIRM, TestService, code};
use crate::service::Caller;
use askback_api::{ClaimedSurface, ProblemCode};
use askback_core::{Role, Surface};
use askback_hub::{NewToken, Purpose, Query, Record, Scope, SessionKind};
use askback_testkit::sample::{name, room};
use std::sync::Arc;

// S1
#[tokio::test]
async fn role_decides_what_a_caller_may_do() {
    let hub = TestService::new(&[]).await;
    for (role, rights) in [
        (Role::Asker, [true, false, false]),
        (Role::Answerer, [false, true, false]),
        (Role::Admin, [false, true, true]),
    ] {
        let caller = hub.caller(role, "ada", None).await;
        let refused = [caller.asks(), caller.answers(), caller.administers()].map(code);
        assert_eq!(refused, rights.map(|right| (!right).then_some(ProblemCode::Forbidden)), "{role:?}");
    }
}

// S8
#[tokio::test]
async fn revoked_token_has_no_right_and_no_room() {
    let hub = TestService::new(&[]).await;
    for role in Role::ALL {
        let caller = hub.caller(role, "ada", Some("shop")).await;
        hub.service.hub.revoke(caller.token.number).await.unwrap().unwrap();
        let refused = [
            code(caller.check_valid()),
            code(caller.asks()),
            code(caller.answers()),
            code(caller.administers()),
            code(caller.narrow(Query::default())),
            code(caller.narrow_room(None)),
        ];
        assert_eq!(refused, [Some(ProblemCode::Unauthenticated); 6], "{role:?}");
    }
}

// S3, S8
#[tokio::test]
async fn sessions_of_a_person_have_the_shares_of_the_token_that_issued_their_links() {
    let hub = TestService::new(&[]).await;
    let [rita, ada] = [hub.caller(Role::Answerer, "rita", None).await, hub.caller(Role::Answerer, "ada", None).await];
    for _ in 0..2 {
        let link = NewToken {
            purpose: Purpose::Login,
            role: Role::Answerer,
            name: name("rita"),
            room: None,
            expires_at: None,
            issued_by: Some(rita.token.number),
        };
        let code = hub.service.hub.issue(link).await.unwrap().1;
        let (session, _) = hub.service.redeem(code.as_str(), SessionKind::Page, None).await.unwrap();
        let session = Caller::browser(session);
        assert_ne!(session.token.number, rita.token.number);
        assert_eq!((session.holder().token, session.holder().is_person), (rita.token.number, true));
    }
    assert_ne!(ada.holder().token, rita.holder().token);
}

/// An asker with a request in the shop and one elsewhere, and another asker's request in the shop.
async fn asker_and_requests(hub: &TestService) -> (Caller, [Arc<Record>; 3]) {
    let (ada, bob) = (hub.caller(Role::Asker, "ada", None).await, hub.caller(Role::Asker, "bob", None).await);
    let requests = [
        hub.asked(&ada, "shop", CONFIRM).await,
        hub.asked(&ada, "garden", CONFIRM).await,
        hub.asked(&bob, "shop", CONFIRM).await,
    ];
    (ada, requests)
}

// S1
#[tokio::test]
async fn caller_sees_its_room_and_asker_without_room_its_own_requests() {
    let hub = TestService::new(&[]).await;
    let (ada, records) = asker_and_requests(&hub).await;
    let shop = || Scope::Room(room("shop"));
    let agent = hub.caller(Role::Asker, "agent", Some("shop")).await;
    let (rita, admin) = (hub.caller(Role::Answerer, "rita", None).await, hub.caller(Role::Admin, "admin", None).await);
    let gardener = hub.caller(Role::Answerer, "paul", Some("garden")).await;
    for (caller, seen) in [
        (ada.clone(), [true, true, false]),
        (agent, [true, false, true]),
        (rita.clone(), [true, true, true]),
        (admin, [true, true, true]),
        (gardener.clone(), [false, true, false]),
        (ada.in_room(shop()), [true, false, false]),
        (rita.clone().in_room(shop()), [true, false, true]),
        (rita.in_room(Scope::Inbox), [true, true, true]),
        (gardener.in_room(shop()), [false, false, false]),
    ] {
        assert_eq!([0, 1, 2].map(|at| caller.sees(&records[at])), seen, "{}", caller.name());
    }
}

// S1
#[tokio::test]
async fn asker_owns_what_it_asked_and_nothing_else_in_its_room() {
    let hub = TestService::new(&[]).await;
    let (ada, records) = asker_and_requests(&hub).await;
    let owned = [0, 1, 2].map(|at| code(ada.owns(&records[at], "cancel it")));
    assert_eq!(owned, [None, None, Some(ProblemCode::Forbidden)]);
}

// S1, L8
#[tokio::test]
async fn query_is_narrowed_to_the_room_of_the_token_or_to_its_asker() {
    let hub = TestService::new(&[]).await;
    let ada = hub.caller(Role::Asker, "ada", None).await;
    let agent = hub.caller(Role::Asker, "agent", Some("shop")).await;
    let rita = hub.caller(Role::Answerer, "rita", None).await;
    let gardener = hub.caller(Role::Answerer, "paul", Some("garden")).await;
    let of_bob =
        |place: Option<&str>| Query { room: place.map(room), asker: Some(name("bob")), limit: 7, ..Query::default() };
    for (caller, asked_for, place, asker) in [
        (&ada, Some("shop"), Some("shop"), "ada"),
        (&ada, None, None, "ada"),
        (&agent, None, Some("shop"), "bob"),
        (&agent, Some("shop"), Some("shop"), "bob"),
        (&rita, Some("shop"), Some("shop"), "bob"),
        (&rita, None, None, "bob"),
        (&gardener, None, Some("garden"), "bob"),
    ] {
        let narrowed = caller.narrow(of_bob(asked_for)).unwrap();
        let expected = Query { asker: Some(name(asker)), ..of_bob(place) };
        assert_eq!(narrowed, expected, "{} asks for {asked_for:?}", caller.name());
    }
    for (caller, other) in [(&agent, "garden"), (&gardener, "shop")] {
        let named = room(other);
        assert_eq!(code(caller.narrow_room(Some(named))), Some(ProblemCode::Forbidden), "{}", caller.name());
    }
}

// S9
#[tokio::test]
async fn surface_is_the_callers_own_and_only_a_program_claims_another() {
    let hub = TestService::new(&[]).await;
    let ada = hub.caller(Role::Asker, "ada", None).await;
    let program = hub.caller(Role::Answerer, "rita", None).await;
    let browser = Caller::browser(Arc::clone(&program.token));
    let inbox = |caller: &Caller| caller.clone().in_room(Scope::Inbox);
    assert!(browser.is_browser() && !program.is_browser());
    for (caller, claimed, surface) in [
        (&program, None, Surface::Http),
        (&program, Some(ClaimedSurface::Terminal), Surface::Terminal),
        (&browser, None, Surface::Page),
        (&browser, Some(ClaimedSurface::Terminal), Surface::Page),
        (&inbox(&program), None, Surface::Yjs),
        (&inbox(&browser), None, Surface::Page),
    ] {
        let record = hub.asked(&ada, "shop", CONFIRM).await;
        let outcome = hub.service.hub.cancel(&record.id, None, caller.signature(claimed)).await.unwrap();
        assert_eq!((outcome.surface(), outcome.by()), (surface, "rita"));
    }
}
