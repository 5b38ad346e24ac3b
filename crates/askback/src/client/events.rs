//! The hub's events as a client reads them.

use super::connection::whole;
use super::{ClientError, foreign, refused};
use askback_core::{Json, Limits};
use http_body_util::BodyExt;
use hyper::Response;
use hyper::body::Incoming;
use std::time::Duration;
use tokio::time::timeout;

/// A hub that says nothing for this long, not even that it is still there, is gone.
const SILENCE: Duration = Duration::from_secs(40);

/// Bytes of one event.
const LARGEST: usize = 64 << 20;

/// One event.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) number: u64,
    /// `request.created`, `request.answered`, …
    pub(crate) name: String,
    /// The request, or its outcome.
    pub(crate) body: Json,
}

/// A stream of them.
pub(crate) struct EventStream {
    body: Incoming,
    unread: Vec<u8>,
}

impl EventStream {
    pub(super) async fn open(response: Response<Incoming>) -> Result<Self, ClientError> {
        let status = response.status().as_u16();
        if status != 200 {
            let bytes = whole(response.into_body()).await?;
            let problem = Json::parse(&bytes, &Limits::STORED).map_err(|_| foreign(status))?;
            return Err(refused(status, problem));
        }
        Ok(Self { body: response.into_body(), unread: Vec::new() })
    }

    /// The next event. Dropped in the middle, nothing is lost.
    pub(crate) async fn next(&mut self) -> Result<Told, ClientError> {
        loop {
            while let Some(end) = find(&self.unread, b"\n\n") {
                let block: Vec<u8> = self.unread.drain(..end + 2).collect();
                if let Some(told) = read(&String::from_utf8_lossy(&block)) {
                    return Ok(told);
                }
            }
            if self.unread.len() > LARGEST {
                return Err(ClientError::Foreign("an event does not end".to_owned()));
            }
            let frame = timeout(SILENCE, self.body.frame()).await;
            let frame = frame.map_err(|_| ClientError::Lost("it has gone silent".to_owned()))?;
            let frame = frame.ok_or_else(|| ClientError::Lost("it has ended the stream".to_owned()))?;
            let frame = frame.map_err(|error| ClientError::Lost(error.to_string()))?;
            if let Ok(bytes) = frame.into_data() {
                self.unread.extend_from_slice(&bytes);
            }
        }
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

/// What a block of lines says; a comment says nothing.
fn read(block: &str) -> Option<Told> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    Some(Told {
        number: field("id")?.parse().ok()?,
        name: field("event")?.to_owned(),
        body: Json::parse(field("data")?.as_bytes(), &Limits::STORED).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // L3
    #[test]
    fn events_are_read_and_comments_are_not() {
        let told = read("id: 7\nevent: request.answered\ndata: {\"id\":\"x\"}\n\n").unwrap();
        assert_eq!((told.number, told.name.as_str()), (7, "request.answered"));
        assert_eq!(told.body.get("id").and_then(Json::as_str), Some("x"));
        for block in [": still here\n\n", "retry: 1000\n\n", "id: 1\ndata: {}\n\n", "id: 1\nevent: y\ndata: {\n\n"] {
            assert!(read(block).is_none(), "{block}");
        }
    }
}
