//! The calls of a race to a hub, in this process or behind a connection that breaks.

use super::RaceRequest;
use askback_core::{Name, Outcome, RequestId, Resolution, State};
use std::future::Future;
use std::pin::Pin;
use thiserror::Error;

/// A call to the hub under way. Once it is polled, it may have arrived.
pub type LinkFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, LinkError>> + Send + 'a>>;

/// The calls that a race makes to a hub. Each is idempotent by its id or key, and connects again after a lost connection;
/// [`Link::connect`] only tests whether the hub can be reached.
pub trait Link: Send + Sync {
    /// Reaches the hub. Nothing is asked yet.
    fn connect(&self) -> LinkFuture<'_, ()>;

    /// Asks under the asker's own id, and returns the state of the request. By its key the hub may have it under another id.
    fn ask(&self, ask: RaceRequest) -> LinkFuture<'_, State>;

    /// Waits for the outcome.
    fn wait(&self, id: RequestId) -> LinkFuture<'_, Outcome>;

    /// Proposes a resolution. With the same key, the same proposal has the same result.
    fn propose(&self, id: RequestId, resolution: Resolution, key: Option<Name>) -> LinkFuture<'_, ProposalResult>;
}

/// The hub's result for a proposal. The outcome alone does not tell, since the hub may know the person by another name.
#[derive(Debug, Clone, PartialEq)]
pub enum ProposalResult {
    /// The proposal ended the request.
    Accepted(Outcome),
    /// The request had ended before, with this outcome.
    Late(Outcome),
}

impl ProposalResult {
    /// The outcome of the request.
    pub fn into_outcome(self) -> Outcome {
        match self {
            Self::Accepted(outcome) | Self::Late(outcome) => outcome,
        }
    }
}

/// The error of a call to the hub.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LinkError {
    /// It is unknown whether the call arrived; a retry may succeed.
    #[error("the hub can't be reached: {0}")]
    Lost(String),
    /// The hub is at a limit and did nothing; a later call may succeed.
    #[error("the hub has no place for it just now: {0}")]
    NotNow(String),
    /// The hub refuses the call for good.
    #[error("the hub refuses it: {0}")]
    Refused(String),
}
