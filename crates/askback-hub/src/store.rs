//! What a store must do: keep requests and their one outcome, in order, durably. What that means for askers and
//! answerers is decided above, so that stores can't differ in it.

use crate::error::StoreError;
use crate::outbox::Settled;
use crate::query::{AuditQuery, Counts, Page, Query, Unattended};
use crate::record::{Event, Record};
use crate::room::{Room, Scope};
use crate::token::{Purpose, Role};
use askback_core::{Name, Outcome, Request, RequestId};
use jiff::Timestamp;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

pub mod memory;
pub mod sqlite;
#[cfg(test)]
mod story;

/// A store at work.
pub type Storing<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Keeps requests. `Ok` means that it survives a crash and a power cut.
///
/// Once called, a write happens or fails as a whole, even if nobody waits for it any more.
pub trait Store: Send + Sync {
    /// Keeps a new request with its event, unless one that counts as the same is there already.
    fn create(&self, new: NewRequest) -> Storing<'_, Created>;

    /// What [`Store::create`] would find, without keeping anything; a [`Created::New`] never.
    fn find(&self, new: NewRequest) -> Storing<'_, Option<Created>>;

    /// Ends a request, if it is pending: one compare-and-set, in one transaction with its event.
    fn resolve(&self, ending: NewOutcome) -> Storing<'_, Resolved>;

    /// Marks an outcome as delivered, or as not delivered after all. Says whether that changed anything.
    fn deliver(&self, id: RequestId, delivery: Delivery) -> Storing<'_, bool>;

    /// Writes down when askers were last seen waiting. Earlier times than the known ones change nothing.
    fn waited(&self, seen: Vec<(RequestId, Timestamp)>) -> Storing<'_, ()>;

    /// A request by its id.
    fn get(&self, id: RequestId) -> Storing<'_, Option<Record>>;

    /// Requests, the newest first; at most as many as asked for, fewer if they are large.
    fn list(&self, query: Query) -> Storing<'_, Page<Record>>;

    /// Of the newest so many that are pending, those whose asker was not written down as waiting since then, the newest first.
    fn unattended(&self, room: Option<Room>, since: Timestamp, among: usize) -> Storing<'_, Vec<Unattended>>;

    /// How many are pending, in all rooms or in one; counted as far as this.
    fn pending(&self, room: Option<Room>, at_most: usize) -> Storing<'_, u64>;

    /// How many are pending, and in which rooms.
    fn counts(&self) -> Storing<'_, Counts>;

    /// How many are pending, asker by asker.
    fn pending_of_askers(&self) -> Storing<'_, Vec<(Name, u64)>>;

    /// Events by what they are, the oldest first; as many as in `list`.
    fn events(&self, query: AuditQuery) -> Storing<'_, Page<Event>>;

    /// The number of the last event, 0 if there is none.
    fn last_event(&self) -> Storing<'_, u64>;

    /// Pending requests whose deadline has come by then, the earliest first.
    fn due(&self, by: Timestamp, limit: usize) -> Storing<'_, Vec<Record>>;

    /// The earliest deadline of what is pending.
    fn next_deadline(&self) -> Storing<'_, Option<Timestamp>>;

    /// Keeps a token, and gives the number that it has from now on, and that no other has had.
    fn keep_token(&self, new: StoredToken) -> Storing<'_, u64>;

    /// Keeps a session in the place of a link, in one transaction; none if the link is not there any more.
    fn redeem_token(&self, login: u64, session: StoredToken) -> Storing<'_, Option<u64>>;

    /// Forgets tokens; those that are not there are forgotten already.
    fn forget_tokens(&self, numbers: Vec<u64>) -> Storing<'_, ()>;

    /// Renames an asker: its token, and every request and event that has its old name. A request whose key the new name has already
    /// used in the same room keeps the old name. Snapshots are dropped, and the log gets another identity, since rooms show the
    /// names of askers.
    fn rename_asker(&self, token: u64, renamed: AskerRename) -> Storing<'_, ()>;

    /// All tokens with their numbers, the oldest first.
    fn tokens(&self) -> Storing<'_, Vec<(u64, StoredToken)>>;

    /// Makes these the hooks there are: a new one begins after the last event, and one that is gone is forgotten with what
    /// waited for it.
    fn set_hooks(&self, hooks: Vec<Name>) -> Storing<'_, ()>;

    /// Puts into the outbox what each hook has not had, and remembers how far it has come, in one transaction.
    fn refill_outbox(&self, refill: Refill) -> Storing<'_, Refilled>;

    /// What is to be delivered by then: the first of every hook, then the second of every hook, and so on; as many as in `list`.
    fn due_dispatches(&self, by: Timestamp, limit: usize) -> Storing<'_, Vec<StoredDispatch>>;

