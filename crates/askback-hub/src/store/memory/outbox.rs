//! The outbox in memory.

use super::page;
use crate::limits::PAGE_ITEMS;
use crate::outbox::Settled;
use crate::record::Event;
use crate::store::{HookLease, NodeId, Refill, Refilled, StoredDispatch, WantedLeases};
use askback_core::Name;
use jiff::Timestamp;
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(super) struct Outbox {
    hooks: BTreeMap<Name, Hook>,
    waiting: BTreeMap<u64, Waiting>,
    /// The last number that was given; none is given twice.
    last: u64,
}

#[derive(Debug)]
struct Hook {
    /// The last event that was put in for it.
    position: usize,
    lease: Option<(NodeId, Timestamp)>,
    fence: u64,
}

#[derive(Debug)]
struct Waiting {
    hook: Name,
    event: Event,
    attempts: u32,
    due_at: Timestamp,
}

impl Outbox {
    pub(super) fn set_hooks(&mut self, hooks: &[Name], last_event: usize) {
        self.hooks.retain(|hook, _| hooks.contains(hook));
        self.waiting.retain(|_, waiting| hooks.contains(&waiting.hook));
        for hook in hooks {
            self.hooks.entry(hook.clone()).or_insert(Hook { position: last_event, lease: None, fence: 0 });
        }
    }

    pub(super) fn refill(&mut self, refill: &Refill, events: &[Event]) -> Refilled {
        let mut refilled = Refilled::default();
        for (hook, Hook { position, .. }) in &mut self.hooks {
            // An event stands where its number says.
            let new: Vec<&Event> = events.iter().skip(*position).take(refill.events).collect();
            for event in &new {
                self.last += 1;
                let waiting =
                    Waiting { hook: hook.clone(), event: Event::clone(event), attempts: 0, due_at: refill.due_at };
                self.waiting.insert(self.last, waiting);
            }
            *position += new.len();
            refilled.added += new.len();
            let of_hook = self.waiting.iter().filter(|(_, waiting)| waiting.hook == *hook);
            let of_hook: Vec<u64> = of_hook.map(|(number, _)| *number).collect();
            let excess = of_hook.len().saturating_sub(refill.most);
            if !new.is_empty() && excess > 0 {
                of_hook.iter().take(excess).for_each(|number| drop(self.waiting.remove(number)));
                refilled.dropped.push((hook.clone(), excess as u64));
            }
        }
        refilled
    }

    pub(super) fn due(&self, by: Timestamp, limit: usize) -> Vec<StoredDispatch> {
        let mut turns = Vec::new();
        for hook in self.hooks.keys() {
            let due = self.waiting.iter().filter(|(_, waiting)| waiting.hook == *hook && waiting.due_at <= by);
            let mut due: Vec<_> = due.map(|(number, waiting)| (waiting.due_at, *number)).collect();
            due.sort_unstable();
            turns.extend(due.into_iter().enumerate().map(|(turn, (due_at, number))| (turn, due_at, number)));
        }
        turns.sort_unstable();
        let due = turns.into_iter().filter_map(|(_, _, number)| Some((number, self.waiting.get(&number)?)));
        let due = page(due, limit.clamp(1, PAGE_ITEMS), |(number, waiting)| (*number, waiting.event.record.size));
        let stored = due.items.into_iter().map(|(number, Waiting { hook, event, attempts, .. })| StoredDispatch {
            number,
            hook: hook.clone(),
            event: Some(event.clone()),
            attempts: *attempts,
        });
        stored.collect()
    }

    pub(super) fn lease(&mut self, wanted: &WantedLeases) -> Vec<HookLease> {
        let mut held = Vec::new();
        for (hook, Hook { lease, fence, .. }) in &mut self.hooks {
            let is_free = lease.is_none_or(|(node, until)| node == wanted.node || until <= wanted.now);
            if wanted.hooks.contains(hook) && is_free {
                *fence += u64::from(lease.is_none_or(|(node, _)| node != wanted.node));
                *lease = Some((wanted.node, wanted.until));
                held.push(HookLease { hook: hook.clone(), fence: *fence });
            }
        }
        held
    }

    pub(super) fn release(&mut self, node: NodeId) {
        for hook in self.hooks.values_mut() {
            hook.lease = hook.lease.filter(|(holder, _)| *holder != node);
        }
    }

    pub(super) fn settle(&mut self, number: u64, fence: u64, settled: Settled) -> Option<(Name, u64)> {
        let waiting = self.waiting.get_mut(&number)?;
        self.hooks.get(&waiting.hook).filter(|hook| hook.fence == fence)?;
        let known = (waiting.hook.clone(), waiting.event.number);
        match settled {
            Settled::Retry { at } => {
                waiting.attempts += 1;
                waiting.due_at = at;
            }
            Settled::Done | Settled::GivenUp => drop(self.waiting.remove(&number)),
        }
        Some(known)
    }

    pub(super) fn next(&self) -> Option<Timestamp> {
        self.waiting.values().map(|waiting| waiting.due_at).min()
    }

    pub(super) fn waiting(&self) -> u64 {
        self.waiting.len() as u64
    }
}
