//! The room of a request that names none (L8): one rule for everything that asks.

use askback_core::Room;

/// Where a request that names no room is asked.
#[derive(Debug, Clone, Default)]
pub enum RoomRule {
    /// In this room.
    Named(Room),
    /// In the room of the token, or else in this one, of the folder that the asker works in.
    Folder(Room),
    /// In the room of the token.
    #[default]
    Token,
}
