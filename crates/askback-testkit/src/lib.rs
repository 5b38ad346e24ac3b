//! The harness of the tests: every store's tests, a hub as a process, HTTP, terminals and tmux, a model's server, webhook
//! receivers, proxies and browser stories. Nothing here is shipped.
//!
//! The path of the binary is an argument: cargo tells it to the tests of the binary's crate alone.
#![allow(clippy::panic, clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

pub mod http;
pub mod sse;
pub mod wait;

#[cfg(feature = "process")]
pub mod browser;
#[cfg(feature = "process")]
pub mod command;
#[cfg(feature = "process")]
pub mod home;
#[cfg(feature = "process")]
pub mod hub_process;
#[cfg(feature = "process")]
pub mod proxy;
#[cfg(feature = "process")]
pub mod receiver;
#[cfg(feature = "process")]
pub mod story;
#[cfg(feature = "process")]
pub mod tmux;
#[cfg(feature = "process")]
pub use {askback_model as model, askback_screen as screen};

#[cfg(feature = "store")]
pub mod sample;
#[cfg(feature = "store")]
pub mod store;
