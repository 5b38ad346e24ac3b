//! The bodies of calls: read within limits on their size, their time, and the bytes in flight of all callers.

use crate::fault::Fault;
use crate::limits::{BODY_TIMEOUT, FREE_BYTES, LEAST_MAPPED};
use crate::pool::{PoolError, PoolLease};
use askback_api::ProblemCode;
use axum::body::{Body, Bytes, HttpBody};
use http_body_util::BodyExt;
use memmap2::MmapMut;
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

impl AsRef<[u8]> for ReceivedBody {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl ReceivedBody {
    /// The bytes, which count as in flight until the last clone of them is dropped.
    pub(crate) fn into_bytes(self) -> Bytes {
        Bytes::from_owner(self)
    }
}

/// Reads the body of a caller, whose lease grows with it.
pub(crate) async fn receive(mut body: Body, most: usize, lease: PoolLease) -> Result<ReceivedBody, Fault> {
    let mut buffer = BodyBuffer::new(most, Some(lease));
    match timeout(BODY_TIMEOUT, buffer.fill(&mut body)).await {
        Ok(Ok(())) => Ok(buffer.into_body()),
        Ok(Err(refusal)) => Err(refusal.into_fault(most)),
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
    NoMemory,
}

impl BodyRefusal {
    fn into_fault(self, most: usize) -> Fault {
        match self {
            Self::TooLarge => Fault::new(ProblemCode::TooLarge, format!("the body has more than {most} bytes")),
            Self::Incomplete => Fault::new(ProblemCode::InvalidParameter, "the body ended before it was whole"),
            Self::NoSpace(error) => error.into(),
            Self::NoMemory => {
                Fault::new(ProblemCode::TooMany, "the system has no memory for the body: try again later")
            }
        }
    }
}

/// A body as far as it has arrived.
struct BodyBuffer {
    memory: Memory,
    length: usize,
    most: usize,
    lease: Option<PoolLease>,
}

/// The memory of a body. What is mapped is the system's again as soon as it is dropped; the allocator would keep most of it.
enum Memory {
    /// Up to [`FREE_BYTES`].
    Small(Vec<u8>),
    Mapped(MmapMut),
}

impl BodyBuffer {
    fn new(most: usize, lease: Option<PoolLease>) -> Self {
        Self { memory: Memory::Small(Vec::new()), length: 0, most, lease }
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
        let length = self.length + piece.len();
        if length > self.most {
            return Err(BodyRefusal::TooLarge);
        }
        let fits = match &mut self.memory {
            Memory::Small(bytes) if length <= FREE_BYTES => {
                bytes.extend_from_slice(piece);
                true
            }
            Memory::Small(_) => false,
            Memory::Mapped(map) => map.len() >= length,
        };
        if !fits {
            self.map((2 * length).max(LEAST_MAPPED).min(largest).max(length))?;
        }
        if let Memory::Mapped(map) = &mut self.memory {
            map[self.length..length].copy_from_slice(piece);
        }
        self.length = length;
        Ok(())
    }

    /// Moves what has arrived to memory of this size.
    fn map(&mut self, size: usize) -> Result<(), BodyRefusal> {
        if let Some(lease) = &mut self.lease {
            lease.grow_to(size.saturating_sub(FREE_BYTES)).map_err(BodyRefusal::NoSpace)?;
        }
        let mut map = MmapMut::map_anon(size).map_err(|_| BodyRefusal::NoMemory)?;
        let arrived = match &self.memory {
            Memory::Small(bytes) => bytes.as_slice(),
            Memory::Mapped(map) => &map[..self.length],
        };
        map[..self.length].copy_from_slice(arrived);
        self.memory = Memory::Mapped(map);
        Ok(())
    }

    fn into_body(self) -> ReceivedBody {
        let bytes = match self.memory {
            Memory::Small(bytes) => Bytes::from(bytes),
            Memory::Mapped(map) => Bytes::from_owner(map).slice(..self.length),
        };
        ReceivedBody { bytes, _lease: self.lease }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::IN_FLIGHT;
    use crate::pool::{Holder, Pool};
    use axum::Error;
    use futures_util::{StreamExt, stream};

    /// A body that arrives in pieces of this size, without a length.
    fn in_pieces(bytes: &[u8], size: usize) -> Body {
        let pieces: Vec<Result<Bytes, Error>> =
            bytes.chunks(size).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
        Body::from_stream(stream::iter(pieces))
    }

    fn lease(pool: &Pool) -> PoolLease {
        pool.lease(Holder { token: 1, is_person: false })
    }

    // S3
    #[tokio::test]
    async fn body_is_the_bytes_that_were_sent_in_pieces_of_any_size() {
        let pool = Pool::new(IN_FLIGHT);
        for length in [0, 1, FREE_BYTES, FREE_BYTES + 1, LEAST_MAPPED + 7, 1_000_000] {
            let sent: Vec<u8> = (0..length).map(|index| (index % 251) as u8).collect();
            for body in [in_pieces(&sent, 1_000), in_pieces(&sent, 70_000), Body::from(sent.clone())] {
                let received = receive(body, 1_000_000, lease(&pool)).await.unwrap();
                assert!(received.as_ref() == sent, "{length} bytes");
                let used = pool.used();
                assert!(used <= (2 * length).max(LEAST_MAPPED) && (used > 0) == (length > FREE_BYTES), "{used}");
            }
        }
        assert_eq!(pool.used(), 0);
    }

    // S3, S8
    #[tokio::test(start_paused = true)]
    async fn body_counts_as_it_arrives_and_not_as_it_is_announced() {
        let pool = Pool::new(IN_FLIGHT);
        let begun = in_pieces(&[b' '; 100_000], 1_000).into_data_stream().chain(stream::pending());
        let receiving = receive(Body::from_stream(begun), 16 << 20, lease(&pool));
        let watching = async {
            tokio::task::yield_now().await;
            while pool.used() < 100_000 - FREE_BYTES {
                tokio::task::yield_now().await;
            }
            assert!(pool.used() < 300_000, "{}", pool.used());
        };
        let (received, ()) = tokio::join!(receiving, watching);
        assert_eq!(received.err().map(|fault| fault.code), Some(ProblemCode::InvalidParameter), "it took too long");
        assert_eq!(pool.used(), 0);
    }

    // S3
    #[tokio::test]
    async fn body_past_its_size_or_past_the_share_of_its_token_is_refused() {
        let pool = Pool::new(IN_FLIGHT);
        let code = async |body, most| receive(body, most, lease(&pool)).await.err().map(|fault| fault.code);
        assert_eq!(code(in_pieces(&[0; 5_001], 1_000), 5_000).await, Some(ProblemCode::TooLarge));
        let mut others = lease(&pool);
        others.grow_to(IN_FLIGHT.of_token - 10_000).unwrap();
        assert_eq!(code(in_pieces(&[0; 20_000], 1_000), 1 << 20).await, Some(ProblemCode::TooMany));
        assert_eq!(code(in_pieces(&[0; FREE_BYTES], 1_000), 1 << 20).await, None, "a small one needs no share");
        drop(others);
        assert_eq!(pool.used(), 0);
        assert!(receive_small(Body::from(vec![0_u8; FREE_BYTES])).await.is_ok());
        let refused = receive_small(Body::from(vec![0_u8; FREE_BYTES + 1])).await;
        assert_eq!(refused.err().map(|fault| fault.code), Some(ProblemCode::TooLarge));
    }
}
