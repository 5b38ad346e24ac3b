//! One story that every store must live through in the same way, told method by method.

use super::memory::MemoryStore;
use super::sqlite::SqliteStore;
use super::{
    AskerRename, Created, Delivery, NewOutcome, NewRequest, Refill, Refilled, Resolved, Store, StoredDispatch,
    StoredSnapshot, StoredToken, Storing,
};
use crate::error::StoreError;
use crate::outbox::Settled;
use crate::query::{AuditQuery, Counts, Page, Query, Unattended};
use crate::record::{Event, Record};
use crate::room::{Room, Scope};
use crate::testing::{answers, id, moment, name, question, request, room};
use askback_core::{Name, Outcome, Reason, Request, RequestId, Resolution, Status, Surface};
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

mod agreement;
mod outbox;
mod renaming;
mod tokens;

/// A store that remembers which of its methods were called.
struct Told<S> {
    store: S,
    called: Mutex<BTreeSet<&'static str>>,
}

impl<S> Told<S> {
    fn note(&self, method: &'static str) -> &S {
        self.called.lock().unwrap().insert(method);
        &self.store
    }
}

impl<S: Store> Store for Told<S> {
    fn create(&self, new: NewRequest) -> Storing<'_, Created> {
        self.note("create").create(new)
    }
    fn find(&self, new: NewRequest) -> Storing<'_, Option<Created>> {
        self.note("find").find(new)
    }
    fn resolve(&self, ending: NewOutcome) -> Storing<'_, Resolved> {
        self.note("resolve").resolve(ending)
    }
    fn deliver(&self, id: RequestId, delivery: Delivery) -> Storing<'_, bool> {
        self.note("deliver").deliver(id, delivery)
    }
    fn waited(&self, seen: Vec<(RequestId, Timestamp)>) -> Storing<'_, ()> {
        self.note("waited").waited(seen)
    }
    fn get(&self, id: RequestId) -> Storing<'_, Option<Record>> {
        self.note("get").get(id)
    }
    fn list(&self, query: Query) -> Storing<'_, Page<Record>> {
        self.note("list").list(query)
    }
    fn unattended(&self, room: Option<Room>, since: Timestamp, among: usize) -> Storing<'_, Vec<Unattended>> {
        self.note("unattended").unattended(room, since, among)
    }
    fn pending(&self, room: Option<Room>, at_most: usize) -> Storing<'_, u64> {
        self.note("pending").pending(room, at_most)
    }
    fn counts(&self) -> Storing<'_, Counts> {
        self.note("counts").counts()
    }
    fn pending_of_askers(&self) -> Storing<'_, Vec<(Name, u64)>> {
        self.note("pending_of_askers").pending_of_askers()
    }
    fn events(&self, query: AuditQuery) -> Storing<'_, Page<Event>> {
        self.note("events").events(query)
    }
    fn last_event(&self) -> Storing<'_, u64> {
        self.note("last_event").last_event()
    }
    fn due(&self, by: Timestamp, limit: usize) -> Storing<'_, Vec<Record>> {
        self.note("due").due(by, limit)
    }
    fn next_deadline(&self) -> Storing<'_, Option<Timestamp>> {
        self.note("next_deadline").next_deadline()
    }
    fn keep_token(&self, new: StoredToken) -> Storing<'_, u64> {
        self.note("keep_token").keep_token(new)
    }
    fn redeem_token(&self, login: u64, session: StoredToken) -> Storing<'_, Option<u64>> {
        self.note("redeem_token").redeem_token(login, session)
    }
    fn forget_tokens(&self, numbers: Vec<u64>) -> Storing<'_, ()> {
        self.note("forget_tokens").forget_tokens(numbers)
    }
    fn rename_asker(&self, token: u64, renamed: AskerRename) -> Storing<'_, ()> {
        self.note("rename_asker").rename_asker(token, renamed)
    }
    fn tokens(&self) -> Storing<'_, Vec<(u64, StoredToken)>> {
        self.note("tokens").tokens()
    }
    fn set_hooks(&self, hooks: Vec<Name>) -> Storing<'_, ()> {
        self.note("set_hooks").set_hooks(hooks)
    }
    fn refill_outbox(&self, refill: Refill) -> Storing<'_, Refilled> {
        self.note("refill_outbox").refill_outbox(refill)
    }
    fn due_dispatches(&self, by: Timestamp, limit: usize) -> Storing<'_, Vec<StoredDispatch>> {
        self.note("due_dispatches").due_dispatches(by, limit)
    }
    fn settle_dispatch(&self, number: u64, settled: Settled) -> Storing<'_, Option<(Name, u64)>> {
        self.note("settle_dispatch").settle_dispatch(number, settled)
    }
    fn next_dispatch(&self) -> Storing<'_, Option<Timestamp>> {
        self.note("next_dispatch").next_dispatch()
    }
    fn waiting_dispatches(&self) -> Storing<'_, u64> {
        self.note("waiting_dispatches").waiting_dispatches()
    }
    fn log_identity(&self) -> Storing<'_, [u8; 16]> {
        self.note("log_identity").log_identity()
    }
    fn keep_snapshot(&self, scope: Scope, snapshot: StoredSnapshot) -> Storing<'_, ()> {
        self.note("keep_snapshot").keep_snapshot(scope, snapshot)
    }
    fn snapshot(&self, scope: Scope) -> Storing<'_, Option<StoredSnapshot>> {
        self.note("snapshot").snapshot(scope)
    }
    fn close(&self) -> Storing<'_, ()> {
        self.note("close").close()
    }
}

