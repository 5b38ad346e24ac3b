//! Tokens: known by their secret, for as long as they are good.

use super::{Ask, HubOptions, hub, hub_on, hub_with};
use crate::error::HubError;
use crate::hub::Hub;
use crate::limits::{HubLimits, TOKEN_SWEEP, TokenLimits};
use crate::store::memory::MemoryStore;
use crate::testing::{TokioClock, moment, name, question, room};
use crate::token::{NewToken, Purpose, Role, Secret, SessionKind, Token};
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{sleep, timeout};

const HOUR: Duration = Duration::from_secs(3_600);

fn new(purpose: Purpose) -> NewToken {
    let (role, name, room) = (Role::Answerer, name("rita"), Some(room("shop")));
    NewToken { purpose, role, name, room, expires_at: None, issued_by: None }
}

async fn issued(hub: &Hub, new: NewToken) -> (Arc<Token>, Secret) {
    hub.issue(new).await.unwrap()
}

fn known(hub: &Hub, secret: &Secret) -> Option<u64> {
    hub.authenticate(secret.as_str()).map(|token| token.number)
}

fn numbers(hub: &Hub) -> Vec<u64> {
    hub.tokens().iter().map(|token| token.number).collect()
}

// S1
#[tokio::test]
async fn a_token_is_known_by_its_secret_and_by_nothing_else() {
    let hub = hub().await;
    let asker = NewToken { role: Role::Asker, name: name("ada"), room: None, ..new(Purpose::Token) };
    let (asker, secret) = issued(&hub, asker).await;
    let (other, other_secret) = issued(&hub, new(Purpose::Session)).await;
    let found = hub.authenticate(secret.as_str()).unwrap();
    assert_eq!((found.number, found.role, &found.name, &found.room), (asker.number, Role::Asker, &name("ada"), &None));
    assert_eq!(hub.authenticate(other_secret.as_str()).unwrap().room, Some(room("shop")));
    assert_eq!(numbers(&hub), [asker.number, other.number], "the oldest first");
    let (most, last) = secret.as_str().split_at(secret.as_str().len() - 1);
    let nearly = format!("{most}{}", if last == "A" { "E" } else { "A" });
    let upper = secret.as_str().to_uppercase();
    for wrong in ["", "askback_", &nearly, &upper, &secret.as_str()[8..]] {
        assert!(hub.authenticate(wrong).is_none(), "{wrong:?}");
    }
}

// S1
#[tokio::test]
async fn a_link_is_no_token_and_a_token_is_no_link() {
    let hub = hub().await;
    let (_, link) = issued(&hub, new(Purpose::Login)).await;
    let (_, token) = issued(&hub, new(Purpose::Token)).await;
    assert_eq!(known(&hub, &link), None, "it only leads to a session");
    assert!(hub.redeem(token.as_str(), SessionKind::Page, HOUR).await.unwrap().is_none());
    assert!(hub.redeem("anything", SessionKind::Page, HOUR).await.unwrap().is_none());
    let (session, secret) = hub.redeem(link.as_str(), SessionKind::Page, HOUR).await.unwrap().unwrap();
    assert_eq!(
        (session.purpose, session.role, session.expires_at),
        (Purpose::Session, Role::Answerer, Some(moment(3_600)))
    );
    assert_eq!((&session.name, &session.room), (&name("rita"), &Some(room("shop"))));
    assert_eq!(known(&hub, &secret), Some(session.number));
    assert_eq!(known(&hub, &token), Some(2), "which is still one");
}

// S1
#[tokio::test]
async fn a_link_works_once_however_many_try_at_the_same_time() {
    let (kept, clock) = (MemoryStore::default(), Arc::new(TokioClock::new()));
    let hub = hub_on(&kept, &clock).await;
    let (_, link) = issued(&hub, new(Purpose::Login)).await;
    let mut trying = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let (hub, link) = (hub.clone(), link.clone());
        trying.spawn(async move { hub.redeem(link.as_str(), SessionKind::Page, HOUR).await.unwrap() });
    }
    let sessions: Vec<_> = trying.join_all().await.into_iter().flatten().collect();
    let [(session, secret)] = &sessions[..] else { panic!("{} of them got in", sessions.len()) };
    assert_eq!(numbers(&hub), [session.number]);
    hub.close().await.unwrap();

    let hub = hub_on(&kept, &clock).await;
    assert!(hub.redeem(link.as_str(), SessionKind::Page, HOUR).await.unwrap().is_none(), "nor after a restart");
    assert_eq!(known(&hub, secret), Some(session.number));
}

