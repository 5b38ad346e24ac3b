//! The event stream: events from now on, or since the last event that the client has seen.

use crate::app::{App, HandlerResult, Shared};
use crate::encoded_events::encode;
use crate::fault::Fault;
use crate::limits::{KEEP_ALIVE, REPLAY_BYTES};
use crate::parameters::Parameters;
use crate::service::{Caller, FollowedEvents};
use askback_api::RoomQuery;
use askback_hub::Event;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::Response;
use futures_util::{StreamExt, stream};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::time::timeout;

/// `GET /events`
pub(super) async fn events(State(app): Shared, caller: Caller, uri: Uri, headers: HeaderMap) -> HandlerResult {
    let parameters = Parameters::parse(uri.query(), &["room", "after"])?;
    let after = match headers.get("last-event-id") {
        Some(value) => Some(last_event_id(value)?),
        None => parameters.number("after", 0, u64::MAX)?,
    };
    let followed = app.service.follow(&caller, RoomQuery { room: parameters.room()? }, after).await?;
    let opening = stream::once(async { Bytes::from_static(b"retry: 1000\n\n") });
    let events = stream::unfold(Some(EventChunks { app, caller, followed }), EventChunks::next);
    let stream = opening.chain(events).map(Ok::<_, Infallible>);
    let mut response = Response::new(Body::from_stream(stream));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    // Proxies that buffer responses would delay the events.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

fn last_event_id(value: &HeaderValue) -> Result<u64, Fault> {
    let text = value.to_str().unwrap_or_default();
    let number = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    number.ok_or_else(|| Fault::parameter("Last-Event-ID", "this is none", "the id of an event of this stream"))
}

/// One event stream, encoded in chunks.
struct EventChunks {
    app: Arc<App>,
    caller: Caller,
    followed: FollowedEvents,
}

impl EventChunks {
    /// The events that were read together, in one chunk. The cache is for the newest events.
    fn replayed(&mut self, first: &Event) -> Bytes {
        let mut chunk = encode(first);
        while chunk.len() < REPLAY_BYTES
            && let Some(event) = self.followed.next_replayed(&self.caller)
        {
            chunk.push_str(&encode(&event));
        }
        self.followed.end_turn();
        Bytes::from(chunk)
    }

    /// The next chunk, and the stream itself unless it ends with this chunk.
    async fn next(stream: Option<Self>) -> Option<(Bytes, Option<Self>)> {
        const END: Bytes = Bytes::from_static(b": come back\n\n");
        let mut stream = stream?;
        let app = Arc::clone(&stream.app);
        let _following = app.counters.following.enter();
        let event = tokio::select! {
            event = timeout(KEEP_ALIVE, stream.followed.next(&stream.caller)) => event,
            () = app.service.stopped() => return Some((END, None)),
        };
        Some(match event {
            Ok(Ok(event)) if !stream.followed.is_replaying() => (app.encoded.of(&event), Some(stream)),
            Ok(Ok(event)) => (stream.replayed(&event), Some(stream)),
            Ok(Err(fault)) => {
                tracing::debug!(fault.detail, "a stream of events ends");
                (END, None)
            }
            Err(_) => (Bytes::from_static(b": still here\n\n"), Some(stream)),
        })
    }
}
