//! A proposal is judged as a call over HTTP would be, in the words of the document.

use super::judge;
use crate::service::audience::Audience;
use crate::service::{Caller, Service};
use askback_core::{Json, Limits, Name, Request};
use askback_hub::{Ask, Hub, HubOptions, NewToken, Proposal, Purpose, Role, Room, Scope};
use tokio::sync::watch;

struct TestHub {
    service: Service,
    stopping: watch::Sender<bool>,
}

impl TestHub {
    async fn new() -> Self {
        let hub = Hub::in_memory(HubOptions::default()).await.unwrap();
        let (stopping, is_stopping) = watch::channel(false);
        // That the dialog of a client counts lets no asker answer in a room (S1).
        let (audience, dialogs) = (Audience::default(), vec!["editor".to_owned()]);
        Self { service: Service::new(hub, "http://127.0.0.1:4770", dialogs, audience, is_stopping), stopping }
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
        Caller::program(self.service.hub.issue(new).await.unwrap().0)
    }

    async fn asked(&self, room: &str, asker: &str, request: &str) -> String {
        let request = Request::parse(request.as_bytes(), &Limits::DEFAULT).unwrap();
        let ask = Ask::new(request, Name::parse(asker).unwrap(), Room::parse(room).unwrap());
        self.service.hub.ask(ask).await.unwrap().id().to_string()
    }