// S1
#[tokio::test]
async fn an_expired_token_is_good_for_nothing_and_swept_when_another_is_issued() {
    tokio::time::pause();
    let kept = MemoryStore::default();
    let clock = Arc::new(TokioClock::new());
    let hub = hub_on(&kept, &clock).await;
    let until = |purpose| NewToken { expires_at: Some(moment(60)), ..new(purpose) };
    let (token, secret) = issued(&hub, until(Purpose::Token)).await;
    let (_, link) = issued(&hub, until(Purpose::Login)).await;
    sleep(Duration::from_secs(59)).await;
    assert!(known(&hub, &secret).is_some() && token.is_live(moment(59)));
    sleep(Duration::from_secs(1)).await;
    assert!(known(&hub, &secret).is_none() && !token.is_live(moment(60)));
    assert!(hub.redeem(link.as_str(), SessionKind::Page, HOUR).await.unwrap().is_none());
    assert!(hub.revoke(token.number).await.unwrap().is_none() && numbers(&hub).is_empty());
    let (last, _) = issued(&hub, new(Purpose::Token)).await;
    let stored = crate::store::TokenStore::tokens(&kept).await.unwrap().tokens;
    assert_eq!(stored.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [last.number]);
}

// S1
#[tokio::test]
async fn whoever_was_let_in_hears_of_the_end() {
    let hub = hub().await;
    let (token, secret) = issued(&hub, new(Purpose::Token)).await;
    let (timed, _) = issued(&hub, NewToken { expires_at: Some(moment(600)), ..new(Purpose::Session) }).await;
    let inside = hub.authenticate(secret.as_str()).unwrap();
    let connection = tokio::spawn(async move { inside.gone().await });
    assert!(timeout(HOUR / 10, token.gone()).await.is_err(), "it is good for as long as it is");
    hub.revoke(token.number).await.unwrap().unwrap();
    timeout(Duration::from_millis(1), connection).await.expect("it is told at once").unwrap();
    timeout(Duration::from_millis(1), token.gone()).await.expect("and whoever asks later, too");
    assert!(known(&hub, &secret).is_none() && hub.revoke(token.number).await.unwrap().is_none());

    timeout(Duration::from_secs(239), timed.gone()).await.expect_err("the other's time is not up yet");
    timeout(Duration::from_secs(2), timed.gone()).await.expect("and now it is");
}

// S1
#[tokio::test]
async fn revoking_a_token_revokes_whatever_it_has_issued() {
    let hub = hub().await;
    let (root, root_secret) = issued(&hub, NewToken { role: Role::Admin, ..new(Purpose::Token) }).await;
    let (bystander, _) = issued(&hub, new(Purpose::Token)).await;
    let by = |number| NewToken { issued_by: Some(number), ..new(Purpose::Login) };
    let (_, link) = issued(&hub, by(root.number)).await;
    let (session, session_secret) = hub.redeem(link.as_str(), SessionKind::Page, HOUR).await.unwrap().unwrap();
    assert_eq!(session.parent, Some(root.number));
    // A link for a telephone, made in the session, and one that nobody has opened yet.
    let (_, link) = issued(&hub, by(session.number)).await;
    let (telephone, telephone_secret) = hub.redeem(link.as_str(), SessionKind::Page, 24 * HOUR).await.unwrap().unwrap();
    assert_eq!(telephone.expires_at, session.expires_at, "nothing outlives what issued it");
    let (_, unopened) = issued(&hub, by(root.number)).await;

    let connection = tokio::spawn(async move { telephone.gone().await });
    hub.revoke(root.number).await.unwrap().unwrap();
    timeout(Duration::from_millis(1), connection).await.unwrap().unwrap();
    for secret in [&root_secret, &session_secret, &telephone_secret] {
        assert_eq!(known(&hub, secret), None);
    }
    assert!(hub.redeem(unopened.as_str(), SessionKind::Page, HOUR).await.unwrap().is_none());
    assert_eq!(numbers(&hub), [bystander.number]);
    let error = hub.issue(by(session.number)).await.unwrap_err();
    assert!(matches!(&error, HubError::NoSuchToken(_)) && error.to_string().contains("log in again"), "{error}");
}

