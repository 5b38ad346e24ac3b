//! Tokens: secrets, as hashes, and the rights of their holders.

use super::StoreFuture;
use crate::room::Room;
use crate::token::{Purpose, Role};
use askback_core::Name;
use jiff::Timestamp;

/// Persists tokens. Every change raises the version, which other nodes compare with the one that they have read.
pub trait TokenStore: Send + Sync {
    /// Adds a token and deletes those that it replaces, in one transaction. Returns its number, which no other token has had.
    fn add_token(&self, new: StoredToken, replaced: Vec<u64>) -> StoreFuture<'_, u64>;

    /// Replaces a login link by a session, in one transaction; none if the link does not exist any more.
    fn redeem_token(&self, login: u64, session: StoredToken) -> StoreFuture<'_, Option<u64>>;

    /// Deletes tokens. One that does not exist is deleted already.
    fn remove_tokens(&self, numbers: Vec<u64>) -> StoreFuture<'_, ()>;

    /// Renames an asker: its token, and every request and event with its old name. A request whose key the new name has already
    /// used in the same room keeps the old name. Snapshots are deleted, and the log gets another identity, since rooms show the
    /// names of askers.
    fn rename_asker(&self, token: u64, renamed: AskerRename) -> StoreFuture<'_, ()>;

    /// All tokens and their version, in one consistent read.
    fn tokens(&self) -> StoreFuture<'_, StoredTokens>;

    /// The version of the tokens.
    fn tokens_version(&self) -> StoreFuture<'_, u64>;
}

/// All tokens at some version.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredTokens {
    /// The version, which rises with every change.
    pub version: u64,
    /// The tokens with their numbers, the oldest first.
    pub tokens: Vec<(u64, StoredToken)>,
}

/// A token as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredToken {
    /// SHA-256 of its secret.
    pub hash: [u8; 32],
    /// What it is for.
    pub purpose: Purpose,
    /// The rights of its holder.
    pub role: Role,
    /// The name of its holder.
    pub name: Name,
    /// The only room that it is valid for, if it is limited to one.
    pub room: Option<Room>,
    /// The number of the token that issued it, or of the link that it was redeemed for.
    pub parent: Option<u64>,
    /// When it was issued.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// Whether the data directory of the hub's machine holds its secret.
    pub is_local: bool,
}

/// An asker's old and new name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskerRename {
    /// The old name.
    pub from: Name,
    /// The new name.
    pub to: Name,
}
