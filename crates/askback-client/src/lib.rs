//! The client of an askback hub: the API of askers and people over a local socket, TCP or TLS.
//!
//! There is one [`Client`], with one long poll, one retry policy and one room rule, for everything that talks to a hub.
//! [`race`] asks at a local prompt and on the hub at once; [`ask_and_wait`] asks where no local prompt takes part.

mod asking;
mod attended;
mod client;
mod connection;
mod events;
pub mod limits;
pub mod race;
mod retry;
pub mod transport;

pub use asking::{AskProgress, ask_and_wait, new_id};
pub use client::{Client, RoomRule};
pub use connection::HubStarter;
pub use retry::retry;
