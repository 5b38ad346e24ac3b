//! The stream of events: what happens from now on, or since the event a client has seen last.

use super::app::App;
use super::audience::Looking;
use super::caller::Caller;
use super::limits::{KEEP_ALIVE, WRITTEN_BYTES, WRITTEN_EVENTS};
use super::parameters::Parameters;
use super::wire;
use crate::fault::Fault;
use askback_core::Status;
use askback_hub::{Attending, Event, Events, Room};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::Response;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::timeout;

/// `GET /events`
pub(super) async fn events(
    State(app): State<Arc<App>>,
    caller: Caller,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let parameters = Parameters::parse(uri.query(), &["room", "after"])?;
    let room = caller.narrow_room(parameters.room()?)?;
    let after = match headers.get("last-event-id") {
        Some(value) => Some(last_event_id(value)?),
        None => parameters.number("after", 0, u64::MAX)?,
    };
    let events = app.hub.events(after.unwrap_or_else(|| app.hub.last_event())).await?;
    // Whoever asked and follows the events waits for the outcome (L3, L9).
    let attending = caller.asks().is_ok().then(|| app.hub.attend(caller.name().clone()));
    let looking = app.audience.enter(&caller, room.clone());
    let following = Following { app, caller, room, events, _attending: attending, _looking: looking, is_over: false };
    let opening = Bytes::from_static(b"retry: 1000\n\n");
    let stream = futures_util::stream::unfold((Some(opening), following), |(opening, following)| async move {
        match opening {
            Some(bytes) => Some((Ok::<_, Infallible>(bytes), (None, following))),
            None => {
                let (bytes, following) = following.next().await?;
                Some((Ok(bytes), (None, following)))
            }
        }
    });
    let mut response = Response::new(Body::from_stream(stream));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    // Proxies that gather what they pass on would keep it from the person.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

fn last_event_id(value: &HeaderValue) -> Result<u64, Fault> {
    let text = value.to_str().unwrap_or_default();
    let number = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    number.ok_or_else(|| Fault::parameter("Last-Event-ID", "this is none", "the id of an event of this stream"))
}

/// One stream of events.
struct Following {
    app: Arc<App>,
    caller: Caller,
    room: Option<Room>,
    events: Events,
    /// While this is held, the asker is known to be there.
    _attending: Option<Attending>,
    /// The same for a person.
    _looking: Option<Looking>,
    is_over: bool,
}

impl Following {
    /// The next piece of the stream. None when it is over.
    async fn next(mut self) -> Option<(Bytes, Self)> {
        if self.is_over {
            return None;
        }
        let app = Arc::clone(&self.app);
        let _following = app.counters.following.enter();
        let piece = tokio::select! {
            piece = timeout(KEEP_ALIVE, self.piece()) => piece,
            () = app.stopped() => Ok(None),
        };
        let bytes = match piece {
            Ok(Some(bytes)) => bytes,
            Ok(None) => {
                self.is_over = true;
                Bytes::from_static(b": come back\n\n")
            }
            Err(_) => Bytes::from_static(b": still here\n\n"),
        };
        Some((bytes, self))
    }

    async fn piece(&mut self) -> Option<Bytes> {
        let token = Arc::clone(&self.caller.token);
        loop {
            let event = tokio::select! {
                // Who was let in before is not told anything after.
                biased;
                () = token.gone() => return None,
                event = self.events.next() => event,
            };
            match event {
                Ok(event) if self.is_for_us(&event) => return Some(self.app.written.of(&event)),
                Ok(_) => {}
                Err(error) => {
                    tracing::debug!(%error, "a stream of events ends");
                    return None;
                }
            }
        }
    }

    fn is_for_us(&self, event: &Event) -> bool {
        self.caller.hears(event) && self.room.as_ref().is_none_or(|room| event.record.room == *room)
    }
}

/// The newest events as they go over the wire: all who follow are told the same, at about the same time, and it is written once.
#[derive(Default)]
pub(super) struct Written(Mutex<VecDeque<(u64, Bytes)>>);

impl Written {
    fn of(&self, event: &Event) -> Bytes {
        let found = self.lock().iter().find(|(number, _)| *number == event.number).map(|(_, bytes)| bytes.clone());
        found.unwrap_or_else(|| {
            let bytes = written(event);
            if bytes.len() <= WRITTEN_BYTES {
                let mut newest = self.lock();
                newest.truncate(WRITTEN_EVENTS - 1);
                newest.push_front((event.number, bytes.clone()));
            }
            bytes
        })
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(u64, Bytes)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An event as it goes over the wire: the request when it is made, and then its outcome.
fn written(event: &Event) -> Bytes {
    let record = &event.record;
    let body = match event.status {
        Status::Pending => wire::new_record(record),
        _ => wire::state(record, record.outcome.as_deref()),
    };
    // JSON as we write it has no line ends of its own.
    Bytes::from(format!("id: {}\nevent: {}\ndata: {body}\n\n", event.number, event.name()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_core::{Limits, Name, Request};
    use askback_hub::{Ask, Hub, HubOptions};

    async fn asked(count: usize) -> Vec<Event> {
        let hub = Hub::in_memory(HubOptions::default()).await.unwrap();
        let mut events = hub.events(0).await.unwrap();
        let request = Request::parse(br#"{"type": "confirm", "message": "Deploy?"}"#, &Limits::DEFAULT).unwrap();
        let mut all = Vec::new();
        for _ in 0..count {
            let ask = Ask::new(request.clone(), Name::parse("agent").unwrap(), Room::parse("shop").unwrap());
            hub.ask(ask).await.unwrap();
            all.push(events.next().await.unwrap());
        }
        all
    }

    // L3
    #[tokio::test]
    async fn an_event_is_written_once_for_all_who_follow() {
        let (kept, events) = (Written::default(), asked(WRITTEN_EVENTS + 1).await);
        let first = kept.of(&events[0]);
        assert_eq!(first, written(&events[0]));
        assert_eq!(kept.of(&events[0]).as_ptr(), first.as_ptr(), "the same bytes, not written again");
        for event in &events {
            assert_eq!(kept.of(event), written(event), "each has its own");
        }
        assert_eq!(kept.lock().len(), WRITTEN_EVENTS, "only the newest are kept");
        assert_eq!(kept.of(&events[0]), first, "one that is not kept is written again");
    }
}
