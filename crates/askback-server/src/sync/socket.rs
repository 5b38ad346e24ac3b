//! A WebSocket by our own hand. A library keeps buffers to read into and to write from for every connection, and copies every message
//! into one of them; here a thousand silent connections have none, and a thousand listeners are told the same bytes.

use super::frame::{Broken, Head, OwnHead, Purpose, unmask};
use crate::limits::{MESSAGE_BYTES, MESSAGE_PATIENCE, MESSAGE_PIECES, SEND_PATIENCE, SOCKET_READ};
use crate::message_space::{MessageSpace, UNIT};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use sha1::{Digest, Sha1};
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout, timeout_at};

/// What a server adds to a client's key to show that it has understood.
const ACCEPTING: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// Bytes of a client's key.
const KEY_BYTES: usize = 16;

/// What a server answers a client's key with; none if it is no key.
pub(super) fn accept(key: &str) -> Option<String> {
    let is_key = STANDARD.decode(key).is_ok_and(|bytes| bytes.len() == KEY_BYTES);
    is_key.then(|| STANDARD.encode(Sha1::new().chain_update(key).chain_update(ACCEPTING).finalize()))
}

/// What a client has said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// A message in bytes.
    Binary(Vec<u8>),
    /// A message in text.
    Text,
    /// It wants to hear this back.
    Ping(Bytes),
    /// It is there.
    Pong,
    /// It says goodbye.
    Close,
}

/// Why nothing more will be heard.
#[derive(Debug)]
pub(super) enum Lost {
    /// The connection has ended, or broke.
    Ended,
    /// What came makes no sense.
    Broken(Broken),
}

impl From<Broken> for Lost {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}

/// A connection.
pub(super) struct Socket<S = TokioIo<Upgraded>> {
    stream: S,
    /// What has arrived of frames that are not whole.
    arrived: Vec<u8>,
    /// The pieces so far of a message that is not whole.
    pieces: Option<Pieces>,
    /// Since when a message is not whole.
    begun_at: Option<Instant>,
    /// The place that it has of what all connections share.
    held: Option<OwnedSemaphorePermit>,
    space: Arc<MessageSpace>,
}

