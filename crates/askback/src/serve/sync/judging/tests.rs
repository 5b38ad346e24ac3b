//! A proposal is judged as a call over HTTP would be, in the words of the document.

use super::judge;
use crate::serve::app::{App, Options};
use crate::serve::caller::{Caller, Credential};
use crate::serve::gate::Gate;
use askback_core::{Json, Limits, Name, Request};
use askback_hub::{Ask, Hub, HubOptions, NewToken, Proposal, Purpose, Role, Room, Scope};
use axum::http::HeaderMap;
use tokio::sync::watch;

struct Place {
    app: App,
    stopping: watch::Sender<bool>,
}

impl Place {
    async fn new() -> Self {
        let hub = Hub::in_memory(HubOptions::default()).await.unwrap();
        let gate = Gate::new("127.0.0.1:4770".parse().unwrap(), None);
        let (stopping, is_stopping) = watch::channel(false);
        Self { app: App::new(hub, gate, Options::default(), is_stopping), stopping }
    }

    async fn caller(&self, role: Role, name: &str, room: Option<&str>) -> Caller {
        let new = NewToken {
            purpose: Purpose::Token,
            role,
            name: Name::parse(name).unwrap(),
            room: room.map(|room| Room::parse(room).unwrap()),
            expires_at: None,
            issued_by: None,
        };
        let (_, secret) = self.app.hub.issue(new).await.unwrap();
        Caller::authenticate(&self.app, Credential::Bearer(secret.as_str()), &HeaderMap::new()).unwrap()
    }

    async fn asked(&self, room: &str, asker: &str, request: &str) -> String {
        let request = Request::parse(request.as_bytes(), &Limits::DEFAULT).unwrap();
        let ask = Ask::new(request, Name::parse(asker).unwrap(), Room::parse(room).unwrap());
        self.app.hub.ask(ask).await.unwrap().id().to_string()
    }

    /// What becomes of a proposal in the shop: success or the error, and all there is to it.
    async fn judged(&self, caller: &Caller, key: &str, body: &str) -> (String, Json) {
        let body = Ok(Json::parse(body.as_bytes(), &Limits::DEFAULT).unwrap());
        let shop = Scope::Room(Room::parse("shop").unwrap());
        let verdict = judge(&self.app, caller, &shop, Proposal { key: key.to_owned(), body }).await;
        assert_eq!(verdict.get("key").and_then(Json::as_str), Some(key));
        let word = match verdict.get("success") {
            Some(Json::Bool(true)) => "success",
            _ => verdict.get("error").and_then(Json::as_str).unwrap(),
        };
        (word.to_owned(), verdict)
    }
}

const TEXT: &str = r#"{"type": "text", "message": "Which?"}"#;

fn text<'v>(verdict: &'v Json, field: &str) -> &'v str {
    verdict.get(field).and_then(Json::as_str).unwrap_or_default()
}

