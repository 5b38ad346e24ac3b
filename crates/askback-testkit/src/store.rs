//! The tests that every store passes: a story told method by method, agreement with the store in memory, concurrent callers, and
//! a model of the hub over it.

use crate::sample::{answers, id, moment, name, question, request, room};
use askback_core::{Name, Outcome, Reason, Request, RequestId, Resolution, Status, Surface};
use askback_hub::Settled;
use askback_hub::StoreError;
use askback_hub::store::{
    AskerRename, AttemptId, AttendanceStore, Created, Delivery, HookLease, LogEntry, NewOutcome, NewRequest, NodeId,
    Observer, Opening, OutboxStore, PresenceRenewal, PresenceStore, Refill, Refilled, RequestStore, Resolved, Sameness,
    SnapshotStore, Store, StoreFuture, StoredDispatch, StoredSnapshot, StoredToken, StoredTokens, TokenStore,
    WantedLeases,
};
use askback_hub::{AuditQuery, Counts, Page, Query, Unattended};
use askback_hub::{Event, Record};
use askback_hub::{Room, Scope};
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

mod agreement;
mod concurrency;
mod model;
mod outbox;
mod presence;
mod renaming;
mod tokens;

pub use agreement::agrees_with_memory;
pub use concurrency::{
    concurrent_answers_have_one_winner, concurrent_requests_are_stored_once, repeated_creation_finds_its_own_request,
};
pub use model::{World, any_history_gives_one_outcome};

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

impl<S: Store> RequestStore for Told<S> {
    fn create(&self, new: NewRequest) -> StoreFuture<'_, Created> {
        self.note("create").create(new)
    }
    fn find(&self, new: NewRequest) -> StoreFuture<'_, Option<Created>> {
        self.note("find").find(new)
    }
    fn resolve(&self, ending: NewOutcome) -> StoreFuture<'_, Resolved> {
        self.note("resolve").resolve(ending)
    }
    fn deliver(&self, id: RequestId, delivery: Delivery) -> StoreFuture<'_, bool> {
        self.note("deliver").deliver(id, delivery)
    }
    fn get(&self, id: RequestId) -> StoreFuture<'_, Option<Record>> {
        self.note("get").get(id)
    }
    fn list(&self, query: Query) -> StoreFuture<'_, Page<Record>> {
        self.note("list").list(query)
    }
    fn pending(&self, room: Option<Room>, at_most: usize) -> StoreFuture<'_, u64> {
        self.note("pending").pending(room, at_most)
    }
    fn counts(&self) -> StoreFuture<'_, Counts> {
        self.note("counts").counts()
    }
    fn events(&self, query: AuditQuery) -> StoreFuture<'_, Page<Event>> {
        self.note("events").events(query)
    }
    fn log(&self, after: u64, limit: usize) -> StoreFuture<'_, Vec<LogEntry>> {
        self.note("log").log(after, limit)
    }
    fn last_event(&self) -> StoreFuture<'_, u64> {
        self.note("last_event").last_event()
    }
    fn due(&self, by: Timestamp, limit: usize) -> StoreFuture<'_, Vec<Record>> {
        self.note("due").due(by, limit)
    }
    fn next_deadline(&self) -> StoreFuture<'_, Option<Timestamp>> {
        self.note("next_deadline").next_deadline()
    }
}

impl<S: Store> AttendanceStore for Told<S> {
    fn mark_seen(&self, seen: Vec<(RequestId, Timestamp)>) -> StoreFuture<'_, ()> {
        self.note("mark_seen").mark_seen(seen)
    }
    fn unattended(&self, room: Option<Room>, since: Timestamp, among: usize) -> StoreFuture<'_, Vec<Unattended>> {
        self.note("unattended").unattended(room, since, among)
    }
}

impl<S: Store> PresenceStore for Told<S> {
    fn renew_presence(&self, renewal: PresenceRenewal) -> StoreFuture<'_, bool> {
        self.note("renew_presence").renew_presence(renewal)
    }
    fn release_presence(&self, node: NodeId) -> StoreFuture<'_, ()> {
        self.note("release_presence").release_presence(node)
    }
    fn attended_elsewhere(
        &self,
        observer: Observer,
        requests: Vec<(RequestId, Name)>,
    ) -> StoreFuture<'_, Vec<RequestId>> {
        self.note("attended_elsewhere").attended_elsewhere(observer, requests)
    }
    fn people_elsewhere(&self, observer: Observer, room: Option<Room>) -> StoreFuture<'_, u64> {
        self.note("people_elsewhere").people_elsewhere(observer, room)
    }
}

impl<S: Store> TokenStore for Told<S> {
    fn add_token(&self, new: StoredToken, replaced: Vec<u64>) -> StoreFuture<'_, u64> {
        self.note("add_token").add_token(new, replaced)
    }
    fn redeem_token(&self, login: u64, session: StoredToken) -> StoreFuture<'_, Option<u64>> {
        self.note("redeem_token").redeem_token(login, session)
    }
    fn remove_tokens(&self, numbers: Vec<u64>) -> StoreFuture<'_, ()> {
        self.note("remove_tokens").remove_tokens(numbers)
    }
    fn rename_asker(&self, token: u64, renamed: AskerRename) -> StoreFuture<'_, ()> {
        self.note("rename_asker").rename_asker(token, renamed)
    }
    fn tokens(&self) -> StoreFuture<'_, StoredTokens> {
        self.note("tokens").tokens()
    }
    fn tokens_version(&self) -> StoreFuture<'_, u64> {
        self.note("tokens_version").tokens_version()
    }
}

