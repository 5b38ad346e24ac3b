//! The audience of requests: connected people, and webhooks or commands that are notified.

use super::Caller;
use askback_core::Room;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The audience of new requests.
#[derive(Debug, Default)]
pub(crate) struct Audience {
    /// The number of connections of people, by room; `None` is a connection to all rooms.
    connections: Mutex<HashMap<Option<Room>, usize>>,
    /// The rooms whose new requests a webhook or the command is notified of; `None` stands for all rooms.
    notified: Vec<Option<Room>>,
}

/// Counts a connection of a person for as long as it is held.
#[derive(Debug)]
pub(crate) struct Presence {
    audience: Arc<Audience>,
    room: Option<Room>,
}

impl Audience {
    /// An audience without connections, with webhooks or a command for these rooms.
    pub(crate) fn notifying(rooms: Vec<Option<Room>>) -> Self {
        Self { notified: rooms, ..Self::default() }
    }

    /// Counts a connection if it is a person's: agents can't answer.
    pub(crate) fn enter(self: &Arc<Self>, caller: &Caller, room: Option<Room>) -> Option<Presence> {
        caller.answers().is_ok().then(|| self.count(room))
    }

    fn count(self: &Arc<Self>, room: Option<Room>) -> Presence {
        *self.lock().entry(room.clone()).or_default() += 1;
        Presence { audience: Arc::clone(self), room }
    }

    /// The number of connections of people that see requests of this room, or of any room.
    pub(crate) fn people(&self, room: Option<&Room>) -> usize {
        self.lock().iter().filter(|(own, _)| includes(own.as_ref(), room)).map(|(_, count)| count).sum()
    }

    /// Whether a webhook or the command is notified of requests of this room, or of any room.
    pub(crate) fn is_notified(&self, room: Option<&Room>) -> bool {
        self.notified.iter().any(|own| includes(own.as_ref(), room))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Option<Room>, usize>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn includes(own: Option<&Room>, room: Option<&Room>) -> bool {
    own.is_none() || room.is_none() || own == room
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut connections = self.audience.lock();
        if let Some(count) = connections.get_mut(&self.room) {
            *count -= 1;
            // Only rooms with connections are kept.
            if *count == 0 {
                connections.remove(&self.room);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(name: &str) -> Room {
        Room::parse(name).unwrap()
    }

    // L9
    #[test]
    fn people_count_where_they_look_and_while_they_do() {
        let audience = Arc::new(Audience::default());
        let (shop, api) = (room("shop"), room("api"));
        let everywhere = audience.count(None);
        let [one, other] = [audience.count(Some(shop.clone())), audience.count(Some(shop.clone()))];
        let counts = || [audience.people(None), audience.people(Some(&shop)), audience.people(Some(&api))];
        assert_eq!(counts(), [3, 3, 1]);
        drop(one);
        assert_eq!(counts(), [2, 2, 1]);
        drop((other, everywhere));
        assert_eq!(counts(), [0, 0, 0]);
        assert!(audience.lock().is_empty(), "nothing is kept of those who left");
    }

    // L9
    #[test]
    fn those_count_who_are_told_of_new_requests() {
        let notifying = Audience::notifying;
        let (shop, api) = (room("shop"), room("api"));
        assert!(!notifying(vec![]).is_notified(None));
        assert!(notifying(vec![None]).is_notified(Some(&api)));
        let of_a_room = notifying(vec![Some(shop.clone())]);
        assert!(
            of_a_room.is_notified(Some(&shop)) && of_a_room.is_notified(None) && !of_a_room.is_notified(Some(&api))
        );
    }
}
