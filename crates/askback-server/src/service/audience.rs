//! The audience of requests besides connected people: webhooks or commands that are notified.

use askback_core::Room;

/// The webhooks and the command that are notified of new requests.
#[derive(Debug, Default)]
pub(crate) struct Audience {
    /// The rooms whose new requests a webhook or the command is notified of; `None` stands for all rooms.
    notified: Vec<Option<Room>>,
}

impl Audience {
    /// An audience of webhooks or a command for these rooms.
    pub(crate) fn notifying(rooms: Vec<Option<Room>>) -> Self {
        Self { notified: rooms }
    }

    /// Whether a webhook or the command is notified of requests of this room, or of any room.
    pub(crate) fn is_notified(&self, room: Option<&Room>) -> bool {
        self.notified.iter().any(|own| own.is_none() || room.is_none() || own.as_ref() == room)
    }
}

#[cfg(test)]
mod tests {
    use super::Audience;
    use askback_core::Room;

    // L9
    #[test]
    fn audience_is_notified_of_its_rooms_alone() {
        let notifying = Audience::notifying;
        let [shop, api] = ["shop", "api"].map(|name| Room::parse(name).unwrap());
        assert!(!notifying(vec![]).is_notified(None));
        assert!(notifying(vec![None]).is_notified(Some(&api)));
        let of_a_room = notifying(vec![Some(shop.clone())]);
        assert!(
            of_a_room.is_notified(Some(&shop)) && of_a_room.is_notified(None) && !of_a_room.is_notified(Some(&api))
        );
    }
}