impl<S: Store> OutboxStore for Told<S> {
    fn set_hooks(&self, hooks: Vec<Name>) -> StoreFuture<'_, ()> {
        self.note("set_hooks").set_hooks(hooks)
    }
    fn refill_outbox(&self, refill: Refill) -> StoreFuture<'_, Refilled> {
        self.note("refill_outbox").refill_outbox(refill)
    }
    fn due_dispatches(&self, by: Timestamp, limit: usize) -> StoreFuture<'_, Vec<StoredDispatch>> {
        self.note("due_dispatches").due_dispatches(by, limit)
    }
    fn lease_hooks(&self, wanted: WantedLeases) -> StoreFuture<'_, Vec<HookLease>> {
        self.note("lease_hooks").lease_hooks(wanted)
    }
    fn release_hooks(&self, node: NodeId) -> StoreFuture<'_, ()> {
        self.note("release_hooks").release_hooks(node)
    }
    fn settle_dispatch(&self, number: u64, fence: u64, settled: Settled) -> StoreFuture<'_, Option<(Name, u64)>> {
        self.note("settle_dispatch").settle_dispatch(number, fence, settled)
    }
    fn next_dispatch(&self) -> StoreFuture<'_, Option<Timestamp>> {
        self.note("next_dispatch").next_dispatch()
    }
    fn waiting_dispatches(&self) -> StoreFuture<'_, u64> {
        self.note("waiting_dispatches").waiting_dispatches()
    }
}

impl<S: Store> SnapshotStore for Told<S> {
    fn put_snapshot(&self, scope: Scope, snapshot: StoredSnapshot) -> StoreFuture<'_, ()> {
        self.note("put_snapshot").put_snapshot(scope, snapshot)
    }
    fn snapshot(&self, scope: Scope) -> StoreFuture<'_, Option<StoredSnapshot>> {
        self.note("snapshot").snapshot(scope)
    }
}

impl<S: Store> Store for Told<S> {
    fn open(&self) -> StoreFuture<'_, Opening> {
        self.note("open").open()
    }
    fn check_writable(&self) -> StoreFuture<'_, ()> {
        self.note("check_writable").check_writable()
    }
    fn close(&self) -> StoreFuture<'_, ()> {
        self.note("close").close()
    }
}

/// The methods of the traits, read from their own text: a new one is missing from the story until it is told.
fn methods() -> BTreeSet<&'static str> {
    let traits = [
        include_str!("../../askback-hub/src/store/attendance.rs"),
        include_str!("../../askback-hub/src/store/outbox.rs"),
        include_str!("../../askback-hub/src/store/presence.rs"),
        include_str!("../../askback-hub/src/store/requests.rs"),
        include_str!("../../askback-hub/src/store/snapshots.rs"),
        include_str!("../../askback-hub/src/store/tokens.rs"),
        include_str!("../../askback-hub/src/store.rs"),
    ];
    let bodies =
        traits.map(|text| text.split_once("pub trait ").and_then(|(_, after)| after.split_once("\n}")).unwrap().0);
    bodies
        .into_iter()
        .flat_map(str::lines)
        .filter_map(|line| line.trim().strip_prefix("fn ")?.split('(').next())
        .collect()
}

/// Tells the story to an empty store, and checks each of its replies.
pub async fn tell(store: impl Store) {
    let told = Told { store, called: Mutex::default() };
    beginnings(&told).await;
    endings(&told).await;
    looking(&told).await;
    tokens::issued_and_forgotten(&told).await;
    outbox::filled_and_settled(&told).await;
    presence::leased(&told).await;
    documents(&told).await;
    renaming::one_asker_renamed(&told).await;
    closing(&told).await;
    assert_eq!(*told.called.lock().unwrap(), methods(), "the story calls every method of the trait");
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
        attempt: AttemptId::new(),
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
    let (record, attempt) = (Arc::clone(record), AttemptId::new());
    NewOutcome { record, outcome: Arc::new(outcome), key: key.map(name), attempt }
}

fn numbers(page: &Page<Record>) -> Vec<u64> {
    page.items.iter().map(|record| record.number).collect()
}

