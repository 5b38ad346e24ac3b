//! Tokens: who may do what (S1). Whoever has one shows its secret, which is kept nowhere but with them.

use crate::clock::{Clock, whole_microseconds};
use crate::error::HubError;
use crate::limits::TOKEN_CHECK;
use crate::room::Room;
use crate::store::StoredToken;
use askback_core::Name;
use jiff::Timestamp;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedRwLockReadGuard, RwLock, watch};
use tokio::time::timeout;

mod secret;

pub use askback_core::{Purpose, Role};
pub use secret::Secret;
pub(crate) use secret::{SecretHash, hash_of};

/// Which of the hub's pages a login link is redeemed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionKind {
    /// The page ([`Purpose::Session`]).
    Page,
    /// The page without scripts ([`Purpose::PlainSession`]).
    PlainPage,
}

/// A token to issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    /// What it is for.
    pub purpose: Purpose,
    /// What its holder may do.
    pub role: Role,
    /// Who its holder is: what they ask or answer is signed with this.
    pub name: Name,
    /// The only room it is for, if there is but one.
    pub room: Option<Room>,
    /// Until when it is good. Nothing outlives the token that issued it.
    pub expires_at: Option<Timestamp>,
    /// The number of the token whose holder issues it. When that one is revoked, this one is, too.
    pub issued_by: Option<u64>,
}

/// A token that was issued: everything but its secret. Its fields are those of its stored form.
pub struct Token {
    /// Its number, which no other ever has.
    pub number: u64,
    /// The number of the program's token that it descends from, through links and sessions; its own if it is a program's. Shares of what
    /// all callers use count here (S8): each session would bring a share of its own otherwise.
    pub root: u64,
    stored: StoredToken,
    is_revoked: watch::Sender<bool>,
    /// Whether a clock was seen past its end. A clock that is set back later does not make it valid again.
    has_expired: AtomicBool,
    /// Every write on behalf of the token holds a read lock; a revocation takes the write lock to wait for those writes.
    writes: Arc<RwLock<()>>,
    clock: Arc<dyn Clock>,
}

/// Permission to write on behalf of a token. The token was valid when the permit was given, and a revocation does not return
/// before the permit is dropped, so that nothing is written for a token after its revocation was acknowledged.
#[derive(Debug)]
pub struct Permit(#[expect(dead_code, reason = "held for its drop")] OwnedRwLockReadGuard<()>);

impl Deref for Token {
    type Target = StoredToken;

    fn deref(&self) -> &StoredToken {
        &self.stored
    }
}

impl Token {
    pub(crate) fn new(number: u64, root: u64, stored: StoredToken, clock: Arc<dyn Clock>) -> Self {
        let (is_revoked, has_expired) = (watch::Sender::new(false), AtomicBool::new(false));
        Self { number, root, stored, is_revoked, has_expired, writes: Arc::default(), clock }
    }

    /// Whether it is good at this moment: neither revoked nor expired.
    pub fn is_live(&self, now: Timestamp) -> bool {
        if self.expires_at.is_some_and(|end| now >= end) {
            self.has_expired.store(true, Ordering::Relaxed);
        }
        !*self.is_revoked.borrow() && !self.has_expired.load(Ordering::Relaxed)
    }

    /// Whether it is valid now.
    pub fn is_valid(&self) -> bool {
        self.is_live(whole_microseconds(self.clock.now()))
    }

    /// Waits until it is revoked or has expired, so that a connection that was let in with it can end.
    pub async fn gone(&self) {
        let mut is_revoked = self.is_revoked.subscribe();
        // The sender is ours, so that this ends only when it is revoked.
        let mut revoked = std::pin::pin!(is_revoked.wait_for(|is_revoked| *is_revoked));
        loop {
            if !self.is_valid() {
                return;
            }
            let left = self.expires_at.map(|end| end.duration_since(self.clock.now()));
            let left = left.map_or(Duration::MAX, |left| Duration::try_from(left).unwrap_or_default());
            if left.is_zero() || timeout(left.min(TOKEN_CHECK), &mut revoked).await.is_ok() {
                return;
            }
        }
    }

    /// Checks that the token is valid now, and keeps a revocation waiting until the permit is dropped (S8). Calls of the hub that
    /// carry a token ([`Ask::by_token`](crate::Ask::by_token), [`Signature::by_token`](crate::Signature::by_token)) get their own
    /// permit: holding one across them can deadlock with a revocation.
    pub async fn permit(&self) -> Result<Permit, HubError> {
        let permit = Permit(Arc::clone(&self.writes).read_owned().await);
        if self.is_valid() { Ok(permit) } else { Err(HubError::Revoked) }
    }

    /// Waits until every permit that was given before the token was revoked is dropped.
    pub(crate) async fn settle(&self) {
        drop(self.writes.write().await);
    }

    /// From now on it is good for nothing, and whoever waits for that is told.
    pub(crate) fn end(&self) {
        self.is_revoked.send_replace(true);
    }
}

/// The permit of the token on whose behalf the caller writes, if there is one.
pub(crate) async fn permit_of(actor: Option<&Arc<Token>>) -> Result<Option<Permit>, HubError> {
    match actor {
        Some(token) => token.permit().await.map(Some),
        None => Ok(None),
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Token");
        shown
            .field("number", &self.number)
            .field("root", &self.root)
            .field("purpose", &self.purpose)
            .field("role", &self.role);
        shown.field("name", &self.name).field("room", &self.room).finish_non_exhaustive()
    }
}
