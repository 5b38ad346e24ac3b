//! Who could answer now: the people who are looking on, and those whom the hub tells of new requests.

use super::Caller;
use askback_core::Room;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Those who would notice a request.
#[derive(Debug, Default)]
pub(crate) struct Audience {
    /// How many connections of people look at a room, or at all that they may see.
    looking: Mutex<HashMap<Option<Room>, usize>>,
    /// The rooms whose new requests somebody is told of by a webhook or by the command; none stands for all of them.
    told: Vec<Option<Room>>,
}

/// One connection of a person, for as long as it is held.
#[derive(Debug)]
pub(crate) struct Presence {
    audience: Arc<Audience>,
    at: Option<Room>,
}

impl Audience {
    /// Nobody yet, except in these rooms, whose new requests a webhook or a command tells of.
    pub(crate) fn told_of(rooms: Vec<Option<Room>>) -> Self {
        Self { told: rooms, ..Self::default() }
    }

    /// One more, if it is a person: an agent can't answer, however closely it looks.
    pub(crate) fn enter(self: &Arc<Self>, caller: &Caller, at: Option<Room>) -> Option<Presence> {
        caller.answers().is_ok().then(|| self.seat(at))
    }

    fn seat(self: &Arc<Self>, at: Option<Room>) -> Presence {
        *self.lock().entry(at.clone()).or_default() += 1;
        Presence { audience: Arc::clone(self), at }
    }

    /// The connections of people who see what is asked in a room, or anything at all.
    pub(crate) fn people(&self, room: Option<&Room>) -> usize {
        let looking = self.lock();
        looking.iter().filter(|(at, _)| sees(at.as_ref(), room)).map(|(_, count)| count).sum()
    }

    /// Whether somebody is told of what is asked there.
    pub(crate) fn is_told(&self, room: Option<&Room>) -> bool {
        self.told.iter().any(|at| sees(at.as_ref(), room))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Option<Room>, usize>> {
        self.looking.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn sees(at: Option<&Room>, room: Option<&Room>) -> bool {
    match (at, room) {
        (Some(at), Some(room)) => at == room,
        _ => true,
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut looking = self.audience.lock();
        if let Some(count) = looking.get_mut(&self.at) {
            *count -= 1;
            // Rooms come and go; only those that somebody looks at are worth a place.
            if *count == 0 {
                looking.remove(&self.at);
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
        let everywhere = audience.seat(None);
        let [one, other] = [audience.seat(Some(shop.clone())), audience.seat(Some(shop.clone()))];
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
        let told = |told: Vec<Option<Room>>| Audience { told, ..Audience::default() };
        let (shop, api) = (room("shop"), room("api"));
        assert!(!told(vec![]).is_told(None));
        assert!(told(vec![None]).is_told(Some(&api)));
        let of_a_room = told(vec![Some(shop.clone())]);
        assert!(of_a_room.is_told(Some(&shop)) && of_a_room.is_told(None) && !of_a_room.is_told(Some(&api)));
    }
}
