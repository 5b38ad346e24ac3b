//! The turns of event streams that read old events: of each token one at a time, in the order in which they came, so that
//! replays take a bounded part of the processor and the disk however many there are (S8).

use crate::limits::{ASKERS_REPLAYING, PEOPLE_REPLAYING};
use crate::pool::Holder;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The queues of all replays.
pub(crate) struct ReplayTurns {
    of_askers: Arc<Semaphore>,
    of_people: Arc<Semaphore>,
    by_token: Mutex<HashMap<u64, Weak<Semaphore>>>,
}

/// The turn of one replay, until it is dropped.
pub(crate) struct ReplayTurn {
    _of_all: Option<OwnedSemaphorePermit>,
    _of_token: Option<OwnedSemaphorePermit>,
    /// Kept for as long as one of the token has its turn or waits for it.
    _queue: Arc<Semaphore>,
}

impl Default for ReplayTurns {
    fn default() -> Self {
        let [of_askers, of_people] = [ASKERS_REPLAYING, PEOPLE_REPLAYING].map(|count| Arc::new(Semaphore::new(count)));
        Self { of_askers, of_people, by_token: Mutex::default() }
    }
}

impl ReplayTurns {
    /// Waits for a turn, first among the replays of the token and then among those of all tokens.
    pub(crate) async fn take(&self, holder: Holder) -> ReplayTurn {
        let queue = self.queue(holder.token);
        let of_all = if holder.is_person { &self.of_people } else { &self.of_askers };
        // No semaphore is ever closed, so that both are acquired in the end.
        let of_token = Arc::clone(&queue).acquire_owned().await.ok();
        let of_all = Arc::clone(of_all).acquire_owned().await.ok();
        ReplayTurn { _of_all: of_all, _of_token: of_token, _queue: queue }
    }

    fn queue(&self, token: u64) -> Arc<Semaphore> {
        let mut queues = self.by_token.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = queues.get(&token).and_then(Weak::upgrade) {
            return queue;
        }
        queues.retain(|_, queue| queue.strong_count() > 0);
        let queue = Arc::new(Semaphore::new(1));
        queues.insert(token, Arc::downgrade(&queue));
        queue
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use std::pin::pin;

    const fn asker(token: u64) -> Holder {
        Holder { token, is_person: false }
    }

    // S3, S8
    #[tokio::test]
    async fn replay_of_another_token_waits_for_one_turn_and_not_for_all_replays_of_a_token() {
        let turns = ReplayTurns::default();
        let first = turns.take(asker(1)).await;
        let [mut second, mut third] = [Box::pin(turns.take(asker(1))), Box::pin(turns.take(asker(1)))];
        assert!(second.as_mut().now_or_never().is_none() && third.as_mut().now_or_never().is_none());
        let mut other = pin!(turns.take(asker(2)));
        assert!(other.as_mut().now_or_never().is_none(), "askers read one after the other");
        let person = turns.take(Holder { token: 3, is_person: true }).now_or_never();
        assert!(person.is_some(), "people do not wait for askers");
        drop(first);
        assert!(second.as_mut().now_or_never().is_none(), "it queues again, behind the other token");
        let other = other.now_or_never().expect("the other token is next");
        drop(other);
        let second = second.now_or_never().unwrap();
        assert!(third.as_mut().now_or_never().is_none());
        drop(second);
        assert!(third.now_or_never().is_some());
        drop(person);
        drop(turns.take(asker(4)).await);
        assert_eq!(turns.by_token.lock().unwrap().len(), 1, "tokens without replays are forgotten");
    }
}