/// Requests 1 to 6, of which every second attempt is known.
async fn beginnings(store: &dyn Store) {
    store.check_writable().await.unwrap();
    assert_eq!(store.last_event().await.unwrap(), 0);
    let first = created(store, new(1, "ada", "shop", question("One?"))).await;
    assert_eq!((first.number, first.status(), first.waited_at), (1, Status::Pending, moment(1)));
    let again = store.create(new(1, "eve", "elsewhere", question("Other?"))).await.unwrap();
    assert!(matches!(again, Created::Same(Sameness::Id, found) if *found == *first));

    let keyed = || request(r#"{"type": "text", "message": "Two?", "key": "k"}"#);
    let second = created(store, new(2, "ada", "shop", keyed())).await;
    let again = store.create(new(20, "ada", "shop", keyed())).await.unwrap();
    assert!(matches!(again, Created::Same(Sameness::Key, found) if *found == *second));
    let found = store.find(new(20, "ada", "shop", keyed())).await.unwrap();
    assert!(matches!(found, Some(Created::Same(Sameness::Key, found)) if *found == *second));
    assert!(store.find(new(20, "ada", "shop", question("Never asked?"))).await.unwrap().is_none());
    // A key is its asker's own, in its room.
    created(store, new(3, "bob", "shop", keyed())).await;
    created(store, new(4, "ada", "garden", keyed())).await;

    let marked = |number| NewRequest { fingerprint: Some([7; 32]), ..new(number, "ada", "shop", question("Same?")) };
    let fifth = created(store, marked(5)).await;
    assert!(
        matches!(store.create(marked(21)).await.unwrap(), Created::Same(Sameness::Fingerprint, found) if *found == *fifth)
    );
    let due = NewRequest { deadline: Some(moment(60)), ..new(6, "bob", "garden", question("Soon?")) };
    let sixth = created(store, due.clone()).await;
    assert!(matches!(store.create(due).await.unwrap(), Created::Repeated(found) if *found == *sixth));
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
    let again = NewOutcome { attempt: AttemptId::new(), ..winner.clone() };
    for other in [again, late] {
        let Resolved::Before { outcome, key } = store.resolve(other).await.unwrap() else { panic!("it ended twice") };
        assert_eq!((outcome, key.as_deref()), (Arc::clone(&winner.outcome), Some("once")));
    }
    assert!(matches!(store.resolve(winner).await.unwrap(), Resolved::Now), "the same attempt, repeated");
    let nowhere = Arc::new(Record { number: 77, id: id(77), ..Record::clone(&fifth) });
    let unknown = ending(&nowhere, Resolution::cancelled(None), "rita", None);
    assert!(matches!(store.resolve(unknown).await.unwrap(), Resolved::Unknown));

    // While its outcome is not delivered, asking the same again finds it.
    let marked = || NewRequest { fingerprint: Some([7; 32]), ..new(22, "ada", "shop", question("Same?")) };
    assert!(matches!(store.find(marked()).await.unwrap(), Some(Created::Same(Sameness::Fingerprint, _))));
    assert!(store.deliver(id(5), Delivery::Made(moment(101))).await.unwrap());
    assert!(!store.deliver(id(5), Delivery::Made(moment(102))).await.unwrap(), "only once");
    assert!(store.find(marked()).await.unwrap().is_none());
    assert!(store.deliver(id(5), Delivery::Failed).await.unwrap());
    assert!(!store.deliver(id(5), Delivery::Failed).await.unwrap());
    assert!(matches!(store.find(marked()).await.unwrap(), Some(Created::Same(Sameness::Fingerprint, _))));
    assert!(!store.deliver(id(77), Delivery::Made(moment(101))).await.unwrap(), "nor what is not there");

    let first = Arc::new(store.get(id(1)).await.unwrap().unwrap());
    let reason = Reason::parse("which one do you mean?").unwrap();
    let declined = ending(&first, Resolution::declined(reason), "paul", None);
    assert!(matches!(store.resolve(declined).await.unwrap(), Resolved::Now));
    store
        .mark_seen(vec![(id(1), moment(200)), (id(2), moment(50)), (id(3), moment(1)), (id(77), moment(1))])
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
    let mut opening = store.open().await.unwrap();
    opening.pending.sort();
    assert_eq!((opening.last_event, &*opening.pending), (8, &[(name("ada"), 2), (name("bob"), 2)][..]));
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
    let entries = async |after, limit| {
        let entries = store.log(after, limit).await.unwrap();
        assert!(entries.iter().all(|entry| matches!(entry, LogEntry::Event(_))));
        entries.iter().map(LogEntry::number).collect::<Vec<_>>()
    };
    assert_eq!(
        (entries(0, 3).await, entries(6, 100).await, entries(8, 100).await),
        (vec![1, 2, 3], vec![7, 8], vec![])
    );
}

/// A room's document is kept, and never one that has come less far.
async fn documents(store: &dyn Store) {
    let identity = store.open().await.unwrap().identity;
    assert_eq!(store.open().await.unwrap().identity, identity, "a log keeps its identity");
    let (shop, inbox) = (Scope::Room(room("shop")), Scope::Inbox);
    assert_eq!(store.snapshot(shop.clone()).await.unwrap(), None);
    let kept = |through, byte| StoredSnapshot { through, document: vec![byte; 3] };
    for snapshot in [kept(5, 1), kept(7, 2), kept(6, 3)] {
        store.put_snapshot(shop.clone(), snapshot).await.unwrap();
    }
    store.put_snapshot(inbox.clone(), kept(1, 4)).await.unwrap();
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
    assert!(closed(store.mark_seen(Vec::new()).await.unwrap_err()));
}
