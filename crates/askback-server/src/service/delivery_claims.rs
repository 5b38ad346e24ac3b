//! Remembers which delivery attempt claimed an outcome last; only that attempt may revert the claim (S5). Kept in memory up to a limit: an
//! attempt that is forgotten reverts nothing, which is safe, since the person is then asked once more.

use crate::limits::CLAIMS_KEPT;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The keys of the last attempts, by the id of the request.
#[derive(Debug, Default)]
pub(super) struct DeliveryClaims(Mutex<HashMap<String, String>>);

impl DeliveryClaims {
    /// Claims an outcome. Returns whether the same attempt had claimed it before.
    pub(super) fn claim(&self, id: &str, key: &str) -> bool {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if claims.len() >= CLAIMS_KEPT {
            claims.clear();
        }
        claims.insert(id.to_owned(), key.to_owned()).is_some_and(|before| before == key)
    }

    /// Reverts a claim of this attempt. Returns whether it was the last one.
    pub(super) fn revert(&self, id: &str, key: &str) -> bool {
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
        let claims = DeliveryClaims::default();
        assert!(!claims.claim("019", "one"), "it is new");
        assert!(claims.claim("019", "one"), "it is said again");
        assert!(!claims.claim("019", "another"));
        assert!(!claims.revert("019", "one"), "the other may have arrived");
        assert!(claims.revert("019", "another") && !claims.revert("019", "another"));
    }
}
