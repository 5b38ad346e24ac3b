//! The life of a request, from asking to whatever became of it.

use super::{Ask, Asked, Hub, HubOptions, Signature};
use crate::error::HubError;
use crate::limits::HubLimits;
use crate::signal::Signal;
use crate::store::Store;
use crate::store::memory::MemoryStore;
use crate::testing::{TokioClock, inputs, name, room};
use askback_core::{Outcome, Request, RequestId, State, Surface};
use std::sync::Arc;

mod asking;
mod authority;
mod ending;
mod looking;
mod lost_replies;
mod outbox;
mod presence;
mod rooms;
mod time;
mod tokens;
mod waiting;

/// A hub in memory whose time is paused.
async fn hub() -> Hub {
    hub_with(HubLimits::DEFAULT).await
}

async fn hub_with(limits: HubLimits) -> Hub {
    tokio::time::pause();
    let (store, signal) = MemoryStore::default().connect();
    hub_over(Arc::new(store), Box::new(signal), limits).await
}

async fn hub_over(store: Arc<dyn Store>, signal: Box<dyn Signal>, limits: HubLimits) -> Hub {
    let options = HubOptions { clock: Arc::new(TokioClock::new()), limits };
    Hub::over(store, signal, options).await.unwrap()
}

/// The next hub over what others before it have kept, by the same clock.
async fn hub_on(kept: &MemoryStore, clock: &Arc<TokioClock>) -> Hub {
    let (store, signal) = kept.connect();
    let options = HubOptions { clock: clock.clone(), limits: HubLimits::DEFAULT };
    Hub::over(Arc::new(store), Box::new(signal), options).await.unwrap()
}

fn ask(request: Request) -> Ask {
    Ask::new(request, name("ada"), room("shop"))
}

fn by(who: &str) -> Signature {
    Signature::new(name(who), Surface::Page)
}

async fn asked(hub: &Hub, request: Request) -> RequestId {
    hub.ask(ask(request)).await.unwrap().id().clone()
}

/// Answers a request with the written form of each answer.
async fn respond(hub: &Hub, id: &RequestId, written: &[&str], signature: Signature) -> Result<Arc<Outcome>, HubError> {
    hub.answer(id, &inputs(written), signature).await
}

/// Answers a text.
async fn answer(hub: &Hub, id: &RequestId, text: &str, signature: Signature) -> Result<Arc<Outcome>, HubError> {
    respond(hub, id, &[text], signature).await
}

async fn ended(hub: &Hub, id: &RequestId) -> Outcome {
    match hub.outcome(id).await.unwrap() {
        State::Final(outcome) => outcome,
        State::Pending(_) => panic!("it is pending"),
    }
}

fn response(outcome: &Outcome) -> String {
    outcome.resolution().answers().unwrap().iter().next().unwrap().written()
}

fn is_new(asked: &Asked) -> bool {
    matches!(asked, Asked::New(_))
}
