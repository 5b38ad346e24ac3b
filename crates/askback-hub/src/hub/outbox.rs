//! Delivering what happens to whoever is not here: every event once to every hook, or until it is given up.

use super::Hub;
use super::hook_leases::LeaseTime;
use crate::clock::whole_microseconds;
use crate::error::HubError;
use crate::limits::{HOOK_LEASE, HOOKS, OUTBOX_REFILL};
use crate::outbox::{Dispatch, Settled};
use crate::store::{Refill, StoredDispatch, WantedLeases};
use askback_core::Name;
use jiff::Timestamp;
use std::collections::BTreeSet;

impl Hub {
    /// Says which hooks there are from now on. A new one gets what happens after this; one that was there before goes on where
    /// it was; one that is not named is forgotten, with what waited for it.
    pub async fn set_hooks(&self, hooks: Vec<Name>) -> Result<(), HubError> {
        let hooks: BTreeSet<Name> = hooks.into_iter().collect();
        if hooks.len() > HOOKS {
            return Err(HubError::Limit { what: "too many hooks", limit: HOOKS, advice: "name fewer" });
        }
        // A hook that is removed and named again is another one, with fences of its own.
        self.shared.hook_leases.retain(&hooks);
        Ok(self.shared.store.set_hooks(hooks.into_iter().collect()).await?)
    }

    /// Puts events that the hooks have not had yet into the outbox, and says how many: [`OUTBOX_REFILL`] at most for each hook,
    /// so that whoever gets more than none calls again. What is too much for an outbox pushes out the oldest, which is logged.
    pub async fn fill_outbox(&self) -> Result<usize, HubError> {
        let refill = Refill { due_at: self.shared.now(), events: OUTBOX_REFILL, most: self.shared.most_waiting };
        let refilled = self.shared.store.refill_outbox(refill).await?;
        for (hook, dropped) in refilled.dropped {
            tracing::warn!(%hook, dropped, "too much waits for this hook: the oldest events won't be delivered to it");
        }
        Ok(refilled.added)
    }

    /// The deliveries that are due now to hooks whose lease this node has or gets, hook by hook in turn, so that none waits for
    /// another that has much; for each the oldest first. At least one if there is any, [`crate::limits::PAGE_ITEMS`] at most. A
    /// delivery that is not settled is due again.
    pub async fn due_deliveries(&self, limit: usize) -> Result<Vec<Dispatch>, HubError> {
        loop {
            let due = self.shared.store.due_dispatches(self.shared.now(), limit).await?;
            if self.lease(due.iter().map(|dispatch| dispatch.hook.clone()).collect()).await? {
                // Another node may have delivered and settled some of these before its lease ended.
                continue;
            }
            let (mut readable, mut unreadable) = (Vec::new(), Vec::new());
            for StoredDispatch { number, hook, event, attempts } in due {
                // Without a lease, another node delivers to the hook.
                let Some(fence) = self.shared.hook_leases.fence(&hook, self.lease_time()) else { continue };
                match event {
                    Some(event) => readable.push(Dispatch { number, hook, event, attempts, fence }),
                    None => unreadable.push((number, hook, fence)),
                }
            }
            // It would be due for ever.
            let mut are_given_up = false;
            for (number, hook, fence) in &unreadable {
                are_given_up |= self.settle(*number, hook, *fence, Settled::GivenUp).await?;
            }
            if !readable.is_empty() || !are_given_up {
                return Ok(readable);
            }
        }
    }

    /// Takes or renews the leases of these hooks where that is due, and returns whether this node has got one that it did not have.
    async fn lease(&self, hooks: BTreeSet<Name>) -> Result<bool, HubError> {
        // Before the call: the time that it takes is part of the lease.
        let (leases, start) = (&self.shared.hook_leases, self.lease_time());
        let hooks = leases.to_renew(hooks, start);
        if hooks.is_empty() {
            return Ok(false);
        }
        let now = start.now;
        let until = now.checked_add(HOOK_LEASE).unwrap_or(Timestamp::MAX);
        let wanted = WantedLeases { hooks: hooks.clone(), node: self.shared.presence.node, now, until };
        Ok(leases.renewed(&hooks, self.shared.store.lease_hooks(wanted).await?, start))
    }

    fn lease_time(&self) -> LeaseTime {
        LeaseTime::at(self.shared.now())
    }

    /// Whether this node has the lease with which a delivery was read, for [`crate::limits::HOOK_DELIVERY`] at least. Check it
    /// before sending: after the lease has expired, another node may send the same.
    pub fn may_deliver(&self, dispatch: &Dispatch) -> bool {
        self.shared.hook_leases.fence(&dispatch.hook, self.lease_time()) == Some(dispatch.fence)
    }

    /// Records the result of a delivery. One that was settled or dropped before stays so, and so does one whose hook has passed to
    /// another node.
    pub async fn settle_delivery(&self, dispatch: &Dispatch, settled: Settled) -> Result<(), HubError> {
        self.settle(dispatch.number, &dispatch.hook, dispatch.fence, settled).await.map(drop)
    }

    /// Settles a delivery, and returns whether that counted.
    async fn settle(&self, number: u64, hook: &Name, fence: u64, settled: Settled) -> Result<bool, HubError> {
        let settled = match settled {
            Settled::Retry { at } => Settled::Retry { at: whole_microseconds(at) },
            settled => settled,
        };
        let known = self.shared.store.settle_dispatch(number, fence, settled).await?;
        let Some((hook, event)) = known else {
            // The lease may have passed to another node.
            self.shared.hook_leases.forget(hook);
            return Ok(false);
        };
        if settled == Settled::GivenUp {
            tracing::warn!(%hook, event, "an event was given up, and won't be delivered to this hook");
        }
        Ok(true)
    }

    /// When the next of what is in the outbox is due, which may be past; none if it is empty.
    pub async fn next_delivery(&self) -> Result<Option<Timestamp>, HubError> {
        Ok(self.shared.store.next_dispatch().await?)
    }

    /// How many are in the outbox, for all hooks together.
    pub async fn waiting_deliveries(&self) -> Result<u64, HubError> {
        Ok(self.shared.store.waiting_dispatches().await?)
    }
}
