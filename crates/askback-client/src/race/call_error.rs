//! The error of a race's call to the hub.

use askback_api::{ApiError, ProblemCode};
use thiserror::Error;

/// The error of a call to the hub, by what the race does next.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CallError {
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

impl From<ApiError> for CallError {
    fn from(error: ApiError) -> Self {
        let why = error.to_string();
        match (error.code(), error) {
            (_, ApiError::Lost(why)) => Self::Lost(why),
            (Some(ProblemCode::TooMany | ProblemCode::StoreFull), _) => Self::NotNow(why),
            (Some(ProblemCode::Stopping | ProblemCode::StoreFailed), _) => Self::Lost(why),
            _ => Self::Refused(why),
        }
    }
}
