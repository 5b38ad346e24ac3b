//! The clients: each a thread that asks, answers or follows until it is told to end.

pub(crate) mod answerer;
pub(crate) mod asker;
pub(crate) mod attaching_asker;
pub(crate) mod follower;
pub(crate) mod mcp;
mod mcp_http;
mod mcp_stdio;
pub(crate) mod room;
mod websocket;
