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

impl HeldLease {
    /// A clock that was set back does not extend a lease.
    fn is_valid(&self, now: Timestamp) -> bool {
        let left = self.until.duration_since(now);
        left.is_positive() && left <= HOOK_LEASE
    }
}

impl HookLeases {
    /// The hooks among these whose lease is to be taken or renewed: fewer than half of its time is left.
    pub(crate) fn to_renew(&self, hooks: BTreeSet<Name>, now: Timestamp) -> Vec<Name> {
        let held = self.held.lock();
        let is_fresh = |lease: &HeldLease| lease.is_valid(now) && lease.until.duration_since(now) > HOOK_LEASE / 2;
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
        self.held.lock().get(hook).filter(|lease| lease.is_valid(now)).map(|lease| lease.fence)
    }

    /// Forgets the lease of a hook, which another node has or which is a new hook of the same name.
    pub(crate) fn forget(&self, hook: &Name) {
        self.held.lock().remove(hook);
    }

    /// Forgets the leases of all hooks but these.
    pub(crate) fn retain(&self, hooks: &BTreeSet<Name>) {
        self.held.lock().retain(|hook, _| hooks.contains(hook));
    }

    /// Forgets all leases, and returns whether there were any.
    pub(crate) fn clear(&self) -> bool {
        !std::mem::take(&mut *self.held.lock()).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{moment, name};

    #[test]
    fn lease_is_not_valid_after_its_end_nor_when_the_clock_was_set_back() {
        let leases = HookLeases::default();
        let lease = HookLease { hook: name("chat"), fence: 7 };
        leases.renewed(&[name("chat")], vec![lease], moment(120));
        let at =
            |now| (leases.fence(&name("chat"), moment(now)), leases.to_renew([name("chat")].into(), moment(now)).len());
        assert_eq!([at(100), at(109), at(110), at(119)], [(Some(7), 0), (Some(7), 0), (Some(7), 1), (Some(7), 1)]);
        assert_eq!([at(120), at(99), at(-3_600)], [(None, 1), (None, 1), (None, 1)]);
    }

    // L2
    #[test]
    fn lease_that_was_not_renewed_or_is_forgotten_is_gone_and_no_other_lease() {
        let leases = HookLeases::default();
        let hooks = [name("chat"), name("mail"), name("pager")];
        let lease = |hook: &Name| HookLease { hook: hook.clone(), fence: 7 };
        let held = || hooks.each_ref().map(|hook| leases.fence(hook, moment(100)).is_some());
        leases.renewed(&hooks, hooks.iter().map(lease).collect(), moment(120));
        assert_eq!(held(), [true, true, true]);
        leases.renewed(&hooks[..2], vec![lease(&hooks[0])], moment(120));
        assert_eq!(held(), [true, false, true], "another node has the second one");
        leases.forget(&hooks[0]);
        assert_eq!(held(), [false, false, true]);
        leases.renewed(&hooks, hooks.iter().map(lease).collect(), moment(120));
        leases.retain(&[name("mail")].into());
        assert_eq!(held(), [false, true, false]);
        assert!(leases.clear() && !leases.clear());
        assert_eq!(held(), [false, false, false]);
    }
}
