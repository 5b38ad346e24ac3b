//! Attendance and presence in memory.

use super::MemoryStore;
use super::faults::take_one;
use crate::error::StoreError;
use crate::query::Unattended;
use crate::record::Record;
use crate::room::Room;
use crate::store::{AttendanceStore, NodeId, Observer, PresenceRenewal, PresenceStore, StoreFuture};
use askback_core::{Name, RequestId};
use jiff::Timestamp;
use std::future::ready;

impl AttendanceStore for MemoryStore {
    fn mark_seen(&self, seen: Vec<(RequestId, Timestamp)>) -> StoreFuture<'_, ()> {
        self.done(|kept| {
            for (id, at) in seen {
                if let Some(row) = kept.row(&id).filter(|row| row.record.outcome.is_none()) {
                    row.record.waited_at = row.record.waited_at.max(at);
                }
            }
        })
    }

    fn unattended(&self, room: Option<Room>, since: Timestamp, among: usize) -> StoreFuture<'_, Vec<Unattended>> {
        self.done(|kept| {
            let there = kept.pending().rev().filter(|record| room.as_ref().is_none_or(|room| record.room == *room));
            let unattended = there.take(among).filter(|record| record.waited_at < since);
            let unattended = unattended.map(|Record { id, asker, waited_at, .. }| Unattended {
                id: id.clone(),
                asker: asker.clone(),
                waited_at: *waited_at,
            });
            unattended.collect()
        })
    }
}

impl PresenceStore for MemoryStore {
    fn renew_presence(&self, renewal: PresenceRenewal) -> StoreFuture<'_, bool> {
        if take_one(&self.faults.failed_renewals) {
            return Box::pin(ready(Err(StoreError::Failed("the renewal failed".to_owned()))));
        }
        self.done(|kept| kept.presence.renew(renewal))
    }

    fn release_presence(&self, node: NodeId) -> StoreFuture<'_, ()> {
        self.done(|kept| kept.presence.release(node))
    }

    fn attended_elsewhere(
        &self,
        observer: Observer,
        requests: Vec<(RequestId, Name)>,
    ) -> StoreFuture<'_, Vec<RequestId>> {
        self.done(|kept| kept.presence.attended_elsewhere(observer, requests))
    }

    fn people_elsewhere(&self, observer: Observer, room: Option<Room>) -> StoreFuture<'_, u64> {
        self.done(|kept| kept.presence.people_elsewhere(observer, room.as_ref()))
    }
}
