//! The error of an API call, in process or over a connection.

use crate::problem::{ProblemCode, ProblemDetails};
use askback_core::Outcome;
use thiserror::Error;

/// The error of an API call.
#[derive(Debug, Clone, Error)]
pub enum ApiError {
    /// The connection was lost or not established. Whether the call arrived is unknown.
    #[error("the hub can't be reached: {0}")]
    Lost(String),
    /// The hub refused the call.
    #[error("{}", .0.detail)]
    Refused(Box<ProblemDetails>),
    /// The request had ended before, with this outcome.
    #[error("{}", problem.detail)]
    AlreadyEnded {
        /// The outcome that counts.
        outcome: Box<Outcome>,
        /// The problem that the hub reported.
        problem: Box<ProblemDetails>,
    },
    /// The response is not that of an askback hub.
    #[error("not an askback hub: {0}")]
    Foreign(String),
    /// There is no hub, or no credentials for it.
    #[error("{0}")]
    Unavailable(String),
}

impl ApiError {
    /// The code of a refusal.
    pub fn code(&self) -> Option<ProblemCode> {
        match self {
            Self::Refused(problem) | Self::AlreadyEnded { problem, .. } => Some(problem.code),
            Self::Lost(_) | Self::Foreign(_) | Self::Unavailable(_) => None,
        }
    }

    /// Whether the same call may succeed shortly.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Lost(_)) || self.code().is_some_and(ProblemCode::is_transient)
    }
}

impl From<ProblemDetails> for ApiError {
    fn from(problem: ProblemDetails) -> Self {
        Self::Refused(Box::new(problem))
    }
}
