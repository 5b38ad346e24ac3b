//! Requests and their log.

use super::StoreFuture;
use crate::clock::new_uuid;
use crate::query::{AuditQuery, Counts, Page, Query};
use crate::record::{Event, Record};
use crate::room::Room;
use askback_core::{Name, Outcome, Request, RequestId};
use jiff::Timestamp;
use std::sync::Arc;

/// Persists requests, each with at most one outcome, and the log of what happened to them.
pub trait RequestStore: Send + Sync {
    /// Stores a new request with its event, unless one that counts as the same is stored already ([`Sameness`]). Repeating the
    /// call with the same attempt id stores nothing more and finds the request of the first call.
    fn create(&self, new: NewRequest) -> StoreFuture<'_, Created>;

    /// The result that [`RequestStore::create`] would have for a request that counts as the same as a stored one.
    fn find(&self, new: NewRequest) -> StoreFuture<'_, Option<Created>>;

    /// Ends a request if it is pending: one compare-and-set, in one transaction with its event. Repeating the call with the same
    /// attempt id has the result of the first call.
    fn resolve(&self, ending: NewOutcome) -> StoreFuture<'_, Resolved>;

    /// Marks an outcome as delivered, or as not delivered after all. Returns whether that changed anything.
    fn deliver(&self, id: RequestId, delivery: Delivery) -> StoreFuture<'_, bool>;

    /// A request by its id.
    fn get(&self, id: RequestId) -> StoreFuture<'_, Option<Record>>;

    /// A page of requests, the newest first; shorter than the limit if they are large.
    fn list(&self, query: Query) -> StoreFuture<'_, Page<Record>>;

    /// The number of pending requests, in all rooms or in one, counted up to `at_most`.
    fn pending(&self, room: Option<Room>, at_most: usize) -> StoreFuture<'_, u64>;

    /// The number of pending requests, in all and by room.
    fn counts(&self) -> StoreFuture<'_, Counts>;

    /// A page of events that match a query, the oldest first, without those that can't be read.
    fn events(&self, query: AuditQuery) -> StoreFuture<'_, Page<Event>>;

    /// The entries of the log after the event `after`, without a gap, at most `limit` of them; fewer if they are large.
    fn log(&self, after: u64, limit: usize) -> StoreFuture<'_, Vec<LogEntry>>;

    /// The number of the last event, 0 if there is none.
    fn last_event(&self) -> StoreFuture<'_, u64>;

    /// The pending requests whose deadline is `by` or earlier, the earliest first.
    fn due(&self, by: Timestamp, limit: usize) -> StoreFuture<'_, Vec<Record>>;

    /// The earliest deadline of a pending request.
    fn next_deadline(&self) -> StoreFuture<'_, Option<Timestamp>>;
}

/// The id of one attempt to write. A caller that does not know whether its write was stored repeats it with the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AttemptId(pub [u8; 16]);

impl AttemptId {
    /// A new id.
    #[expect(clippy::new_without_default, reason = "two values of it are never equal")]
    pub fn new() -> Self {
        Self(new_uuid().into_bytes())
    }
}

/// A request to store.
#[derive(Debug, Clone)]
pub struct NewRequest {
    /// Its id.
    pub id: RequestId,
    /// Its room.
    pub room: Room,
    /// The asker.
    pub asker: Name,
    /// The request.
    pub request: Arc<Request>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub deadline: Option<Timestamp>,
    /// The hash by which asking the same again finds it.
    pub fingerprint: Option<[u8; 32]>,
    /// This attempt to store it.
    pub attempt: AttemptId,
}

impl NewRequest {
    /// The record of the request once it is stored under a number and takes so many bytes.
    pub fn into_record(self, number: u64, size: usize) -> Record {
        let Self { id, room, asker, request, created_at, deadline, .. } = self;
        let waited_at = created_at;
        Record { number, id, room, asker, request, created_at, deadline, waited_at, outcome: None, size }
    }
}

/// A way in which a new request counts as the same as a stored one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sameness {
    /// It has the fingerprint of a request of the same asker and room that is pending or whose outcome was not delivered (S5);
    /// of several, the newest counts.
    Fingerprint,
    /// It has the id of a request.
    Id,
    /// It has the key of a request of the same asker and room (L3).
    Key,
}

impl Sameness {
    /// The order in which every store checks them, inside the transaction of the write. The first that applies counts.
    pub const ORDER: [Self; 3] = [Self::Fingerprint, Self::Id, Self::Key];
}

/// The result of storing a request.
#[derive(Debug, Clone)]
pub enum Created {
    /// It is stored.
    New(Arc<Record>),
    /// It was stored by an earlier call with the same attempt id.
    Repeated(Arc<Record>),
    /// It is not stored, since it counts as the same as this one.
    Same(Sameness, Arc<Record>),
}

/// An outcome to store.
#[derive(Debug, Clone)]
pub struct NewOutcome {
    /// The request, as it was when it was pending.
    pub record: Arc<Record>,
    /// The outcome.
    pub outcome: Arc<Outcome>,
    /// The answerer's key.
    pub key: Option<Name>,
    /// This attempt to store it.
    pub attempt: AttemptId,
}

/// The result of ending a request.
#[derive(Debug, Clone)]
pub enum Resolved {
    /// It has ended with this outcome, by this call or by an earlier one with the same attempt id.
    Now,
    /// It had ended before.
    Before {
        /// The outcome that counts.
        outcome: Arc<Outcome>,
        /// The key with which it was stored.
        key: Option<String>,
    },
    /// There is no such request.
    Unknown,
}

/// A change of an outcome's delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// It is about to reach the asker.
    Made(Timestamp),
    /// It did not reach the asker.
    Failed,
}

/// An entry of the log.
#[derive(Debug, Clone, PartialEq)]
pub enum LogEntry {
    /// An event.
    Event(Event),
    /// An event that this version can't read.
    Unreadable(UnreadableEvent),
}

/// The readable parts of an event that can't be read as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableEvent {
    /// Its number.
    pub number: u64,
    /// The request that it is about.
    pub id: Option<RequestId>,
    /// The asker of that request.
    pub asker: Option<Name>,
    /// Whether it ended the request.
    pub is_end: bool,
}

impl LogEntry {
    /// The time of the event, if it can be read.
    pub(crate) fn at(&self) -> Option<Timestamp> {
        match self {
            Self::Event(event) => Some(event.at()),
            Self::Unreadable(_) => None,
        }
    }

    /// The number of the event.
    pub fn number(&self) -> u64 {
        match self {
            Self::Event(event) => event.number,
            Self::Unreadable(event) => event.number,
        }
    }
}
