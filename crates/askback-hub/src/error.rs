//! What can go wrong with a hub, in words that say what to do.

use askback_core::{Name, Outcome, Problems, Refusal, RequestId, Status, show};
use std::sync::Arc;
use thiserror::Error;

/// Why a hub did not do what it was asked to.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum HubError {
    /// There is no such request.
    #[error("there is no request {0}")]
    Unknown(RequestId),
    /// The request has ended, so that what came later does not count. The outcome is the one that does.
    #[error("{}", already(.0))]
    AlreadyEnded(Arc<Outcome>),
    /// These are not answers to this request (F15); it stays pending.
    #[error("these are not answers to the request: {0}")]
    NotAnswers(Problems),
    /// A name, a key or a cursor is not one.
    #[error("{what}: {refusal}")]
    Refused {
        /// Which.
        what: &'static str,
        /// Why.
        refusal: Refusal,
    },
    /// The key was used for something else.
    #[error(
        "the key {} was used for another request, {id}, which differs in what it asks or shows or in its timeout: ask this one with another key",
        show::quote(key)
    )]
    KeyTaken {
        /// The key.
        key: String,
        /// The request that has it.
        id: RequestId,
    },
    /// The id was used for something else.
    #[error("the id {0} is another request's: ask this one with a new id")]
    IdTaken(RequestId),
    /// There is no such event yet: whoever has seen it has seen another log.
    #[error("there is no event {after} to go on from, the last one is {last}: begin anew with 0")]
    NoSuchEvent {
        /// The number.
        after: u64,
        /// The last one.
        last: u64,
    },
    /// What is to be issued by a token can't be, since that one is no more.
    #[error("there is no token {0} to issue it: it was revoked or has expired; log in again")]
    NoSuchToken(u64),
    /// Another asker has the name, and one of the two has no room, so that each would see the other's requests.
    #[error(
        "another asker has the name {}, and without a room an asker is known by its name alone: use another name, or give both a room",
        show::quote(.0.as_str())
    )]
    NameTaken(Name),
    /// The token that acts is no longer valid (S8); nothing was done.
    #[error("the token was revoked or has expired: use another one")]
    Revoked,
    /// There is nothing to make a secret of.
    #[error("this machine gives no random bytes, so that no secret can be made: {0}")]
    NoRandomness(String),
    /// A limit is reached; nothing was done.
    #[error("{what}: the limit is {limit}; {advice}")]
    Limit {
        /// What there are too many of.
        what: &'static str,
        /// How many there may be.
        limit: usize,
        /// What to do.
        advice: &'static str,
    },
    /// The store can't do it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl HubError {
    /// Whether the same may work later.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Limit { .. } => true,
            Self::Store(error) => matches!(
                error,
                StoreError::Full(_) | StoreError::Failed(_) | StoreError::Locked(_) | StoreError::Busy { .. }
            ),
            _ => false,
        }
    }
}

/// What a late answer is told.
fn already(outcome: &Outcome) -> String {
    let by = show::quote(outcome.by());
    let surface = outcome.surface().name();
    match outcome.resolution().status() {
        Status::Expired => "nobody answered in time: the request has expired".to_owned(),
        status => format!("already {} by {by} ({surface})", status.name()),
    }
}

/// The reason why a store's call failed.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process has it open.
    #[error("{store} is in use by {holder}: only one hub can have it; stop that one, or use another store")]
    InUse {
        /// The store, as its users know it.
        store: String,
        /// The process that has it open, as far as is known.
        holder: String,
    },
    /// It can't be opened or written.
    #[error("can't keep requests in {store}: {why}")]
    Unusable {
        /// The store.
        store: String,
        /// The reason.
        why: String,
    },
    /// It is damaged, or does not belong to askback.
    #[error("{store} is damaged or no database of askback ({why}): move it away, or restore a copy")]
    Damaged {
        /// The store.
        store: String,
        /// The damage.
        why: String,
    },
    /// A newer askback has written it.
    #[error(
        "{store} was written by a newer askback (its version is {found}, this one knows up to {known}); nothing was changed: update askback"
    )]
    Newer {
        /// The store.
        store: String,
        /// Its version.
        found: i64,
        /// The newest version that this program knows.
        known: i64,
    },
    /// Events that were acknowledged are missing.
    #[error(
        "{store} has lost the events {first} to {last}, which were there at {at}: its write-ahead log was cut or removed, or an \
         older copy took its place. Restore the file and its -wal, or go on without these events: rm {mark}"
    )]
    LostEvents {
        /// The store.
        store: String,
        /// The first event that is missing.
        first: u64,
        /// The last one that is known to have been there.
        last: u64,
        /// When that one was there.
        at: String,
        /// The file that tells so.
        mark: String,
    },
    /// The disk or the user's quota is full. What was acknowledged is kept.
    #[error("the disk is full, nothing was stored: make room, then try again ({0})")]
    Full(String),
    /// Another program is writing to the database.
    #[error("another program holds the database, nothing was stored: let it finish, then try again ({0})")]
    Locked(String),
    /// It did not work this time.
    #[error("the store failed, and it is not known whether this was stored: try again with the same key ({0})")]
    Failed(String),
    /// The disk failed in a way that leaves no trust in it.
    #[error("the store failed and takes nothing more: look at the disk, then start the hub again ({0})")]
    Broken(String),
    /// It holds what it should not.
    #[error("the store holds something that can't be read: {0}")]
    Unreadable(String),
    /// Too much is waiting for it; nothing was stored.
    #[error("{what}: the limit is {limit}; try again in a moment")]
    Busy {
        /// What there is too much of.
        what: &'static str,
        /// How much there may be.
        limit: usize,
    },
    /// The hub is closed.
    #[error("the hub is closed")]
    Closed,
}
