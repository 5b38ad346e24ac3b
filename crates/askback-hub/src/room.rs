//! Rooms: their names, and what any Yjs client sees of them and says in them. Everything below is bytes in and messages out.

#[path = "../../askback-yjs/src/any.rs"]
mod any;
mod author;
#[path = "../../askback-yjs/src/awareness.rs"]
pub(crate) mod awareness;
pub(crate) mod document;
mod entry;
mod folder;
#[path = "../../askback-yjs/src/key_cache.rs"]
mod keys;
pub(crate) mod member;
#[path = "../../askback-yjs/src/message.rs"]
pub(crate) mod message;
pub(crate) mod open;
pub(crate) mod presence;
#[path = "../../askback-yjs/src/proposal.rs"]
pub(crate) mod proposal;
#[path = "../../askback-yjs/src/byte_reader.rs"]
pub(crate) mod reading;
mod scope;
#[path = "../../askback-yjs/src/map_values.rs"]
mod standing;
#[path = "../../askback-yjs/src/state_vector.rs"]
pub(crate) mod state_vector;
#[path = "../../askback-yjs/src/update.rs"]
mod update;
#[cfg(test)]
mod wire_tests;
#[path = "../../askback-yjs/src/byte_writer.rs"]
pub(crate) mod writing;

pub use askback_core::Room;
pub(crate) use author::Author;
pub use folder::folder_room;
pub use scope::Scope;
