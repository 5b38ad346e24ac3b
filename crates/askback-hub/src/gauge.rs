//! How many requests are pending, asker by asker, so that no agent gone wild drowns the others.

use crate::error::HubError;
use crate::limits::HubLimits;
use crate::mutex::Mutex;
use askback_core::{Name, RequestId};
use std::collections::{HashMap, HashSet};

#[derive(Debug)]
pub(crate) struct Gauge {
    pending: Mutex<Pending>,
    limits: HubLimits,
}

#[derive(Debug, Default)]
struct Pending {
    all: usize,
    of_askers: HashMap<Name, usize>,
    /// Those counted already whose creation the log has not told yet.
    ahead: HashSet<RequestId>,
}

impl Gauge {
    pub(crate) fn new(limits: HubLimits, pending: Vec<(Name, u64)>) -> Self {
        let count = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let of_askers: HashMap<Name, usize> = pending.into_iter().map(|(name, of)| (name, count(of))).collect();
        let all = of_askers.values().sum();
        Self { pending: Mutex::new(Pending { all, of_askers, ahead: HashSet::new() }), limits }
    }

    /// Counts a request that is about to be created.
    pub(crate) fn enter(&self, id: &RequestId, asker: &Name) -> Result<(), HubError> {
        let mut pending = self.pending.lock();
        let of_asker = pending.of_askers.get(asker).copied().unwrap_or_default();
        let HubLimits { pending: most, pending_of_asker: most_of_asker, .. } = self.limits;
        let reached = |what, limit| HubError::Limit { what, limit, advice: "answer, cancel or dismiss some of them" };
        if pending.all >= most {
            return Err(reached("too many requests are pending", most));
        }
        if of_asker >= most_of_asker {
            return Err(reached("too many requests of this asker are pending", most_of_asker));
        }
        if pending.ahead.insert(id.clone()) {
            pending.add(asker);
        }
        Ok(())
    }

    pub(crate) fn pending(&self) -> usize {
        self.pending.lock().all
    }

    /// It was not created after all.
    pub(crate) fn give_back(&self, id: &RequestId, asker: &Name) {
        let mut pending = self.pending.lock();
        if pending.ahead.remove(id) {
            pending.subtract(asker);
        }
    }

    /// The log tells of one more, perhaps of one that was counted already.
    pub(crate) fn created(&self, id: &RequestId, asker: &Name) {
        let mut pending = self.pending.lock();
        if !pending.ahead.remove(id) {
            pending.add(asker);
        }
    }

    /// The log tells of one that ended.
    pub(crate) fn ended(&self, asker: &Name) {
        self.pending.lock().subtract(asker);
    }
}

impl Pending {
    fn add(&mut self, asker: &Name) {
        self.all += 1;
        *self.of_askers.entry(asker.clone()).or_default() += 1;
    }

    fn subtract(&mut self, asker: &Name) {
        self.all = self.all.saturating_sub(1);
        if let Some(of_asker) = self.of_askers.get_mut(asker) {
            *of_asker = of_asker.saturating_sub(1);
            if *of_asker == 0 {
                self.of_askers.remove(asker);
            }
        }
    }
}