// S1, L2
#[tokio::test]
async fn a_revocation_that_nobody_waits_for_happens() {
    let hub = hub().await;
    let (token, secret) = issued(&hub, new(Purpose::Token)).await;
    let mut revoking = Box::pin(hub.revoke(token.number));
    std::future::poll_fn(|context| {
        let _ = revoking.as_mut().poll(context);
        std::task::Poll::Ready(())
    })
    .await;
    drop(revoking);
    timeout(HOUR, token.gone()).await.unwrap();
    assert_eq!(known(&hub, &secret), None);
}

// S3
#[tokio::test]
async fn there_are_only_so_many_tokens() {
    let hub =
        hub_with(HubLimits { of_tokens: TokenLimits { tokens: 2, ..TokenLimits::DEFAULT }, ..HubLimits::DEFAULT })
            .await;
    let (_, link) = issued(&hub, NewToken { expires_at: Some(moment(60)), ..new(Purpose::Login) }).await;
    let (token, _) = issued(&hub, NewToken { expires_at: Some(moment(60)), ..new(Purpose::Token) }).await;
    let error = hub.issue(new(Purpose::Token)).await.unwrap_err();
    assert!(matches!(error, HubError::Limit { limit: 2, .. }) && error.to_string().contains("revoke some"), "{error}");
    // A session takes the place of its link.
    hub.redeem(link.as_str(), SessionKind::Page, HOUR).await.unwrap().unwrap();
    assert!(hub.issue(new(Purpose::Token)).await.is_err());
    hub.revoke(token.number).await.unwrap().unwrap();
    issued(&hub, NewToken { expires_at: Some(moment(60)), ..new(Purpose::Token) }).await;
    sleep(Duration::from_secs(60)).await;
    issued(&hub, new(Purpose::Token)).await;
}

/// A hub on which a token may have two links and three sessions, of five in all.
async fn hub_of_few_logins() -> Hub {
    let of_tokens = TokenLimits { logins: 5, login_links_of_token: 2, sessions_of_token: 3, ..TokenLimits::DEFAULT };
    hub_with(HubLimits { of_tokens, ..HubLimits::DEFAULT }).await
}

fn link_by(issuer: &Token) -> NewToken {
    NewToken { issued_by: Some(issuer.number), expires_at: Some(moment(60)), ..new(Purpose::Login) }
}

// S3, S8
#[tokio::test]
async fn token_past_its_share_of_login_links_is_refused_and_others_are_not() {
    let hub = hub_of_few_logins().await;
    let [(greedy, _), (other, _)] = [issued(&hub, new(Purpose::Token)).await, issued(&hub, new(Purpose::Token)).await];
    let (_, first) = issued(&hub, link_by(&greedy)).await;
    let (session, _) = hub.redeem(first.as_str(), SessionKind::Page, HOUR).await.unwrap().unwrap();
    // Also by way of its sessions.
    issued(&hub, link_by(&greedy)).await;
    issued(&hub, link_by(&session)).await;
    for issuer in [&greedy, &session] {
        let error = hub.issue(link_by(issuer)).await.unwrap_err();
        assert!(matches!(error, HubError::Limit { limit: 2, .. }) && error.to_string().contains("expires"), "{error}");
    }
    let (_, link) = issued(&hub, link_by(&other)).await;
    assert!(hub.redeem(link.as_str(), SessionKind::Page, HOUR).await.unwrap().is_some());
    sleep(Duration::from_secs(60)).await;
    issued(&hub, link_by(&greedy)).await;
}

// S3
#[tokio::test]
async fn links_and_sessions_leave_tokens_to_programs() {
    let hub = hub_of_few_logins().await;
    for _ in 0..3 {
        let (token, _) = issued(&hub, new(Purpose::Token)).await;
        for _ in 0..2 {
            let _ = hub.issue(link_by(&token)).await;
        }
    }
    let (token, _) = issued(&hub, new(Purpose::Token)).await;
    let error = hub.issue(link_by(&token)).await.unwrap_err();
    assert!(matches!(error, HubError::Limit { limit: 5, .. }), "{error}");
}

