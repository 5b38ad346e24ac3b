//! A running turn as a stream of events. Dropping it ends the turn, wherever the agent is in it.

use crate::event::{AskResult, AskUser, StreamEvent};
use crate::limits::EVENTS_WAITING;
use crate::responder::Responder;
use askback_core::{Asker, Asking, Request};
use futures_core::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;

/// The events of one turn. The agent runs as a task of its own, so that it notices when its question is no longer worth an
/// answer; it is at most a few events ahead of whoever reads them.
#[derive(Debug)]
pub struct EventStream {
    events: Receiver<StreamEvent>,
    agent: Option<JoinHandle<()>>,
}

/// Where an agent's events go.
#[derive(Debug, Clone)]
pub struct EventSender {
    events: Sender<StreamEvent>,
}

/// Nobody listens to the turn any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("nobody listens to this turn any more")]
pub struct TurnOver;

impl EventStream {
    /// Starts a turn.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime.
    pub fn start<A, F>(agent: A) -> Self
    where
        A: FnOnce(EventSender) -> F,
        F: Future<Output = ()> + Send + 'static,
    {
        let (sender, mut stream) = Self::open();
        stream.agent = Some(tokio::spawn(agent(sender)));
        stream
    }

    /// Both ends of a turn, for an agent that runs somewhere else. It is told when the stream is dropped, by
    /// [`EventSender::over`].
    pub fn open() -> (EventSender, Self) {
        let (events, receiver) = channel(EVENTS_WAITING);
        (EventSender { events }, Self { events: receiver, agent: None })
    }
}

impl Stream for EventStream {
    type Item = StreamEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<StreamEvent>> {
        self.events.poll_recv(context)
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        if let Some(agent) = &self.agent {
            agent.abort();
        }
    }
}

impl EventSender {
    /// Sends an event, as soon as there is room for it.
    pub async fn send(&self, event: StreamEvent) -> Result<(), TurnOver> {
        self.events.send(event).await.map_err(|_| TurnOver)
    }

    /// Waits until nobody listens any more.
    pub async fn over(&self) {
        self.events.closed().await;
    }
}

/// A stream is somebody to ask: the question becomes an `ask_user` event, and the answer comes back to its responder.
impl Asker for EventSender {
    fn ask(&self, request: Request) -> Asking<'_> {
        Box::pin(async move {
            let (responder, response) = Responder::<AskResult>::pair();
            // If nobody listens any more, the responder is dropped with the event, and says so.
            let _ = self.send(StreamEvent::AskUser(AskUser { request, responder })).await;
            response.await
        })
    }
}
