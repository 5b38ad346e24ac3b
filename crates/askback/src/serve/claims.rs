//! Who said last of an outcome that it is delivered: that one alone takes it back (S5). Kept in memory and not for ever. Whoever is forgotten
//! takes nothing back, which is the safe side: the person is asked once more.

use super::limits::CLAIMS_KEPT;
use crate::mcp::desk::Delivery;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Claims to outcomes, by the id of what has one.
#[derive(Debug, Default)]
pub(super) struct Claims(Mutex<HashMap<String, String>>);

/// What a caller says of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) delivery: Delivery,
    /// The way by which it goes there, if the caller tells several apart.
    pub(super) key: Option<String>,
}

impl Claims {
    /// Claims it, and says whether this very way had claimed it before: then it is said again, and nothing new.
    pub(super) fn claim(&self, id: &str, key: &str) -> bool {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if claims.len() >= CLAIMS_KEPT {
            claims.clear();
        }
        claims.insert(id.to_owned(), key.to_owned()).is_some_and(|before| before == key)
    }

    /// Gives it up, if it is this way's.
    pub(super) fn give_up(&self, id: &str, key: &str) -> bool {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_its = claims.get(id).is_some_and(|claimed| claimed == key);
        if is_its {
            claims.remove(id);
        }
        is_its
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // S5
    #[test]
    fn who_claimed_last_alone_gives_up() {
        let claims = Claims::default();
        assert!(!claims.claim("019", "one"), "it is new");
        assert!(claims.claim("019", "one"), "it is said again");
        assert!(!claims.claim("019", "another"));
        assert!(!claims.give_up("019", "one"), "the other may have arrived");
        assert!(claims.give_up("019", "another") && !claims.give_up("019", "another"));
    }
}
