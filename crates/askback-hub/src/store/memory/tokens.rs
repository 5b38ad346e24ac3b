//! Tokens in memory.

use crate::store::{StoredToken, StoredTokens};
use crate::token::Purpose;
use askback_core::Name;
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(super) struct Tokens {
    kept: BTreeMap<u64, StoredToken>,
    /// The last number that was given; none is given twice.
    last: u64,
    /// Raised by every change.
    version: u64,
}

impl Tokens {
    pub(super) fn add(&mut self, new: StoredToken, replaced: &[u64]) -> u64 {
        self.version += 1;
        replaced.iter().for_each(|number| drop(self.kept.remove(number)));
        self.last += 1;
        self.kept.insert(self.last, new);
        self.last
    }

    pub(super) fn redeem(&mut self, login: u64, session: StoredToken) -> Option<u64> {
        self.kept.get(&login).filter(|token| token.purpose == Purpose::Login)?;
        Some(self.add(session, &[login]))
    }

    pub(super) fn remove(&mut self, numbers: &[u64]) {
        self.version += 1;
        numbers.iter().for_each(|number| drop(self.kept.remove(number)));
    }

    pub(super) fn rename(&mut self, number: u64, to: &Name) {
        self.version += 1;
        if let Some(token) = self.kept.get_mut(&number) {
            token.name = to.clone();
        }
    }

    pub(super) fn all(&self) -> StoredTokens {
        let tokens = self.kept.iter().map(|(number, token)| (*number, token.clone())).collect();
        StoredTokens { version: self.version, tokens }
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }
}
