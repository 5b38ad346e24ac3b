//! A WebSocket implementation of our own. A library keeps read and write buffers for every connection, and copies every message into
//! one of them; here a thousand idle connections have no buffers, and a thousand listeners share the same bytes.

use super::frame::{FrameError, FrameHeader, Opcode, ServerHeader, unmask};
use crate::limits::{MESSAGE_BYTES, MESSAGE_FRAMES, MESSAGE_TIMEOUT, SEND_TIMEOUT, SOCKET_READ};
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

/// The suffix that a server adds to a client's key (RFC 6455).
const ACCEPT_SUFFIX: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// Bytes of a client's key.
const KEY_BYTES: usize = 16;

/// The accept value for a client's key; `None` if the key is invalid.
pub(super) fn accept(key: &str) -> Option<String> {
    let is_key = STANDARD.decode(key).is_ok_and(|bytes| bytes.len() == KEY_BYTES);
    is_key.then(|| STANDARD.encode(Sha1::new().chain_update(key).chain_update(ACCEPT_SUFFIX).finalize()))
}

/// A message or a control frame of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ClientMessage {
    Binary(Vec<u8>),
    /// A text message, whose content is not needed.
    Text,
    Ping(Bytes),
    Pong,
    Close,
}

/// The reason why a connection can't be read any further.
#[derive(Debug)]
pub(super) enum SocketError {
    /// The connection is closed.
    Ended,
    Frame(FrameError),
}

impl From<FrameError> for SocketError {
    fn from(error: FrameError) -> Self {
        Self::Frame(error)
    }
}

/// A WebSocket connection.
pub(super) struct Socket<S = TokioIo<Upgraded>> {
    stream: S,
    /// The bytes of incomplete frames.
    arrived: Vec<u8>,
    /// The fragments of an incomplete message.
    fragments: Option<Fragments>,
    /// The start of an incomplete message.
    begun_at: Option<Instant>,
    /// Its share of the memory for incomplete messages.
    held: Option<OwnedSemaphorePermit>,
    space: Arc<MessageSpace>,
}

