//! The leases of the hooks that this node delivers to.

use crate::limits::HOOK_LEASE;
use crate::mutex::Mutex;
use crate::store::HookLease;
use askback_core::Name;
use jiff::Timestamp;
use std::collections::{BTreeSet, HashMap};

/// The leases of this node: its right to deliver to a hook, which no other node has at the same time.
#[derive(Debug, Default)]
pub(crate) struct HookLeases {
    held: Mutex<HashMap<Name, HeldLease>>,
}

#[derive(Debug, Clone, Copy)]
struct HeldLease {
    fence: u64,
    until: Timestamp,
}

impl HookLeases {
    /// The hooks among these whose lease is to be taken or renewed: fewer than half of its time is left.
    pub(crate) fn to_renew(&self, hooks: BTreeSet<Name>, now: Timestamp) -> Vec<Name> {
        let held = self.held.lock();
        let is_fresh = |lease: &HeldLease| lease.until.duration_since(now) > HOOK_LEASE / 2;
        hooks.into_iter().filter(|hook| !held.get(hook).is_some_and(is_fresh)).collect()
    }

    /// Records the reply to a call that asked for the leases of these hooks: those that are not in it belong to another node.
    pub(crate) fn renewed(&self, asked_for: &[Name], leases: Vec<HookLease>, until: Timestamp) {
        let mut held = self.held.lock();
        held.retain(|hook, _| !asked_for.contains(hook));
        held.extend(leases.into_iter().map(|HookLease { hook, fence }| (hook, HeldLease { fence, until })));
    }

    /// The fence of a hook whose lease is valid now.
    pub(crate) fn fence(&self, hook: &Name, now: Timestamp) -> Option<u64> {
        self.held.lock().get(hook).filter(|lease| lease.until > now).map(|lease| lease.fence)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.held.lock().is_empty()
    }
}
