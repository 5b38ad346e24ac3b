//! The stream of a hub's events.

use crate::limits::{EVENT_BYTES, SILENCE};
use askback_api::{ApiError, ApiFuture, EventStream, StreamEvent};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tokio::time::timeout;

pub(crate) struct ConnectionEvents {
    body: Incoming,
    unread: Vec<u8>,
}

impl ConnectionEvents {
    pub(crate) fn new(body: Incoming) -> Self {
        Self { body, unread: Vec::new() }
    }
}

impl EventStream for ConnectionEvents {
    fn next(&mut self) -> ApiFuture<'_, StreamEvent> {
        Box::pin(async move {
            loop {
                while let Some(end) = self.unread.windows(2).position(|window| window == b"\n\n") {
                    let block: Vec<u8> = self.unread.drain(..end + 2).collect();
                    if let Some(event) = read(&String::from_utf8_lossy(&block)) {
                        return Ok(event);
                    }
                }
                if self.unread.len() > EVENT_BYTES {
                    return Err(ApiError::Foreign("an event does not end".to_owned()));
                }
                let frame = timeout(SILENCE, self.body.frame()).await;
                let frame = frame.map_err(|_| ApiError::Lost("it has gone silent".to_owned()))?;
                let frame = frame.ok_or_else(|| ApiError::Lost("it has ended the stream".to_owned()))?;
                let frame = frame.map_err(|error| ApiError::Lost(error.to_string()))?;
                if let Ok(bytes) = frame.into_data() {
                    self.unread.extend_from_slice(&bytes);
                }
            }
        })
    }
}

/// Reads the event in a block of lines; a comment has none.
fn read(block: &str) -> Option<StreamEvent> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    StreamEvent::read(field("id")?.parse().ok()?, field("event")?, field("data")?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    // L3
    #[test]
    fn events_are_read_and_comments_are_not() {
        let data =
            r#"{"id":"019a8b3c-0000-7000-8000-000000000000","status":"answered","answeredBy":"a","surface":"page"}"#;
        assert_eq!(read(&format!("id: 7\nevent: request.answered\ndata: {data}\n\n")).unwrap().number, 7);
        for block in [": still here\n\n", "retry: 1000\n\n", "id: 1\ndata: {}\n\n", "id: 1\nevent: y\ndata: {\n\n"] {
            assert!(read(block).is_none(), "{block}");
        }
    }
}