/// The methods that the trait has, read from its own text: a new one is missing from the story until it is told.
fn methods() -> BTreeSet<&'static str> {
    let (_, after) = include_str!("../store.rs").split_once("pub trait Store").unwrap();
    let (body, _) = after.split_once("\n}").unwrap();
    body.lines().filter_map(|line| line.trim().strip_prefix("fn ")?.split('(').next()).collect()
}

async fn tell(store: impl Store) {
    let told = Told { store, called: Mutex::default() };
    beginnings(&told).await;
    endings(&told).await;
    looking(&told).await;
    tokens::issued_and_forgotten(&told).await;
    outbox::filled_and_settled(&told).await;
    documents(&told).await;
    renaming::one_asker_renamed(&told).await;
    closing(&told).await;
    assert_eq!(*told.called.lock().unwrap(), methods(), "the story calls every method of the trait");
}

// L2, L3
#[tokio::test]
async fn a_store_in_memory_lives_through_the_story() {
    tell(MemoryStore::default()).await;
}

// L2, L3
#[tokio::test]
async fn a_database_lives_through_the_story() {
    let folder = tempfile::tempdir().unwrap();
    tell(SqliteStore::open(&folder.path().join("hub.sqlite")).unwrap().0).await;
}

fn new(number: u64, asker: &str, place: &str, request: Request) -> NewRequest {
    let created_at = moment(i64::try_from(number).unwrap());
    let request = Arc::new(request);
    NewRequest {
        id: id(number),
        room: room(place),
        asker: name(asker),
        request,
        created_at,
        deadline: None,
        fingerprint: None,
    }
}

async fn created(store: &dyn Store, new: NewRequest) -> Arc<Record> {
    match store.create(new).await.unwrap() {
        Created::New(record) => record,
        other => panic!("it is there already: {other:?}"),
    }
}

fn ending(record: &Arc<Record>, resolution: Resolution, by: &str, key: Option<&str>) -> NewOutcome {
    let outcome = Outcome::new(record.id.clone(), resolution, by, Surface::Page, moment(100)).unwrap();
    NewOutcome { record: Arc::clone(record), outcome: Arc::new(outcome), key: key.map(name) }
}

fn numbers(page: &Page<Record>) -> Vec<u64> {
    page.items.iter().map(|record| record.number).collect()
}

