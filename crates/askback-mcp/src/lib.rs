//! The tools of askback for models, over MCP.
//!
//! A tool is a client of [`AskerApi`](askback_api::AskerApi) alone, so that it can do no more than an asker (S1), whether it runs
//! in the program that a client starts ([`serve_stdio`]) or in the hub ([`McpServer`] behind HTTP). A request is durable before the
//! tool waits; the wait ends before the client's own timeout, with the status `pending`. An outcome is reported as delivered just
//! before it is sent ([`delivery`]).

mod arguments;
mod asker_source;
mod budget;
mod call;
mod client_info;
pub mod delivery;
mod dialog;
mod dismissed_dialogs;
#[cfg(feature = "conformance")]
#[path = "../conformance/fixtures.rs"]
mod fixtures;
pub mod limits;
mod lines;
pub mod message;
mod result;
mod server;
mod stdio;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tools;
mod unheard_answers;

pub use asker_source::{AskerSource, FixedAsker};
pub use server::{McpCaller, McpServer};
pub use stdio::serve_stdio;
