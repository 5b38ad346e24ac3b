//! The leases of the hooks that this node delivers to.

use crate::limits::{HOOK_DELIVERY, HOOK_LEASE, HOOK_LEASE_RENEWAL};
use crate::mutex::Mutex;
use crate::store::HookLease;
use askback_core::Name;
use jiff::Timestamp;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;
use tokio::time::Instant;

/// The leases of this node: its right to deliver to a hook, which no other node has at the same time.
#[derive(Debug, Default)]
pub(crate) struct HookLeases {
    held: Mutex<HashMap<Name, HeldLease>>,
}

/// The moment at which a lease is asked for, by two clocks: a computer's clock can be set back, and its monotonic clock can stop
/// while the computer sleeps. A lease is valid while both agree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeaseTime {
    pub(crate) now: Timestamp,
    pub(crate) monotonic: Instant,
}

impl LeaseTime {
    pub(crate) fn at(now: Timestamp) -> Self {
        Self { now, monotonic: Instant::now() }
    }

    /// The time left of a lease that was asked for at `start`.
    fn left_since(self, start: Self) -> Duration {
        let lease = HOOK_LEASE.unsigned_abs();
        let by_clock = self.now.duration_since(start.now);
        let elapsed = self.monotonic.saturating_duration_since(start.monotonic).max(by_clock.unsigned_abs());
        lease.saturating_sub(elapsed)
    }
}

#[derive(Debug, Clone, Copy)]
struct HeldLease {
    fence: u64,
    start: LeaseTime,
}

impl HookLeases {
    /// The hooks among these whose lease is to be taken or renewed.
    pub(crate) fn to_renew(&self, hooks: BTreeSet<Name>, now: LeaseTime) -> Vec<Name> {
        let held = self.held.lock();
        let is_fresh = |lease: &HeldLease| now.left_since(lease.start) > HOOK_LEASE_RENEWAL;
        hooks.into_iter().filter(|hook| !held.get(hook).is_some_and(is_fresh)).collect()
    }

    /// Records the reply to a call that asked for the leases of these hooks at `start`: those that are not in it belong to another
    /// node. Returns whether one of them is new, and not a renewal.
    pub(crate) fn renewed(&self, asked_for: &[Name], leases: Vec<HookLease>, start: LeaseTime) -> bool {
        let mut held = self.held.lock();
        let is_new = |lease: &HookLease| held.get(&lease.hook).is_none_or(|held| held.fence != lease.fence);
        let any_new = leases.iter().any(is_new);
        held.retain(|hook, _| !asked_for.contains(hook));
        held.extend(leases.into_iter().map(|HookLease { hook, fence }| (hook, HeldLease { fence, start })));
        any_new
    }

    /// The fence of a hook to which a delivery may begin now: its lease lasts until that delivery has ended.
    pub(crate) fn fence(&self, hook: &Name, now: LeaseTime) -> Option<u64> {
        let held = self.held.lock();
        held.get(hook).filter(|lease| now.left_since(lease.start) >= HOOK_DELIVERY).map(|lease| lease.fence)
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

    /// The replies of a lease that was taken at second 100 of both clocks.
    fn at(clock: i64, monotonic: u64) -> (Option<u64>, usize) {
        let zero = Instant::now();
        let time =
            |clock, monotonic| LeaseTime { now: moment(clock), monotonic: zero + Duration::from_secs(monotonic) };
        let leases = HookLeases::default();
        leases.renewed(&[name("chat")], vec![HookLease { hook: name("chat"), fence: 7 }], time(100, 100));
        let now = time(clock, monotonic);
        (leases.fence(&name("chat"), now), leases.to_renew([name("chat")].into(), now).len())
    }

    #[test]
    fn delivery_begins_only_while_it_can_end_within_the_lease() {
        assert_eq!([at(100, 100), at(104, 104)], [(Some(7), 0), (Some(7), 0)]);
        assert_eq!([at(105, 105), at(110, 110)], [(Some(7), 1), (Some(7), 1)]);
        assert_eq!([at(111, 111), at(120, 120), at(500, 500)], [(None, 1), (None, 1), (None, 1)]);
    }

    #[test]
    fn lease_is_not_extended_by_a_clock_that_was_set_back_or_that_stopped() {
        assert_eq!([at(97, 115), at(105, 115), at(-3_600, 101)], [(None, 1), (None, 1), (None, 1)]);
        assert_eq!([at(115, 101), at(3_700, 101)], [(None, 1), (None, 1)]);
    }

    // L2
    #[test]
    fn lease_with_another_fence_is_new_and_a_renewed_one_is_not() {
        let (leases, now) = (HookLeases::default(), LeaseTime::at(moment(100)));
        let renewed = |fence| leases.renewed(&[name("chat")], vec![HookLease { hook: name("chat"), fence }], now);
        assert_eq!([renewed(7), renewed(7), renewed(8), renewed(8)], [true, false, true, false]);
        assert!(!leases.renewed(&[name("chat")], vec![], now));
        assert!(renewed(8), "another node had it meanwhile");
    }

    // L2
    #[test]
    fn lease_that_was_not_renewed_or_is_forgotten_is_gone_and_no_other_lease() {
        let (leases, now) = (HookLeases::default(), LeaseTime::at(moment(100)));
        let hooks = [name("chat"), name("mail"), name("pager")];
        let lease = |hook: &Name| HookLease { hook: hook.clone(), fence: 7 };
        let held = || hooks.each_ref().map(|hook| leases.fence(hook, now).is_some());
        leases.renewed(&hooks, hooks.iter().map(lease).collect(), now);
        assert_eq!(held(), [true, true, true]);
        leases.renewed(&hooks[..2], vec![lease(&hooks[0])], now);
        assert_eq!(held(), [true, false, true], "another node has the second one");
        leases.forget(&hooks[0]);
        assert_eq!(held(), [false, false, true]);
        leases.renewed(&hooks, hooks.iter().map(lease).collect(), now);
        leases.retain(&[name("mail")].into());
        assert_eq!(held(), [false, true, false]);
        assert!(leases.clear() && !leases.clear());
        assert_eq!(held(), [false, false, false]);
    }
}