// S3
#[tokio::test]
async fn session_past_the_share_of_its_token_ends_the_oldest_one() {
    let hub = hub_of_few_logins().await;
    let (token, _) = issued(&hub, new(Purpose::Token)).await;
    let mut sessions: Vec<(Arc<Token>, Secret)> = Vec::new();
    for number in 0..5 {
        // The second session issues the last link, and so stays.
        let issuer = if number == 4 { &sessions[1].0 } else { &token };
        let (_, link) = issued(&hub, link_by(issuer)).await;
        sessions.push(hub.redeem(link.as_str(), SessionKind::Page, HOUR).await.unwrap().unwrap());
    }
    let valid: Vec<bool> = sessions.iter().map(|(_, secret)| known(&hub, secret).is_some()).collect();
    assert_eq!(valid, [false, true, false, true, true]);
}

// S3, S8
#[tokio::test]
async fn sessions_and_links_of_a_token_have_it_as_their_root_also_after_a_restart() {
    let (kept, clock) = (MemoryStore::default(), Arc::new(TokioClock::new()));
    let hub = hub_on(&kept, &clock).await;
    let [(token, own), (other, others)] =
        [issued(&hub, new(Purpose::Token)).await, issued(&hub, new(Purpose::Token)).await];
    let (link, code) = issued(&hub, link_by(&token)).await;
    let (first, first_secret) = hub.redeem(code.as_str(), SessionKind::Page, HOUR).await.unwrap().unwrap();
    let (_, code) = issued(&hub, link_by(&first)).await;
    let (second, second_secret) = hub.redeem(code.as_str(), SessionKind::PlainPage, HOUR).await.unwrap().unwrap();
    let roots = [&token, &link, &first, &second].map(|token| token.root);
    assert_eq!((roots, other.root), ([token.number; 4], other.number));
    hub.close().await.unwrap();
    let hub = hub_on(&kept, &clock).await;
    let roots =
        [&own, &first_secret, &second_secret, &others].map(|secret| hub.authenticate(secret.as_str()).unwrap().root);
    assert_eq!(roots, [token.number, token.number, token.number, other.number]);
}

// S7
#[tokio::test]
async fn login_link_is_found_without_being_redeemed() {
    let hub = hub().await;
    let (link, secret) = issued(&hub, new(Purpose::Login)).await;
    let (_, token) = issued(&hub, new(Purpose::Token)).await;
    assert_eq!(hub.login_link(secret.as_str()).map(|found| found.number), Some(link.number));
    assert!(hub.login_link(token.as_str()).is_none() && hub.login_link("anything").is_none());
    sleep(Duration::from_secs(10)).await;
    let plain = hub.redeem(secret.as_str(), SessionKind::PlainPage, HOUR).await.unwrap().unwrap().0;
    assert_eq!((plain.purpose, plain.purpose.is_session()), (Purpose::PlainSession, true));
    assert!(link.created_at < moment(10) && plain.created_at >= moment(10));
    assert!(hub.login_link(secret.as_str()).is_none(), "it was redeemed");
}

// S7
#[tokio::test]
async fn revoking_sessions_keeps_the_tokens_of_programs() {
    let (kept, clock) = (MemoryStore::default(), Arc::new(TokioClock::new()));
    let open = async || hub_on(&kept, &clock).await;
    let hub = open().await;
    let (_, token) = issued(&hub, new(Purpose::Token)).await;
    let mut sessions = Vec::new();
    for kind in [SessionKind::Page, SessionKind::PlainPage] {
        let (_, link) = issued(&hub, new(Purpose::Login)).await;
        sessions.push(hub.redeem(link.as_str(), kind, HOUR).await.unwrap().unwrap());
    }
    let by_session = NewToken { issued_by: Some(sessions[0].0.number), ..new(Purpose::Login) };
    let (_, unopened) = issued(&hub, by_session).await;
    assert_eq!(hub.revoke_sessions().await.unwrap(), 3);
    sessions[0].0.gone().await;
    let check = |hub: &Hub| {
        assert!(sessions.iter().all(|(_, secret)| known(hub, secret).is_none()));
        assert!(hub.login_link(unopened.as_str()).is_none());
        assert!(known(hub, &token).is_some());
    };
    check(&hub);
    hub.close().await.unwrap();
    check(&open().await);
}

fn asker(asker: &str, bound_to: Option<&str>) -> NewToken {
    let (role, name, room) = (Role::Asker, name(asker), bound_to.map(room));
    NewToken { role, name, room, ..new(Purpose::Token) }
}

