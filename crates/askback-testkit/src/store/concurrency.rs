//! Concurrent callers: of several writes that exclude each other, every store stores one.

use super::{ending, id, moment, name, new, question, request};
use askback_core::{Request, Resolution};
use askback_hub::AuditQuery;
use askback_hub::store::{Created, Delivery, NewRequest, Resolved, Sameness, Store};
use std::collections::HashSet;
use std::sync::Arc;
use tokio::task::JoinSet;

const CALLERS: u64 = 64;

/// Creates all of them at once, and returns the results.
async fn create_at_once(store: &Arc<dyn Store>, requests: impl Iterator<Item = NewRequest>) -> Vec<Created> {
    let mut calls = JoinSet::new();
    for new in requests {
        let store = Arc::clone(store);
        calls.spawn(async move { store.create(new).await.unwrap() });
    }
    calls.join_all().await
}

/// Checks that of concurrent requests that count as the same one is stored. `make` returns an empty store, and a value that lives
/// as long as it.
pub async fn concurrent_requests_are_stored_once<G>(make: impl Fn() -> (Box<dyn Store>, G)) {
    let keyed = || request(r#"{"type": "text", "message": "Q?", "key": "k"}"#);
    let with =
        |number, request: Request, fingerprint| NewRequest { fingerprint, ..new(number, "ada", "shop", request) };
    type Same<'a> = (Sameness, &'a dyn Fn(u64) -> NewRequest);
    let cases: [Same<'_>; 3] = [
        (Sameness::Id, &|_| with(1_000, question("Q?"), None)),
        (Sameness::Key, &|number| with(number, keyed(), None)),
        (Sameness::Fingerprint, &|number| with(number, question("Q?"), Some([7; 32]))),
    ];
    for (expected, request) in cases {
        let (store, _guard) = make();
        let store: Arc<dyn Store> = store.into();
        let results = create_at_once(&store, (1..=CALLERS).map(request)).await;
        let created = results.iter().filter(|result| matches!(result, Created::New(_))).count();
        let same = results.iter().filter(|result| matches!(result, Created::Same(by, _) if *by == expected)).count();
        assert_eq!((created, same), (1, results.len() - 1), "{expected:?}");
        assert_eq!(store.last_event().await.unwrap(), 1, "{expected:?}");
    }
}

/// Checks that a repeated creation finds its own request, although another one that counts as the same was stored since.
pub async fn repeated_creation_finds_its_own_request(store: impl Store) {
    let marked = |number| NewRequest { fingerprint: Some([7; 32]), ..new(number, "ada", "shop", question("Q?")) };
    let first = marked(1);
    let Created::New(record) = store.create(first.clone()).await.unwrap() else { panic!("the store is empty") };
    store.resolve(ending(&record, Resolution::declined(None), "rita", None)).await.unwrap();
    assert!(store.deliver(id(1), Delivery::Made(moment(101))).await.unwrap());
    assert!(matches!(store.create(marked(2)).await.unwrap(), Created::New(_)));
    let repeated = store.create(first).await.unwrap();
    assert!(matches!(&repeated, Created::Repeated(found) if found.id == id(1)), "{repeated:?}");
    assert_eq!(store.last_event().await.unwrap(), 3, "nothing more was stored");
}

/// Checks that one of concurrent answers to a request is stored, and that repeated attempts agree with the first.
pub async fn concurrent_answers_have_one_winner(store: impl Store + 'static) {
    let store: Arc<dyn Store> = Arc::new(store);
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
}
