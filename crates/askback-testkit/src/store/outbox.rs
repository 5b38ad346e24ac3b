//! The story's outbox, and whether stores agree on it whatever is done.

use super::{created, ending, id, moment, name, new, question};
use askback_core::{Name, Resolution};
use askback_hub::Settled;
use askback_hub::store::{HookLease, NodeId, Refill, Refilled, Store, WantedLeases};
use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::Arc;

fn refill(at: i64, events: usize, most: usize) -> Refill {
    Refill { due_at: moment(at), events, most }
}

/// Number, hook, event and attempts of what is due by then.
async fn due(store: &dyn Store, by: i64, limit: usize) -> Vec<(u64, String, u64, u32)> {
    let due = store.due_dispatches(moment(by), limit).await.unwrap();
    due.into_iter()
        .map(|due| (due.number, due.hook.as_str().to_owned(), due.event.unwrap().number, due.attempts))
        .collect()
}

fn wanted(hooks: &[&str], node: u8, now: i64, until: i64) -> WantedLeases {
    let hooks = hooks.iter().map(|hook| name(hook)).collect();
    WantedLeases { hooks, node: NodeId([node; 16]), now: moment(now), until: moment(until) }
}

/// Two nodes lease the hooks; in the end the first node holds both, each with fence 1 again or more.
async fn leased(store: &dyn Store) {
    let lease = |hook: &str, fence| HookLease { hook: name(hook), fence };
    let leases =
        async |hooks: &[&str], node, now, until| store.lease_hooks(wanted(hooks, node, now, until)).await.unwrap();
    assert_eq!(store.settle_dispatch(1, 1, Settled::Done).await.unwrap(), None, "nothing is settled without a lease");
    assert_eq!(leases(&["mail", "unknown", "chat", "mail"], 1, 0, 20).await, [lease("chat", 1), lease("mail", 1)]);
    assert_eq!(leases(&["chat", "mail"], 2, 19, 40).await, [], "another node holds both");
    assert_eq!(leases(&["chat"], 1, 19, 30).await, [lease("chat", 1)], "a renewal keeps the fence");
    assert_eq!(leases(&["chat", "mail"], 2, 20, 40).await, [lease("mail", 2)], "only the one that expired is free");
    assert_eq!(store.settle_dispatch(3, 1, Settled::Done).await.unwrap(), None, "the lease has passed to another node");
    store.release_hooks(NodeId([2; 16])).await.unwrap();
    assert_eq!(leases(&["mail"], 1, 20, 30).await, [lease("mail", 3)], "a released hook is free at once");
    assert_eq!(
        leases(&["chat"], 1, 99, 120).await,
        [lease("chat", 1)],
        "an expired lease that no node took is renewed"
    );
}

