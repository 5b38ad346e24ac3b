//! Rooms: their names, their documents, and the connections in them. `askback-yjs` reads and writes the bytes.

mod author;
pub(crate) mod document;
mod entry;
mod folder;
pub(crate) mod member;
pub(crate) mod open;
pub(crate) mod presence;
mod replica;
mod scope;

pub use askback_core::Room;
pub(crate) use author::Author;
pub use folder::folder_room;
pub use scope::Scope;
