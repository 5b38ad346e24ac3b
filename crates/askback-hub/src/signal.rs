//! The signal: a hint that the log has grown. It may be lost, repeated or late; the store is the truth, and the hub looks
//! there whenever a hint does not fit what it has seen.

use crate::limits::HINTS_WAITING;
use crate::record::Event;
use askback_core::BoxFuture;
use std::future::pending;
use std::sync::Arc;
use tokio::sync::mpsc;

/// The wait for a hint.
pub type Hinting<'a> = BoxFuture<'a, Hint>;

/// What tells a hub when to look.
pub trait Signal: Send {
    /// The next hint; if there never is one, the hub looks from time to time.
    fn next(&mut self) -> Hinting<'_>;
}

/// Why to look.
#[derive(Debug, Clone)]
pub enum Hint {
    /// These events were committed, and here they are: what is durable does not change, so there is no need to read it.
    Committed(Arc<[Event]>),
    /// Something may have happened.
    Look,
}

/// The end through which a store in this process gives its hints.
#[derive(Debug, Clone)]
pub struct Hints(mpsc::Sender<Arc<[Event]>>);

/// The hub's end.
#[derive(Debug)]
pub struct LocalSignal(mpsc::Receiver<Arc<[Event]>>);

/// The two ends of a signal inside this process.
pub fn local() -> (Hints, LocalSignal) {
    let (sender, receiver) = mpsc::channel(HINTS_WAITING);
    (Hints(sender), LocalSignal(receiver))
}

impl Hints {
    /// Tells of a batch, unless too many are waiting already: then the hub finds it in the store.
    pub fn committed(&self, events: Vec<Event>) {
        if !events.is_empty() {
            let _ = self.0.try_send(events.into());
        }
    }
}

impl Signal for LocalSignal {
    fn next(&mut self) -> Hinting<'_> {
        Box::pin(async {
            match self.0.recv().await {
                Some(events) => Hint::Committed(events),
                None => pending().await,
            }
        })
    }
}
