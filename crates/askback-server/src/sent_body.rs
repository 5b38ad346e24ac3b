//! The memory of responses (S3, S8): the bytes of a body count for its caller from when they are encoded until the connection has taken
//! them, so that clients that ask for much and read nothing take a bounded amount.

use crate::fault::Fault;
use crate::limits::FREE_BYTES;
use crate::pool::{Holder, Pool, PoolLease};
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// Counts the body of the response to a call that reads. Past the share of its caller the response is an error instead.
pub(crate) fn admit(response: Response, holder: Holder, pool: &Pool) -> Response {
    let mut lease = pool.lease(holder);
    match length(&response).filter(|bytes| *bytes > FREE_BYTES).map_or(Ok(()), |bytes| lease.grow_to(bytes)) {
        Ok(()) => counted(response, lease),
        Err(error) => Fault::from(error).into_response(),
    }
}

/// Counts the body of the response to a call that has taken effect, also past the share of its caller.
pub(crate) fn count(response: Response, holder: Holder, pool: &Pool) -> Response {
    let mut lease = pool.lease(holder);
    lease.overdraw(length(&response).filter(|bytes| *bytes > FREE_BYTES).unwrap_or(0));
    counted(response, lease)
}

/// The length of a body, unless it is a stream.
fn length(response: &Response) -> Option<usize> {
    response.body().size_hint().exact().map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// The response with the lease of its bytes. A stream has a lease for each piece, and ends with the piece that has no place: its client
/// resumes after the last one that arrived.
fn counted(response: Response, lease: PoolLease) -> Response {
    let lease = match length(&response) {
        Some(bytes) if bytes <= FREE_BYTES => return response,
        Some(_) => Lease::OfAll(Arc::new(lease)),
        None => Lease::OfEachPiece(lease),
    };
    let announced = response.body().size_hint();
    response.map(|inner| Body::new(SentBody { inner, lease, announced }))
}

enum Lease {
    OfAll(Arc<PoolLease>),
    /// Of nothing, to begin others from.
    OfEachPiece(PoolLease),
}

/// A body whose bytes count until the connection has taken them.
struct SentBody {
    inner: Body,
    lease: Lease,
    announced: SizeHint,
}

/// Bytes and the lease that counts them.
struct CountedBytes {
    bytes: Bytes,
    _lease: Arc<PoolLease>,
}

impl AsRef<[u8]> for CountedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl SentBody {
    /// The bytes of a frame, with the lease that lasts as long as they do.
    fn counted(&self, bytes: Bytes) -> Result<Bytes, axum::Error> {
        let lease = match &self.lease {
            Lease::OfAll(lease) => Arc::clone(lease),
            Lease::OfEachPiece(_) if bytes.len() <= FREE_BYTES => return Ok(bytes),
            Lease::OfEachPiece(empty) => {
                let mut lease = empty.another();
                lease
                    .grow_to(bytes.len())
                    .map_err(|error| axum::Error::new(std::io::Error::other(error.to_string())))?;
                Arc::new(lease)
            }
        };
        Ok(Bytes::from_owner(CountedBytes { bytes, _lease: lease }))
    }
}

impl HttpBody for SentBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.inner).poll_frame(context);
        polled.map(|frame| {
            frame.map(|frame| match frame?.into_data() {
                Ok(bytes) => self.counted(bytes).map(Frame::data),
                Err(trailers) => Ok(trailers),
            })
        })
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.announced
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::RESPONSES;
    use axum::http::StatusCode;
    use futures_util::{StreamExt, stream};
    use http_body_util::BodyExt;
    use std::convert::Infallible;

    const ASKER: Holder = Holder { token: 1, is_person: false };

    fn whole(size: usize) -> Response {
        Response::new(Body::from(vec![b'x'; size]))
    }

    fn streamed(sizes: &'static [usize]) -> Response {
        let pieces = stream::iter(sizes).map(|size| Ok::<_, Infallible>(Bytes::from(vec![b'x'; *size])));
        Response::new(Body::from_stream(pieces))
    }

    // S3, S8
    #[tokio::test]
    async fn response_counts_until_its_bytes_are_dropped_and_not_until_the_body_ends() {
        let pool = Pool::new(RESPONSES);
        let mut body = admit(whole(1 << 20), ASKER, &pool).into_body();
        assert_eq!(pool.used(), 1 << 20, "before it is read");
        let bytes = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert!(body.frame().await.is_none());
        drop(body);
        assert_eq!((bytes.len(), pool.used()), (1 << 20, 1 << 20), "the connection still has them");
        drop(bytes);
        assert_eq!(pool.used(), 0);
    }

    // S3, S8
    #[tokio::test]
    async fn responses_past_the_share_of_a_token_are_refused_and_others_are_served() {
        let pool = Pool::new(RESPONSES);
        let unread: Vec<_> = (0..RESPONSES.of_token >> 20).map(|_| admit(whole(1 << 20), ASKER, &pool)).collect();
        assert!(unread.iter().all(|response| response.status() == StatusCode::OK));
        assert_eq!(admit(whole(1 << 20), ASKER, &pool).status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(admit(whole(FREE_BYTES), ASKER, &pool).status(), StatusCode::OK, "a small one needs no share");
        for other in [Holder { token: 2, is_person: false }, Holder { token: 3, is_person: true }] {
            assert_eq!(admit(whole(1 << 20), other, &pool).status(), StatusCode::OK);
        }
        drop(unread);
        assert_eq!(pool.used(), 0);
        assert_eq!(admit(whole(1 << 20), ASKER, &pool).status(), StatusCode::OK);
    }

    // S5, S8
    #[tokio::test]
    async fn response_of_a_call_that_took_effect_is_never_refused_and_the_next_such_call_is() {
        let pool = Pool::new(RESPONSES);
        let mut others = pool.lease(ASKER);
        others.grow_to(RESPONSES.of_token - 1).unwrap();
        assert!(pool.check(ASKER).is_ok());
        let response = count(whole(1 << 20), ASKER, &pool);
        assert_eq!((response.status(), pool.used()), (StatusCode::OK, RESPONSES.of_token - 1 + (1 << 20)));
        assert!(pool.check(ASKER).is_err(), "before it takes effect");
        drop((response, others));
        assert_eq!(pool.used(), 0);
    }

    // S3, S8
    #[tokio::test]
    async fn stream_ends_with_the_piece_that_has_no_place() {
        let pool = Pool::new(RESPONSES);
        let mut others = pool.lease(ASKER);
        others.grow_to(RESPONSES.of_token - (2 << 20)).unwrap();
        let mut body = admit(streamed(&[100, 1 << 20, 1 << 20, 1 << 20]), ASKER, &pool).into_body();
        let mut unread = Vec::new();
        for size in [100, 1 << 20, 1 << 20] {
            let bytes = body.frame().await.unwrap().unwrap().into_data().unwrap();
            assert_eq!(bytes.len(), size);
            unread.push(bytes);
        }
        assert!(body.frame().await.unwrap().is_err(), "the third has no place");
        drop((body, unread, others));
        assert_eq!(pool.used(), 0);
    }
}
