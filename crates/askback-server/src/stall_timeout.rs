//! A limit on how long a client may take nothing of what is sent to it. Without one, a client that stops reading keeps the memory of its
//! response, and its connection, for ever.

use crate::limits::STALL_TIMEOUT;
use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// A connection whose writes fail once the client has taken nothing for [`STALL_TIMEOUT`].
pub(crate) struct StallTimeout<S> {
    stream: S,
    /// The deadline of the write that waits. Boxed: few connections have one.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<S> StallTimeout<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self { stream, deadline: None }
    }
}

impl<S: Unpin> StallTimeout<S> {
    /// The result of a write, or an error if it has waited for too long.
    fn limit<T>(&mut self, context: &mut Context<'_>, written: Poll<Result<T>>) -> Poll<Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + STALL_TIMEOUT)));
        ready!(deadline.as_mut().poll(context));
        Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client reads nothing")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for StallTimeout<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for StallTimeout<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limit(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.limit(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::{sleep, timeout};

    // S3
    #[tokio::test(start_paused = true)]
    async fn client_that_reads_nothing_is_cut_off_after_the_timeout() {
        let (_client, server) = duplex(64);
        let mut server = StallTimeout::new(server);
        let began = Instant::now();
        let written = timeout(STALL_TIMEOUT * 3, server.write_all(&[0; 1_000])).await.expect("it ends by itself");
        assert_eq!(written.unwrap_err().kind(), ErrorKind::TimedOut);
        assert!(began.elapsed() >= STALL_TIMEOUT);
    }

    // S3
    #[tokio::test(start_paused = true)]
    async fn client_that_reads_slowly_is_served_for_as_long_as_it_takes() {
        let (mut client, server) = duplex(64);
        let mut server = StallTimeout::new(server);
        let reading = async {
            let mut all = 0;
            while all < 640 {
                sleep(STALL_TIMEOUT - Duration::from_secs(1)).await;
                all += client.read(&mut [0; 64]).await.unwrap();
            }
        };
        let (written, ()) = tokio::join!(server.write_all(&[0; 640]), reading);
        written.unwrap();
    }
}