    /// Settles what is in the outbox, and says for which hook and which event it was; none if it is not there.
    fn settle_dispatch(&self, number: u64, settled: Settled) -> Storing<'_, Option<(Name, u64)>>;

    /// When the next of what is in the outbox is due.
    fn next_dispatch(&self) -> Storing<'_, Option<Timestamp>>;

    /// How many are in the outbox.
    fn waiting_dispatches(&self) -> Storing<'_, u64>;

    /// What tells this log from every other, however alike they are.
    fn log_identity(&self) -> Storing<'_, [u8; 16]>;

    /// Keeps the document of a room in the place of the one before it, unless that one has come further.
    fn keep_snapshot(&self, scope: Scope, snapshot: StoredSnapshot) -> Storing<'_, ()>;

    /// The document of a room as it was last kept.
    fn snapshot(&self, scope: Scope) -> Storing<'_, Option<StoredSnapshot>>;

    /// Finishes what was begun, and takes nothing more. Whoever opens the same store afterwards is the only one.
    fn close(&self) -> Storing<'_, ()>;
}

/// A request to keep.
#[derive(Debug, Clone)]
pub struct NewRequest {
    /// Its id.
    pub id: RequestId,
    /// Where it lives.
    pub room: Room,
    /// Who asks.
    pub asker: Name,
    /// What is asked.
    pub request: Arc<Request>,
    /// When.
    pub created_at: Timestamp,
    /// When it expires.
    pub deadline: Option<Timestamp>,
    /// What it is known by, where asking the same again finds it.
    pub fingerprint: Option<[u8; 32]>,
}

impl NewRequest {
    /// The record of the request once it is kept under a number and takes so many bytes.
    pub(crate) fn into_record(self, number: u64, size: usize) -> Record {
        let Self { id, room, asker, request, created_at, deadline, .. } = self;
        let waited_at = created_at;
        Record { number, id, room, asker, request, created_at, deadline, waited_at, outcome: None, size }
    }
}

/// What came of keeping a request.
#[derive(Debug, Clone)]
pub enum Created {
    /// It is kept.
    New(Arc<Record>),
    /// A request has this id.
    SameId(Arc<Record>),
    /// A request of this asker in this room has this key.
    SameKey(Arc<Record>),
    /// The newest request of this asker in this room with this fingerprint, which is pending or not delivered.
    SameFingerprint(Arc<Record>),
}

/// An end for a request.
#[derive(Debug, Clone)]
pub struct NewOutcome {
    /// The request, as it was when it was pending.
    pub record: Arc<Record>,
    /// How it ends.
    pub outcome: Arc<Outcome>,
    /// The answerer's key.
    pub key: Option<Name>,
}

/// What came of ending a request.
#[derive(Debug, Clone)]
pub enum Resolved {
    /// It has ended now, with this.
    Now,
    /// It had ended before.
    Before {
        /// How.
        outcome: Arc<Outcome>,
        /// With which key.
        key: Option<String>,
    },
    /// There is no such request.
    Unknown,
}

/// How it stands with the delivery of an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// It is about to reach the asker.
    Made(Timestamp),
    /// It did not.
    Failed,
}

/// A token as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredToken {
    /// SHA-256 of its secret.
    pub hash: [u8; 32],
    /// What it is for.
    pub purpose: Purpose,
    /// What its holder may do.
    pub role: Role,
    /// Who its holder is.
    pub name: Name,
    /// The only room it is for, if there is but one.
    pub room: Option<Room>,
    /// The number of the token that issued it, or the link that it was redeemed for.
    pub parent: Option<u64>,
    /// When it was issued.
    pub created_at: Timestamp,
    /// Until when it is good.
    pub expires_at: Option<Timestamp>,
}

/// An asker's old and new name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskerRename {
    /// The name so far.
    pub from: Name,
    /// The name from now on.
    pub to: Name,
}

/// A room's document as it is kept. It follows from the log, and is only sooner there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSnapshot {
    /// The number of the last event it shows.
    pub through: u64,
    /// The document.
    pub document: Vec<u8>,
}

/// What to put into the outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refill {
    /// When it is to be delivered.
    pub due_at: Timestamp,
    /// How many events at most, for each hook.
    pub events: usize,
    /// How many may wait for a hook; the oldest make place.
    pub most: usize,
}

/// What was put into the outbox.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Refilled {
    /// How many, over all hooks.
    pub added: usize,
    /// How many made place for them, hook by hook.
    pub dropped: Vec<(Name, u64)>,
}

/// Something in the outbox.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredDispatch {
    /// Its number, which no other has had.
    pub number: u64,
    /// Where it goes.
    pub hook: Name,
    /// What happened; none if that can't be read.
    pub event: Option<Event>,
    /// How often it was tried in vain.
    pub attempts: u32,
}
