//! A WebSocket connection: the I/O, the timeouts and the memory budget around the protocol of `askback-websocket`. An idle
//! connection has no buffers, and a thousand receivers of a message share its bytes.

use crate::limits::{FREE_BYTES, MESSAGE_BYTES, MESSAGE_FRAMES, MESSAGE_TIMEOUT, SEND_TIMEOUT, SOCKET_READ};
use crate::pool::{PoolError, PoolLease};
use askback_websocket::{FrameHeader, Message, MessageReader, Opcode, ReadError, ReadLimits};
use bytes::{Buf, Bytes};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, timeout, timeout_at};

const LIMITS: ReadLimits = ReadLimits { message_bytes: MESSAGE_BYTES, message_frames: MESSAGE_FRAMES };

/// The reason why a connection can't be read any further.
#[derive(Debug)]
pub(super) enum SocketError {
    /// The connection is closed.
    Ended,
    /// A message was begun and not completed within [`MESSAGE_TIMEOUT`].
    Timeout,
    /// The memory for messages that arrive is in use.
    NoSpace(PoolError),
    Read(ReadError),
}

impl From<PoolError> for SocketError {
    fn from(error: PoolError) -> Self {
        Self::NoSpace(error)
    }
}

impl From<ReadError> for SocketError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

/// A WebSocket connection.
pub(super) struct Socket<S = TokioIo<Upgraded>> {
    stream: S,
    reader: MessageReader,
    /// The bytes after the last message that was received.
    arrived: Bytes,
    /// The start of an incomplete message.
    begun_at: Option<Instant>,
    /// The memory of the last message: while it arrives, and until the next one is received, since a message takes memory while it is
    /// processed, too. None for a connection that was refused, from which nothing is received.
    lease: Option<PoolLease>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Socket<S> {
    pub(super) fn new(stream: S, lease: Option<PoolLease>) -> Self {
        Self { stream, reader: MessageReader::new(LIMITS), arrived: Bytes::new(), begun_at: None, lease }
    }

    /// Receives the next message. Cancel-safe: dropping the future loses nothing. The memory of the message before is free from now on.
    pub(super) async fn recv(&mut self) -> Result<Message, SocketError> {
        if !self.reader.is_incomplete()
            && let Some(lease) = &mut self.lease
        {
            lease.release();
        }
        loop {
            if let Some(message) = self.take()? {
                return Ok(message);
            }
            let read = if self.reader.is_incomplete() {
                let until = *self.begun_at.get_or_insert_with(Instant::now) + MESSAGE_TIMEOUT;
                let read = poll_fn(|context| self.poll_read(context));
                timeout_at(until, read).await.map_err(|_| SocketError::Timeout)?
            } else {
                self.begun_at = None;
                poll_fn(|context| self.poll_read(context)).await
            };
            match read {
                Ok(0) | Err(_) => return Err(SocketError::Ended),
                Ok(_) => {}
            }
        }
    }

    /// Takes the next message out of the bytes that have arrived.
    fn take(&mut self) -> Result<Option<Message>, SocketError> {
        let (used, message) = self.reader.read(&self.arrived)?;
        if used == self.arrived.len() {
            self.arrived = Bytes::new();
        } else {
            self.arrived.advance(used);
        }
        if let Some(Message::Binary(_) | Message::Text(_)) = message {
            self.begun_at = None;
        }
        if let Some(lease) = &mut self.lease {
            lease.grow_to(self.reader.buffered_bytes().saturating_sub(FREE_BYTES))?;
        }
        Ok(message)
    }

    /// Reads the available bytes into a buffer on the stack, so that an idle connection needs none.
    fn poll_read(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut space = [const { MaybeUninit::uninit() }; SOCKET_READ];
        let mut buffer = ReadBuf::uninit(&mut space);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
        self.arrived = Bytes::copy_from_slice(buffer.filled());
        Poll::Ready(Ok(buffer.filled().len()))
    }

    /// Sends a frame within the timeout. After an error, or if this future is dropped, the connection is unusable.
    pub(super) async fn send(&mut self, opcode: Opcode, payload: &[u8]) -> io::Result<()> {
        timeout(SEND_TIMEOUT, self.write(opcode, payload)).await?
    }

    async fn write(&mut self, opcode: Opcode, payload: &[u8]) -> io::Result<()> {
        let header = FrameHeader::new(opcode, payload.len());
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
            self.arrived = Bytes::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::IN_FLIGHT;
    use crate::pool::{Holder, Pool};
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    /// A frame of a client whose mask changes nothing.
    fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
        let header = FrameHeader::new(Opcode::Binary, payload.len());
        let mut frame = header.as_bytes().to_vec();
        (frame[0], frame[1]) = (first, frame[1] | 0x80);
        frame.extend([0; 4]);
        frame.extend_from_slice(payload);
        frame
    }

    /// The messages of bytes that arrive through a pipe of this size, and the error at their end.
    async fn received(sent: &[u8], pipe_bytes: usize) -> (Vec<Message>, SocketError) {
        let (mut client, server) = duplex(pipe_bytes);
        let sending = async {
            // The socket stops reading at an error.
            let _ = client.write_all(sent).await;
            drop(client);
        };
        let receiving = async {
            let mut socket = Socket::new(server, None);
            let mut messages = Vec::new();
            loop {
                match socket.recv().await {
                    Ok(message) => messages.push(message),
                    Err(error) => return (messages, error),
                }
            }
        };
        tokio::join!(receiving, sending).0
    }

    // W3
    #[tokio::test]
    async fn messages_are_received_whole_in_their_order_from_pieces_of_any_size() {
        let large = vec![9; 70_000];
        let sent = [
            frame(0x82, b"one"),
            frame(0x02, b"two "),
            frame(0x89, b"there?"),
            frame(0x80, b"in pieces"),
            frame(0x82, &large),
            frame(0x81, b"text"),
            frame(0x88, b""),
        ]
        .concat();
        let expected = [
            Message::Binary(b"one".to_vec()),
            Message::Ping(b"there?".to_vec()),
            Message::Binary(b"two in pieces".to_vec()),
            Message::Binary(large),
            Message::Text("text".to_owned()),
            Message::Close(None),
        ];
        for pipe_bytes in [1, 7, 1 << 20] {
            let (messages, error) = received(&sent, pipe_bytes).await;
            assert!(matches!(error, SocketError::Ended), "{error:?}");
            assert_eq!(messages, expected);
        }
    }

    // S3
    #[tokio::test]
    async fn message_over_its_limit_ends_the_connection_also_in_fragments() {
        let half = vec![0; MESSAGE_BYTES / 2];
        let whole = [frame(0x02, &half), frame(0x80, &half)].concat();
        assert_eq!(received(&whole, 1 << 22).await.0.len(), 1);
        let more = [frame(0x02, &half), frame(0x00, &half), frame(0x80, b"x")].concat();
        let announced = frame(0x82, &vec![0; MESSAGE_BYTES + 1])[..14].to_vec();
        for sent in [more, announced] {
            let error = received(&sent, 1 << 22).await.1;
            assert!(matches!(error, SocketError::Read(ReadError::MessageTooLarge { .. })), "{error:?}");
        }
    }

    /// A connection on which these bytes have arrived.
    async fn begun(pool: &Pool, holder: Holder, bytes: &[u8]) -> (DuplexStream, Socket<DuplexStream>) {
        let (mut client, server) = duplex(1 << 22);
        client.write_all(bytes).await.unwrap();
        (client, Socket::new(server, Some(pool.lease(holder))))
    }

    const ASKER: Holder = Holder { token: 1, is_person: false };
    const PERSON: Holder = Holder { token: 2, is_person: true };

    // S3, S8
    #[tokio::test]
    async fn asker_past_its_share_of_incomplete_messages_is_refused_and_a_person_is_heard() {
        tokio::time::pause();
        let pool = Pool::new(IN_FLIGHT);
        let whole = frame(0x82, &vec![0; MESSAGE_BYTES]);
        let mut receiving = tokio::task::JoinSet::new();
        for _ in 0..600 {
            let (client, mut socket) = begun(&pool, ASKER, &whole[..MESSAGE_BYTES * 3 / 4]).await;
            receiving.spawn(async move {
                let error = socket.recv().await.unwrap_err();
                drop((client, socket));
                error
            });
        }
        // Every message of the asker is refused at once, or begun and never completed.
        let mut refused = 0;
        while pool.used() < IN_FLIGHT.of_token - MESSAGE_BYTES || refused < 500 {
            let error = receiving.join_next().await.unwrap().unwrap();
            assert!(matches!(error, SocketError::NoSpace(_)), "{error:?}");
            refused += 1;
        }
        assert!(pool.used() <= IN_FLIGHT.of_token);
        let (_small, mut small) = begun(&pool, ASKER, &frame(0x82, b"small")).await;
        assert_eq!(small.recv().await.unwrap(), Message::Binary(b"small".to_vec()), "a small message needs no budget");
        let (_large, mut large) = begun(&pool, PERSON, &whole).await;
        assert!(matches!(large.recv().await.unwrap(), Message::Binary(_)));
        let rest = receiving.join_all().await;
        let timed_out = rest.iter().filter(|error| matches!(error, SocketError::Timeout)).count();
        assert!(timed_out >= IN_FLIGHT.of_token / (2 * MESSAGE_BYTES), "{timed_out}");
        drop(large);
        assert_eq!(pool.used(), 0);
    }

    // S3
    #[tokio::test]
    async fn message_counts_as_in_flight_until_the_next_one_is_received() {
        let pool = Pool::new(IN_FLIGHT);
        let large = frame(0x82, &vec![0; MESSAGE_BYTES]);
        let (_client, mut socket) = begun(&pool, PERSON, &[&large[..], &frame(0x82, b"next")].concat()).await;
        assert!(matches!(socket.recv().await, Ok(Message::Binary(_))));
        assert!(pool.used() >= MESSAGE_BYTES / 2, "it is processed now");
        assert_eq!(socket.recv().await.unwrap(), Message::Binary(b"next".to_vec()));
        assert_eq!(pool.used(), 0);
    }

    async fn sent(length: usize, pipe_bytes: usize) -> Vec<u8> {
        let (mut client, server) = duplex(pipe_bytes);
        let sending = async {
            let mut socket: Socket<DuplexStream> = Socket::new(server, None);
            socket.send(Opcode::Binary, &vec![5; length]).await.unwrap();
        };
        let mut all = Vec::new();
        tokio::join!(sending, client.read_to_end(&mut all)).1.unwrap();
        all
    }

    // W3
    #[tokio::test]
    async fn frame_is_sent_whole_however_few_bytes_the_client_takes_at_once() {
        for (length, header) in
            [(3, vec![0x82, 3]), (300, vec![0x82, 126, 1, 44]), (66_000, vec![0x82, 127, 0, 0, 0, 0, 0, 1, 1, 208])]
        {
            for pipe_bytes in [1, 7, 1 << 20] {
                let all = sent(length, pipe_bytes).await;
                assert_eq!((&all[..header.len()], all.len()), (&*header, header.len() + length));
                assert!(all[header.len()..].iter().all(|byte| *byte == 5));
            }
        }
    }
}
