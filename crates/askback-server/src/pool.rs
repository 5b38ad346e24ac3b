//! Resources that all callers share (S3, S8). Each has a share per token and a total, and a part of the total is for people: what askers
//! take together never keeps a person from answering.

use crate::fault::Fault;
use askback_api::ProblemCode;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How much of a shared resource may be in use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quota {
    /// The resource in the plural, as errors and the documentation name it.
    pub(crate) resource: &'static str,
    pub(crate) unit: Unit,
    /// What one token may use.
    pub(crate) of_token: usize,
    /// What all askers may use together.
    pub(crate) of_askers: usize,
    /// What all callers may use together.
    pub(crate) total: usize,
    /// What a caller past its share can do.
    pub(crate) advice: &'static str,
}

impl Quota {
    /// The same quota in proportion to another total.
    pub(crate) fn of_total(self, total: usize) -> Self {
        let share = |part: usize| (part * total / self.total).max(1);
        Self { of_token: share(self.of_token), of_askers: share(self.of_askers), total, ..self }
    }
}

/// The unit in which a resource is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Bytes,
    Items,
}

impl Unit {
    /// An amount for people: bytes are whole MiB.
    pub(crate) fn amount(self, amount: usize) -> String {
        match self {
            Self::Bytes => format!("{} MiB", amount >> 20),
            Self::Items => {
                let digits = amount.to_string();
                let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
                groups.collect::<Vec<_>>().join(",")
            }
        }
    }
}

/// A shared resource, and who uses how much of it.
#[derive(Clone)]
pub(crate) struct Pool(Arc<PoolState>);

struct PoolState {
    quota: Quota,
    used: Mutex<Used>,
}

#[derive(Default)]
struct Used {
    /// By the number of the token. A token that uses nothing has no entry.
    by_token: HashMap<u64, usize>,
    by_askers: usize,
    total: usize,
}

impl Used {
    /// Refuses a holder for whom so much more would exceed a bound.
    fn check(&self, quota: Quota, holder: Holder, more: usize) -> Result<(), PoolError> {
        let of_token = self.by_token.get(&holder.token).copied().unwrap_or(0);
        let exhausted = if of_token + more > quota.of_token {
            Exhausted::OfToken
        } else if !holder.is_person && self.by_askers + more > quota.of_askers {
            Exhausted::OfAskers
        } else if self.total + more > quota.total {
            Exhausted::Total
        } else {
            return Ok(());
        };
        Err(PoolError { quota, exhausted })
    }

    fn add(&mut self, holder: Holder, more: usize) {
        *self.by_token.entry(holder.token).or_default() += more;
        self.total += more;
        if !holder.is_person {
            self.by_askers += more;
        }
    }
}

/// The token that uses a resource.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Holder {
    /// The number of the token, or of the program's token that a session descends from.
    pub(crate) token: u64,
    /// Whether it is a person's: of an answerer, an admin or a browser.
    pub(crate) is_person: bool,
}

/// The part of a resource that one call or one connection uses. It is free again when this is dropped.
pub(crate) struct PoolLease {
    pool: Pool,
    holder: Holder,
    amount: usize,
}

/// The bound that a refused lease would exceed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exhausted {
    OfToken,
    OfAskers,
    Total,
}

/// The refusal of a lease.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PoolError {
    quota: Quota,
    pub(crate) exhausted: Exhausted,
}

impl fmt::Display for PoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Quota { resource, unit, of_token, of_askers, total, advice } = self.quota;
        match self.exhausted {
            Exhausted::OfToken => {
                write!(f, "this token has its share of the {resource} ({}) in use: {advice}", unit.amount(of_token))
            }
            Exhausted::OfAskers => {
                write!(
                    f,
                    "all askers together have their {resource} ({}) in use: try again later",
                    unit.amount(of_askers)
                )
            }
            Exhausted::Total => write!(f, "all {resource} ({}) are in use: try again later", unit.amount(total)),
        }
    }
}

impl From<PoolError> for Fault {
    fn from(error: PoolError) -> Self {
        Self::new(ProblemCode::TooMany, error.to_string())
    }
}

impl Pool {
    pub(crate) fn new(quota: Quota) -> Self {
        Self(Arc::new(PoolState { quota, used: Mutex::default() }))
    }

    /// A lease that uses nothing yet.
    pub(crate) fn lease(&self, holder: Holder) -> PoolLease {
        PoolLease { pool: self.clone(), holder, amount: 0 }
    }

    /// Refuses a holder that has nothing left of its share.
    pub(crate) fn check(&self, holder: Holder) -> Result<(), PoolError> {
        self.lock().check(self.0.quota, holder, 1)
    }

