//! The server from outside: a real process, called over TCP with any header there is.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod again;
mod contract;
mod dialogs;
mod identity;
mod life;
mod limits;
mod logins;
mod lost_replies;
mod refusals;
mod revoked;
mod rooms;
mod scripts;
mod sockets;
mod stopping;

const ASKBACK: &str = env!("CARGO_BIN_EXE_askback");
