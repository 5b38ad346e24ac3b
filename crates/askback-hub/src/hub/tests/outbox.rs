//! Delivering to hooks: every event once to each, whatever fails and whoever is started again.

use super::{answer, ask, asked, by, hub, hub_on, hub_with};
use crate::error::HubError;
use crate::hub::Hub;
use crate::limits::{HOOKS, HubLimits, OUTBOX_REFILL, PAGE_ITEMS};
use crate::outbox::{Dispatch, Settled};
use crate::store::memory::{Faults, MemoryStore};
use crate::testing::{TokioClock, moment, name, question};
use askback_core::Name;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

fn hooks(hooks: &[&str]) -> Vec<Name> {
    hooks.iter().map(|hook| name(hook)).collect()
}

/// Fills the outbox with everything there is.
async fn fill(hub: &Hub) -> usize {
    let mut added = 0;
    loop {
        match hub.fill_outbox().await.unwrap() {
            0 => return added,
            more => added += more,
        }
    }
}

async fn due(hub: &Hub) -> Vec<Dispatch> {
    hub.due_deliveries(PAGE_ITEMS).await.unwrap()
}

fn events(due: &[Dispatch], hook: &str) -> Vec<u64> {
    due.iter().filter(|due| due.hook.as_str() == hook).map(|due| due.event.number).collect()
}

#[tokio::test]
async fn a_hook_gets_what_happens_after_it_was_named() {
    let hub = hub().await;
    asked(&hub, question("Before?")).await;
    hub.set_hooks(hooks(&["chat"])).await.unwrap();
    assert_eq!((fill(&hub).await, hub.next_delivery().await.unwrap()), (0, None));
    let id = asked(&hub, question("After?")).await;
    answer(&hub, &id, "yes", by("rita")).await.unwrap();
    hub.set_hooks(hooks(&["chat", "mail", "mail"])).await.unwrap();
    assert_eq!(fill(&hub).await, 2, "the second hook came after both");
    assert_eq!((hub.waiting_deliveries().await.unwrap(), hub.next_delivery().await.unwrap()), (2, Some(moment(0))));
    let due = due(&hub).await;
    assert_eq!(due.iter().map(|due| due.event.name()).collect::<Vec<_>>(), ["request.created", "request.answered"]);
    assert_eq!(due.iter().map(|due| due.event.record.outcome.is_some()).collect::<Vec<_>>(), [false, true]);
    assert_eq!((due[0].attempts, &due[0].event.record.id, events(&due, "chat")), (0, &id, vec![2, 3]));

    hub.set_hooks(hooks(&["mail"])).await.unwrap();
    assert_eq!(hub.waiting_deliveries().await.unwrap(), 0, "what waited for it is forgotten with it");
    hub.settle_delivery(&due[0], Settled::Done).await.unwrap();
}

#[tokio::test]
async fn one_that_fails_holds_up_none_that_come_later() {
    let hub = hub().await;
    hub.set_hooks(hooks(&["chat"])).await.unwrap();
    for _ in 0..3 {
        asked(&hub, question("?")).await;
    }
    fill(&hub).await;
    let first = due(&hub).await;
    hub.settle_delivery(&first[0], Settled::Retry { at: moment(30) }).await.unwrap();
    hub.settle_delivery(&first[1], Settled::Done).await.unwrap();
    assert_eq!(events(&due(&hub).await, "chat"), [3]);
    hub.settle_delivery(&first[2], Settled::GivenUp).await.unwrap();
    asked(&hub, question("?")).await;
    fill(&hub).await;
    assert_eq!(events(&due(&hub).await, "chat"), [4]);
    assert_eq!(hub.next_delivery().await.unwrap(), Some(moment(0)));
    hub.settle_delivery(&due(&hub).await[0], Settled::Done).await.unwrap();
    assert_eq!((due(&hub).await, hub.next_delivery().await.unwrap()), (vec![], Some(moment(30))));
    sleep(Duration::from_secs(30)).await;
    let again = due(&hub).await;
    assert_eq!((events(&again, "chat"), again[0].attempts), (vec![1], 1));
    hub.settle_delivery(&again[0], Settled::Done).await.unwrap();
    assert_eq!((hub.waiting_deliveries().await.unwrap(), hub.next_delivery().await.unwrap()), (0, None));
}

