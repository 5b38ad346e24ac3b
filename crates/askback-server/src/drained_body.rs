//! The body of a call that was answered before it was read: the rest is read and dropped, within bounds, so that the client can
//! read the response and use the connection again. Closing a socket with unread bytes would reset the connection, and the
//! response could be lost on its way.

use crate::limits::{DRAIN_BYTES, DRAIN_TIMEOUT};
use axum::body::{Bytes, HttpBody};
use axum::http::HeaderMap;
use axum::http::header::EXPECT;
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::runtime::Handle;
use tokio::time::timeout;

/// A body that is read to its end when it is dropped before.
pub(crate) struct DrainedBody {
    /// None once it has ended.
    body: Option<Incoming>,
    /// Whether the client has begun to send it. One that expects `100 Continue` sends it when it is first read.
    is_coming: bool,
}

impl DrainedBody {
    pub(crate) fn new(body: Incoming, headers: &HeaderMap) -> Self {
        let is_coming = !headers.contains_key(EXPECT);
        Self { body: Some(body).filter(|body| !body.is_end_stream()), is_coming }
    }
}

impl HttpBody for DrainedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<hyper::Result<Frame<Bytes>>>> {
        self.is_coming = true;
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let polled = Pin::new(body).poll_frame(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.body = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for DrainedBody {
    fn drop(&mut self) {
        if let Some(body) = self.body.take()
            && self.is_coming
            && !body.is_end_stream()
            // There is none once the server has ended.
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(drain(body));
        }
    }
}

/// Reads a body to its end. One that is too large or too slow is left, and with it its connection.
async fn drain(mut body: Incoming) {
    let drained = async {
        let mut read = 0;
        while read <= DRAIN_BYTES
            && let Some(Ok(frame)) = body.frame().await
        {
            read += frame.data_ref().map_or(0, Bytes::len);
        }
    };
    // Either way the body is dropped.
    let _ = timeout(DRAIN_TIMEOUT, drained).await;
}
