//! The outbox: events on their way to hooks.

use super::StoreFuture;
use crate::outbox::Settled;
use crate::record::Event;
use askback_core::Name;
use jiff::Timestamp;

/// Persists what is to be delivered to each hook.
pub trait OutboxStore: Send + Sync {
    /// Replaces the list of hooks: a new one starts after the last event, and one that is not listed is deleted with its outbox.
    fn set_hooks(&self, hooks: Vec<Name>) -> StoreFuture<'_, ()>;

    /// Adds the events that each hook has not had to its outbox, and stores its position, in one transaction.
    fn refill_outbox(&self, refill: Refill) -> StoreFuture<'_, Refilled>;

    /// The deliveries due by then: the first of every hook, then the second of every hook, and so on; as many as in a page of
    /// requests.
    fn due_dispatches(&self, by: Timestamp, limit: usize) -> StoreFuture<'_, Vec<StoredDispatch>>;

    /// Settles a delivery, and returns its hook and its event; none if it is not in the outbox.
    fn settle_dispatch(&self, number: u64, settled: Settled) -> StoreFuture<'_, Option<(Name, u64)>>;

    /// The time when the next delivery is due.
    fn next_dispatch(&self) -> StoreFuture<'_, Option<Timestamp>>;

    /// The number of deliveries in the outbox.
    fn waiting_dispatches(&self) -> StoreFuture<'_, u64>;
}

/// The parameters of a refill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refill {
    /// When the added deliveries are due.
    pub due_at: Timestamp,
    /// Maximum number of events added for each hook.
    pub events: usize,
    /// Maximum number of deliveries that wait for a hook; past it the oldest are dropped.
    pub most: usize,
}

/// The result of a refill.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Refilled {
    /// The number of added deliveries, over all hooks.
    pub added: usize,
    /// The number of dropped deliveries of each hook that had too many.
    pub dropped: Vec<(Name, u64)>,
}

/// A delivery in the outbox.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredDispatch {
    /// Its number, which no other delivery has had.
    pub number: u64,
    /// The hook.
    pub hook: Name,
    /// The event; none if it can't be read.
    pub event: Option<Event>,
    /// The number of failed attempts.
    pub attempts: u32,
}
