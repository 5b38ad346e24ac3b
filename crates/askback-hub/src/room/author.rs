//! Under which client id the server writes a room's document.

use super::Scope;
use sha2::{Digest, Sha256};

/// What the ids of all authors begin with. Clients choose theirs at random, of 32 bits or of 53: one in 500 million begins so.
const MARK: u64 = 0x1a5c_bac4;

/// Bits of an id behind the mark, which tell one author from the others.
const OWN_BITS: u32 = 24;

/// Changes whenever the same events would make another document: replicas of the old one must not be mixed with it.
const PROJECTION: u8 = 2;

/// The author of one room's document from one log. Another log, another room or another way to write it is another author,
/// so that a replica of something else is noticed and never merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Author(u64);

impl Author {
    pub(crate) fn new(log: &[u8; 16], scope: &Scope) -> Self {
        let hash = Sha256::new().chain_update([PROJECTION]).chain_update(log).chain_update(scope.name()).finalize();
        let number = hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
        Self(MARK << OWN_BITS | number >> (u64::BITS - OWN_BITS))
    }

    /// Whether a client id is that of an author, this one or another.
    pub(crate) fn is_one(client: u64) -> bool {
        client >> OWN_BITS == MARK
    }

    pub(crate) fn number(self) -> u64 {
        self.0
    }
}
