//! The story's leases of presence, and whether stores agree on them.

use super::{id, moment, name, room};
use askback_hub::store::{NodeId, Observer, PresenceChange, PresenceRenewal, Store};
use proptest::collection::vec;
use proptest::prelude::*;

fn node(number: u8) -> NodeId {
    NodeId([number; 16])
}

fn observer(number: u8, now: i64) -> Observer {
    Observer { node: node(number), now: moment(now) }
}

fn none<T>() -> PresenceChange<T> {
    PresenceChange { added: vec![], removed: vec![] }
}

/// An empty renewal of a node's lease.
fn renewal(number: u8, now: i64, until: i64, is_complete: bool) -> PresenceRenewal {
    let (waiting, following, people) = (none(), none(), vec![]);
    PresenceRenewal {
        node: node(number),
        now: moment(now),
        until: moment(until),
        is_complete,
        waiting,
        following,
        people,
    }
}

/// Two nodes report which askers and people are present on them.
pub(super) async fn leased(store: &dyn Store) {
    let renew = async |renewal| store.renew_presence(renewal).await.unwrap();
    let requests = || vec![(id(1), name("ada")), (id(2), name("ada")), (id(3), name("bob")), (id(4), name("carl"))];
    let attended = async |by, now| store.attended_elsewhere(observer(by, now), requests()).await.unwrap();
    let people =
        async |by, now, place: Option<&str>| store.people_elsewhere(observer(by, now), place.map(room)).await.unwrap();
    assert!(!renew(renewal(1, 0, 20, false)).await, "the changes of an unknown lease can't be applied");
    let waiting = PresenceChange { added: vec![id(1), id(3), id(2)], removed: vec![] };
    let following = PresenceChange { added: vec![name("carl")], removed: vec![] };
    let seen = vec![(None, 1), (Some(room("shop")), 2), (Some(room("api")), 4)];
    assert!(renew(PresenceRenewal { waiting, following, people: seen, ..renewal(1, 0, 20, true) }).await);
    assert_eq!(attended(2, 19).await, [id(1), id(2), id(3), id(4)]);
    assert_eq!(attended(1, 19).await, [], "a node does not observe itself");
    assert_eq!(
        [people(2, 19, None).await, people(2, 19, Some("shop")).await, people(2, 19, Some("x")).await],
        [7, 3, 1]
    );
    assert_eq!((people(1, 19, None).await, people(2, 20, None).await), (0, 0), "a lease ends");
    assert_eq!(attended(2, 20).await, []);

    let waiting = PresenceChange { added: vec![id(4)], removed: vec![id(1), id(9)] };
    let following = PresenceChange { added: vec![], removed: vec![name("carl")] };
    assert!(renew(PresenceRenewal { waiting, following, ..renewal(1, 10, 30, false) }).await);
    assert_eq!((attended(2, 20).await, people(2, 20, None).await), (vec![id(2), id(3), id(4)], 0));
    let waiting = PresenceChange { added: vec![id(1)], removed: vec![] };
    assert!(renew(PresenceRenewal { waiting, ..renewal(2, 20, 40, true) }).await);
    assert_eq!((attended(1, 29).await, attended(3, 29).await.len()), (vec![id(1)], 4));

    assert!(!renew(renewal(1, 30, 50, false)).await, "an expired lease is renewed as a whole");
    assert_eq!(attended(2, 30).await, []);
    assert!(renew(renewal(2, 30, 50, true)).await);
    assert_eq!(attended(1, 30).await, [], "a complete renewal replaces everything before it");
    store.release_presence(node(2)).await.unwrap();
    assert!(!renew(renewal(2, 30, 50, false)).await, "a released lease is unknown");
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Renew { node: u8, now: u8, until: u8, is_complete: bool, added: Vec<u64>, removed: Vec<u64>, asker: u8, place: u8 },
    Release(u8),
    Look { node: u8, now: u8 },
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (1..3_u8, 0..30_u8, 0..50_u8, any::<bool>(), vec(1..6_u64, 0..4), vec(1..6_u64, 0..4), 0..4_u8, 0..4_u8)
            .prop_map(|(node, now, until, is_complete, added, removed, asker, place)| {
                Step::Renew { node, now, until, is_complete, added, removed, asker, place }
            }),
        1 => (1..3_u8).prop_map(Step::Release),
        3 => (1..4_u8, 0..50_u8).prop_map(|(node, now)| Step::Look { node, now }),
    ]
}

pub(super) async fn take(store: &dyn Store, step: Step) -> String {
    let askers = ["ada", "bob", "carl"];
    match step {
        Step::Renew { node, now, until, is_complete, added, removed, asker, place } => {
            let ids = |numbers: Vec<u64>| numbers.into_iter().map(id).collect();
            let asker: Vec<_> = askers.get(usize::from(asker)).map(|asker| name(asker)).into_iter().collect();
            let following = if now % 2 == 0 {
                PresenceChange { added: asker, removed: vec![] }
            } else {
                PresenceChange { added: vec![], removed: asker }
            };
            let waiting = PresenceChange { added: ids(added), removed: ids(removed) };
            let people = vec![((place > 0).then(|| room(&format!("room {place}"))), place.into())];
            let renewal = renewal(node, now.into(), until.into(), is_complete);
            format!("{:?}", store.renew_presence(PresenceRenewal { waiting, following, people, ..renewal }).await)
        }
        Step::Release(number) => format!("{:?}", store.release_presence(node(number)).await),
        Step::Look { node, now } => {
            let observer = observer(node, now.into());
            let requests = (1..6).map(|number| (id(number), name(askers[number as usize % 3]))).collect();
            let attended = store.attended_elsewhere(observer, requests).await;
            format!("{attended:?} {:?}", store.people_elsewhere(observer, Some(room("room 1"))).await)
        }
    }
}
