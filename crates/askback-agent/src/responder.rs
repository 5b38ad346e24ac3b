//! The way back into a stream that waits: resolved exactly once, and never left hanging.

use tokio::sync::oneshot;

/// What a response says when nobody has given one.
pub trait Unanswered {
    /// Never consent, and never an empty answer.
    fn unanswered() -> Self;
}

/// The end through which a paused agent gets its response. Resolving takes it, so that there is no second time; dropping
/// it rejects.
///
/// ```
/// use askback_agent::{InputResponse, Responder};
/// use askback_core::dialect::stream::Reply;
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let (responder, response) = Responder::<InputResponse>::pair();
/// drop(responder);
/// assert_eq!(response.await.reply, Reply::Reject);
/// # });
/// ```
#[derive(Debug)]
pub struct Responder<T: Unanswered> {
    sender: oneshot::Sender<T>,
}

/// The end at which the agent waits.
#[derive(Debug)]
pub struct Response<T> {
    receiver: oneshot::Receiver<T>,
}

impl<T: Unanswered> Responder<T> {
    /// Both ends.
    pub fn pair() -> (Self, Response<T>) {
        let (sender, receiver) = oneshot::channel();
        (Self { sender }, Response { receiver })
    }

    /// Gives the response. Whoever no longer waits for it misses it.
    pub fn resolve(self, response: T) {
        let _ = self.sender.send(response);
    }

    /// Waits until nobody waits for a response any more.
    pub async fn abandoned(&mut self) {
        self.sender.closed().await;
    }
}

impl<T: Unanswered> Future for Response<T> {
    type Output = T;

    fn poll(mut self: std::pin::Pin<&mut Self>, context: &mut std::task::Context<'_>) -> std::task::Poll<T> {
        // A responder that was dropped has closed the channel.
        let receiver = std::pin::Pin::new(&mut self.receiver);
        receiver.poll(context).map(|response| response.unwrap_or_else(|_| T::unanswered()))
    }
}
