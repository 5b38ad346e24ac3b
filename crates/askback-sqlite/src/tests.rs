//! What is told of a database that can't be used, and what is left of it: everything.

use crate::{SqliteStore, open_hub};
use askback_core::{Limits, Request, State};
use askback_hub::store::{Created, HookLease, NodeId, OutboxStore, RequestStore, Store, TokenStore, WantedLeases};
use askback_hub::{Ask, Hub, HubOptions, NewToken, Purpose, Role, Secret, SessionKind};
use askback_hub::{HubError, StoreError};
use askback_testkit::sample::{id, moment, name, question, request, room};
use rusqlite::Connection;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

mod lost;
mod unreadable;

fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data/hub.sqlite");
    (folder, path)
}

fn refusal(path: &Path) -> StoreError {
    SqliteStore::open(path).map(drop).unwrap_err()
}

async fn asked(hub: &Hub, message: &str) -> Result<askback_core::RequestId, HubError> {
    let asked = hub.ask(Ask::new(question(message), name("ada"), room("shop"))).await?;
    Ok(asked.id().clone())
}

// L2
#[tokio::test]
async fn what_was_stored_is_there_for_the_next_hub() {
    let (_folder, path) = place();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let id = asked(&hub, "Name?").await.unwrap();
    hub.close().await.unwrap();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    assert_eq!(hub.outcome(&id).await.unwrap(), State::Pending(id));
}

// F0, L2
#[tokio::test]
async fn approval_with_opposite_labels_stored_before_they_were_refused_stays_readable() {
    let (_folder, path) = place();
    let text =
        br#"{"type": "approval", "message": "Delete?", "labels": ["Reject", "Approve"], "header": "[r] Reject"}"#;
    let stored = Request::parse(text, &Limits::STORED).unwrap();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let asked = hub.ask(Ask::new(stored.clone(), name("ada"), room("shop"))).await.unwrap();
    let id = asked.id().clone();
    hub.close().await.unwrap();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let record = hub.record(&id).await.unwrap();
    assert_eq!(*record.request, stored);
}

// L2
#[test]
fn it_syncs_before_it_acknowledges() {
    let (_folder, path) = place();
    let (store, _signal) = SqliteStore::open(&path).unwrap();
    let pragma = |name: &str| {
        let connection = crate::open_file::open(&path).unwrap();
        connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, rusqlite::types::Value>(0)).unwrap()
    };
    assert_eq!(pragma("synchronous"), rusqlite::types::Value::Integer(2), "FULL");
    assert_eq!(pragma("journal_mode"), rusqlite::types::Value::Text("wal".to_owned()));
    drop(store);
}

// S3
#[tokio::test]
async fn a_second_hub_on_the_same_database_is_refused() {
    let (_folder, path) = place();
    let first = SqliteStore::open(&path).unwrap();
    let error = refusal(&path);
    assert!(matches!(&error, StoreError::InUse { .. }));
    let expected = "hub.sqlite is in use by this process: a handle on it is alive, or it is just closing: only one hub";
    assert!(error.to_string().contains(expected), "{error}");
    // By whatever name.
    let link = path.with_file_name("link.sqlite");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert!(matches!(refusal(&link), StoreError::InUse { .. }));
    first.0.close().await.unwrap();
    SqliteStore::open(&path).unwrap();
}

// S3
#[test]
fn what_people_answer_is_for_nobody_else_to_read() {
    let (_folder, path) = place();
    let _store = SqliteStore::open(&path).unwrap();
    for entry in fs::read_dir(path.parent().unwrap()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o077, 0, "{:?}", entry.file_name());
    }
    assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o077, 0);
}

// S3
#[test]
fn a_damaged_file_is_refused_and_left_as_it_is() {
    let (_folder, path) = place();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    for (text, what) in [
        (b"hello, I am a letter, not a database".repeat(500), "a letter"),
        (vec![0xff; 9], "a scrap"),
        (b"x".to_vec(), "a byte"),
    ] {
        fs::write(&path, &text).unwrap();
        let error = refusal(&path);
        assert!(matches!(&error, StoreError::Damaged { .. }), "{what}: {error}");
        assert!(error.to_string().contains("move it away, or restore a copy"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), text);
    }
}

// S3
#[tokio::test]
async fn damage_inside_a_database_is_told_when_it_is_met() {
    let (_folder, path) = place();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let id = asked(&hub, "Name?").await.unwrap();
    hub.close().await.unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[2 * 4_096..].fill(0x5a);
    fs::write(&path, &bytes).unwrap();
    let told = match open_hub(&path, HubOptions::default()).await {
        Err(error) => error,
        Ok(hub) => hub.outcome(&id).await.unwrap_err(),
    };
    assert!(matches!(&told, HubError::Store(StoreError::Damaged { .. })), "{told}");
    assert_eq!(fs::read(&path).unwrap(), bytes, "and nothing was written over it");
}