// S1
#[tokio::test]
async fn askers_that_would_share_their_requests_are_refused_a_common_name() {
    let hub = hub().await;
    let free = async |asker| hub.issue(asker).await.map(drop).is_ok();
    assert!(free(asker("release agent", Some("shop"))).await);
    assert!(free(asker("release agent", Some("api"))).await, "each sees its own room");
    let error = hub.issue(asker("release agent", None)).await.unwrap_err();
    assert!(matches!(&error, HubError::NameTaken(taken) if *taken == name("release agent")), "{error}");
    assert!(free(asker("reviewing agent", None)).await);
    assert!(!free(asker("reviewing agent", Some("shop"))).await);
    let person = NewToken { role: Role::Answerer, ..asker("reviewing agent", None) };
    assert!(free(person).await, "people have no requests");
}

// S1
#[tokio::test]
async fn concurrent_askers_of_one_name_get_one_token() {
    let hub = hub().await;
    let issuing: Vec<_> = (0..20)
        .map(|_| {
            let hub = hub.clone();
            tokio::spawn(async move { hub.issue(asker("agent", None)).await.is_ok() })
        })
        .collect();
    let mut issued = 0;
    for issuing in issuing {
        issued += usize::from(issuing.await.unwrap());
    }
    assert_eq!((issued, hub.tokens().len()), (1, 1));
}

// S1, S9
#[tokio::test]
async fn local_credential_replaces_the_one_before_and_no_other_token() {
    let (kept, clock) = (MemoryStore::default(), Arc::new(TokioClock::new()));
    let hub = hub_on(&kept, &clock).await;
    let (_, lost) = hub.issue_local(Role::Asker, name("ada's agents")).await.unwrap();
    let (person, _) = hub.issue_local(Role::Admin, name("ada")).await.unwrap();
    let (of_laptop, _) = issued(&hub, NewToken { role: Role::Admin, name: name("ada"), ..asker("ada", None) }).await;
    let (found, secret) = hub.issue_local(Role::Asker, name("ada's agents")).await.unwrap();
    assert_eq!((known(&hub, &lost), known(&hub, &secret)), (None, Some(found.number)));
    assert_eq!(numbers(&hub), [person.number, of_laptop.number, found.number]);
    let hub = hub_on(&kept, &clock).await;
    assert_eq!((known(&hub, &lost), known(&hub, &secret)), (None, Some(found.number)), "the next hub agrees");

    let error = hub.issue(asker("ada's agents", None)).await.unwrap_err();
    assert!(matches!(error, HubError::NameTaken(_)), "{error}");
}

/// A clock that is set by hand.
struct SetClock(std::sync::Mutex<Timestamp>);

impl SetClock {
    fn set(&self, at: Timestamp) {
        *self.0.lock().unwrap() = at;
    }
}

impl crate::Clock for SetClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

async fn hub_with_clock(kept: &MemoryStore, clock: &Arc<SetClock>) -> Hub {
    let (store, signal) = kept.connect();
    let options = HubOptions { clock: Arc::clone(clock) as Arc<dyn crate::Clock>, ..HubOptions::default() };
    Hub::over(Arc::new(store), Box::new(signal), options).await.unwrap()
}

// S1
#[tokio::test(start_paused = true)]
async fn clock_that_is_set_back_revives_no_token() {
    let (kept, clock) = (MemoryStore::default(), Arc::new(SetClock(std::sync::Mutex::new(moment(0)))));
    let hub = hub_with_clock(&kept, &clock).await;
    let until = |seconds| NewToken { expires_at: Some(moment(seconds)), ..new(Purpose::Token) };
    let (_, seen) = issued(&hub, until(60)).await;
    let (_, unseen) = issued(&hub, until(60)).await;
    let (_, later) = issued(&hub, until(900)).await;
    clock.set(moment(60));
    assert!(known(&hub, &seen).is_none());
    clock.set(moment(1));
    assert!(known(&hub, &seen).is_none(), "what was seen expired stays so");
    // Nobody shows the other while it is over: it is deleted then.
    clock.set(moment(61));
    sleep(2 * TOKEN_SWEEP).await;
    clock.set(moment(1));
    assert!(known(&hub, &unseen).is_none() && known(&hub, &later).is_some());
    assert_eq!(numbers(&hub).len(), 1);

    // While no hub runs, only the log remembers how late it was.
    clock.set(moment(901));
    hub.ask(Ask::new(question("Deploy?"), name("ada"), room("shop"))).await.unwrap();
    clock.set(moment(1));
    hub.close().await.unwrap();
    let hub = hub_with_clock(&kept, &clock).await;
    assert!(known(&hub, &later).is_none());
}
