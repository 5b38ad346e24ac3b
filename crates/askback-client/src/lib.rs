//! The client of an askback hub: the API of askers and people over a socket of this machine, TCP or TLS.
//!
//! There is one [`Client`], with one long poll, one retry policy and one room rule, for everything that talks to a hub.
//! [`race`] asks at a local prompt and on the hub at once; [`ask_and_wait`] asks where no local prompt takes part.

mod asking;
mod client;
mod connection;
mod events;
mod id;
pub mod limits;
pub mod race;
mod refusal;
mod retry;
mod room_rule;
pub mod transport;

pub use asking::{AskProgress, ask_and_wait};
pub use client::Client;
pub use connection::{HubStarter, Start};
pub use id::new_id;
pub use retry::retry;
pub use room_rule::RoomRule;