/// The beginning of a message.
struct Pieces {
    purpose: Purpose,
    count: usize,
    bytes: Vec<u8>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Socket<S> {
    pub(super) fn new(stream: S, space: Arc<MessageSpace>) -> Self {
        Self { stream, arrived: Vec::new(), pieces: None, begun_at: None, held: None, space }
    }

    /// What is said next. Dropped in the middle, nothing is lost.
    pub(super) async fn hear(&mut self) -> Result<Said, Lost> {
        loop {
            if let Some(said) = self.take()? {
                return Ok(said);
            }
            let is_begun = !self.arrived.is_empty() || self.pieces.is_some();
            if !is_begun {
                (self.begun_at, self.held) = (None, None);
            }
            let arrival = match is_begun {
                false => poll_fn(|context| self.poll_arrival(context)).await,
                true => {
                    let until = *self.begun_at.get_or_insert_with(Instant::now) + MESSAGE_PATIENCE;
                    let arrival = async {
                        self.hold().await;
                        poll_fn(|context| self.poll_arrival(context)).await
                    };
                    timeout_at(until, arrival).await.map_err(|_| Broken::Protocol("a message took too long"))?
                }
            };
            match arrival {
                Ok(0) | Err(_) => return Err(Lost::Ended),
                Ok(_) => {}
            }
        }
    }

    /// Waits for place for the message under way. Whoever begins many and ends none takes it from others who say much, for a while.
    async fn hold(&mut self) {
        let so_far = self.pieces.as_ref().map_or(0, |pieces| pieces.bytes.len());
        let head = Head::read(&self.arrived, MESSAGE_BYTES).ok().flatten();
        let units = (so_far + head.map_or(0, |head| head.length)) / UNIT;
        let held = self.held.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let more = u32::try_from(units.saturating_sub(held)).unwrap_or(0);
        if more == 0 {
            return;
        }
        if let Some(more) = self.space.take(more).await {
            match &mut self.held {
                Some(held) => held.merge(more),
                none => *none = Some(more),
            }
        }
    }

    /// Reads what there is into a place on the stack, so that whoever is silent has none.
    fn poll_arrival(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut space = [const { MaybeUninit::uninit() }; SOCKET_READ];
        let mut buffer = ReadBuf::uninit(&mut space);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
        self.arrived.extend_from_slice(buffer.filled());
        Poll::Ready(Ok(buffer.filled().len()))
    }

    /// Takes the next thing that was said out of what has arrived.
    fn take(&mut self) -> Result<Option<Said>, Broken> {
        let mut taken = 0;
        let said = loop {
            let so_far = self.pieces.as_ref().map_or(0, |pieces| pieces.bytes.len());
            let Some(head) = Head::read(&self.arrived[taken..], MESSAGE_BYTES - so_far)? else { break None };
            let carried = taken + head.size..taken + head.size + head.length;
            let Some(bytes) = self.arrived.get_mut(carried.clone()) else { break None };
            unmask(bytes, head.mask);
            let bytes = bytes.to_vec();
            taken = carried.end;
            if let Some(said) = self.understand(&head, bytes)? {
                break Some(said);
            }
        };
        if taken == self.arrived.len() {
            self.arrived = Vec::new();
        } else {
            self.arrived.drain(..taken);
        }
        Ok(said)
    }

    /// What a frame says, if a message ends with it.
    fn understand(&mut self, head: &Head, carried: Vec<u8>) -> Result<Option<Said>, Broken> {
        let message = match (head.purpose, self.pieces.take()) {
            (Purpose::Continuation, Some(mut pieces)) => {
                pieces.bytes.extend_from_slice(&carried);
                pieces.count += 1;
                pieces
            }
            (Purpose::Continuation, None) => {
                return Err(Broken::Protocol("a message that goes on without a beginning"));
            }
            (purpose, pieces) if purpose.is_control() => {
                self.pieces = pieces;
                return Ok(Some(match purpose {
                    Purpose::Close => Said::Close,
                    Purpose::Ping => Said::Ping(carried.into()),
                    _ => Said::Pong,
                }));
            }
            (_, Some(_)) => return Err(Broken::Protocol("a message that begins within another")),
            (purpose, None) => Pieces { purpose, count: 1, bytes: carried },
        };
        if head.is_last {
            (self.begun_at, self.held) = (None, None);
            return Ok(Some(if message.purpose == Purpose::Binary { Said::Binary(message.bytes) } else { Said::Text }));
        }
        if message.count >= MESSAGE_PIECES {
            return Err(Broken::Protocol("a message in too many pieces"));
        }
        self.pieces = Some(message);
        Ok(None)
    }

    /// Sends a frame to a client that reads it in time. After an error, or if this future is dropped, the connection is unusable.
    pub(super) async fn say(&mut self, purpose: Purpose, carried: &[u8]) -> io::Result<()> {
        timeout(SEND_PATIENCE, self.write(purpose, carried)).await?
    }

    async fn write(&mut self, purpose: Purpose, carried: &[u8]) -> io::Result<()> {
        let head = OwnHead::new(purpose, carried.len());
        let (head, mut written) = (head.as_bytes(), 0);
        while written < head.len() + carried.len() {
            let pieces = [
                IoSlice::new(head.get(written..).unwrap_or_default()),
                IoSlice::new(&carried[written.saturating_sub(head.len())..]),
            ];
            match poll_fn(|context| Pin::new(&mut self.stream).poll_write_vectored(context, &pieces)).await? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                more => written += more,
            }
        }
        poll_fn(|context| Pin::new(&mut self.stream).poll_flush(context)).await
    }

