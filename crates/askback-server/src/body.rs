//! The bodies of calls: read within limits on their size, their time, and the bytes in flight of all callers.

use crate::fault::Fault;
use crate::limits::{BODY_TIMEOUT, DISCARD_TIMEOUT, DISCARDED_BYTES, FREE_BYTES};
use crate::pool::{PoolError, PoolLease};
use askback_api::ProblemCode;
use axum::body::{Body, Bytes, HttpBody};
use http_body_util::BodyExt;
use std::ops::Deref;
use tokio::time::timeout;

/// A body that has arrived. Its bytes count as in flight until it is dropped.
pub(crate) struct ReceivedBody {
    bytes: Bytes,
    _lease: Option<PoolLease>,
}

impl Deref for ReceivedBody {
    type Target = Bytes;

    fn deref(&self) -> &Bytes {
        &self.bytes
    }
}

/// Reads the body of a caller, whose lease grows with it. The rest of one that is refused while it arrives is discarded, since a client
/// that is still sending does not read the response.
pub(crate) async fn receive(mut body: Body, most: usize, lease: PoolLease) -> Result<ReceivedBody, Fault> {
    let mut buffer = BodyBuffer::new(most, Some(lease));
    match timeout(BODY_TIMEOUT, buffer.fill(&mut body)).await {
        Ok(Ok(())) => Ok(buffer.into_body()),
        Ok(Err(refusal)) => {
            // Its memory is free while the rest is discarded.
            drop(buffer);
            let _ = timeout(DISCARD_TIMEOUT, discard(body)).await;
            Err(refusal.into_fault(most))
        }
        Err(_) => Err(late()),
    }
}

/// Reads the body of a call without a token: of at most [`FREE_BYTES`], which are nobody's share.
pub(crate) async fn receive_small(mut body: Body) -> Result<ReceivedBody, Fault> {
    let mut buffer = BodyBuffer::new(FREE_BYTES, None);
    let filled = timeout(BODY_TIMEOUT, buffer.fill(&mut body)).await.map_err(|_| late())?;
    filled.map_err(|refusal| refusal.into_fault(FREE_BYTES))?;
    Ok(buffer.into_body())
}

/// Refuses a body by the size that it announces, before it is read.
pub(crate) fn check_announced(body: &Body, most: usize) -> Result<(), Fault> {
    if body.size_hint().lower() > most as u64 { Err(BodyRefusal::TooLarge.into_fault(most)) } else { Ok(()) }
}

fn late() -> Fault {
    Fault::new(ProblemCode::InvalidParameter, "the body took too long to arrive")
}

/// The reason why a body is not read any further.
enum BodyRefusal {
    TooLarge,
    Incomplete,
    NoSpace(PoolError),
}

impl BodyRefusal {
    fn into_fault(self, most: usize) -> Fault {
        match self {
            Self::TooLarge => Fault::new(ProblemCode::TooLarge, format!("the body has more than {most} bytes")),
            Self::Incomplete => Fault::new(ProblemCode::InvalidParameter, "the body ended before it was whole"),
            Self::NoSpace(error) => error.into(),
        }
    }
}

/// A body as far as it has arrived.
struct BodyBuffer {
    bytes: Vec<u8>,
    most: usize,
    lease: Option<PoolLease>,
}

impl BodyBuffer {
    fn new(most: usize, lease: Option<PoolLease>) -> Self {
        Self { bytes: Vec::new(), most, lease }
    }

    async fn fill(&mut self, body: &mut Body) -> Result<(), BodyRefusal> {
        // What a client announces is an upper bound alone: memory is taken as bytes arrive.
        let announced = body.size_hint().upper().and_then(|bytes| usize::try_from(bytes).ok());
        let largest = announced.unwrap_or(self.most).min(self.most);
        while let Some(frame) = body.frame().await {
            let Ok(piece) = frame.map_err(|_| BodyRefusal::Incomplete)?.into_data() else { continue };
            // Copied, since a frame of a few bytes keeps the whole buffer of its connection.
            self.extend(&piece, largest)?;
        }
        Ok(())
    }

    fn extend(&mut self, piece: &[u8], largest: usize) -> Result<(), BodyRefusal> {
        let length = self.bytes.len() + piece.len();
        if length > self.most {
            return Err(BodyRefusal::TooLarge);
        }
        if length > self.bytes.capacity() {
            let capacity = (2 * length).min(largest).max(length);
            if let Some(lease) = &mut self.lease {
                lease.grow_to(capacity.saturating_sub(FREE_BYTES)).map_err(BodyRefusal::NoSpace)?;
            }
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
        self.bytes.extend_from_slice(piece);
        Ok(())
    }

    fn into_body(self) -> ReceivedBody {
        ReceivedBody { bytes: Bytes::from(self.bytes), _lease: self.lease }
    }
}

/// Reads the rest of a body, up to a limit, and keeps nothing of it.
async fn discard(mut body: Body) {
    let mut discarded = 0;
    while let Some(Ok(frame)) = body.frame().await {
        discarded += frame.data_ref().map_or(0, Bytes::len);
        if discarded > DISCARDED_BYTES {
            break;
        }
    }
}