/// The fragments of a message so far.
struct Fragments {
    opcode: Opcode,
    count: usize,
    bytes: Vec<u8>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Socket<S> {
    pub(super) fn new(stream: S, space: Arc<MessageSpace>) -> Self {
        Self { stream, arrived: Vec::new(), fragments: None, begun_at: None, held: None, space }
    }

    /// Receives the next message. Cancel-safe: dropping the future loses nothing.
    pub(super) async fn recv(&mut self) -> Result<ClientMessage, SocketError> {
        loop {
            if let Some(message) = self.take()? {
                return Ok(message);
            }
            let is_begun = !self.arrived.is_empty() || self.fragments.is_some();
            if !is_begun {
                (self.begun_at, self.held) = (None, None);
            }
            let read = match is_begun {
                false => poll_fn(|context| self.poll_read(context)).await,
                true => {
                    let until = *self.begun_at.get_or_insert_with(Instant::now) + MESSAGE_TIMEOUT;
                    let read = async {
                        self.reserve().await;
                        poll_fn(|context| self.poll_read(context)).await
                    };
                    timeout_at(until, read).await.map_err(|_| FrameError::Protocol("a message took too long"))?
                }
            };
            match read {
                Ok(0) | Err(_) => return Err(SocketError::Ended),
                Ok(_) => {}
            }
        }
    }

    /// Waits for memory for the incomplete message. A client that begins many messages and finishes none delays other large messages,
    /// until its own time out.
    async fn reserve(&mut self) {
        let so_far = self.fragments.as_ref().map_or(0, |fragments| fragments.bytes.len());
        let header = FrameHeader::read(&self.arrived, MESSAGE_BYTES).ok().flatten();
        let units = (so_far + header.map_or(0, |header| header.length)) / UNIT;
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

    /// Reads the available bytes into a buffer on the stack, so that an idle connection needs none.
    fn poll_read(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut space = [const { MaybeUninit::uninit() }; SOCKET_READ];
        let mut buffer = ReadBuf::uninit(&mut space);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
        self.arrived.extend_from_slice(buffer.filled());
        Poll::Ready(Ok(buffer.filled().len()))
    }

    /// Takes the next message out of the bytes that have arrived.
    fn take(&mut self) -> Result<Option<ClientMessage>, FrameError> {
        let mut taken = 0;
        let message = loop {
            let so_far = self.fragments.as_ref().map_or(0, |fragments| fragments.bytes.len());
            let Some(header) = FrameHeader::read(&self.arrived[taken..], MESSAGE_BYTES - so_far)? else { break None };
            let payload = taken + header.size..taken + header.size + header.length;
            let Some(bytes) = self.arrived.get_mut(payload.clone()) else { break None };
            unmask(bytes, header.mask);
            let bytes = bytes.to_vec();
            taken = payload.end;
            if let Some(message) = self.assemble(&header, bytes)? {
                break Some(message);
            }
        };
        if taken == self.arrived.len() {
            self.arrived = Vec::new();
        } else {
            self.arrived.drain(..taken);
        }
        Ok(message)
    }

    /// The message that a frame completes, if it does.
    fn assemble(&mut self, header: &FrameHeader, payload: Vec<u8>) -> Result<Option<ClientMessage>, FrameError> {
        let message = match (header.opcode, self.fragments.take()) {
            (Opcode::Continuation, Some(mut fragments)) => {
                fragments.bytes.extend_from_slice(&payload);
                fragments.count += 1;
                fragments
            }
            (Opcode::Continuation, None) => {
                return Err(FrameError::Protocol("a message that goes on without a beginning"));
            }
            (opcode, fragments) if opcode.is_control() => {
                self.fragments = fragments;
                return Ok(Some(match opcode {
                    Opcode::Close => ClientMessage::Close,
                    Opcode::Ping => ClientMessage::Ping(payload.into()),
                    _ => ClientMessage::Pong,
                }));
            }
            (_, Some(_)) => return Err(FrameError::Protocol("a message that begins within another")),
            (opcode, None) => Fragments { opcode, count: 1, bytes: payload },
        };
        if header.is_last {
            (self.begun_at, self.held) = (None, None);
            return Ok(Some(if message.opcode == Opcode::Binary {
                ClientMessage::Binary(message.bytes)
            } else {
                ClientMessage::Text
            }));
        }
        if message.count >= MESSAGE_FRAMES {
            return Err(FrameError::Protocol("a message in too many pieces"));
        }
        self.fragments = Some(message);
        Ok(None)
    }

    /// Sends a frame within the timeout. After an error, or if this future is dropped, the connection is unusable.
    pub(super) async fn send(&mut self, opcode: Opcode, payload: &[u8]) -> io::Result<()> {
        timeout(SEND_TIMEOUT, self.write(opcode, payload)).await?
    }

    async fn write(&mut self, opcode: Opcode, payload: &[u8]) -> io::Result<()> {
        let header = ServerHeader::new(opcode, payload.len());
        let (header, mut written) = (header.as_bytes(), 0);
        while written < header.len() + payload.len() {
            let fragments = [
                IoSlice::new(header.get(written..).unwrap_or_default()),
                IoSlice::new(&payload[written.saturating_sub(header.len())..]),
            ];
            match poll_fn(|context| Pin::new(&mut self.stream).poll_write_vectored(context, &fragments)).await? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                more => written += more,
            }
        }
        poll_fn(|context| Pin::new(&mut self.stream).poll_flush(context)).await
    }

    /// Closes the sending side, and discards everything that arrives until the client closes its side.
    pub(super) async fn drain(&mut self) {
        let _ = poll_fn(|context| Pin::new(&mut self.stream).poll_shutdown(context)).await;
        while let Ok(1..) = poll_fn(|context| self.poll_read(context)).await {
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
    fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
        let header = ServerHeader::new(Opcode::Binary, payload.len());
        let mut frame = header.as_bytes().to_vec();
        (frame[0], frame[1]) = (first, frame[1] | 0x80);
        frame.extend([0; 4]);
        frame.extend_from_slice(payload);
        frame
    }

    async fn heard(sent: &[u8]) -> (Vec<ClientMessage>, SocketError) {
        let (mut client, server) = duplex(1 << 22);
        client.write_all(sent).await.unwrap();
        drop(client);
        let mut socket = Socket::new(server, Arc::default());
        let mut all = Vec::new();
        loop {
            match socket.recv().await {
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
        assert!(matches!(lost, SocketError::Ended));
        let bytes = |text: &str| ClientMessage::Binary(text.as_bytes().to_vec());
        let ping = ClientMessage::Ping(Bytes::from_static(b"there?"));
        let expected = [
            bytes("one"),
            ping,
            bytes("two in pieces"),
            ClientMessage::Binary(large),
            ClientMessage::Text,
            ClientMessage::Pong,
            ClientMessage::Close,
        ];
        assert_eq!(said, expected);
    }

    // S3
    #[tokio::test]
    async fn a_message_has_a_limit_also_in_pieces() {
        let half = vec![0; MESSAGE_BYTES / 2];
        let whole = [frame(0x02, &half), frame(0x80, &half)].concat();
        assert_eq!(heard(&whole).await.0.len(), 1);
        let more = [frame(0x02, &half), frame(0x00, &half), frame(0x80, b"x")].concat();
        let too_large = |lost| matches!(lost, SocketError::Frame(FrameError::TooLarge));
        assert!(too_large(heard(&more).await.1));
        assert!(too_large(heard(&frame(0x82, &vec![0; MESSAGE_BYTES + 1])[..10]).await.1), "by its head alone");
        let broken = async |sent: &[u8]| matches!(heard(sent).await.1, SocketError::Frame(FrameError::Protocol(_)));
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
                let lost = socket.recv().await;
                drop(client);
                (socket.arrived.capacity(), matches!(lost, Err(SocketError::Frame(FrameError::Protocol(_)))))
            });
        }
        tokio::time::sleep(MESSAGE_TIMEOUT / 2).await;
        assert!(space.available() < MESSAGE_BYTES / UNIT, "all of it is taken");
        let (_client, mut small) = begin(&frame(0x82, b"small")).await;
        assert_eq!(small.recv().await.unwrap(), ClientMessage::Binary(b"small".to_vec()), "who says little needs none");
        let ended: Vec<(usize, bool)> = hearing.join_all().await;
        assert!(ended.iter().all(|(_, is_cut)| *is_cut), "and after a while they are cut off");
        let held: usize = ended.iter().map(|(bytes, _)| bytes).sum();
        assert!(held < 2 * UNFINISHED_BYTES, "{held}");
        assert_eq!(space.available(), UNFINISHED_BYTES / UNIT);
    }

    /// The messages of bytes that arrive in fragments with these ends.
    fn heard_in_pieces(bytes: &[u8], ends: &[usize]) -> (Vec<ClientMessage>, bool) {
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
                    match socket.recv().await {
                        Ok(said) => all.push(said),
                        Err(lost) => return (all, matches!(lost, SocketError::Ended)),
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
            let mut bytes: Vec<u8> = frames.iter().flat_map(|(first, payload)| frame(*first, payload)).collect();
            bytes.extend(noise);
            let mut ends: Vec<usize> = ends.iter().map(|end| end.index(bytes.len() + 1)).collect();
            ends.sort_unstable();
            prop_assert_eq!(heard_in_pieces(&bytes, &ends), heard_in_pieces(&bytes, &[]));
        }
    }

    // S3
    #[tokio::test]
    async fn a_message_has_so_many_pieces() {
        let fragments = |count: usize| {
            [vec![0x02, 0x80, 0, 0, 0, 0]; 1]
                .concat()
                .into_iter()
                .chain(frame(0x00, b"").repeat(count))
                .collect::<Vec<_>>()
        };
        let few = [fragments(MESSAGE_FRAMES - 2), frame(0x89, b""), frame(0x80, b"end")].concat();
        assert_eq!(heard(&few).await.0.len(), 2);
        assert!(matches!(heard(&fragments(MESSAGE_FRAMES)).await.1, SocketError::Frame(FrameError::Protocol(_))));
    }

    async fn said(length: usize, space: usize) -> Vec<u8> {
        let (mut client, server) = duplex(space);
        let saying = async {
            let mut socket: Socket<DuplexStream> = Socket::new(server, Arc::default());
            socket.send(Opcode::Binary, &vec![5; length]).await.unwrap();
        };
        let mut all = Vec::new();
        tokio::join!(saying, client.read_to_end(&mut all)).1.unwrap();
        all
    }

    // W3
    #[tokio::test]
    async fn what_is_said_arrives_however_small_the_pieces() {
        for (length, header) in
            [(3, vec![0x82, 3]), (300, vec![0x82, 126, 1, 44]), (66_000, vec![0x82, 127, 0, 0, 0, 0, 0, 1, 1, 208])]
        {
            for space in [1, 7, 1 << 20] {
                let all = said(length, space).await;
                assert_eq!((&all[..header.len()], all.len()), (&*header, header.len() + length));
                assert!(all[header.len()..].iter().all(|byte| *byte == 5));
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
