//! The server of an askback hub: the use cases of askers and people (`service`), and its ports: HTTP, rooms over WebSocket, the page and
//! the page without scripts, scripts, webhooks and MCP.
//!
//! The caller passes the whole configuration; the server reads none itself.

mod app;
mod assets;
mod audit;
mod body;
mod connection_slots;
mod counters;
mod drained_body;
mod encoded_events;
mod events;
mod extract;
mod fault;
mod gate;
mod guard;
mod limits;
mod listen;
mod login;
mod mcp;
mod metrics;
mod on_request;
mod openapi;
mod parameters;
mod plain;
mod pool;
mod private;
mod readiness;
mod recent_result;
mod requests;
mod routes;
mod scripts;
mod sent_body;
mod server;
mod service;
#[cfg(test)]
mod shared_resources;
mod stall_timeout;
mod sync;
mod tokens;
pub mod webhook;

pub use askback_script::WorkerProgram;
pub use gate::PublicUrl;
pub use listen::{ConnectionLimits, allowed_files, prepare_thread};
pub use on_request::CommandLine;
pub use openapi::text as openapi_text;
pub use private::PrivateHub;
pub use server::{Server, ServerOptions};
