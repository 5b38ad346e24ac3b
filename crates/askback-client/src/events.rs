//! The stream of a hub's events.

use crate::limits::{EVENT_BYTES, SILENCE};
use askback_api::{ApiError, ApiFuture, EventStream, StreamEvent};
use askback_sse::{Event, EventReader};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tokio::time::timeout;

pub(crate) struct ConnectionEvents {
    body: Incoming,
    reader: EventReader,
}

impl ConnectionEvents {
    pub(crate) fn new(body: Incoming) -> Self {
        Self { body, reader: EventReader::new(EVENT_BYTES) }
    }
}

impl EventStream for ConnectionEvents {
    fn next(&mut self) -> ApiFuture<'_, StreamEvent> {
        Box::pin(async move {
            loop {
                let endless = |_| ApiError::Foreign("an event does not end".to_owned());
                while let Some(event) = self.reader.next_event().map_err(endless)? {
                    if let Some(event) = read(&event) {
                        return Ok(event);
                    }
                }
                let frame = timeout(SILENCE, self.body.frame()).await;
                let frame = frame.map_err(|_| ApiError::Lost("it has gone silent".to_owned()))?;
                let frame = frame.ok_or_else(|| ApiError::Lost("it has ended the stream".to_owned()))?;
                let frame = frame.map_err(|error| ApiError::Lost(error.to_string()))?;
                if let Ok(bytes) = frame.into_data() {
                    self.reader.feed(&bytes);
                }
            }
        })
    }
}

/// The event of the hub, or `None` for one that this version does not know.
fn read(event: &Event) -> Option<StreamEvent> {
    StreamEvent::read(event.id.parse().ok()?, &event.name, event.data.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    // L3
    #[test]
    fn event_of_the_hub_is_read_and_another_is_skipped() {
        let data =
            r#"{"id":"019a8b3c-0000-7000-8000-000000000000","status":"answered","answeredBy":"a","surface":"page"}"#;
        let event = |id: &str, name: &str, data: &str| Event {
            id: id.to_owned(),
            name: name.to_owned(),
            data: data.to_owned(),
        };
        assert_eq!(read(&event("7", "request.answered", data)).unwrap().number, 7);
        for other in [event("", "request.answered", data), event("1", "", data), event("1", "request.answered", "{")] {
            assert!(read(&other).is_none(), "{other:?}");
        }
    }
}
