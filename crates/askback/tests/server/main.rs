//! The server from outside: a real process, called over TCP with any header there is.

#![expect(clippy::panic, clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod again;
mod contract;
mod dialogs;
mod http;
mod identity;
mod life;
mod logins;
mod lost_replies;
mod process;
mod refusals;
mod revoked;
mod rooms;
mod scripts;
mod sockets;
mod stopping;
mod streams;
