//! A stream of events, read and counted.

use crate::Done;
use crate::client::{Connection, head};
use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::TcpStream;

/// Where all streams of this thread read into, one after the other: what was read is looked at before anybody else reads.
pub(crate) type Shared = Rc<RefCell<Vec<u8>>>;

pub(crate) fn shared() -> Shared {
    Rc::new(RefCell::new(vec![0; 64 << 10]))
}

/// One stream.
pub(crate) struct Stream {
    stream: TcpStream,
    buffer: Shared,
    pieces: Pieces,
}

impl Stream {
    /// The replies of a connection from now on, whose call has been sent.
    pub(crate) fn new(connection: Connection, buffer: Shared) -> Self {
        Self { stream: connection.into_stream(), buffer, pieces: Pieces::default() }
    }

    /// Waits for more of the stream, and says how many events have come so far.
    pub(crate) async fn more(&mut self) -> Done<usize> {
        let read = poll_fn(|context| {
            let mut buffer = self.buffer.borrow_mut();
            let mut into = ReadBuf::new(&mut buffer);
            let polled = Pin::new(&mut self.stream).poll_read(context, &mut into);
            polled.map(|read| match read {
                Ok(()) if into.filled().is_empty() => Err("the stream has ended".into()),
                Ok(()) => self.pieces.take(into.filled()),
                Err(error) => Err(error.into()),
            })
        });
        read.await?;
        Ok(self.pieces.events)
    }
}

/// The pieces of a body whose length nobody knows: each with its own length before it. The server sends every event as one.
#[derive(Default)]
struct Pieces {
    is_past_head: bool,
    /// What came of a piece that is not whole yet.
    rest: Vec<u8>,
    events: usize,
    last: u64,
}

impl Pieces {
    fn take(&mut self, bytes: &[u8]) -> Done<()> {
        if self.rest.is_empty() && self.is_past_head {
            let taken = self.whole(bytes)?;
            self.rest.extend_from_slice(&bytes[taken..]);
            return Ok(());
        }
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        let mut begin = 0;
        if !self.is_past_head {
            let Some(length) = head(&all) else {
                self.rest = all;
                return Ok(());
            };
            if !all.starts_with(b"HTTP/1.1 200 ") {
                return Err(String::from_utf8_lossy(&all).into_owned().into());
            }
            self.is_past_head = true;
            begin = length;
        }
        let taken = begin + self.whole(&all[begin..])?;
        all.drain(..taken);
        self.rest = all;
        Ok(())
    }

    /// Takes the pieces that are whole, and says how many bytes they have.
    fn whole(&mut self, bytes: &[u8]) -> Done<usize> {
        let mut taken = 0;
        while let Some(line) = bytes[taken..].iter().position(|byte| *byte == b'\n') {
            let length = std::str::from_utf8(&bytes[taken..taken + line])?.trim_end();
            let begin = taken + line + 1;
            let end = begin + usize::from_str_radix(length, 16)?;
            // Each piece ends with an empty line of its own.
            if bytes.len() < end + 2 {
                break;
            }
            self.piece(&bytes[begin..end])?;
            taken = end + 2;
        }
        Ok(taken)
    }

    fn piece(&mut self, piece: &[u8]) -> Done<()> {
        // The opening and the signs of life have no number.
        let Some(rest) = piece.strip_prefix(b"id: ") else { return Ok(()) };
        let digits = rest.iter().position(|byte| *byte == b'\n').ok_or("an event has nothing but a number")?;
        let number: u64 = std::str::from_utf8(&rest[..digits])?.parse()?;
        if number <= self.last {
            return Err(format!("event {number} came after event {}", self.last).into());
        }
        self.last = number;
        self.events += 1;
        Ok(())
    }
}
