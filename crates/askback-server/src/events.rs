//! The event stream: events from now on, or since the last event that the client has seen.

use crate::app::{App, HandlerResult, Shared};
use crate::fault::Fault;
use crate::limits::KEEP_ALIVE;
use crate::parameters::Parameters;
use crate::service::{Caller, FollowedEvents};
use askback_api::RoomQuery;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::Response;
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
    let stream = EventBytes { app, caller, followed, stage: Stage::Opening };
    let stream = futures_util::stream::unfold(stream, |stream| async move {
        let (bytes, stream) = stream.next().await?;
        Some((Ok::<_, Infallible>(bytes), stream))
    });
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

/// One event stream, as bytes.
struct EventBytes {
    app: Arc<App>,
    caller: Caller,
    followed: FollowedEvents,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Opening,
    Following,
    Over,
}

impl EventBytes {
    /// The next chunk of the stream; `None` at its end.
    async fn next(mut self) -> Option<(Bytes, Self)> {
        let bytes = match self.stage {
            Stage::Opening => {
                self.stage = Stage::Following;
                Bytes::from_static(b"retry: 1000\n\n")
            }
            Stage::Following => self.next_chunk().await,
            Stage::Over => return None,
        };
        Some((bytes, self))
    }

    async fn next_chunk(&mut self) -> Bytes {
        let app = Arc::clone(&self.app);
        let _following = app.counters.following.enter();
        let event = tokio::select! {
            event = timeout(KEEP_ALIVE, self.followed.next(&self.caller)) => event,
            () = app.service.stopped() => {
                self.stage = Stage::Over;
                return Bytes::from_static(b": come back\n\n");
            }
        };
        match event {
            Ok(Ok(event)) => app.encoded.of(&event),
            Ok(Err(fault)) => {
                tracing::debug!(fault.detail, "a stream of events ends");
                self.stage = Stage::Over;
                Bytes::from_static(b": come back\n\n")
            }
            Err(_) => Bytes::from_static(b": still here\n\n"),
        }
    }
}
