//! The presence of askers and people on this node, which other nodes read by its lease (L9).

use super::{Hub, Shared};
use crate::error::{HubError, StoreError};
use crate::limits::{PRESENCE_FLUSH, PRESENCE_HEARTBEAT, PRESENCE_LEASE};
use crate::mutex::Mutex;
use crate::request_key::request_id;
use crate::room::Room;
use crate::set_changes::SetChanges;
use crate::store::{NodeId, Observer, PresenceChange, PresenceRenewal, sees};
use askback_core::{Name, RequestId};
use jiff::Timestamp;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

/// The people on this node, and the signal to renew its lease.
#[derive(Debug)]
pub(crate) struct Presence {
    pub(crate) node: NodeId,
    /// The number of connections of people, by room; `None` is a connection to all rooms.
    people: Mutex<HashMap<Option<Room>, u64>>,
    changed: Arc<Notify>,
}

impl Presence {
    pub(crate) fn new(changed: Arc<Notify>) -> Self {
        Self { node: NodeId::new(), people: Mutex::default(), changed }
    }

    fn enter(&self, room: Option<Room>) {
        *self.people.lock().entry(room).or_default() += 1;
        self.changed.notify_one();
    }

    fn leave(&self, room: &Option<Room>) {
        let mut people = self.people.lock();
        if let Some(count) = people.get_mut(room) {
            *count -= 1;
            // Only rooms with connections are kept.
            if *count == 0 {
                people.remove(room);
            }
        }
        self.changed.notify_one();
    }

    fn people(&self, room: Option<&Room>) -> u64 {
        self.people.lock().iter().filter(|(from, _)| sees(from.as_ref(), room)).map(|(_, count)| count).sum()
    }
}

impl Hub {
    /// Counts a person's connection to a room, or to all rooms, until the returned value is dropped.
    pub fn enter_person(&self, room: Option<Room>) -> PersonPresence {
        self.shared.presence.enter(room.clone());
        PersonPresence { shared: Arc::clone(&self.shared), room }
    }

    /// The number of connections of people, on all nodes, that see requests of this room, or of any room.
    pub async fn people(&self, room: Option<Room>) -> Result<u64, HubError> {
        let here = self.shared.presence.people(room.as_ref());
        Ok(here + self.shared.store.people_elsewhere(self.shared.observer(), room).await?)
    }

    /// Among these requests with their askers, those whose asker waits on another node.
    pub(super) async fn attended_elsewhere(
        &self,
        requests: Vec<(RequestId, Name)>,
    ) -> Result<HashSet<RequestId>, HubError> {
        if requests.is_empty() {
            return Ok(HashSet::new());
        }
        let attended = self.shared.store.attended_elsewhere(self.shared.observer(), requests).await?;
        Ok(attended.into_iter().collect())
    }
}

impl Shared {
    fn observer(&self) -> Observer {
        Observer { node: self.presence.node, now: self.now() }
    }
}

/// A person's connection.
#[derive(Debug)]
pub struct PersonPresence {
    shared: Arc<Shared>,
    room: Option<Room>,
}

impl Drop for PersonPresence {
    fn drop(&mut self) {
        self.shared.presence.leave(&self.room);
    }
}

/// Renews the lease of this node while it covers anything, and reports changes soon.
pub(crate) async fn report(shared: Arc<Shared>) {
    // Whether the next renewal contains everything.
    let mut is_complete = true;
    // Whether the lease covers nothing, so that it need not be renewed.
    let mut is_idle = true;
    loop {
        let changed = shared.presence.changed.notified();
        if is_idle {
            changed.await;
        } else {
            let _ = timeout(PRESENCE_HEARTBEAT, changed).await;
        }
        // Changes that follow each other closely are one renewal.
        sleep(PRESENCE_FLUSH).await;
        let renewal = renewal(&shared, is_complete);
        let is_empty = renewal.is_complete && renewal.covers_nothing();
        if is_idle && is_empty {
            continue;
        }
        match shared.store.renew_presence(renewal).await {
            Ok(true) => {
                is_idle = is_empty;
                // An idle lease begins with a complete renewal, so that no change of before is lost.
                is_complete = is_idle || shared.covers_nothing();
            }
            Ok(false) => {
                is_complete = true;
                shared.presence.changed.notify_one();
            }
            Err(StoreError::Closed) => return,
            Err(error) => {
                tracing::warn!(%error, "the lease of this node can't be renewed; retrying");
                // The renewal may hold what the lease does not cover yet.
                (is_complete, is_idle) = (true, false);
                sleep(PRESENCE_HEARTBEAT).await;
            }
        }
    }
}

fn renewal(shared: &Shared, is_complete: bool) -> PresenceRenewal {
    let now = shared.now();
    shared.listeners.expire(now, shared.attended_for);
    let (waiting, following) = if is_complete {
        (shared.waiters.take_all(), shared.listeners.take_all())
    } else {
        (shared.waiters.take_changes(), shared.listeners.take_changes())
    };
    PresenceRenewal {
        node: shared.presence.node,
        now,
        until: now.checked_add(PRESENCE_LEASE).unwrap_or(Timestamp::MAX),
        is_complete,
        waiting: change(waiting, request_id),
        following: change(following, Some),
        people: shared.presence.people.lock().iter().map(|(room, count)| (room.clone(), *count)).collect(),
    }
}

fn change<K, T>(changes: SetChanges<K>, member: impl Fn(K) -> Option<T>) -> PresenceChange<T> {
    let members = |keys: HashSet<K>| keys.into_iter().filter_map(&member).collect();
    PresenceChange { added: members(changes.added), removed: members(changes.removed) }
}

impl Shared {
    fn covers_nothing(&self) -> bool {
        self.waiters.is_empty() && self.listeners.is_empty() && self.presence.people.lock().is_empty()
    }
}