#[tokio::test]
async fn a_hook_with_much_to_deliver_leaves_room_for_the_others() {
    let hub = hub().await;
    hub.set_hooks(hooks(&["a busy one"])).await.unwrap();
    for _ in 0..50 {
        asked(&hub, question("?")).await;
    }
    hub.set_hooks(hooks(&["a busy one", "chat"])).await.unwrap();
    asked(&hub, question("?")).await;
    fill(&hub).await;
    let due = hub.due_deliveries(4).await.unwrap();
    assert_eq!((events(&due, "a busy one"), events(&due, "chat")), (vec![1, 2, 3], vec![51]));
}

// L2
#[tokio::test]
async fn nothing_is_lost_or_doubled_whenever_the_hub_is_started_again() {
    let (kept, clock) = (MemoryStore::default(), Arc::new(TokioClock::new()));
    let mut delivered: BTreeMap<(String, u64), usize> = BTreeMap::new();
    let mut happened = 0;
    for round in 0..6 {
        let hub = hub_on(&kept, &clock).await;
        hub.set_hooks(hooks(&["chat", "mail"])).await.unwrap();
        for _ in 0..7 {
            let id = hub.ask(ask(question("?"))).await.unwrap().id().clone();
            answer(&hub, &id, "yes", by("rita")).await.unwrap();
            happened += 2;
        }
        // Closed before filling, between filling and settling, in the middle of settling, and after.
        if round != 0 {
            hub.fill_outbox().await.unwrap();
        }
        let due = if round < 2 { Vec::new() } else { due(&hub).await };
        for dispatch in due.into_iter().take(if round == 5 { PAGE_ITEMS } else { 5 }) {
            hub.settle_delivery(&dispatch, Settled::Done).await.unwrap();
            *delivered.entry((dispatch.hook.as_str().to_owned(), dispatch.event.number)).or_default() += 1;
        }
        hub.close().await.unwrap();
    }
    let expected =
        ["chat", "mail"].into_iter().flat_map(|hook| (1..=happened).map(move |event| (hook.to_owned(), event)));
    assert_eq!(delivered, expected.map(|key| (key, 1)).collect());
    let hub = hub_on(&kept, &clock).await;
    assert_eq!((hub.waiting_deliveries().await.unwrap(), hub.fill_outbox().await.unwrap()), (0, 0));
}

// L2
#[tokio::test]
async fn a_retry_is_remembered_by_the_next_hub() {
    tokio::time::pause();
    let kept = MemoryStore::default();
    let clock = Arc::new(TokioClock::new());
    let hub = hub_on(&kept, &clock).await;
    hub.set_hooks(hooks(&["chat"])).await.unwrap();
    asked(&hub, question("?")).await;
    fill(&hub).await;
    hub.settle_delivery(&due(&hub).await[0], Settled::Retry { at: moment(60) }).await.unwrap();
    drop(hub);
    let hub = hub_on(&kept, &clock).await;
    assert_eq!((due(&hub).await, hub.next_delivery().await.unwrap()), (vec![], Some(moment(60))));
    sleep(Duration::from_secs(60)).await;
    assert_eq!(due(&hub).await[0].attempts, 1);
}

// S3
#[tokio::test]
async fn a_hook_that_takes_nothing_keeps_the_newest_and_holds_up_no_request() {
    let hub = hub_with(HubLimits { outbox: 10, ..HubLimits::DEFAULT }).await;
    hub.set_hooks(hooks(&["dead"])).await.unwrap();
    for _ in 0..OUTBOX_REFILL + 20 {
        asked(&hub, question("?")).await;
    }
    assert_eq!(hub.fill_outbox().await.unwrap(), OUTBOX_REFILL, "a batch has its limit");
    assert_eq!((hub.fill_outbox().await.unwrap(), hub.fill_outbox().await.unwrap()), (20, 0));
    let last = OUTBOX_REFILL as u64 + 20;
    assert_eq!(events(&due(&hub).await, "dead"), (last - 9..=last).collect::<Vec<_>>());
    let many: Vec<String> = (0..=HOOKS).map(|number| format!("hook {number}")).collect();
    let error = hub.set_hooks(many.iter().map(|hook| name(hook)).collect()).await.unwrap_err();
    assert!(matches!(error, HubError::Limit { limit: HOOKS, .. }), "{error}");
}

