//! The lines of an untrusted input, of limited length. The last line may lack its end.

use crate::limits::MESSAGE_BYTES;
use crate::message::ENDS;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Bytes of the read buffer.
const BUFFER_BYTES: usize = 64 << 10;

pub(super) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// The last bytes of a line that is too long.
    dropped: Option<Vec<u8>>,
}

#[cfg_attr(test, derive(Debug, PartialEq, Eq))]
pub(super) enum Input {
    Line(Vec<u8>),
    /// The first and the last bytes of a line that is too long.
    TooLong(Vec<u8>, Vec<u8>),
    End,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn of(input: R) -> Self {
        Self { input: BufReader::with_capacity(BUFFER_BYTES, input), line: Vec::new(), dropped: None }
    }

    /// Reads the next line. The future may be dropped: the bytes that were read are kept.
    pub(super) async fn next(&mut self) -> Input {
        loop {
            // An error ends the input.
            let bytes = self.input.fill_buf().await.unwrap_or_default();
            if bytes.is_empty() {
                let is_all = self.line.is_empty() && self.dropped.is_none();
                return if is_all { Input::End } else { self.take() };
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(bytes.len(), |end| end + 1);
            if self.line.len() + taken > MESSAGE_BYTES && self.dropped.is_none() {
                self.dropped = Some(last(&self.line).to_vec());
                self.line.truncate(ENDS);
                self.line.shrink_to_fit();
            }
            match &mut self.dropped {
                Some(tail) => {
                    tail.extend_from_slice(last(&bytes[..taken]));
                    tail.drain(..tail.len().saturating_sub(ENDS));
                }
                None => self.line.extend_from_slice(&bytes[..taken]),
            }
            self.input.consume(taken);
            if end.is_some() {
                return self.take();
            }
        }
    }

    fn take(&mut self) -> Input {
        let line = std::mem::take(&mut self.line);
        match self.dropped.take() {
            Some(tail) => Input::TooLong(line, tail),
            None => Input::Line(line),
        }
    }
}

fn last(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.len().saturating_sub(ENDS)..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt;
    use tokio::time::{Duration, timeout};

    fn line(text: &str) -> Input {
        Input::Line(text.as_bytes().to_vec())
    }

    // F15
    #[tokio::test]
    async fn lines_come_whole_and_the_last_needs_no_end() {
        let (mut client, server) = tokio::io::duplex(7);
        let writing = tokio::spawn(async move {
            client.write_all(b"one\r\n\n\xff\0\ntwo, which is longer than a pipe\nlast").await.unwrap();
        });
        let mut lines = Lines::of(server);
        assert_eq!(lines.next().await, line("one\r\n"));
        assert_eq!(lines.next().await, line("\n"));
        assert_eq!(lines.next().await, Input::Line(b"\xff\0\n".to_vec()));
        assert_eq!(lines.next().await, line("two, which is longer than a pipe\n"));
        assert_eq!(lines.next().await, line("last"));
        assert_eq!(lines.next().await, Input::End);
        assert_eq!(lines.next().await, Input::End);
        writing.await.unwrap();
    }

    // F15
    #[tokio::test]
    async fn who_stops_reading_in_the_middle_loses_nothing() {
        let (mut client, server) = tokio::io::duplex(64);
        let mut lines = Lines::of(server);
        client.write_all(b"be").await.unwrap();
        assert!(timeout(Duration::from_millis(5), lines.next()).await.is_err());
        client.write_all(b"gun\nnext\n").await.unwrap();
        assert_eq!(lines.next().await, line("begun\n"));
        assert_eq!(lines.next().await, line("next\n"));
    }

    // S3
    #[tokio::test]
    async fn what_is_too_long_is_dropped_up_to_its_end_and_the_next_line_counts() {
        let (mut client, server) = tokio::io::duplex(1 << 20);
        let writing = tokio::spawn(async move {
            for more in [0, 1, MESSAGE_BYTES] {
                let long = "x".repeat(MESSAGE_BYTES - 5 + more);
                client.write_all(format!("head{long}\nnext\n").as_bytes()).await.unwrap();
            }
            client.write_all("y".repeat(MESSAGE_BYTES + 1).as_bytes()).await.unwrap();
        });
        let mut lines = Lines::of(server);
        let Input::Line(whole) = lines.next().await else { panic!("as long as one may be") };
        assert_eq!(whole.len(), MESSAGE_BYTES);
        assert_eq!(lines.next().await, line("next\n"));
        for _ in 0..2 {
            let Input::TooLong(head, tail) = lines.next().await else { panic!("a byte too long") };
            assert!(head.starts_with(b"headx") && tail.ends_with(b"x\n"));
            assert!(head.len() <= ENDS && tail.len() <= ENDS && lines.line.capacity() <= ENDS);
            assert_eq!(lines.next().await, line("next\n"));
        }
        assert!(matches!(lines.next().await, Input::TooLong(..)));
        assert_eq!(lines.next().await, Input::End);
        writing.await.unwrap();
    }
}
