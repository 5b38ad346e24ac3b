//! The way to the hub, which may be in this process or behind a connection that breaks.

use super::RaceRequest;
use askback_core::{Name, Outcome, RequestId, Resolution, State};
use std::future::Future;
use std::pin::Pin;
use thiserror::Error;

/// A message to the hub on its way. Once it is polled, it may have arrived.
pub type Linking<'a, T> = Pin<Box<dyn Future<Output = Result<T, LinkError>> + Send + 'a>>;

/// What a race needs of a hub. Every call may be made again: ids and keys make it one. Each finds its own way to the hub, also
/// after the connection was lost; [`Link::connect`] only says whether there is one.
pub trait Link: Send + Sync {
    /// Reaches the hub. Nothing is asked yet.
    fn connect(&self) -> Linking<'_, ()>;

    /// Asks, under the id that the asker has chosen.
    fn ask(&self, ask: RaceRequest) -> Linking<'_, Acknowledged>;

    /// Waits for the outcome.
    fn wait(&self, id: RequestId) -> Linking<'_, Outcome>;

    /// Proposes how the request is to end. Made again with the same key, the same proposal gets the same answer.
    fn propose(&self, id: RequestId, resolution: Resolution, key: Option<Name>) -> Linking<'_, Proposed>;
}

/// The hub has the request, and says so.
#[derive(Debug, Clone, PartialEq)]
pub enum Acknowledged {
    /// This asking made it.
    New(RequestId),
    /// It was there before: somebody else asked it, or this asker did. By its key it may have another id.
    Known(State),
}

/// What became of a proposal. Only the hub can tell: it may know who proposed by another name than the one here.
#[derive(Debug, Clone, PartialEq)]
pub enum Proposed {
    /// The request has ended with it.
    Counted(Outcome),
    /// The request had ended before, with this.
    Late(Outcome),
}

impl Proposed {
    /// The outcome that counts.
    pub fn into_outcome(self) -> Outcome {
        match self {
            Self::Counted(outcome) | Self::Late(outcome) => outcome,
        }
    }
}

/// Why a message did not work.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LinkError {
    /// Nobody knows whether it arrived; it may work another time.
    #[error("the hub can't be reached: {0}")]
    Lost(String),
    /// Nothing was done; it may work later.
    #[error("the hub has no place for it just now: {0}")]
    NotNow(String),
    /// The hub won't.
    #[error("the hub refuses it: {0}")]
    Refused(String),
}
