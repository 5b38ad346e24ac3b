//! Turns: a few callers work at the same time, of each token at most so many, in the order in which they came. What the others of a token
//! wait for is their own token's turn, so that however much one token asks for, the next one waits for a bounded amount of work (S8).

use crate::limits::TurnLimits;
use crate::pool::Holder;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The queues for one sort of work.
pub(crate) struct Turns {
    of_asker: usize,
    of_person: usize,
    of_askers: Arc<Semaphore>,
    of_people: Arc<Semaphore>,
    by_token: Mutex<HashMap<u64, Weak<Semaphore>>>,
}

/// One turn, until it is dropped.
pub(crate) struct Turn {
    _of_all: Option<OwnedSemaphorePermit>,
    _of_token: Option<OwnedSemaphorePermit>,
    /// Kept for as long as one of the token has its turn or waits for it.
    _queue: Arc<Semaphore>,
}

impl Turns {
    pub(crate) fn new(limits: TurnLimits) -> Self {
        let TurnLimits { of_asker, of_askers, of_person, of_people } = limits;
        let [of_askers, of_people] = [of_askers, of_people].map(|count| Arc::new(Semaphore::new(count)));
        Self { of_asker, of_person, of_askers, of_people, by_token: Mutex::default() }
    }

    /// Waits for a turn, first among the callers with the token and then among those of all tokens.
    pub(crate) async fn take(&self, holder: Holder) -> Turn {
        let queue = self.queue(holder);
        let of_all = if holder.is_person { &self.of_people } else { &self.of_askers };
        // No semaphore is ever closed, so that both are acquired in the end.
        let of_token = Arc::clone(&queue).acquire_owned().await.ok();
        let of_all = Arc::clone(of_all).acquire_owned().await.ok();
        Turn { _of_all: of_all, _of_token: of_token, _queue: queue }
    }

    fn queue(&self, holder: Holder) -> Arc<Semaphore> {
        let mut queues = self.by_token.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = queues.get(&holder.token).and_then(Weak::upgrade) {
            return queue;
        }
        queues.retain(|_, queue| queue.strong_count() > 0);
        let queue = Arc::new(Semaphore::new(if holder.is_person { self.of_person } else { self.of_asker }));
        queues.insert(holder.token, Arc::downgrade(&queue));
        queue
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{READ_TURNS, REPLAY_TURNS};
    use askback_sqlite::limits::READERS;
    use futures_util::FutureExt;
    use std::pin::pin;

    const fn asker(token: u64) -> Holder {
        Holder { token, is_person: false }
    }

    // S3, S8
    #[tokio::test]
    async fn replay_of_another_token_waits_for_one_turn_and_not_for_all_replays_of_a_token() {
        let turns = Turns::new(REPLAY_TURNS);
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

    // S3, S8
    #[tokio::test]
    async fn reads_of_one_asker_leave_readers_to_other_askers_and_to_people() {
        let turns = Turns::new(READ_TURNS);
        let mut reading: Vec<_> = (0..10).filter_map(|_| turns.take(asker(1)).now_or_never()).collect();
        assert_eq!(reading.len(), READ_TURNS.of_asker);
        reading.extend((2..10).filter_map(|token| turns.take(asker(token)).now_or_never()));
        assert_eq!(reading.len(), READ_TURNS.of_askers, "another asker reads beside the first");
        const { assert!(READ_TURNS.of_askers < READERS) };
        let person = turns.take(Holder { token: 11, is_person: true });
        assert!(person.now_or_never().is_some());
    }
}
