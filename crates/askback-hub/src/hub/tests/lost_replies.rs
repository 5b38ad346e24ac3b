//! Writes whose reply was lost, and events that can't be read.

use super::{answer, asked, by, hub_over, response};
use crate::error::{HubError, StoreError};
use crate::hub::{Ask, Asked, Hub};
use crate::limits::HubLimits;
use crate::signal::{Hint, Signal};
use crate::store::memory::{Faults, MemoryStore};
use crate::testing::{name, question, room};
use askback_core::BoxFuture;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A hub over a store that loses the replies of as many writes as the counter says.
async fn hub_losing_replies(faults: Faults) -> (Hub, Arc<AtomicUsize>) {
    let lost = Arc::clone(&faults.lost_replies);
    let (store, signal) = MemoryStore::with_faults(faults).connect();
    (hub_over(Arc::new(store), Box::new(signal), HubLimits::DEFAULT).await, lost)
}

// L1, L2, L3
#[tokio::test]
async fn write_whose_reply_was_lost_is_recognised_without_key() {
    tokio::time::pause();
    let (hub, lost) = hub_losing_replies(Faults::default()).await;
    for replies in 1..=3 {
        lost.store(replies, Ordering::SeqCst);
        let asked = hub.ask(Ask::new(question("Name?"), name("ada"), room("shop"))).await.unwrap();
        assert!(matches!(asked, Asked::New(_)), "the request is this call's own");
        lost.store(replies, Ordering::SeqCst);
        let outcome = answer(&hub, asked.id(), "x", by("rita")).await.unwrap();
        assert_eq!((response(&outcome).as_str(), outcome.by()), ("x", "rita"));
    }
    let events = hub.audit(crate::AuditQuery::default()).await.unwrap().items;
    assert_eq!(events.len(), 6, "each write was stored once");
    assert_eq!(hub.pending(), 0);
}

// L1, L2
#[tokio::test]
async fn store_that_ignores_attempts_refuses_its_own_write() {
    tokio::time::pause();
    let (hub, lost) = hub_losing_replies(Faults { ignores_attempts: true, ..Faults::default() }).await;
    lost.store(1, Ordering::SeqCst);
    let asked = hub.ask(Ask::new(question("Name?"), name("ada"), room("shop"))).await.unwrap();
    assert!(matches!(asked, Asked::Known(_)));
    lost.store(1, Ordering::SeqCst);
    let refused = answer(&hub, asked.id(), "x", by("rita")).await;
    assert!(matches!(refused, Err(HubError::AlreadyEnded(outcome)) if outcome.by() == "rita"));
}

// L1, L2
#[tokio::test]
async fn write_that_keeps_failing_is_given_up_with_an_error() {
    tokio::time::pause();
    let (hub, lost) = hub_losing_replies(Faults::default()).await;
    lost.store(usize::MAX, Ordering::SeqCst);
    let error = hub.ask(Ask::new(question("Name?"), name("ada"), room("shop"))).await.unwrap_err();
    assert!(matches!(error, HubError::Store(StoreError::Failed(_))), "{error}");
}

/// A signal that never comes, as from another node whose hints are lost.
struct Silent;

impl Signal for Silent {
    fn next(&mut self) -> BoxFuture<'_, Hint> {
        Box::pin(std::future::pending())
    }
}

// L3
#[tokio::test]
async fn event_that_can_not_be_read_wakes_its_waiter_with_an_error() {
    tokio::time::pause();
    let faults = Faults::default();
    faults.unreadable.set("strange".to_owned()).unwrap();
    let (store, _signal) = MemoryStore::with_faults(faults).connect();
    let hub = hub_over(Arc::new(store), Box::new(Silent), HubLimits::DEFAULT).await;
    let id = asked(&hub, question("Name?")).await;
    let waiter = tokio::spawn({
        let (hub, id) = (hub.clone(), id.clone());
        async move { hub.wait(&id, Some(Duration::from_secs(60))).await }
    });
    tokio::task::yield_now().await;
    answer(&hub, &id, "strange", by("rita")).await.unwrap();
    let error = waiter.await.unwrap().unwrap_err();
    assert!(matches!(error, HubError::Store(StoreError::Unreadable(_))), "{error}");
    assert_eq!(hub.pending(), 0, "the request has ended, though this hub can't read how");
    // Later events are told.
    let other = asked(&hub, question("Other?")).await;
    let mut events = hub.events(hub.last_event()).await.unwrap();
    assert_eq!(events.next().await.unwrap().record.id, other);
}
