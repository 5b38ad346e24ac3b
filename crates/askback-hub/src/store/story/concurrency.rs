//! Concurrent callers: of several writes that exclude each other, every store stores one.

use super::{ending, id, name, new, question, request};
use crate::query::AuditQuery;
use crate::store::memory::MemoryStore;
use crate::store::sqlite::SqliteStore;
use crate::store::{Created, NewRequest, Resolved, Sameness, Store};
use askback_core::{Request, Resolution};
use std::collections::HashSet;
use std::sync::Arc;
use tokio::task::JoinSet;

const CALLERS: u64 = 64;

/// Runs `check` on a new store of each kind.
async fn on_every_store(check: impl AsyncFn(Arc<dyn Store>)) {
    let folder = tempfile::tempdir().unwrap();
    check(Arc::new(MemoryStore::default())).await;
    check(Arc::new(SqliteStore::open(&folder.path().join("hub.sqlite")).unwrap().0)).await;
}

/// Creates all of them at once, and returns the results.
async fn create_at_once(store: &Arc<dyn Store>, requests: impl Iterator<Item = NewRequest>) -> Vec<Created> {
    let mut calls = JoinSet::new();
    for new in requests {
        let store = Arc::clone(store);
        calls.spawn(async move { store.create(new).await.unwrap() });
    }
    calls.join_all().await
}

// L2, L3
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_requests_that_count_as_the_same_are_stored_once() {
    let keyed = || request(r#"{"type": "text", "message": "Q?", "key": "k"}"#);
    let with =
        |number, request: Request, fingerprint| NewRequest { fingerprint, ..new(number, "ada", "shop", request) };
    type Same<'a> = (Sameness, &'a dyn Fn(u64) -> NewRequest);
    let cases: [Same<'_>; 3] = [
        (Sameness::Id, &|_| with(1_000, question("Q?"), None)),
        (Sameness::Key, &|number| with(number, keyed(), None)),
        (Sameness::Fingerprint, &|number| with(number, question("Q?"), Some([7; 32]))),
    ];
    for (expected, make) in cases {
        on_every_store(async |store| {
            let results = create_at_once(&store, (1..=CALLERS).map(make)).await;
            let created = results.iter().filter(|result| matches!(result, Created::New(_))).count();
            let same =
                results.iter().filter(|result| matches!(result, Created::Same(by, _) if *by == expected)).count();
            assert_eq!((created, same), (1, results.len() - 1), "{expected:?}");
            assert_eq!(store.last_event().await.unwrap(), 1, "{expected:?}");
        })
        .await;
    }
}

// L1, L2
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_answers_have_one_winner_and_repeated_attempts_agree_with_it() {
    on_every_store(async |store| {
        let Created::New(record) = store.create(new(1, "ada", "shop", question("Q?"))).await.unwrap() else {
            panic!("the store is empty")
        };
        let mut calls = JoinSet::new();
        for caller in 0..CALLERS {
            // Every caller repeats its attempt, as if the first reply was lost.
            let ending = ending(&record, Resolution::declined(None), &format!("person {caller}"), None);
            let store = Arc::clone(&store);
            calls.spawn(async move {
                let first = store.resolve(ending.clone()).await.unwrap();
                let repeated = store.resolve(ending).await.unwrap();
                (caller, first, repeated)
            });
        }
        let mut winners = HashSet::new();
        for (caller, first, repeated) in calls.join_all().await {
            match (first, repeated) {
                (Resolved::Now, Resolved::Now) => drop(winners.insert(format!("person {caller}"))),
                (Resolved::Before { .. }, Resolved::Before { .. }) => {}
                other => panic!("a repeated attempt has another result: {other:?}"),
            }
        }
        let outcome = store.get(id(1)).await.unwrap().unwrap().outcome.unwrap();
        assert_eq!(winners, HashSet::from([outcome.by().to_owned()]));
        let by = AuditQuery { by: Some(name(outcome.by())), ..AuditQuery::default() };
        assert_eq!((store.last_event().await.unwrap(), store.events(by).await.unwrap().items.len()), (2, 1));
    })
    .await;
}
