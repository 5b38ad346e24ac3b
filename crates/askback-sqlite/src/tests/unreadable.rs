//! Rows that this version can't read.

use super::*;
use askback_core::{Outcome, Resolution, Surface};
use askback_hub::store::{AttemptId, LogEntry, NewOutcome, NewRequest, UnreadableEvent};

/// Writes the requests with this word in them as a newer askback with another kind of question would have.
fn write_as_if_newer(path: &Path, word: &str) {
    let newer =
        "UPDATE requests SET request = replace(request, '\"text\"', '\"drawing\"') WHERE instr(request, ?1) > 0";
    assert!(Connection::open(path).unwrap().execute(newer, [word]).unwrap() > 0);
}

// S3, L4
#[tokio::test]
async fn one_row_that_can_not_be_read_hides_no_other() {
    let (_folder, path) = place();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let timed = request(r#"{"type": "text", "message": "?", "timeout": 1}"#);
    let strange = hub.ask(Ask::new(timed.clone(), name("ada"), room("shop"))).await.unwrap().id().clone();
    let plain = asked(&hub, "Name?").await.unwrap();
    hub.close().await.unwrap();
    write_as_if_newer(&path, "timeout");

    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let error = hub.outcome(&strange).await.unwrap_err();
    assert!(matches!(&error, HubError::Store(StoreError::Unreadable(_))), "{error}");
    let page = hub.list(askback_hub::Query { limit: 10, ..askback_hub::Query::default() }).await.unwrap();
    assert_eq!(page.items.iter().map(|listed| &listed.record.id).collect::<Vec<_>>(), [&plain]);
    let mut followed = hub.events(0).await.unwrap();
    assert_eq!(followed.next().await.unwrap().record.id, plain);
    // Nor does it end a page before its time.
    let mut query = askback_hub::Query { limit: 1, ..askback_hub::Query::default() };
    let mut found = Vec::new();
    loop {
        let page = hub.list(query.clone()).await.unwrap();
        found.extend(page.items.into_iter().map(|listed| listed.record.id));
        match page.next {
            Some(next) => query.after = Some(next),
            None => break,
        }
    }
    assert_eq!(found, std::slice::from_ref(&plain));
    let log = hub.audit(askback_hub::AuditQuery::default()).await.unwrap().items;
    assert_eq!(log[0].record.id, plain);
    let events = askback_hub::AuditQuery { limit: 1, ..askback_hub::AuditQuery::default() };
    let first = hub.audit(events.clone()).await.unwrap();
    assert!(first.items.is_empty() && first.next.is_some(), "the first event can't be read, the second can");
    let second = hub.audit(askback_hub::AuditQuery { after: first.next, ..events }).await.unwrap();
    assert_eq!(second.items.len(), 1);
    // Its deadline passes, and others still expire.
    let timed = hub.ask(Ask::new(timed, name("ada"), room("shop"))).await.unwrap().id().clone();
    assert!(matches!(hub.wait(&timed, Some(std::time::Duration::from_secs(30))).await.unwrap(), State::Final(_)));
    assert_eq!(followed.next().await.unwrap().record.id, timed);
}

// L3
#[tokio::test]
async fn event_that_can_not_be_read_has_its_place_in_the_log() {
    let (_folder, path) = place();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let strange = asked(&hub, "Strange?").await.unwrap();
    asked(&hub, "Name?").await.unwrap();
    hub.close().await.unwrap();
    write_as_if_newer(&path, "Strange?");
    for id in [Some(strange), None] {
        let (store, _signal) = SqliteStore::open(&path).unwrap();
        let entries = store.log(0, 10).await.unwrap();
        let unreadable = UnreadableEvent { number: 1, id, asker: Some(name("ada")), is_end: false };
        assert!(matches!(&entries[..], [LogEntry::Unreadable(event), LogEntry::Event(_)] if *event == unreadable));
        store.close().await.unwrap();
        // Nor does a damaged id stop the log.
        Connection::open(&path).unwrap().execute("UPDATE requests SET id = x'00' WHERE number = 1", []).unwrap();
    }
}

// L2
#[tokio::test]
async fn outcome_that_can_not_be_read_is_no_lost_reply() {
    let (_folder, path) = place();
    let (store, _signal) = SqliteStore::open(&path).unwrap();
    let created_at = moment(0);
    let request = Arc::new(question("Name?"));
    let (asker, room, attempt) = (name("ada"), room("shop"), AttemptId::new());
    let new = NewRequest { id: id(1), room, asker, request, created_at, deadline: None, fingerprint: None, attempt };
    let Created::New(record) = store.create(new).await.unwrap() else { panic!("the store is empty") };
    let ending = || {
        let outcome = Outcome::new(id(1), Resolution::cancelled(None), "ada", Surface::Cli, moment(1)).unwrap();
        NewOutcome { record: Arc::clone(&record), outcome: Arc::new(outcome), key: None, attempt: AttemptId::new() }
    };
    store.resolve(ending()).await.unwrap();
    Connection::open(&path).unwrap().execute("UPDATE events SET outcome = '{}' WHERE number = 2", []).unwrap();
    let error = store.resolve(ending()).await.unwrap_err();
    assert!(matches!(error, StoreError::Unreadable(_)), "the hub repeats only what may be stored: {error}");
}
