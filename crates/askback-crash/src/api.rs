//! Calls to a hub that may be killed meanwhile: a reply counts when the whole of it has arrived.

use crate::Failure;
use crate::counters::Counters;
use askback_testkit::http::{Call, Connection, Reply};
use serde_json::Value;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The pause before a call is repeated.
const RETRY: Duration = Duration::from_millis(3);

/// How long a call is repeated: longer than any outage of the campaign.
const PATIENCE: Duration = Duration::from_secs(60);

/// A reply that arrived whole.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    /// The body without its transfer encoding.
    pub(crate) body: String,
    /// The session of an MCP client.
    pub(crate) session: Option<String>,
}

impl Response {
    /// The body as JSON; null if it is not JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

/// A hub, as its clients know it.
#[derive(Debug)]
pub(crate) struct HubApi {
    pub(crate) address: SocketAddr,
    pub(crate) counters: Counters,
    /// Calls that were begun.
    sent: AtomicU64,
    /// Set when the campaign has failed and nobody restarts the hub.
    is_abandoned: AtomicBool,
}

impl HubApi {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self { address, counters: Counters::default(), sent: AtomicU64::new(0), is_abandoned: AtomicBool::new(false) }
    }

    pub(crate) fn call(&self, method: &str, path: &str, token: &str) -> Call {
        Call::new(&self.address, method, path).token(token)
    }

    pub(crate) fn post(&self, path: &str, token: &str, body: &Value) -> Call {
        self.call("POST", path, token).body(body.to_string())
    }

    /// The number of calls that were begun.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Ends all calls that are still repeated.
    pub(crate) fn abandon(&self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
    }

    /// Whether a client that is repeating something should give up.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.is_abandoned.load(Ordering::Relaxed)
    }

    /// Sends a call once. After an error it is not known whether the hub has acted on it.
    pub(crate) fn send(&self, call: &Call) -> io::Result<Response> {
        let connection = Connection::open(self.address)?;
        self.sent.fetch_add(1, Ordering::Relaxed);
        let reply = call.send_over(connection).and_then(|reply| whole(&reply).ok_or_else(cut_off));
        if reply.is_err() {
            self.counters.replies_lost.add();
        }
        reply
    }

    /// Sends a call until the hub decides on it.
    pub(crate) fn send_until_decided(&self, call: &Call) -> Result<Response, Failure> {
        let start = Instant::now();
        let mut last = String::new();
        while start.elapsed() < PATIENCE && !self.is_abandoned() {
            match self.send(call) {
                Ok(response) if !is_transient(response.status) => return Ok(response),
                Ok(response) => last = response.body,
                Err(error) => last = error.to_string(),
            }
            self.counters.retries.add();
            sleep(RETRY);
        }
        Err(format!("a call was not decided in {:?}: {last}", start.elapsed()).into())
    }
}

/// Whether the same call may succeed later: a limit, a hub that stops, a store that fails or is full.
pub(crate) fn is_transient(status: u16) -> bool {
    matches!(status, 429 | 503 | 507)
}

fn cut_off() -> io::Error {
    io::ErrorKind::UnexpectedEof.into()
}

/// The reply, if its body is as long as its head says.
fn whole(reply: &Reply) -> Option<Response> {
    let body = match reply.header("content-length") {
        Some(length) => (length.parse() == Ok(reply.bytes.len())).then(|| reply.body.clone())?,
        None if reply.header("transfer-encoding") == Some("chunked") => dechunk(&reply.bytes)?,
        None => reply.body.clone(),
    };
    Some(Response { status: reply.status, body, session: reply.header("mcp-session-id").map(str::to_owned) })
}

/// The text in chunks, if the last one has arrived.
fn dechunk(mut bytes: &[u8]) -> Option<String> {
    let mut body = Vec::new();
    loop {
        let end = bytes.windows(2).position(|pair| pair == b"\r\n")?;
        let length = usize::from_str_radix(std::str::from_utf8(&bytes[..end]).ok()?.trim(), 16).ok()?;
        if length == 0 {
            return String::from_utf8(body).ok();
        }
        body.extend(bytes.get(end + 2..end + 2 + length)?);
        bytes = bytes.get(end + 2 + length + 2..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::dechunk;

    #[test]
    fn chunked_body_counts_when_its_last_chunk_has_arrived() {
        let whole = b"3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n";
        assert_eq!(dechunk(whole).as_deref(), Some("abc0123456789"));
        for end in 0..whole.len() - 5 {
            assert_eq!(dechunk(&whole[..end]), None, "{end}");
        }
    }
}
