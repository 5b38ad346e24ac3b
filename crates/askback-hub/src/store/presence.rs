//! Which askers and people are connected to which node, by leases.

use super::{NodeId, StoreFuture};
use crate::room::Room;
use askback_core::{Name, RequestId};
use jiff::Timestamp;

mod table;

pub use table::PresenceTable;

/// Shares the presence of askers and people among the nodes (L9). The presence that a node reports is valid until its lease
/// expires. It need not survive a crash: a node that comes back reports it again.
pub trait PresenceStore: Send + Sync {
    /// Renews a node's lease, and changes the presence that it covers. Returns false, and changes nothing, if the lease is new or
    /// has expired and the renewal is not complete: the node then sends a complete one.
    fn renew_presence(&self, renewal: PresenceRenewal) -> StoreFuture<'_, bool>;

    /// Ends a node's lease.
    fn release_presence(&self, node: NodeId) -> StoreFuture<'_, ()>;

    /// Among these requests with their askers, those that a valid lease of another node covers: a call waits there, or the asker
    /// follows the events there. In the order given.
    fn attended_elsewhere(
        &self,
        observer: Observer,
        requests: Vec<(RequestId, Name)>,
    ) -> StoreFuture<'_, Vec<RequestId>>;

    /// The number of connections of people, by the valid leases of other nodes, that see requests of this room, or of any room.
    fn people_elsewhere(&self, observer: Observer, room: Option<Room>) -> StoreFuture<'_, u64>;
}

/// A node that reads the presence on the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observer {
    /// The node.
    pub node: NodeId,
    /// The time now: a lease that ended by then is not valid.
    pub now: Timestamp,
}

/// A renewal of a node's lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresenceRenewal {
    /// The node.
    pub node: NodeId,
    /// The time now.
    pub now: Timestamp,
    /// When the lease expires.
    pub until: Timestamp,
    /// Whether it contains everything that the lease covers, or only the changes.
    pub is_complete: bool,
    /// The requests that a call waits for.
    pub waiting: PresenceChange<RequestId>,
    /// The askers that follow the events.
    pub following: PresenceChange<Name>,
    /// The number of connections of people to each room, always complete; `None` is a connection to all rooms.
    pub people: Vec<(Option<Room>, u64)>,
}

impl PresenceRenewal {
    /// Whether it adds no waiting request, asker or person.
    pub(crate) fn covers_nothing(&self) -> bool {
        self.waiting.added.is_empty() && self.following.added.is_empty() && self.people.is_empty()
    }
}

/// Whether a connection to one room or to all sees requests of this room, or of any room.
pub(crate) fn sees(connection: Option<&Room>, room: Option<&Room>) -> bool {
    connection.is_none() || room.is_none() || connection == room
}

/// A change of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresenceChange<T> {
    /// The members that were added.
    pub added: Vec<T>,
    /// The members that were removed.
    pub removed: Vec<T>,
}
