//! Rooms: their names, and what any Yjs client sees of them and says in them. Everything below is bytes in and messages out.

mod any;
mod author;
pub(crate) mod awareness;
pub(crate) mod document;
mod entry;
mod folder;
mod keys;
pub(crate) mod member;
pub(crate) mod message;
pub(crate) mod open;
pub(crate) mod presence;
pub(crate) mod proposal;
pub(crate) mod reading;
mod scope;
mod standing;
pub(crate) mod state_vector;
mod update;
#[cfg(test)]
mod wire_tests;
pub(crate) mod writing;

pub use askback_core::Room;
pub(crate) use author::Author;
pub use folder::folder_room;
pub use scope::Scope;