    /// Says nothing more, and reads whatever else comes without hearing it, until the other side has ended, too.
    pub(super) async fn drain(&mut self) {
        let _ = poll_fn(|context| Pin::new(&mut self.stream).poll_shutdown(context)).await;
        while let Ok(1..) = poll_fn(|context| self.poll_arrival(context)).await {
            self.arrived = Vec::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::UNFINISHED_BYTES;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    /// A frame of a client whose mask changes nothing.
    fn frame(first: u8, carried: &[u8]) -> Vec<u8> {
        let head = OwnHead::new(Purpose::Binary, carried.len());
        let mut frame = head.as_bytes().to_vec();
        (frame[0], frame[1]) = (first, frame[1] | 0x80);
        frame.extend([0; 4]);
        frame.extend_from_slice(carried);
        frame
    }

    async fn heard(sent: &[u8]) -> (Vec<Said>, Lost) {
        let (mut client, server) = duplex(1 << 22);
        client.write_all(sent).await.unwrap();
        drop(client);
        let mut socket = Socket::new(server, Arc::default());
        let mut all = Vec::new();
        loop {
            match socket.hear().await {
                Ok(said) => all.push(said),
                Err(lost) => return (all, lost),
            }
        }
    }

    // W3
    #[tokio::test]
    async fn messages_come_whole_also_in_pieces_with_others_between_them() {
        let large = vec![9; 70_000];
        let sent = [
            frame(0x82, b"one"),
            frame(0x02, b"two "),
            frame(0x89, b"there?"),
            frame(0x00, b"in "),
            frame(0x80, b"pieces"),
            frame(0x82, &large),
            frame(0x81, b"text"),
            frame(0x8a, b""),
            frame(0x88, b""),
        ]
        .concat();
        let (said, lost) = heard(&sent).await;
        assert!(matches!(lost, Lost::Ended));
        let bytes = |text: &str| Said::Binary(text.as_bytes().to_vec());
        let ping = Said::Ping(Bytes::from_static(b"there?"));
        let expected =
            [bytes("one"), ping, bytes("two in pieces"), Said::Binary(large), Said::Text, Said::Pong, Said::Close];
        assert_eq!(said, expected);
    }

    // S3
    #[tokio::test]
    async fn a_message_has_a_limit_also_in_pieces() {
        let half = vec![0; MESSAGE_BYTES / 2];
        let whole = [frame(0x02, &half), frame(0x80, &half)].concat();
        assert_eq!(heard(&whole).await.0.len(), 1);
        let more = [frame(0x02, &half), frame(0x00, &half), frame(0x80, b"x")].concat();
        let too_large = |lost| matches!(lost, Lost::Broken(Broken::TooLarge));
        assert!(too_large(heard(&more).await.1));
        assert!(too_large(heard(&frame(0x82, &vec![0; MESSAGE_BYTES + 1])[..10]).await.1), "by its head alone");
        let broken = async |sent: &[u8]| matches!(heard(sent).await.1, Lost::Broken(Broken::Protocol(_)));
        assert!(broken(&frame(0x80, b"x")).await, "nothing to go on with");
        assert!(broken(&[frame(0x02, b"x"), frame(0x82, b"y")].concat()).await, "one within another");
    }

    // S3
    #[tokio::test]
    async fn messages_that_are_never_whole_take_no_more_than_there_is() {
        tokio::time::pause();
        let space: Arc<MessageSpace> = Arc::default();
        let begin = async |bytes: &[u8]| {
            let (mut client, server) = duplex(1 << 22);
            client.write_all(bytes).await.unwrap();
            (client, Socket::new(server, Arc::clone(&space)))
        };
        let unfinished = frame(0x82, &vec![0; MESSAGE_BYTES - UNIT])[..MESSAGE_BYTES / 2].to_vec();
        let mut hearing = tokio::task::JoinSet::new();
        for _ in 0..2 * UNFINISHED_BYTES / MESSAGE_BYTES {
            let (client, mut socket) = begin(&unfinished).await;
            hearing.spawn(async move {
                let lost = socket.hear().await;
                drop(client);
                (socket.arrived.capacity(), matches!(lost, Err(Lost::Broken(Broken::Protocol(_)))))
            });
        }
        tokio::time::sleep(MESSAGE_PATIENCE / 2).await;
        assert!(space.available() < MESSAGE_BYTES / UNIT, "all of it is taken");
        let (_client, mut small) = begin(&frame(0x82, b"small")).await;
        assert_eq!(small.hear().await.unwrap(), Said::Binary(b"small".to_vec()), "who says little needs none");
        let ended: Vec<(usize, bool)> = hearing.join_all().await;
        assert!(ended.iter().all(|(_, is_cut)| *is_cut), "and after a while they are cut off");
        let held: usize = ended.iter().map(|(bytes, _)| bytes).sum();
        assert!(held < 2 * UNFINISHED_BYTES, "{held}");
        assert_eq!(space.available(), UNFINISHED_BYTES / UNIT);
    }

    /// What is heard of bytes that arrive in pieces that end at these places.
    fn heard_in_pieces(bytes: &[u8], ends: &[usize]) -> (Vec<Said>, bool) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let (mut client, server) = duplex(1 << 20);
            let sending = async {
                let mut start = 0;
                for end in ends.iter().copied().chain([bytes.len()]) {
                    client.write_all(&bytes[start..end.max(start)]).await.unwrap();
                    tokio::task::yield_now().await;
                    start = end.max(start);
                }
                drop(client);
            };
            let mut socket = Socket::new(server, Arc::default());
            let hearing = async {
                let mut all = Vec::new();
                loop {
                    match socket.hear().await {
                        Ok(said) => all.push(said),
                        Err(lost) => return (all, matches!(lost, Lost::Ended)),
                    }
                }
            };
            tokio::join!(hearing, sending).0
        })
    }

    proptest! {
        // S3
        #[test]
        fn whatever_comes_is_heard_the_same_in_any_pieces(
            frames in vec((prop_oneof![Just(0x82u8), Just(0x02), Just(0x00), Just(0x80), Just(0x89), any::<u8>()], vec(any::<u8>(), 0..300)), 0..8),
            noise in vec(any::<u8>(), 0..40),
            ends in vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let mut bytes: Vec<u8> = frames.iter().flat_map(|(first, carried)| frame(*first, carried)).collect();
            bytes.extend(noise);
            let mut ends: Vec<usize> = ends.iter().map(|end| end.index(bytes.len() + 1)).collect();
            ends.sort_unstable();
            prop_assert_eq!(heard_in_pieces(&bytes, &ends), heard_in_pieces(&bytes, &[]));
        }
    }

    // S3
    #[tokio::test]
    async fn a_message_has_so_many_pieces() {
        let pieces = |count: usize| {
            [vec![0x02, 0x80, 0, 0, 0, 0]; 1]
                .concat()
                .into_iter()
                .chain(frame(0x00, b"").repeat(count))
                .collect::<Vec<_>>()
        };
        let few = [pieces(MESSAGE_PIECES - 2), frame(0x89, b""), frame(0x80, b"end")].concat();
        assert_eq!(heard(&few).await.0.len(), 2);
        assert!(matches!(heard(&pieces(MESSAGE_PIECES)).await.1, Lost::Broken(Broken::Protocol(_))));
    }

    async fn said(length: usize, space: usize) -> Vec<u8> {
        let (mut client, server) = duplex(space);
        let saying = async {
            let mut socket: Socket<DuplexStream> = Socket::new(server, Arc::default());
            socket.say(Purpose::Binary, &vec![5; length]).await.unwrap();
        };
        let mut all = Vec::new();
        tokio::join!(saying, client.read_to_end(&mut all)).1.unwrap();
        all
    }

    // W3
    #[tokio::test]
    async fn what_is_said_arrives_however_small_the_pieces() {
        for (length, head) in
            [(3, vec![0x82, 3]), (300, vec![0x82, 126, 1, 44]), (66_000, vec![0x82, 127, 0, 0, 0, 0, 0, 1, 1, 208])]
        {
            for space in [1, 7, 1 << 20] {
                let all = said(length, space).await;
                assert_eq!((&all[..head.len()], all.len()), (&*head, head.len() + length));
                assert!(all[head.len()..].iter().all(|byte| *byte == 5));
            }
        }
    }

    // W3
    #[test]
    fn the_handshake_is_that_of_the_standard() {
        assert_eq!(accept("dGhlIHNhbXBsZSBub25jZQ==").as_deref(), Some("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
        for key in ["", "dGhlIHNhbXBsZSBub25jZQ", "AAAA", "not base64 at all!!!!!!!"] {
            assert_eq!(accept(key), None, "{key}");
        }
    }
}
