//! The response to an MCP client. A delivery is reported before its chunk is sent, and reverted if the client did not receive it (S5).

use super::deliverable;
use super::sessions::SessionLease;
use askback_hub::AskerPresence;
use askback_mcp::AskerSource;
use askback_mcp::delivery::DeliveryAttempt;
use bytes::Bytes;
use futures_util::Stream;
use futures_util::stream::unfold;
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use tokio_util::sync::DropGuard;

/// Held until a response has been sent: what ends the wait when the connection is closed, what keeps the session in memory, and the
/// presence of the asker, which attends to what it has asked while a call or a stream of it is open (L9).
pub(super) type Held = (DropGuard, Option<SessionLease>, Option<AskerPresence>);

/// A response body, and the delivery attempt of the last chunk.
pub(super) struct DeliveryStream {
    body: UnsyncBoxBody<Bytes, Infallible>,
    source: Arc<dyn AskerSource>,
    sending: Option<DeliveryAttempt>,
    _held: Held,
}

impl DeliveryStream {
    pub(super) fn new(body: UnsyncBoxBody<Bytes, Infallible>, source: Arc<dyn AskerSource>, held: Held) -> Self {
        Self { body, source, sending: None, _held: held }
    }

    pub(super) fn into_stream(self) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
        unfold(self, Self::step)
    }

    async fn step(mut self) -> Option<(io::Result<Bytes>, Self)> {
        // A request for the next chunk means that the last one was sent.
        if let Some(attempt) = self.sending.take() {
            attempt.succeed();
        }
        loop {
            let Ok(frame) = self.body.frame().await?;
            let Ok(bytes) = frame.into_data() else { continue };
            if let Some(deliverable) = deliverable(&bytes) {
                match DeliveryAttempt::begin(&self.source, deliverable).await {
                    Ok(attempt) => self.sending = Some(attempt),
                    // An outcome whose delivery can't be reported is not sent: the client asks again and finds it.
                    Err(why) => {
                        return Some((Err(io::Error::other(format!("an outcome is held back: {why:?}"))), self));
                    }
                }
            }
            return Some((Ok(bytes), self));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_mcp::testing::{Report, recording_hub};
    use futures_util::StreamExt;
    use http_body_util::Full;
    use std::pin::pin;
    use tokio::sync::mpsc::UnboundedReceiver;
    use tokio_util::sync::CancellationToken;

    fn watched() -> (DeliveryStream, UnboundedReceiver<bool>) {
        let (source, heard) = recording_hub(Report::News);
        let event = r#"data: {"jsonrpc":"2.0","id":1,"result":{"_meta":{"askback/outcome":"019a8b3c-0000-7000-8000-000000000000"}}}"#;
        let body = Full::from(format!("{event}\n\n")).boxed_unsync();
        let held = (CancellationToken::new().drop_guard(), None, None);
        (DeliveryStream::new(body, source, held), heard)
    }

    // S5
    #[tokio::test]
    async fn what_leaves_is_delivered_and_who_does_not_take_it_finds_it_again() {
        let (watched, mut heard) = watched();
        {
            let mut stream = pin!(watched.into_stream());
            assert!(stream.next().await.unwrap().is_ok());
            assert_eq!(heard.recv().await, Some(true), "before it leaves");
            // The connection breaks here, with the outcome on its way.
        }
        assert_eq!(heard.recv().await, Some(false));
    }

    // S5
    #[tokio::test]
    async fn what_was_taken_stays_delivered() {
        let (watched, mut heard) = watched();
        {
            let mut stream = pin!(watched.into_stream());
            assert!(stream.next().await.unwrap().is_ok());
            assert!(stream.next().await.is_none(), "whoever asks for more has taken what came");
        }
        tokio::task::yield_now().await;
        assert_eq!(heard.recv().await, Some(true));
        assert_eq!(heard.recv().await, None, "nothing else is said");
    }
}
