//! Agreement: two stores have the same replies to the same calls.

use super::{ending, id, moment, name, new, outbox, presence, question, request, room, tokens};
use askback_core::{Resolution, Status};
use askback_hub::store::memory::MemoryStore;
use askback_hub::store::{Delivery, NewRequest, Store};
use askback_hub::{AuditQuery, Query};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::fmt::Debug;
use std::sync::Arc;

/// Something done to a store; small numbers, so that things meet.
#[derive(Debug, Clone)]
enum Step {
    Create { number: u64, asker: u8, place: u8, key: Option<u8>, fingerprint: Option<u8>, deadline: Option<u8> },
    Resolve { number: u64, by: u8, key: Option<u8> },
    Deliver { number: u64, made: bool },
    Waited { number: u64, at: u8 },
    List { status: Option<u8>, place: Option<u8>, asker: Option<u8>, limit: usize, unwaited: Option<u8> },
    Unattended { place: Option<u8>, since: u8, among: usize },
    Events { place: Option<u8>, by: Option<u8>, limit: usize },
}

fn step() -> impl Strategy<Value = Step> {
    let number = 1..9_u64;
    let few = 0..3_u8;
    let maybe = || proptest::option::of(0..3_u8);
    prop_oneof![
        4 => (number.clone(), few.clone(), few.clone(), maybe(), maybe(), proptest::option::of(0..50_u8)).prop_map(
            |(number, asker, place, key, fingerprint, deadline)| Step::Create {
                number, asker, place, key, fingerprint, deadline
            }
        ),
        3 => (number.clone(), few.clone(), maybe()).prop_map(|(number, by, key)| Step::Resolve { number, by, key }),
        1 => (number.clone(), any::<bool>()).prop_map(|(number, made)| Step::Deliver { number, made }),
        1 => (number, 0..50_u8).prop_map(|(number, at)| Step::Waited { number, at }),
        2 => (proptest::option::of(0..5_u8), maybe(), maybe(), 1..4_usize, proptest::option::of(0..50_u8)).prop_map(
            |(status, place, asker, limit, unwaited)| Step::List { status, place, asker, limit, unwaited }
        ),
        1 => (maybe(), 0..50_u8, 1..9_usize).prop_map(|(place, since, among)| Step::Unattended { place, since, among }),
        1 => (maybe(), maybe(), 1..4_usize).prop_map(|(place, by, limit)| Step::Events { place, by, limit }),
    ]
}

/// Does it, and says what came of it.
async fn take(store: &dyn Store, step: Step) -> String {
    const STATUSES: [Status; 5] =
        [Status::Pending, Status::Answered, Status::Declined, Status::Cancelled, Status::Expired];
    let called = |number: u8| name(&format!("name {number}"));
    let at = |place: u8| room(&format!("room {place}"));
    match step {
        Step::Create { number, asker, place, key, fingerprint, deadline } => {
            let asked = match key {
                Some(key) => request(&format!(r#"{{"type": "text", "message": "Q?", "key": "k{key}"}}"#)),
                None => question("Q?"),
            };
            let new = new(number, called(asker).as_str(), at(place).as_str(), asked);
            let deadline = deadline.map(|deadline| moment(deadline.into()));
            let new = NewRequest { fingerprint: fingerprint.map(|byte| [byte; 32]), deadline, ..new };
            let found = store.find(new.clone()).await;
            format!("{found:?} {:?} {:?}", store.create(new.clone()).await, store.create(new).await)
        }
        Step::Resolve { number, by, key } => {
            let Some(record) = store.get(id(number)).await.unwrap() else { return "unknown".to_owned() };
            // As it was before it ended, as whoever comes late still has it.
            let record = Arc::new(askback_hub::Record { outcome: None, ..record });
            let key = key.map(|key| format!("r{key}"));
            let ending = ending(&record, Resolution::declined(None), called(by).as_str(), key.as_deref());
            let resolved = store.resolve(ending.clone()).await;
            format!("{resolved:?} {:?} {:?}", store.resolve(ending).await, store.get(id(number)).await)
        }
        Step::Deliver { number, made } => {
            let delivery = if made { Delivery::Made(moment(1)) } else { Delivery::Failed };
            format!("{:?}", store.deliver(id(number), delivery).await)
        }
        Step::Waited { number, at } => {
            store.mark_seen(vec![(id(number), moment(at.into()))]).await.unwrap();
            format!("{:?}", store.get(id(number)).await)
        }
        Step::List { status, place, asker, limit, unwaited } => {
            let unwaited_since = unwaited.map(|unwaited| moment(unwaited.into()));
            let status = status.map(|status| STATUSES[usize::from(status)]);
            let query =
                Query { status, room: place.map(at), asker: asker.map(called), unwaited_since, after: None, limit };
            let page = store.list(query.clone()).await.unwrap();
            let next = store.list(Query { after: page.next, ..query }).await;
            format!(
                "{page:?} {next:?} {:?} {:?}",
                store.counts().await,
                store.due(moment(25), limit).await.map(|due| due.len())
            )
        }
        Step::Unattended { place, since, among } => {
            let unattended = store.unattended(place.map(at), moment(since.into()), among).await;
            format!("{unattended:?} {:?}", store.pending(place.map(at), among).await)
        }
        Step::Events { place, by, limit } => {
            let query = AuditQuery { room: place.map(at), by: by.map(called), limit, ..AuditQuery::default() };
            let page = store.events(query.clone()).await.unwrap();
            let next = store.events(AuditQuery { after: page.next, ..query }).await;
            let (log, last) = (store.log(1, limit).await, store.last_event().await);
            format!("{page:?} {next:?} {log:?} {last:?} {:?}", store.next_deadline().await)
        }
    }
}

/// Does the same to a store in memory and to another one, and compares their replies. `make` returns an empty store, and a value
/// that lives as long as it.
pub fn agrees_with_memory<G>(make: impl Fn() -> (Box<dyn Store>, G)) {
    compare(48, step(), &make, &take);
    compare(24, tokens::step(), &make, &tokens::take);
    compare(24, outbox::step(), &make, &outbox::take);
    compare(24, presence::step(), &make, &presence::take);
}

fn compare<S: Clone + Debug, G>(
    cases: u32,
    step: impl Strategy<Value = S>,
    make: &impl Fn() -> (Box<dyn Store>, G),
    take: &impl AsyncFn(&dyn Store, S) -> String,
) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let agree = |steps: Vec<S>| {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let memory = MemoryStore::default();
            let (other, _guard) = make();
            for step in steps {
                let (left, right) = (take(&memory, step.clone()).await, take(&*other, step.clone()).await);
                prop_assert_eq!(left, right, "after {:?}", step);
            }
            Ok(())
        })
    };
    TestRunner::new(config).run(&vec(step, 1..40), agree).unwrap();
}
