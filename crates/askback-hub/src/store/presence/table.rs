//! Presence leases in memory, for stores that one process has to itself.

use super::{Observer, PresenceChange, PresenceRenewal, sees};
use crate::mutex::Mutex;
use crate::request_key::request_key;
use crate::room::Room;
use crate::store::NodeId;
use askback_core::{Name, RequestId};
use jiff::Timestamp;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The presence on each node, in memory.
#[derive(Debug, Default)]
pub struct PresenceTable(Mutex<HashMap<NodeId, NodePresence>>);

#[derive(Debug)]
struct NodePresence {
    until: Timestamp,
    waiting: HashSet<u128>,
    following: HashSet<Name>,
    people: Vec<(Option<Room>, u64)>,
}

impl PresenceTable {
    /// See [`super::PresenceStore::renew_presence`].
    pub fn renew(&self, renewal: PresenceRenewal) -> bool {
        let PresenceRenewal { node, now, until, is_complete, waiting, following, people } = renewal;
        let mut nodes = self.0.lock();
        nodes.retain(|_, presence| presence.until > now);
        if is_complete {
            nodes.insert(
                node,
                NodePresence { until, waiting: HashSet::new(), following: HashSet::new(), people: vec![] },
            );
        }
        let Some(presence) = nodes.get_mut(&node) else { return false };
        presence.until = until;
        change(&mut presence.waiting, waiting, |id| request_key(&id));
        change(&mut presence.following, following, |name| name);
        presence.people = people;
        true
    }

    /// See [`super::PresenceStore::release_presence`].
    pub fn release(&self, node: NodeId) {
        self.0.lock().remove(&node);
    }

    /// See [`super::PresenceStore::attended_elsewhere`].
    pub fn attended_elsewhere(&self, observer: Observer, requests: Vec<(RequestId, Name)>) -> Vec<RequestId> {
        let nodes = self.0.lock();
        let others: Vec<&NodePresence> = elsewhere(&nodes, observer).collect();
        let is_attended = |id: &RequestId, asker: &Name| {
            others.iter().any(|node| node.waiting.contains(&request_key(id)) || node.following.contains(asker))
        };
        requests.into_iter().filter(|(id, asker)| is_attended(id, asker)).map(|(id, _)| id).collect()
    }

    /// See [`super::PresenceStore::people_elsewhere`].
    pub fn people_elsewhere(&self, observer: Observer, room: Option<&Room>) -> u64 {
        let nodes = self.0.lock();
        let people = elsewhere(&nodes, observer).flat_map(|node| &node.people);
        people.filter(|(from, _)| sees(from.as_ref(), room)).map(|(_, count)| count).sum()
    }
}

/// The valid presence on the other nodes.
fn elsewhere(nodes: &HashMap<NodeId, NodePresence>, observer: Observer) -> impl Iterator<Item = &NodePresence> {
    let is_valid =
        move |(node, presence): &(&NodeId, &NodePresence)| **node != observer.node && presence.until > observer.now;
    nodes.iter().filter(is_valid).map(|(_, presence)| presence)
}

fn change<T, K: Eq + Hash>(set: &mut HashSet<K>, change: PresenceChange<T>, key: impl Fn(T) -> K) {
    for removed in change.removed {
        set.remove(&key(removed));
    }
    set.extend(change.added.into_iter().map(key));
}
