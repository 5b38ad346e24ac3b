//! Which requests a document shows.

use super::Room;
use askback_core::Refusal;
use std::fmt;

/// The name under which all rooms are one.
const INBOX: &str = "@inbox";

/// The requests of one room, or of all.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Those of one room.
    Room(Room),
    /// Those of all rooms: an inbox needs one connection.
    Inbox,
}

impl Scope {
    /// The scope of this name: a room's, or `@inbox`.
    pub fn parse(name: &str) -> Result<Self, Refusal> {
        if name == INBOX { Ok(Self::Inbox) } else { Room::parse(name).map(Self::Room) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Room(room) => room.as_str(),
            Self::Inbox => INBOX,
        }
    }

    /// The room, if it is one.
    pub fn room(&self) -> Option<&Room> {
        match self {
            Self::Room(room) => Some(room),
            Self::Inbox => None,
        }
    }

    /// Whether what is in a room is shown.
    pub fn shows(&self, room: &Room) -> bool {
        self.room().is_none_or(|own| own == room)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