    /// The verdict on a proposal in the shop: success or the error, and the whole verdict.
    async fn judged(&self, caller: &Caller, key: &str, body: &str) -> (String, Json) {
        let body = Ok(Json::parse(body.as_bytes(), &Limits::DEFAULT).unwrap());
        let shop = Scope::Room(Room::parse("shop").unwrap());
        let caller = caller.clone().in_room(shop);
        let verdict = judge(&self.service, &caller, Proposal { key: key.to_owned(), body }).await;
        let verdict = Json::from(serde_json::to_value(&verdict).unwrap());
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
    let hub = TestHub::new().await;
    let rita = hub.caller(Role::Answerer, "rita", None).await;
    let paul = hub.caller(Role::Answerer, "paul", None).await;
    let id = hub.asked("shop", "bot", TEXT).await;
    let first = format!(r#"{{"requestId": "{id}", "response": "SQLite", "answeredBy": "somebody else"}}"#);
    let (word, verdict) = hub.judged(&rita, "one", &first).await;
    assert_eq!((word.as_str(), text(&verdict, "status"), text(&verdict, "requestId")), ("success", "answered", &*id));
    let outcome = verdict.get("outcome").unwrap();
    assert_eq!((text(outcome, "answeredBy"), text(outcome, "surface")), ("rita", "yjs"), "the hub knows who it was");
    let (word, verdict) = hub.judged(&paul, "two", &first).await;
    assert_eq!((word.as_str(), text(&verdict, "answeredBy")), ("Request already answered", "rita"));
    assert_eq!(text(&verdict, "code"), "already-ended", "a word to branch on");
    // Sent again after a reconnect, each hears what it heard before.
    assert_eq!(hub.judged(&rita, "one", &first).await.0, "success");
    assert_eq!(hub.judged(&paul, "two", &first).await.0, "Request already answered");
    // A key stands for what was done with it.
    assert_eq!(hub.judged(&rita, "other", &first).await.0, "Request already answered");
    assert_eq!(hub.judged(&paul, "one", &first).await.0, "Request already answered");
}

// W3, L5
#[tokio::test]
async fn every_end_has_its_own_words() {
    let hub = TestHub::new().await;
    let rita = hub.caller(Role::Answerer, "rita", None).await;
    for (action, word) in [("decline", "Request was declined"), ("cancel", "Request was cancelled")] {
        let id = hub.asked("shop", "bot", TEXT).await;
        let body = format!(r#"{{"requestId": "{id}", "action": "{action}", "reason": "which one?"}}"#);
        let (done, verdict) = hub.judged(&rita, action, &body).await;
        assert_eq!((done.as_str(), text(verdict.get("outcome").unwrap(), "reason")), ("success", "which one?"));
        let late = format!(r#"{{"requestId": "{id}", "response": "SQLite"}}"#);
        assert_eq!(hub.judged(&rita, "late", &late).await.0, word);
    }
}

// W3, F15
#[tokio::test]
async fn what_would_not_pass_leaves_the_request_pending() {
    let hub = TestHub::new().await;
    let rita = hub.caller(Role::Answerer, "rita", None).await;
    let choice =
        r#"{"type": "choice", "message": "Which?", "options": ["A", "B"], "multiSelect": true, "other": true}"#;
    let id = hub.asked("shop", "bot", choice).await;
    let with = |answer: &str| format!(r#"{{"requestId": "{id}", {answer}}}"#);
    let (word, verdict) = hub.judged(&rita, "k", &with(r#""selections": ["A", "A"]"#)).await;
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
        let (word, verdict) = hub.judged(&rita, "k", &with(wrong)).await;
        let problems = verdict.get("problems").and_then(Json::as_array).unwrap();
        assert!(word == "Proposal not valid" && !text(&problems[0], "message").is_empty(), "{wrong}: {verdict}");
    }
    assert_eq!(hub.judged(&rita, "k", r#"{"response": "A"}"#).await.0, "Proposal not valid");
    assert_eq!(hub.judged(&rita, " ", &with(r#""response": "A""#)).await.0, "Proposal not valid");
    let right = with(r#""selections": ["B", "__other__"], "custom": "C""#);
    assert_eq!(text(hub.judged(&rita, "k", &right).await.1.get("outcome").unwrap(), "response"), "B, C");
    let form = r#"{"questions": [{"type": "text", "message": "1?"}, {"type": "confirm", "message": "2?"}]}"#;
    let id = hub.asked("shop", "bot", form).await;
    let both = format!(r#"{{"requestId": "{id}", "responses": ["x", "yes"]}}"#);
    assert_eq!(hub.judged(&rita, "f", &both).await.0, "success");
}

// S1
#[tokio::test]
async fn askers_never_answer_and_nobody_reaches_another_room() {
    let hub = TestHub::new().await;
    let bot = hub.caller(Role::Asker, "bot", Some("shop")).await;
    let other = hub.caller(Role::Asker, "other", Some("shop")).await;
    let rita = hub.caller(Role::Answerer, "rita", None).await;
    let gardener = hub.caller(Role::Answerer, "gardener", Some("garden")).await;
    let id = hub.asked("shop", "bot", TEXT).await;
    let answer = |id: &str| format!(r#"{{"requestId": "{id}", "response": "SQLite"}}"#);
    let cancel = format!(r#"{{"requestId": "{id}", "action": "cancel"}}"#);
    for caller in [&bot, &other] {
        assert_eq!(hub.judged(caller, "k", &answer(&id)).await.0, "Not allowed");
        assert_eq!(
            hub.judged(caller, "k", &answer(&id).replace('}', r#", "action": "decline"}"#)).await.0,
            "Not allowed"
        );
    }
    assert_eq!(hub.judged(&other, "k", &cancel).await.0, "Not allowed", "nor take away what another asked");
    assert_eq!(hub.judged(&gardener, "k", &answer(&id)).await.0, "Request not found");
    let elsewhere = hub.asked("garden", "bot", TEXT).await;
    assert_eq!(hub.judged(&rita, "k", &answer(&elsewhere)).await.0, "Request not found", "not in this room");
    assert_eq!(hub.judged(&rita, "k", &answer("nothing")).await.0, "Request not found");
    assert_eq!(hub.judged(&bot, "k", &cancel).await.0, "success");
}

// S3
#[tokio::test]
async fn what_could_not_be_kept_may_be_sent_again() {
    let hub = TestHub::new().await;
    let rita = hub.caller(Role::Answerer, "rita", None).await;
    let id = hub.asked("shop", "bot", TEXT).await;
    hub.stopping.send(true).unwrap();
    hub.service.hub.close().await.unwrap();
    let (word, verdict) = hub.judged(&rita, "k", &format!(r#"{{"requestId": "{id}", "response": "x"}}"#)).await;
    assert!(word == "Try again" && !text(&verdict, "message").is_empty(), "{verdict}");
}

// S8
#[tokio::test]
async fn proposal_of_a_revoked_token_decides_nothing() {
    let hub = TestHub::new().await;
    let rita = hub.caller(Role::Answerer, "rita", None).await;
    let id = hub.asked("shop", "bot", TEXT).await;
    hub.service.hub.revoke(rita.token.number).await.unwrap().unwrap();
    for action in ["answer", "decline", "cancel"] {
        let response = if action == "answer" { r#", "response": "SQLite""# } else { "" };
        let body = format!(r#"{{"requestId": "{id}", "action": "{action}"{response}}}"#);
        let (word, verdict) = hub.judged(&rita, action, &body).await;
        assert_eq!(word, "Not allowed", "{action}: {verdict}");
        assert!(verdict.to_string().contains("revoked"), "{action}: {verdict}");
    }
    assert!(hub.service.hub.list(askback_hub::Query::default()).await.unwrap().items[0].record.outcome.is_none());
}