// S3
#[test]
fn the_database_of_another_program_is_left_alone() {
    let (_folder, path) = place();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('x')")
        .unwrap();
    let before = fs::read(&path).unwrap();
    let error = refusal(&path);
    assert!(error.to_string().contains("it holds the tables of another program"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

// S3
#[tokio::test]
async fn a_database_of_a_newer_version_is_left_alone() {
    let (_folder, path) = place();
    SqliteStore::open(&path).unwrap().0.close().await.unwrap();
    let newer = "INSERT INTO refinery_schema_history (version, name, applied_on, checksum) \
                 VALUES (99, 'future', '2030-01-01T00:00:00Z', '1')";
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(newer).unwrap();
    connection.close().unwrap();
    let before = fs::read(&path).unwrap();
    let error = refusal(&path);
    assert!(matches!(error, StoreError::Newer { found: 99, known: 7, .. }), "{error}");
    assert!(error.to_string().ends_with("nothing was changed: update askback"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

// S3
#[test]
fn a_folder_is_no_database_and_a_file_is_no_folder() {
    let (folder, path) = place();
    for path in ["", "/", "/dev/null"] {
        let error = refusal(Path::new(path));
        assert!(matches!(&error, StoreError::Unusable { .. }), "{error}");
    }
    let error = refusal(folder.path());
    assert!(error.to_string().contains("it is a folder"), "{error}");
    fs::write(folder.path().join("data"), "a file").unwrap();
    let error = refusal(&path);
    assert!(error.to_string().starts_with("can't keep requests in "), "{error}");
    assert_eq!(fs::read_to_string(folder.path().join("data")).unwrap(), "a file");
}

// S3
#[tokio::test]
async fn a_write_that_can_not_be_made_fails_alone() {
    let (_folder, path) = place();
    let (store, _signal) = SqliteStore::open(&path).unwrap();
    // Whoever wrote this trigger stands for any write that SQLite refuses.
    let trigger = "CREATE TRIGGER no BEFORE INSERT ON requests WHEN NEW.asker = 'eve' \
                   BEGIN SELECT RAISE(ABORT, 'not eve'); END";
    Connection::open(&path).unwrap().execute_batch(trigger).unwrap();
    let new = |asker: &str, number: u64| askback_hub::store::NewRequest {
        id: id(number),
        room: room("shop"),
        asker: name(asker),
        request: Arc::new(request(r#"{"type": "text", "message": "?"}"#)),
        created_at: moment(0),
        deadline: None,
        fingerprint: None,
        attempt: askback_hub::store::AttemptId::new(),
    };
    let token = |byte| askback_hub::store::StoredToken {
        hash: [byte; 32],
        purpose: askback_hub::Purpose::Token,
        role: askback_hub::Role::Asker,
        name: name("ada"),
        room: None,
        parent: None,
        created_at: moment(0),
        expires_at: None,
        is_local: false,
    };
    // They are queued together, and so share a batch.
    let (first, same) = (store.add_token(token(1), vec![]), store.add_token(token(1), vec![]));
    let writes: Vec<_> =
        (1..=9).map(|number| store.create(new(if number == 5 { "eve" } else { "ada" }, number))).collect();
    let second = store.add_token(token(2), vec![]);
    assert_eq!((first.await.unwrap(), second.await.unwrap()), (1, 2), "changes beside requests, too");
    assert!(same.await.is_err(), "no two tokens have one secret");
    let mut numbers = Vec::new();
    for (write, at) in writes.into_iter().zip(1..) {
        match write.await {
            Ok(Created::New(record)) => numbers.push(record.number),
            Err(StoreError::Failed(why)) => assert!(at == 5 && why.contains("not eve"), "{at}: {why}"),
            other => panic!("{at}: {other:?}"),
        }
    }
    assert_eq!(numbers, (1..=8).collect::<Vec<_>>(), "the others are stored, without a gap");
}

// L2
#[tokio::test]
async fn a_database_of_an_older_version_is_brought_up_to_date() {
    let (_folder, path) = place();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let id = asked(&hub, "Name?").await.unwrap();
    hub.close().await.unwrap();
    let older = "ALTER TABLE events DROP COLUMN attempt; DROP TABLE log; DROP TABLE room_snapshots; DROP TABLE outbox; DROP TABLE hooks; DROP TABLE tokens; \
                 DELETE FROM refinery_schema_history WHERE version > 1";
    Connection::open(&path).unwrap().execute_batch(older).unwrap();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    assert_eq!(hub.outcome(&id).await.unwrap(), State::Pending(id));
    hub.set_hooks(vec![name("chat")]).await.unwrap();
    assert_eq!((hub.tokens().len(), hub.fill_outbox().await.unwrap()), (0, 0));
}

// S7
#[tokio::test]
async fn sessions_that_were_cookies_are_revoked_by_migration() {
    let (_folder, path) = place();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    for purpose in askback_hub::Purpose::ALL {
        let (role, name) = (askback_hub::Role::Answerer, name("rita"));
        let token = askback_hub::NewToken { purpose, role, name, room: None, expires_at: None, issued_by: None };
        hub.issue(token).await.unwrap();
    }
    hub.close().await.unwrap();
    let older = "ALTER TABLE hooks DROP COLUMN holder; ALTER TABLE hooks DROP COLUMN leased_until; \
                 ALTER TABLE hooks DROP COLUMN fence; ALTER TABLE tokens DROP COLUMN is_local; \
                 ALTER TABLE events DROP COLUMN attempt; ALTER TABLE log DROP COLUMN tokens_version; \
                 DELETE FROM tokens WHERE purpose = 'plain-session'; \
                 DELETE FROM refinery_schema_history WHERE version > 4";
    Connection::open(&path).unwrap().execute_batch(older).unwrap();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    assert_eq!(hub.tokens().iter().map(|token| token.purpose).collect::<Vec<_>>(), [askback_hub::Purpose::Token]);
}

/// Polls a future once, and drops it.
async fn begin_and_drop(future: impl Future) {
    let mut future = std::pin::pin!(future);
    std::future::poll_fn(|context| {
        let _ = future.as_mut().poll(context);
        std::task::Poll::Ready(())
    })
    .await;
}

// L3
#[tokio::test]
async fn an_asking_that_is_dropped_on_its_way_to_the_disk_leaves_nothing_pending() {
    let (_folder, path) = place();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    for _ in 0..20 {
        begin_and_drop(askback_core::Asker::ask(&hub, question("Name?"))).await;
    }
    for _ in 0..500 {
        let page = hub.list(askback_hub::Query::default()).await.unwrap();
        let cancelled = page.items.iter().filter(|listed| listed.record.status() == askback_core::Status::Cancelled);
        if cancelled.count() == 20 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("something stays pending");
}

// S3
#[tokio::test]
async fn asks_that_are_dropped_take_no_place_for_ever() {
    let (_folder, path) = place();
    let limits = askback_hub::HubLimits { pending_of_asker: 3, ..askback_hub::HubLimits::DEFAULT };
    let hub = open_hub(&path, HubOptions { limits, ..HubOptions::default() }).await.unwrap();
    let keyed = || Ask::new(request(r#"{"type": "text", "message": "?", "key": "k"}"#), name("ada"), room("shop"));
    hub.ask(keyed()).await.unwrap();
    for _ in 0..50 {
        begin_and_drop(hub.ask(keyed())).await;
        tokio::task::yield_now().await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    asked(&hub, "Two?").await.unwrap();
    asked(&hub, "Three?").await.unwrap();
    assert!(matches!(asked(&hub, "Four?").await, Err(HubError::Limit { limit: 3, .. })));
}

// S3
#[tokio::test]
async fn a_database_that_another_program_holds_is_told_to_all_at_once() {
    let (_folder, path) = place();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let began = std::time::Instant::now();
    let (one, two, three) = tokio::join!(asked(&hub, "1?"), asked(&hub, "2?"), asked(&hub, "3?"));
    for error in [one, two, three].map(|asked| asked.unwrap_err()) {
        assert!(matches!(&error, HubError::Store(StoreError::Locked(_))) && error.is_passing(), "{error}");
        assert!(error.to_string().contains("nothing was stored: let it finish, then try again"), "{error}");
    }
    assert!(began.elapsed() < std::time::Duration::from_secs(14), "they wait for it together: {:?}", began.elapsed());
    other.execute_batch("ROLLBACK").unwrap();
    asked(&hub, "4?").await.unwrap();
}

/// A log that is sorted anew for every page takes for ever where much has happened. What belongs to one request may be sorted.
pub(crate) fn assert_no_sorting(connection: &Connection, sql: &str, query: &askback_hub::AuditQuery) {
    let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let parameters = rusqlite::params_from_iter(std::iter::repeat_n(0, plan.parameter_count()));
    let steps = plan.query_map(parameters, |row| row.get(3));
    let steps: Vec<String> = steps.unwrap().map(Result::unwrap).collect();
    assert!(query.id.is_some() || !steps.iter().any(|step| step.contains("TEMP B-TREE")), "{steps:?}");
}

// S1, L2
#[tokio::test]
async fn what_was_issued_and_revoked_is_so_for_the_next_hub_and_no_secret_is_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hub.sqlite");
    let token = |purpose| {
        let (role, name, room) = (Role::Answerer, name("rita"), Some(room("shop")));
        NewToken { purpose, role, name, room, expires_at: None, issued_by: None }
    };
    let known = |hub: &Hub, secret: &Secret| hub.authenticate(secret.as_str()).map(|token| token.number);
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let (kept, kept_secret) = hub.issue(NewToken { role: Role::Admin, ..token(Purpose::Token) }).await.unwrap();
    let (_, link) = hub.issue(NewToken { issued_by: Some(kept.number), ..token(Purpose::Login) }).await.unwrap();
    let (revoked, revoked_secret) = hub.issue(token(Purpose::Token)).await.unwrap();
    hub.revoke(revoked.number).await.unwrap().unwrap();
    let on_disk = || {
        let files = std::fs::read_dir(folder.path()).unwrap();
        files.map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect::<Vec<_>>().concat()
    };
    let holds = |bytes: &[u8], part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    let while_open = on_disk();
    hub.close().await.unwrap();
    let (store, _signal) = SqliteStore::open(&path).unwrap();
    let hash = store.tokens().await.unwrap().tokens[0].1.hash;
    store.close().await.unwrap();
    for bytes in [while_open, on_disk()] {
        assert!(holds(&bytes, &hash), "the hash identifies the token");
        for secret in [&kept_secret, &link, &revoked_secret] {
            assert!(!holds(&bytes, &secret.as_str().as_bytes()[8..]), "a secret is on the disk");
        }
    }
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    assert_eq!((known(&hub, &kept_secret), known(&hub, &revoked_secret)), (Some(kept.number), None));
    let again = hub.authenticate(kept_secret.as_str()).unwrap();
    assert_eq!((again.role, &again.name, again.created_at), (Role::Admin, &kept.name, kept.created_at));
    assert_eq!(
        hub.redeem(link.as_str(), SessionKind::Page, Duration::from_secs(3_600)).await.unwrap().unwrap().0.parent,
        Some(kept.number)
    );
    let next = hub.issue(token(Purpose::Token)).await.unwrap().0.number;
    assert!(next > revoked.number + 1, "a number is never another's");
}

// L2
#[tokio::test]
async fn opening_a_database_ends_the_leases_of_the_process_before() {
    let (_folder, path) = place();
    let wanted = |node| {
        let (hooks, node) = (vec![name("chat")], NodeId([node; 16]));
        WantedLeases { hooks, node, now: moment(0), until: moment(20) }
    };
    let (store, _signal) = SqliteStore::open(&path).unwrap();
    store.set_hooks(vec![name("chat")]).await.unwrap();
    store.lease_hooks(wanted(1)).await.unwrap();
    assert_eq!(store.lease_hooks(wanted(2)).await.unwrap(), []);
    store.close().await.unwrap();
    let (store, _signal) = SqliteStore::open(&path).unwrap();
    assert_eq!(store.lease_hooks(wanted(2)).await.unwrap(), [HookLease { hook: name("chat"), fence: 2 }]);
}

// S1, S9
#[tokio::test]
async fn credentials_issued_before_they_were_marked_are_replaced_when_their_file_is_lost() {
    let (_folder, path) = place();
    let token =
        |role, name| NewToken { purpose: Purpose::Token, role, name, room: None, expires_at: None, issued_by: None };
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let mut numbers = Vec::new();
    for (role, holder) in
        [(Role::Asker, "ada's agents"), (Role::Admin, "ada"), (Role::Admin, "ada"), (Role::Asker, "bot")]
    {
        numbers.push(hub.issue(token(role, name(holder))).await.unwrap().0.number);
    }
    hub.close().await.unwrap();
    let before = Connection::open(&path).unwrap();
    let columns = [
        "tokens DROP COLUMN is_local",
        "hooks DROP COLUMN holder",
        "hooks DROP COLUMN leased_until",
        "hooks DROP COLUMN fence",
    ];
    columns.iter().for_each(|column| before.execute_batch(&format!("ALTER TABLE {column}")).unwrap());
    before.execute("DELETE FROM refinery_schema_history WHERE version >= 7", []).unwrap();
    drop(before);

    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let local =
        |hub: &Hub| hub.tokens().iter().filter(|token| token.is_local).map(|token| token.number).collect::<Vec<_>>();
    assert_eq!(local(&hub), numbers[..2], "the other tokens belong to other programs");
    let (asker, _) = hub.issue_local(Role::Asker, name("ada's agents")).await.unwrap();
    assert_eq!(local(&hub), [numbers[1], asker.number]);
}
