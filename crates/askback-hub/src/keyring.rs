//! The tokens of a hub in memory, where every call looks for its own.

use crate::clock::Clock;
use crate::store::StoredToken;
use crate::token::{Purpose, SecretHash, Token};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter::successors;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use tokio::sync::{Mutex, MutexGuard};

pub(crate) struct Keyring {
    held: RwLock<Held>,
    /// Whoever changes tokens has this, from looking to having written: a link is redeemed by one, and nothing is issued by
    /// what is being revoked.
    turn: Mutex<()>,
    clock: Arc<dyn Clock>,
}

#[derive(Default)]
struct Held {
    by_secret: HashMap<SecretHash, Arc<Token>>,
    by_number: BTreeMap<u64, Arc<Token>>,
}

impl Keyring {
    pub(crate) fn new(stored: Vec<(u64, StoredToken)>, clock: Arc<dyn Clock>) -> Self {
        let keyring = Self { held: RwLock::default(), turn: Mutex::default(), clock };
        for (number, stored) in stored {
            keyring.add(number, stored);
        }
        keyring
    }

    pub(crate) async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    pub(crate) fn by_secret(&self, hash: &SecretHash) -> Option<Arc<Token>> {
        self.read().by_secret.get(hash).cloned()
    }

    pub(crate) fn by_number(&self, number: u64) -> Option<Arc<Token>> {
        self.read().by_number.get(&number).cloned()
    }

    /// All that are good at this moment, the oldest first.
    pub(crate) fn live(&self, now: Timestamp) -> Vec<Arc<Token>> {
        self.read().by_number.values().filter(|token| token.is_live(now)).cloned().collect()
    }

    /// Makes tokens that are over at this moment invalid for good.
    pub(crate) fn expire(&self, now: Timestamp) {
        self.read().by_number.values().for_each(|token| {
            token.is_live(now);
        });
    }

    /// All but these, whose numbers are sorted; the oldest first.
    pub(crate) fn except(&self, numbers: &[u64]) -> Vec<Arc<Token>> {
        self.read().by_number.values().filter(|token| numbers.binary_search(&token.number).is_err()).cloned().collect()
    }

    /// The numbers of all browser sessions and login links, with the tokens that these issued.
    pub(crate) fn sessions_and_links(&self) -> Vec<u64> {
        self.descendants(|token| token.purpose.is_session() || token.purpose == Purpose::Login)
    }

    /// The number of a token, of those that it issued, of those that these issued, and so on.
    pub(crate) fn family(&self, number: u64) -> Vec<u64> {
        self.descendants(|token| token.number == number)
    }

    /// The token that issued a token, the one that issued that, and so on; the last is a program's.
    pub(crate) fn issuers(&self, number: u64) -> Vec<u64> {
        let held = self.read();
        let parent = |number: &u64| held.by_number.get(number).and_then(|token| token.parent);
        successors(parent(&number), parent).collect()
    }

    /// The numbers of the tokens that match, and of all tokens that they issued, directly or not.
    pub(crate) fn descendants(&self, is_root: impl Fn(&Token) -> bool) -> Vec<u64> {
        let mut found = BTreeSet::new();
        // The issuer of a token has a lower number, so that one pass in order finds all.
        for (number, token) in &self.read().by_number {
            if is_root(token) || token.parent.is_some_and(|parent| found.contains(&parent)) {
                found.insert(*number);
            }
        }
        found.into_iter().collect()
    }

    pub(crate) fn add(&self, number: u64, stored: StoredToken) -> Arc<Token> {
        let mut held = self.write();
        // The issuer of a token has a lower number, and stays for as long as the token does.
        let issuer = stored.parent.and_then(|parent| held.by_number.get(&parent));
        let root = issuer.map_or(number, |issuer| issuer.root);
        let token = Arc::new(Token::new(number, root, stored, Arc::clone(&self.clock)));
        held.by_secret.insert(token.hash, Arc::clone(&token));
        held.by_number.insert(number, Arc::clone(&token));
        token
    }

    /// Removes these tokens, ends the connections that were opened with them, and returns them.
    pub(crate) fn remove(&self, numbers: &[u64]) -> Vec<Arc<Token>> {
        let mut held = self.write();
        let mut removed = Vec::new();
        for number in numbers {
            if let Some(token) = held.by_number.remove(number) {
                held.by_secret.remove(&token.hash);
                token.end();
                removed.push(token);
            }
        }
        removed
    }

    fn read(&self) -> RwLockReadGuard<'_, Held> {
        self.held.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Held> {
        self.held.write().unwrap_or_else(PoisonError::into_inner)
    }
}
