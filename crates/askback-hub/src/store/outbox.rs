//! The outbox: events on their way to hooks.

use super::{NodeId, StoreFuture};
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

    /// Takes or renews the lease of each wanted hook that no other node holds, and returns those that the node then holds, in the
    /// order of their names.
    fn lease_hooks(&self, wanted: WantedLeases) -> StoreFuture<'_, Vec<HookLease>>;

    /// Ends the leases that a node holds.
    fn release_hooks(&self, node: NodeId) -> StoreFuture<'_, ()>;

    /// Settles a delivery, and returns its hook and its event; none if it is not in the outbox, or if the hook's fence is another
    /// one, so that its lease has passed to another node.
    fn settle_dispatch(&self, number: u64, fence: u64, settled: Settled) -> StoreFuture<'_, Option<(Name, u64)>>;

    /// The time when the next delivery is due.
    fn next_dispatch(&self) -> StoreFuture<'_, Option<Timestamp>>;

    /// The number of deliveries in the outbox.
    fn waiting_dispatches(&self) -> StoreFuture<'_, u64>;
}

/// The hooks that a node wants to deliver to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedLeases {
    /// The hooks.
    pub hooks: Vec<Name>,
    /// The node.
    pub node: NodeId,
    /// The time now: a lease of another node that ended by then is free.
    pub now: Timestamp,
    /// When the leases expire.
    pub until: Timestamp,
}

/// A node's exclusive right to deliver to a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookLease {
    /// The hook.
    pub hook: Name,
    /// Rises whenever the lease passes to another node.
    pub fence: u64,
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