/// Two hooks after the eighth event; four more events are put in, tried, settled and pushed out.
pub(super) async fn filled_and_settled(store: &dyn Store) {
    let (chat, mail) = (name("chat"), name("mail"));
    assert_eq!(store.refill_outbox(refill(0, 10, 10)).await.unwrap(), Refilled::default(), "there is no hook");
    store.set_hooks(vec![mail.clone(), chat.clone()]).await.unwrap();
    assert_eq!(
        store.refill_outbox(refill(0, 10, 10)).await.unwrap(),
        Refilled::default(),
        "nothing has happened since"
    );
    assert_eq!((store.next_dispatch().await.unwrap(), store.waiting_dispatches().await.unwrap()), (None, 0));
    for number in 40..44 {
        created(store, new(number, "ada", "shop", question("And now?"))).await;
    }
    assert_eq!(store.refill_outbox(refill(10, 2, 10)).await.unwrap(), Refilled { added: 4, dropped: vec![] });
    assert_eq!(store.waiting_dispatches().await.unwrap(), 4);
    let waiting = |number, hook: &str, event, attempts| (number, hook.to_owned(), event, attempts);
    assert_eq!(due(store, 9, 10).await, []);
    let all =
        [waiting(1, "chat", 9, 0), waiting(3, "mail", 9, 0), waiting(2, "chat", 10, 0), waiting(4, "mail", 10, 0)];
    assert_eq!(due(store, 10, 10).await, all, "each hook has its turn");
    assert_eq!(due(store, 10, 3).await, all[..3]);
    let event = store.due_dispatches(moment(10), 1).await.unwrap().remove(0).event.unwrap();
    assert_eq!((event.name(), &event.record.id), ("request.created", &id(40)));

    leased(store).await;
    assert_eq!(store.settle_dispatch(1, 1, Settled::Retry { at: moment(30) }).await.unwrap(), Some((chat.clone(), 9)));
    assert_eq!(store.settle_dispatch(3, 3, Settled::Done).await.unwrap(), Some((mail.clone(), 9)));
    assert_eq!(store.settle_dispatch(3, 3, Settled::Done).await.unwrap(), None, "it was settled before");
    assert_eq!(store.settle_dispatch(4, 3, Settled::GivenUp).await.unwrap(), Some((mail.clone(), 10)));
    assert_eq!(store.settle_dispatch(4, 3, Settled::Retry { at: moment(1) }).await.unwrap(), None);
    assert_eq!(due(store, 29, 10).await, [waiting(2, "chat", 10, 0)]);
    assert_eq!(due(store, 30, 10).await, [waiting(2, "chat", 10, 0), waiting(1, "chat", 9, 1)]);
    assert_eq!(store.next_dispatch().await.unwrap(), Some(moment(10)));

    // There is place for three: the oldest goes.
    let refilled = store.refill_outbox(refill(20, 10, 3)).await.unwrap();
    assert_eq!(refilled, Refilled { added: 4, dropped: vec![(chat.clone(), 1)] });
    assert_eq!(store.settle_dispatch(1, 1, Settled::Done).await.unwrap(), None);
    assert_eq!(store.waiting_dispatches().await.unwrap(), 5);

    // Named again it stays where it is; gone and back, it begins anew.
    store.set_hooks(vec![chat.clone()]).await.unwrap();
    assert_eq!(store.waiting_dispatches().await.unwrap(), 3);
    store.set_hooks(vec![chat, mail]).await.unwrap();
    assert_eq!(store.refill_outbox(refill(20, 10, 3)).await.unwrap(), Refilled::default());
    created(store, new(44, "ada", "shop", question("And now?"))).await;
    assert_eq!(store.refill_outbox(refill(50, 10, 10)).await.unwrap().added, 2);
    let hooks: Vec<_> = due(store, 50, 10).await.into_iter().map(|(_, hook, event, _)| (hook, event)).collect();
    let expected = [("chat", 10), ("mail", 13), ("chat", 11), ("chat", 12), ("chat", 13)];
    assert_eq!(hooks, expected.map(|(hook, event)| (hook.to_owned(), event)));
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Create(u64),
    Decline(u64),
    Hooks(Vec<u8>),
    Refill { at: u8, events: usize, most: usize },
    Lease { hooks: Vec<u8>, node: u8, now: u8, until: u8 },
    Release(u8),
    Settle { number: u64, fence: u64, settled: u8 },
    Look { by: u8, limit: usize },
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (1..30_u64).prop_map(Step::Create),
        2 => (1..30_u64).prop_map(Step::Decline),
        1 => vec(0..3_u8, 0..4).prop_map(Step::Hooks),
        3 => (0..50_u8, 0..4_usize, 1..6_usize).prop_map(|(at, events, most)| Step::Refill { at, events, most }),
        4 => (vec(0..3_u8, 0..4), 1..3_u8, 0..50_u8, 0..50_u8)
            .prop_map(|(hooks, node, now, until)| Step::Lease { hooks, node, now, until }),
        1 => (1..3_u8).prop_map(Step::Release),
        4 => (1..20_u64, 0..4_u64, 0..50_u8)
            .prop_map(|(number, fence, settled)| Step::Settle { number, fence, settled }),
        2 => (0..60_u8, 1..6_usize).prop_map(|(by, limit)| Step::Look { by, limit }),
    ]
}

fn numbered(hooks: &[u8]) -> Vec<Name> {
    hooks.iter().map(|hook| name(&format!("hook {hook}"))).collect()
}

pub(super) async fn take(store: &dyn Store, step: Step) -> String {
    let done = match step {
        Step::Create(number) => {
            format!("{:?}", store.create(new(number, "ada", "shop", question("Q?"))).await)
        }
        Step::Decline(number) => match store.get(id(number)).await.unwrap() {
            Some(record) if record.outcome.is_none() => {
                format!(
                    "{:?}",
                    store.resolve(ending(&Arc::new(record), Resolution::declined(None), "rita", None)).await
                )
            }
            _ => "nothing".to_owned(),
        },
        Step::Hooks(hooks) => format!("{:?}", store.set_hooks(numbered(&hooks)).await),
        Step::Lease { hooks, node, now, until } => {
            let wanted = WantedLeases { hooks: numbered(&hooks), ..wanted(&[], node, now.into(), until.into()) };
            format!("{:?}", store.lease_hooks(wanted).await)
        }
        Step::Release(node) => format!("{:?}", store.release_hooks(NodeId([node; 16])).await),
        Step::Refill { at, events, most } => {
            format!("{:?}", store.refill_outbox(refill(at.into(), events, most)).await)
        }
        Step::Settle { number, fence, settled } => {
            let settled = match settled {
                0..10 => Settled::Done,
                10..20 => Settled::GivenUp,
                at => Settled::Retry { at: moment(at.into()) },
            };
            format!("{:?}", store.settle_dispatch(number, fence, settled).await)
        }
        Step::Look { by, limit } => format!("{:?}", store.due_dispatches(moment(by.into()), limit).await),
    };
    format!("{done} {:?} {:?}", store.next_dispatch().await, store.waiting_dispatches().await)
}