    fn lock(&self) -> MutexGuard<'_, Used> {
        self.0.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The amount in use.
    #[cfg(test)]
    pub(crate) fn used(&self) -> usize {
        self.lock().total
    }
}

impl PoolLease {
    /// The token that uses it.
    pub(crate) fn holder(&self) -> Holder {
        self.holder
    }

    /// Another lease of the same holder, that uses nothing yet.
    pub(crate) fn another(&self) -> Self {
        self.pool.lease(self.holder)
    }

    /// Uses at least this amount from now on. After an error, the lease is what it was.
    pub(crate) fn grow_to(&mut self, amount: usize) -> Result<(), PoolError> {
        let more = amount.saturating_sub(self.amount);
        if more == 0 {
            return Ok(());
        }
        let mut used = self.pool.lock();
        used.check(self.pool.0.quota, self.holder, more)?;
        used.add(self.holder, more);
        drop(used);
        self.amount += more;
        Ok(())
    }

    /// Uses this much more, also past the share of the holder: what is counted exists already.
    pub(crate) fn overdraw(&mut self, more: usize) {
        self.pool.lock().add(self.holder, more);
        self.amount += more;
    }

    /// Uses nothing until it grows again.
    pub(crate) fn release(&mut self) {
        if self.amount == 0 {
            return;
        }
        let mut used = self.pool.lock();
        if let Some(of_token) = used.by_token.get_mut(&self.holder.token) {
            *of_token -= self.amount;
            if *of_token == 0 {
                used.by_token.remove(&self.holder.token);
            }
        }
        used.total -= self.amount;
        if !self.holder.is_person {
            used.by_askers -= self.amount;
        }
        drop(used);
        self.amount = 0;
    }
}

impl Drop for PoolLease {
    fn drop(&mut self) {
        self.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUOTA: Quota =
        Quota { resource: "seats", unit: Unit::Items, of_token: 4, of_askers: 6, total: 8, advice: "leave one" };

    fn grown(pool: &Pool, token: u64, is_person: bool, amount: usize) -> Result<PoolLease, Exhausted> {
        let mut lease = pool.lease(Holder { token, is_person });
        lease.grow_to(amount).map_err(|error| error.exhausted)?;
        Ok(lease)
    }

    // S3, S8
    #[test]
    fn token_gets_its_share_and_askers_leave_the_reserve_to_people() {
        let pool = Pool::new(QUOTA);
        let first = grown(&pool, 1, false, 4).unwrap();
        assert_eq!(grown(&pool, 1, false, 1).err(), Some(Exhausted::OfToken));
        let second = grown(&pool, 2, false, 2).unwrap();
        assert_eq!(grown(&pool, 3, false, 1).err(), Some(Exhausted::OfAskers));
        let person = grown(&pool, 4, true, 2).unwrap();
        assert_eq!(grown(&pool, 5, true, 1).err(), Some(Exhausted::Total));
        drop(first);
        assert!(grown(&pool, 1, false, 4).is_ok(), "what is dropped is free again");
        drop((second, person));
        let used = pool.lock();
        assert_eq!((used.total, used.by_askers, used.by_token.len()), (0, 0, 0));
    }

    // S3
    #[test]
    fn refused_lease_keeps_what_it_has() {
        let pool = Pool::new(QUOTA);
        let mut lease = grown(&pool, 1, false, 3).unwrap();
        assert!(lease.grow_to(5).is_err());
        assert_eq!(pool.used(), 3);
        lease.grow_to(2).unwrap();
        assert_eq!(pool.used(), 3, "a lease does not shrink");
        lease.release();
        assert_eq!(pool.used(), 0);
        lease.grow_to(1).unwrap();
        assert_eq!(pool.used(), 1);
    }

    // S3
    #[test]
    fn quota_keeps_its_proportions_and_something_for_everyone() {
        let Quota { of_token, of_askers, total, .. } = QUOTA.of_total(80);
        assert_eq!((of_token, of_askers, total), (40, 60, 80));
        assert_eq!(QUOTA.of_total(1).of_token, 1);
    }

    // S3
    #[test]
    fn refusal_names_the_bound_and_what_to_do() {
        let error = |exhausted| PoolError { quota: QUOTA, exhausted }.to_string();
        assert_eq!(error(Exhausted::OfToken), "this token has its share of the seats (4) in use: leave one");
        assert_eq!(error(Exhausted::OfAskers), "all askers together have their seats (6) in use: try again later");
        assert_eq!(error(Exhausted::Total), "all seats (8) are in use: try again later");
        assert_eq!((Unit::Bytes.amount(64 << 20), Unit::Items.amount(10_000)), ("64 MiB".into(), "10,000".into()));
    }
}