/// Requests 1 to 6, of which every second attempt is known.
async fn beginnings(store: &dyn Store) {
    assert_eq!(store.last_event().await.unwrap(), 0);
    let first = created(store, new(1, "ada", "shop", question("One?"))).await;
    assert_eq!((first.number, first.status(), first.waited_at), (1, Status::Pending, moment(1)));
    let again = store.create(new(1, "eve", "elsewhere", question("Other?"))).await.unwrap();
    assert!(matches!(again, Created::SameId(found) if *found == *first));

    let keyed = || request(r#"{"type": "text", "message": "Two?", "key": "k"}"#);
    let second = created(store, new(2, "ada", "shop", keyed())).await;
    let again = store.create(new(20, "ada", "shop", keyed())).await.unwrap();
    assert!(matches!(again, Created::SameKey(found) if *found == *second));
    let found = store.find(new(20, "ada", "shop", keyed())).await.unwrap();
    assert!(matches!(found, Some(Created::SameKey(found)) if *found == *second));
    assert!(store.find(new(20, "ada", "shop", question("Never asked?"))).await.unwrap().is_none());
    // A key is its asker's own, in its room.
    created(store, new(3, "bob", "shop", keyed())).await;
    created(store, new(4, "ada", "garden", keyed())).await;

    let marked = |number| NewRequest { fingerprint: Some([7; 32]), ..new(number, "ada", "shop", question("Same?")) };
    let fifth = created(store, marked(5)).await;
    assert!(matches!(store.create(marked(21)).await.unwrap(), Created::SameFingerprint(found) if *found == *fifth));
    let due = NewRequest { deadline: Some(moment(60)), ..new(6, "bob", "garden", question("Soon?")) };
    created(store, due).await;
    assert_eq!(store.last_event().await.unwrap(), 6, "what was known made no event");
}

/// The fifth is answered and delivered, the first declined.
async fn endings(store: &dyn Store) {
    let fifth = Arc::new(store.get(id(5)).await.unwrap().unwrap());
    assert!(!store.deliver(id(5), Delivery::Made(moment(99))).await.unwrap(), "there is nothing to deliver yet");
    let answered = Resolution::from_answers(answers(&fifth.request, &["yes"]));
    let winner = ending(&fifth, answered, "rita", Some("once"));
    assert!(matches!(store.resolve(winner.clone()).await.unwrap(), Resolved::Now));
    let late = ending(&fifth, Resolution::declined(None), "paul", None);
    for attempt in [winner.clone(), late] {
        let Resolved::Before { outcome, key } = store.resolve(attempt).await.unwrap() else { panic!("it ended twice") };
        assert_eq!((outcome, key.as_deref()), (Arc::clone(&winner.outcome), Some("once")));
    }
    let nowhere = Arc::new(Record { number: 77, id: id(77), ..Record::clone(&fifth) });
    let unknown = ending(&nowhere, Resolution::cancelled(None), "rita", None);
    assert!(matches!(store.resolve(unknown).await.unwrap(), Resolved::Unknown));

    // While its outcome is not delivered, asking the same again finds it.
    let marked = || NewRequest { fingerprint: Some([7; 32]), ..new(22, "ada", "shop", question("Same?")) };
    assert!(matches!(store.find(marked()).await.unwrap(), Some(Created::SameFingerprint(_))));
    assert!(store.deliver(id(5), Delivery::Made(moment(101))).await.unwrap());
    assert!(!store.deliver(id(5), Delivery::Made(moment(102))).await.unwrap(), "only once");
    assert!(store.find(marked()).await.unwrap().is_none());
    assert!(store.deliver(id(5), Delivery::Failed).await.unwrap());
    assert!(!store.deliver(id(5), Delivery::Failed).await.unwrap());
    assert!(matches!(store.find(marked()).await.unwrap(), Some(Created::SameFingerprint(_))));
    assert!(!store.deliver(id(77), Delivery::Made(moment(101))).await.unwrap(), "nor what is not there");

    let first = Arc::new(store.get(id(1)).await.unwrap().unwrap());
    let reason = Reason::parse("which one do you mean?").unwrap();
    let declined = ending(&first, Resolution::declined(reason), "paul", None);
    assert!(matches!(store.resolve(declined).await.unwrap(), Resolved::Now));
    store
        .waited(vec![(id(1), moment(200)), (id(2), moment(50)), (id(3), moment(1)), (id(77), moment(1))])
        .await
        .unwrap();
}

/// What can be found of it.
async fn looking(store: &dyn Store) {
    let fifth = store.get(id(5)).await.unwrap().unwrap();
    assert_eq!((fifth.status(), fifth.outcome.as_ref().unwrap().by()), (Status::Answered, "rita"));
    assert!(store.get(id(77)).await.unwrap().is_none());
    let waited = |record: Option<Record>| record.map(|record| record.waited_at);
    assert_eq!(waited(store.get(id(2)).await.unwrap()), Some(moment(50)));
    assert_eq!(waited(store.get(id(3)).await.unwrap()), Some(moment(3)), "an earlier time changes nothing");
    assert_eq!(waited(store.get(id(1)).await.unwrap()), Some(moment(1)), "nor does waiting for what has ended");

    let all = Query { limit: 100, ..Query::default() };
    let list = async |query: Query| numbers(&store.list(query).await.unwrap());
    assert_eq!(list(all.clone()).await, [6, 5, 4, 3, 2, 1]);
    let pending = Query { status: Some(Status::Pending), ..all.clone() };
    assert_eq!(list(pending.clone()).await, [6, 4, 3, 2]);
    assert_eq!(list(Query { status: Some(Status::Declined), ..all.clone() }).await, [1]);
    assert_eq!(list(Query { room: Some(room("shop")), ..all.clone() }).await, [5, 3, 2, 1]);
    assert_eq!(list(Query { room: Some(room("shop")), ..pending.clone() }).await, [3, 2]);
    assert_eq!(list(Query { asker: Some(name("bob")), ..all.clone() }).await, [6, 3]);
    assert_eq!(list(Query { asker: Some(name("ada")), ..pending.clone() }).await, [4, 2]);
    let both = Query { room: Some(room("garden")), asker: Some(name("ada")), ..pending.clone() };
    assert_eq!(list(both).await, [4]);
    assert_eq!(list(Query { unwaited_since: Some(moment(5)), ..pending.clone() }).await, [4, 3]);
    let page = store.list(Query { limit: 4, ..all.clone() }).await.unwrap();
    assert_eq!(numbers(&page), [6, 5, 4, 3]);
    let rest = store.list(Query { after: page.next, limit: 2, ..all }).await.unwrap();
    assert_eq!((numbers(&rest), rest.next), (vec![2, 1], None));

    let unattended = async |place: Option<&str>, since, among| {
        let found = store.unattended(place.map(room), moment(since), among).await.unwrap();
        found.into_iter().map(|found| (found.id, found.asker, found.waited_at)).collect::<Vec<_>>()
    };
    let [third, fourth] = [(id(3), name("bob"), moment(3)), (id(4), name("ada"), moment(4))];
    assert_eq!(unattended(None, 5, 10).await, [fourth.clone(), third.clone()]);
    assert_eq!(unattended(Some("shop"), 5, 10).await, std::slice::from_ref(&third));
    assert_eq!(unattended(Some("shop"), 3, 10).await, [], "it was seen then");
    assert_eq!(unattended(None, 5, 2).await, [fourth], "the newest two are the sixth and the fourth");

    let pending = async |place: Option<&str>, at_most| store.pending(place.map(room), at_most).await.unwrap();
    assert_eq!([pending(None, 10).await, pending(None, 4).await, pending(None, 3).await], [4, 4, 3]);
    assert_eq!([pending(Some("shop"), 10).await, pending(Some("shop"), 1).await], [2, 1]);
    assert_eq!(pending(Some("nowhere"), 10).await, 0);
    let counts = store.counts().await.unwrap();
    assert_eq!(counts, Counts { pending: 4, rooms: vec![(room("garden"), 2), (room("shop"), 2)] });
    let mut askers = store.pending_of_askers().await.unwrap();
    askers.sort();
    assert_eq!(askers, [(name("ada"), 2), (name("bob"), 2)]);
    assert_eq!(store.next_deadline().await.unwrap(), Some(moment(60)));
    let due = async |by| store.due(by, 10).await.unwrap().iter().map(|record| record.number).collect::<Vec<_>>();
    assert_eq!((due(moment(59)).await, due(moment(60)).await), (vec![], vec![6]));

    let all = AuditQuery { limit: 100, ..AuditQuery::default() };
    let events = async |query: AuditQuery| {
        let page = store.events(query).await.unwrap();
        page.items.iter().map(|event| (event.number, event.record.number, event.status)).collect::<Vec<_>>()
    };
    let log = events(all.clone()).await;
    assert_eq!(log[..6].iter().map(|(number, record, _)| (*number, *record)).collect::<Vec<_>>()[5], (6, 6));
    assert!(log[..6].iter().all(|(_, _, status)| *status == Status::Pending), "what began is told as it was");
    assert_eq!(log[6..], [(7, 5, Status::Answered), (8, 1, Status::Declined)]);
    assert_eq!(events(AuditQuery { id: Some(id(5)), ..all.clone() }).await.len(), 2);
    assert_eq!(events(AuditQuery { by: Some(name("paul")), ..all.clone() }).await, [(8, 1, Status::Declined)]);
    assert_eq!(events(AuditQuery { room: Some(room("garden")), ..all.clone() }).await.len(), 2);
    assert_eq!(events(AuditQuery { status: Some(Status::Answered), ..all.clone() }).await.len(), 1);
    assert_eq!(events(AuditQuery { from: Some(moment(4)), until: Some(moment(6)), ..all.clone() }).await.len(), 2);
    let page = store.events(AuditQuery { limit: 7, ..all.clone() }).await.unwrap();
    assert_eq!(events(AuditQuery { after: page.next, ..all }).await, [(8, 1, Status::Declined)]);
    assert_eq!(store.last_event().await.unwrap(), 8);
}

/// A room's document is kept, and never one that has come less far.
async fn documents(store: &dyn Store) {
    let identity = store.log_identity().await.unwrap();
    assert_eq!(store.log_identity().await.unwrap(), identity, "a log is always the same");
    let (shop, inbox) = (Scope::Room(room("shop")), Scope::Inbox);
    assert_eq!(store.snapshot(shop.clone()).await.unwrap(), None);
    let kept = |through, byte| StoredSnapshot { through, document: vec![byte; 3] };
    for snapshot in [kept(5, 1), kept(7, 2), kept(6, 3)] {
        store.keep_snapshot(shop.clone(), snapshot).await.unwrap();
    }
    store.keep_snapshot(inbox.clone(), kept(1, 4)).await.unwrap();
    assert_eq!(store.snapshot(shop).await.unwrap(), Some(kept(7, 2)));
    assert_eq!(store.snapshot(inbox).await.unwrap(), Some(kept(1, 4)));
}

/// And its end.
async fn closing(store: &dyn Store) {
    store.close().await.unwrap();
    store.close().await.unwrap();
    let closed = |error: StoreError| matches!(error, StoreError::Closed);
    assert!(closed(store.get(id(1)).await.unwrap_err()));
    assert!(closed(store.last_event().await.unwrap_err()));
    assert!(closed(store.create(new(30, "ada", "shop", question("?"))).await.unwrap_err()));
    assert!(closed(store.waited(Vec::new()).await.unwrap_err()));
}
