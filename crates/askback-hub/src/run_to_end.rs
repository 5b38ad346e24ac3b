//! A future that is run to its end, even if it is dropped before.

use std::pin::Pin;
use std::task::{Context, Poll};

/// Runs in the caller's task for as long as the caller waits, and in a task of its own once it is dropped. A task of its own from the
/// beginning would wake another thread for each write.
pub struct RunToEnd<F: Future + Send + 'static>(Option<Pin<Box<F>>>)
where
    F::Output: Send;

impl<F: Future + Send + 'static> RunToEnd<F>
where
    F::Output: Send,
{
    /// Runs nothing yet: a future that is never awaited is run once this is dropped.
    pub fn new(future: F) -> Self {
        Self(Some(Box::pin(future)))
    }
}

impl<F: Future + Send + 'static> Future for RunToEnd<F>
where
    F::Output: Send,
{
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Some(future) = &mut self.0 else { return Poll::Pending };
        let polled = future.as_mut().poll(context);
        if polled.is_ready() {
            self.0 = None;
        }
        polled
    }
}

impl<F: Future + Send + 'static> Drop for RunToEnd<F>
where
    F::Output: Send,
{
    fn drop(&mut self) {
        // A runtime that is shutting down runs nothing to its end, and neither does a thread that panics.
        if let (Some(future), Ok(runtime), false) =
            (self.0.take(), tokio::runtime::Handle::try_current(), std::thread::panicking())
        {
            runtime.spawn(future);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use std::sync::Arc;
    use tokio::sync::{Notify, oneshot};

    #[tokio::test]
    async fn future_that_is_dropped_halfway_is_run_to_its_end() {
        let (go, (sender, done)) = (Arc::new(Notify::new()), oneshot::channel());
        let going = Arc::clone(&go);
        let mut running = RunToEnd::new(async move {
            going.notified().await;
            sender.send(7).unwrap();
        });
        assert!(poll_fn(|context| Poll::Ready(Pin::new(&mut running).poll(context).is_pending())).await);
        drop(running);
        go.notify_one();
        assert_eq!(done.await, Ok(7));
    }

    #[tokio::test]
    async fn result_comes_to_the_caller_that_waits() {
        assert_eq!(RunToEnd::new(async { 7 }).await, 7);
    }
}
