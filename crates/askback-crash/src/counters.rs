//! Counters that the clients share, by port.

use std::sync::atomic::{AtomicU64, Ordering};

/// How a client reaches the hub.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Port {
    /// HTTP calls.
    Http,
    /// A room, as a Yjs client.
    Room,
    /// MCP, over standard input and output or over HTTP.
    Mcp,
}

impl Port {
    /// Every port.
    pub const ALL: [Self; 3] = [Self::Http, Self::Room, Self::Mcp];

    /// Its name in the report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Room => "rooms",
            Self::Mcp => "mcp",
        }
    }
}

/// A number that many clients count up.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What the clients have done.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) creations: [Counter; 3],
    pub(crate) endings: [Counter; 3],
    pub(crate) late: Counter,
    pub(crate) replies_lost: Counter,
    pub(crate) retries: Counter,
    pub(crate) streams_resumed: Counter,
    pub(crate) rooms_reopened: Counter,
    pub(crate) waits_ended: Counter,
    pub(crate) deliveries: Counter,
    pub(crate) mcp_results: Counter,
    pub(crate) mcp_kills: Counter,
}

impl Counters {
    /// A request was acknowledged.
    pub(crate) fn created(&self, port: Port) {
        self.creations[port as usize].add();
    }

    /// An ending was acknowledged.
    pub(crate) fn ended(&self, port: Port) {
        self.endings[port as usize].add();
    }
}
