//! Tokens in memory.

use crate::store::StoredToken;
use crate::token::Purpose;
use askback_core::Name;
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(super) struct Tokens {
    kept: BTreeMap<u64, StoredToken>,
    /// The last number that was given; none is given twice.
    last: u64,
}

impl Tokens {
    pub(super) fn keep(&mut self, new: StoredToken) -> u64 {
        self.last += 1;
        self.kept.insert(self.last, new);
        self.last
    }

    pub(super) fn redeem(&mut self, login: u64, session: StoredToken) -> Option<u64> {
        self.kept.get(&login).filter(|token| token.purpose == Purpose::Login)?;
        self.kept.remove(&login);
        Some(self.keep(session))
    }

    pub(super) fn forget(&mut self, numbers: &[u64]) {
        numbers.iter().for_each(|number| drop(self.kept.remove(number)));
    }

    pub(super) fn rename(&mut self, number: u64, to: &Name) {
        if let Some(token) = self.kept.get_mut(&number) {
            token.name = to.clone();
        }
    }

    pub(super) fn all(&self) -> Vec<(u64, StoredToken)> {
        self.kept.iter().map(|(number, token)| (*number, token.clone())).collect()
    }
}
