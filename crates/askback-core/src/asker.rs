//! The one thing an agent's side needs: somebody to ask.

use crate::outcome::Outcome;
use crate::request::Request;
use std::future::Future;
use std::pin::Pin;
use thiserror::Error;

/// A future on the heap, as methods of trait objects return it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The wait for an outcome. Dropping it withdraws the question: a prompt closes, a stored request is cancelled.
pub type Asking<'a> = BoxFuture<'a, Result<Outcome, AskError>>;

/// Whoever can put a request to a person: a terminal, a hub, or a race of both.
///
/// ```
/// use askback_core::{AskError, Asker, Asking, Request};
///
/// /// Where no person can be reached, nothing is assumed.
/// struct Nobody;
///
/// impl Asker for Nobody {
///     fn ask(&self, _: Request) -> Asking<'_> {
///         Box::pin(async { Err(AskError::Nobody("there is no terminal".into())) })
///     }
/// }
/// ```
pub trait Asker: Send + Sync {
    /// Asks, and waits for as long as it takes. Resolves once.
    fn ask(&self, request: Request) -> Asking<'_>;
}

/// Why a question could not be asked. None of these is an answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AskError {
    /// No person can be reached from here.
    #[error("nobody can be asked: {0}")]
    Nobody(String),
    /// The one who asks for us failed; the request may still be open.
    #[error("asking failed: {0}; ask again with the same key to find the request if it was made")]
    Failed(String),
}