// S3
#[tokio::test]
async fn an_event_that_can_not_be_read_is_given_up_and_holds_up_no_other() {
    let faults = Faults::default();
    let (kept, clock) = (MemoryStore::with_faults(faults.clone()), Arc::new(TokioClock::new()));
    let hub = hub_on(&kept, &clock).await;
    hub.set_hooks(hooks(&["chat"])).await.unwrap();
    for message in ["strange?", "strange too?", "plain?"] {
        asked(&hub, question(message)).await;
    }
    fill(&hub).await;
    hub.close().await.unwrap();
    faults.unreadable.set("strange".to_owned()).unwrap();
    let hub = hub_on(&kept, &clock).await;
    let due = hub.due_deliveries(1).await.unwrap();
    assert_eq!((events(&due, "chat"), hub.waiting_deliveries().await.unwrap()), (vec![3], 1));
}

/// Two hubs over one store, with a due delivery for a hook.
async fn two_nodes() -> (Hub, Hub) {
    tokio::time::pause();
    let (kept, clock) = (MemoryStore::default(), Arc::new(TokioClock::new()));
    let nodes = (hub_on(&kept, &clock).await, hub_on(&kept, &clock).await);
    nodes.0.set_hooks(hooks(&["chat"])).await.unwrap();
    asked(&nodes.0, question("?")).await;
    fill(&nodes.0).await;
    nodes
}

// L2
#[tokio::test]
async fn one_node_at_a_time_delivers_to_a_hook() {
    let (one, other) = two_nodes().await;
    let first = due(&one).await;
    assert_eq!((events(&first, "chat"), due(&other).await), (vec![1], vec![]));
    sleep(Duration::from_secs(9)).await;
    assert!(one.may_deliver(&first[0]));
    due(&one).await;
    sleep(Duration::from_secs(9)).await;
    assert!(one.may_deliver(&first[0]), "looking for due deliveries renews the lease");
    sleep(Duration::from_secs(5)).await;
    assert!(!one.may_deliver(&first[0]), "a delivery that begins now may end after the lease");
    assert_eq!(due(&other).await, []);

    sleep(Duration::from_secs(7)).await;
    let second = due(&other).await;
    assert_eq!((events(&second, "chat"), other.may_deliver(&second[0])), (vec![1], true));
    assert_eq!(due(&one).await, []);
    one.settle_delivery(&first[0], Settled::Retry { at: moment(600) }).await.unwrap();
    assert_eq!(other.next_delivery().await.unwrap(), Some(moment(0)), "the node before settles nothing any more");
    other.settle_delivery(&second[0], Settled::Done).await.unwrap();
    assert_eq!(one.waiting_deliveries().await.unwrap(), 0);
}

// L2
#[tokio::test]
async fn hook_of_a_closed_hub_passes_to_another_node_at_once() {
    let (one, other) = two_nodes().await;
    due(&one).await;
    one.close().await.unwrap();
    assert_eq!(events(&due(&other).await, "chat"), [1]);
}

// L2
#[tokio::test]
async fn hook_that_was_removed_and_named_again_gets_each_event_once() {
    let hub = hub().await;
    hub.set_hooks(hooks(&["chat"])).await.unwrap();
    asked(&hub, question("?")).await;
    fill(&hub).await;
    assert_eq!(events(&due(&hub).await, "chat"), [1]);
    hub.set_hooks(vec![]).await.unwrap();
    hub.set_hooks(hooks(&["chat"])).await.unwrap();
    asked(&hub, question("?")).await;
    fill(&hub).await;
    let again = due(&hub).await;
    assert_eq!(events(&again, "chat"), [2]);
    hub.settle_delivery(&again[0], Settled::Done).await.unwrap();
    assert_eq!(due(&hub).await, []);
}

// L2
#[tokio::test]
async fn node_whose_lease_was_taken_stops_delivering_once_it_settles() {
    let (one, other) = two_nodes().await;
    let first = due(&one).await;
    one.shared.store.release_hooks(one.shared.presence.node).await.unwrap();
    assert_eq!(events(&due(&other).await, "chat"), [1]);
    one.settle_delivery(&first[0], Settled::Done).await.unwrap();
    assert_eq!((one.may_deliver(&first[0]), due(&one).await), (false, vec![]));
    assert_eq!(other.waiting_deliveries().await.unwrap(), 1);
}
