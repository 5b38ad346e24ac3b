//! A WebSocket by hand, as cheap as it can be: a thousand of them have the same processors as the server.

use crate::Done;
use crate::client::head;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use tokio::io::{AsyncRead, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

const CONTINUED: u8 = 0;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;
const LAST_OF_MESSAGE: u8 = 0x80;
const MASKED: u8 = 0x80;

/// Where all sockets of a thread read into, one after the other: what was read is looked at before anybody else reads.
pub(crate) type Shared = Rc<RefCell<Vec<u8>>>;

pub(crate) fn shared() -> Shared {
    Rc::new(RefCell::new(vec![0; 64 << 10]))
}

/// Where a room is, and how to be let in.
#[derive(Clone)]
pub(crate) struct Door {
    address: SocketAddr,
    head: String,
}

impl Door {
    pub(crate) fn new(address: SocketAddr, path: &str) -> Self {
        let key = "dGhlIHNhbXBsZSBub25jZQ==";
        let head = format!(
            "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: {key}\r\n"
        );
        Self { address, head }
    }

    pub(crate) fn with_token(self, token: &str) -> Self {
        Self { head: format!("{}authorization: Bearer {token}\r\n", self.head), ..self }
    }
}

/// One connection.
pub(crate) struct Socket {
    stream: TcpStream,
    buffer: Shared,
    /// What came of a frame that is not whole yet.
    rest: Vec<u8>,
    /// What came of a message that is sent in several frames.
    pieces: Vec<u8>,
    /// Messages that were read and not yet taken, by those who take them one by one.
    queue: VecDeque<Vec<u8>>,
}

impl Socket {
    pub(crate) async fn open(door: &Door, buffer: Shared) -> Done<Self> {
        let mut stream = TcpStream::connect(door.address).await?;
        stream.set_nodelay(true)?;
        stream.write_all(format!("{}\r\n", door.head).as_bytes()).await?;
        let mut socket = Self { stream, buffer, rest: Vec::new(), pieces: Vec::new(), queue: VecDeque::new() };
        loop {
            socket.read(Vec::extend_from_slice).await?;
            let Some(length) = head(&socket.rest) else { continue };
            if !socket.rest.starts_with(b"HTTP/1.1 101 ") {
                return Err(String::from_utf8_lossy(&socket.rest).into_owned().into());
            }
            socket.rest.drain(..length);
            return Ok(socket);
        }
    }

    pub(crate) async fn send(&mut self, message: &[u8]) -> Done<()> {
        Ok(self.stream.write_all(&frame(BINARY, message)).await?)
    }

    /// Waits for more, and shows every message that is whole.
    pub(crate) async fn more(&mut self, mut look: impl FnMut(&[u8]) -> Done<()>) -> Done<()> {
        let (mut pings, mut pieces) = (0, std::mem::take(&mut self.pieces));
        let mut look = |frame: Frame, payload: &[u8]| match frame.kind {
            BINARY if frame.is_last => look(payload),
            BINARY | CONTINUED => {
                pieces.extend_from_slice(payload);
                if frame.is_last { look(&std::mem::take(&mut pieces)) } else { Ok(()) }
            }
            PING => {
                pings += 1;
                Ok(())
            }
            CLOSE => Err(closed(payload).into()),
            _ => Ok(()),
        };
        if self.rest.is_empty() {
            self.read(|rest, read| {
                let taken = frames(read, &mut look)?;
                rest.extend_from_slice(&read[taken..]);
                Done::Ok(())
            })
            .await??;
        } else {
            // Perhaps all of it came with what was read before.
            let taken = frames(&self.rest, &mut look)?;
            if taken == 0 {
                self.read(Vec::extend_from_slice).await?;
            }
            let taken = taken + frames(&self.rest[taken..], &mut look)?;
            self.rest.drain(..taken);
        }
        self.pieces = pieces;
        if self.rest.is_empty() {
            self.rest = Vec::new();
        }
        for _ in 0..pings {
            self.stream.write_all(&frame(PONG, &[])).await?;
        }
        Ok(())
    }

    /// The next message.
    pub(crate) async fn next(&mut self) -> Done<Vec<u8>> {
        loop {
            if let Some(message) = self.queue.pop_front() {
                return Ok(message);
            }
            let mut queue = VecDeque::new();
            self.more(|message| {
                queue.push_back(message.to_vec());
                Ok(())
            })
            .await?;
            self.queue = queue;
        }
    }

    /// The halves, for one that writes and does not look at what it reads.
    pub(crate) fn split(self) -> (OwnedReadHalf, Pen) {
        let (read, write) = self.stream.into_split();
        (read, Pen(write))
    }

    async fn read<T>(&mut self, look: impl FnOnce(&mut Vec<u8>, &[u8]) -> T) -> Done<T> {
        let mut look = Some(look);
        poll_fn(|context| {
            let mut buffer = self.buffer.borrow_mut();
            let mut into = ReadBuf::new(&mut buffer);
            let polled = Pin::new(&mut self.stream).poll_read(context, &mut into);
            polled.map(|read| match (read, look.take()) {
                (Ok(()), Some(look)) if !into.filled().is_empty() => Ok(look(&mut self.rest, into.filled())),
                (Ok(()), _) => Err("the server hung up".into()),
                (Err(error), _) => Err(error.into()),
            })
        })
        .await
    }
}

/// The half that writes.
pub(crate) struct Pen(OwnedWriteHalf);

impl Pen {
    pub(crate) async fn send(&mut self, message: &[u8]) -> Done<()> {
        Ok(self.0.write_all(&frame(BINARY, message)).await?)
    }
}

/// Shows the frames that are whole, and says how many bytes they have.
fn frames(bytes: &[u8], look: &mut impl FnMut(Frame, &[u8]) -> Done<()>) -> Done<usize> {
    let mut taken = 0;
    while let Some((frame, begin, end)) = measured(&bytes[taken..])? {
        look(frame, &bytes[taken + begin..taken + end])?;
        taken += end;
    }
    Ok(taken)
}

/// What a frame says of itself.
#[derive(Clone, Copy)]
struct Frame {
    kind: u8,
    is_last: bool,
}

/// The first frame, and where its payload begins and ends, if it is whole.
fn measured(bytes: &[u8]) -> Done<Option<(Frame, usize, usize)>> {
    let [first, second, rest @ ..] = bytes else { return Ok(None) };
    if second & MASKED != 0 {
        return Err("servers do not mask what they send".into());
    }
    let frame = Frame { kind: first & 0x0f, is_last: first & LAST_OF_MESSAGE != 0 };
    let digits = match second {
        126 => 2,
        127 => 8,
        _ => 0,
    };
    let Some(digits) = rest.get(..digits) else { return Ok(None) };
    let length = match digits {
        [] => usize::from(*second),
        digits => digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)),
    };
    let begin = 2 + digits.len();
    Ok((bytes.len() >= begin + length).then_some((frame, begin, begin + length)))
}

/// A frame of a client, masked with nothing.
fn frame(kind: u8, payload: &[u8]) -> Vec<u8> {
    let length = payload.len();
    let mut frame = vec![LAST_OF_MESSAGE | kind];
    match (u8::try_from(length), u16::try_from(length)) {
        (Ok(length), _) if length < 126 => frame.push(MASKED | length),
        (_, Ok(length)) => {
            frame.push(MASKED | 126);
            frame.extend(length.to_be_bytes());
        }
        _ => {
            frame.push(MASKED | 127);
            frame.extend((length as u64).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend_from_slice(payload);
    frame
}

fn closed(payload: &[u8]) -> String {
    let (code, reason) = payload.split_at_checked(2).unwrap_or_default();
    let code = code.iter().fold(0, |code, byte| code << 8 | u32::from(*byte));
    format!("the server closed a connection: {code} {}", String::from_utf8_lossy(reason))
}