// W3, L1
#[tokio::test]
async fn the_first_counts_and_the_second_is_told_by_whom() {
    let place = Place::new().await;
    let rita = place.caller(Role::Answerer, "rita", None).await;
    let paul = place.caller(Role::Answerer, "paul", None).await;
    let id = place.asked("shop", "bot", TEXT).await;
    let first = format!(r#"{{"requestId": "{id}", "response": "SQLite", "answeredBy": "somebody else"}}"#);
    let (word, verdict) = place.judged(&rita, "one", &first).await;
    assert_eq!((word.as_str(), text(&verdict, "status"), text(&verdict, "requestId")), ("success", "answered", &*id));
    let outcome = verdict.get("outcome").unwrap();
    assert_eq!((text(outcome, "answeredBy"), text(outcome, "surface")), ("rita", "yjs"), "the hub knows who it was");
    let (word, verdict) = place.judged(&paul, "two", &first).await;
    assert_eq!((word.as_str(), text(&verdict, "answeredBy")), ("Request already answered", "rita"));
    // Sent again after a reconnect, each hears what it heard before.
    assert_eq!(place.judged(&rita, "one", &first).await.0, "success");
    assert_eq!(place.judged(&paul, "two", &first).await.0, "Request already answered");
    // A key stands for what was done with it.
    assert_eq!(place.judged(&rita, "other", &first).await.0, "Request already answered");
    assert_eq!(place.judged(&paul, "one", &first).await.0, "Request already answered");
}

// W3, L5
#[tokio::test]
async fn every_end_has_its_own_words() {
    let place = Place::new().await;
    let rita = place.caller(Role::Answerer, "rita", None).await;
    for (action, word) in [("decline", "Request was declined"), ("cancel", "Request was cancelled")] {
        let id = place.asked("shop", "bot", TEXT).await;
        let body = format!(r#"{{"requestId": "{id}", "action": "{action}", "reason": "which one?"}}"#);
        let (done, verdict) = place.judged(&rita, action, &body).await;
        assert_eq!((done.as_str(), text(verdict.get("outcome").unwrap(), "reason")), ("success", "which one?"));
        let late = format!(r#"{{"requestId": "{id}", "response": "SQLite"}}"#);
        assert_eq!(place.judged(&rita, "late", &late).await.0, word);
    }
}

// W3, F15
#[tokio::test]
async fn what_would_not_pass_leaves_the_request_pending() {
    let place = Place::new().await;
    let rita = place.caller(Role::Answerer, "rita", None).await;
    let choice =
        r#"{"type": "choice", "message": "Which?", "options": ["A", "B"], "multiSelect": true, "other": true}"#;
    let id = place.asked("shop", "bot", choice).await;
    let with = |answer: &str| format!(r#"{{"requestId": "{id}", {answer}}}"#);
    let (word, verdict) = place.judged(&rita, "k", &with(r#""selections": ["A", "A"]"#)).await;
    let problems = verdict.get("problems").and_then(Json::as_array).unwrap();
    assert_eq!((word.as_str(), text(&problems[0], "rule")), ("Answer not valid", "repeat"));
    for wrong in [
        r#""response": "A", "responses": ["A"]"#,
        r#""response": 5"#,
        r#""selections": "A""#,
        r#""action": "approve""#,
        r#""reply": "A""#,
        r#""action": "answer""#,
    ] {
        let (word, verdict) = place.judged(&rita, "k", &with(wrong)).await;
        let problems = verdict.get("problems").and_then(Json::as_array).unwrap();
        assert!(word == "Proposal not valid" && !text(&problems[0], "message").is_empty(), "{wrong}: {verdict}");
    }
    assert_eq!(place.judged(&rita, "k", r#"{"response": "A"}"#).await.0, "Proposal not valid");
    assert_eq!(place.judged(&rita, " ", &with(r#""response": "A""#)).await.0, "Proposal not valid");
    let right = with(r#""selections": ["B", "__other__"], "custom": "C""#);
    assert_eq!(text(place.judged(&rita, "k", &right).await.1.get("outcome").unwrap(), "response"), "B, C");
    let form = r#"{"questions": [{"type": "text", "message": "1?"}, {"type": "confirm", "message": "2?"}]}"#;
    let id = place.asked("shop", "bot", form).await;
    let both = format!(r#"{{"requestId": "{id}", "responses": ["x", "yes"]}}"#);
    assert_eq!(place.judged(&rita, "f", &both).await.0, "success");
}

// S1
#[tokio::test]
async fn askers_never_answer_and_nobody_reaches_another_room() {
    let place = Place::new().await;
    let bot = place.caller(Role::Asker, "bot", Some("shop")).await;
    let other = place.caller(Role::Asker, "other", Some("shop")).await;
    let rita = place.caller(Role::Answerer, "rita", None).await;
    let gardener = place.caller(Role::Answerer, "gardener", Some("garden")).await;
    let id = place.asked("shop", "bot", TEXT).await;
    let answer = |id: &str| format!(r#"{{"requestId": "{id}", "response": "SQLite"}}"#);
    let cancel = format!(r#"{{"requestId": "{id}", "action": "cancel"}}"#);
    for caller in [&bot, &other] {
        assert_eq!(place.judged(caller, "k", &answer(&id)).await.0, "Not allowed");
        assert_eq!(
            place.judged(caller, "k", &answer(&id).replace('}', r#", "action": "decline"}"#)).await.0,
            "Not allowed"
        );
    }
    assert_eq!(place.judged(&other, "k", &cancel).await.0, "Not allowed", "nor take away what another asked");
    assert_eq!(place.judged(&gardener, "k", &answer(&id)).await.0, "Request not found");
    let elsewhere = place.asked("garden", "bot", TEXT).await;
    assert_eq!(place.judged(&rita, "k", &answer(&elsewhere)).await.0, "Request not found", "not in this room");
    assert_eq!(place.judged(&rita, "k", &answer("nothing")).await.0, "Request not found");
    assert_eq!(place.judged(&bot, "k", &cancel).await.0, "success");
}

// S3
#[tokio::test]
async fn what_could_not_be_kept_may_be_sent_again() {
    let place = Place::new().await;
    let rita = place.caller(Role::Answerer, "rita", None).await;
    let id = place.asked("shop", "bot", TEXT).await;
    place.stopping.send(true).unwrap();
    place.app.hub.close().await.unwrap();
    let (word, verdict) = place.judged(&rita, "k", &format!(r#"{{"requestId": "{id}", "response": "x"}}"#)).await;
    assert!(word == "Try again" && !text(&verdict, "message").is_empty(), "{verdict}");
}

// S8
#[tokio::test]
async fn proposal_of_a_revoked_token_decides_nothing() {
    let place = Place::new().await;
    let rita = place.caller(Role::Answerer, "rita", None).await;
    let id = place.asked("shop", "bot", TEXT).await;
    place.app.hub.revoke(rita.token.number).await.unwrap().unwrap();
    for action in ["answer", "decline", "cancel"] {
        let response = if action == "answer" { r#", "response": "SQLite""# } else { "" };
        let body = format!(r#"{{"requestId": "{id}", "action": "{action}"{response}}}"#);
        let (word, verdict) = place.judged(&rita, action, &body).await;
        assert_eq!(word, "Not allowed", "{action}: {verdict}");
        assert!(verdict.to_string().contains("revoked"), "{action}: {verdict}");
    }
    assert!(place.app.hub.list(askback_hub::Query::default()).await.unwrap().items[0].record.outcome.is_none());
}
