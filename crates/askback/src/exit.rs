//! The exit statuses, one list for every command.

use askback_api::{ApiError, ProblemCode};
use std::process::ExitCode;
use tokio::signal::unix::SignalKind;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It did what was asked: there is an answer, or the declared default.
    Done,
    /// The person says no, or an answer does not pass.
    Refused,
    /// The request or the usage is wrong.
    Wrong,
    /// Nobody can be asked.
    Nobody,
    /// Nobody answered in time.
    Expired,
    /// The question was taken away.
    Cancelled,
    /// A signal ended it.
    Signal(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Refused => 1,
            Exit::Wrong => 2,
            Exit::Nobody => 69,
            Exit::Expired => 124,
            Exit::Cancelled => 130,
            // As shells count them.
            Exit::Signal(number) => 128 + number,
        })
    }
}

impl From<SignalKind> for Exit {
    fn from(signal: SignalKind) -> Self {
        Self::Signal(u8::try_from(signal.as_raw_value()).unwrap_or(0))
    }
}

/// The exit status of a command whose call was refused.
impl From<ProblemCode> for Exit {
    fn from(code: ProblemCode) -> Self {
        match code {
            ProblemCode::InvalidAnswer | ProblemCode::AlreadyEnded => Self::Refused,
            ProblemCode::TooMany | ProblemCode::Stopping | ProblemCode::StoreFull | ProblemCode::StoreFailed => {
                Self::Nobody
            }
            ProblemCode::InvalidRequest
            | ProblemCode::InvalidParameter
            | ProblemCode::Unauthenticated
            | ProblemCode::Forbidden
            | ProblemCode::ForeignOrigin
            | ProblemCode::UnknownHost
            | ProblemCode::NotFound
            | ProblemCode::NoSuchRequest
            | ProblemCode::MethodNotAllowed
            | ProblemCode::UpgradeRequired
            | ProblemCode::KeyTaken
            | ProblemCode::NameTaken
            | ProblemCode::NoSuchEvent
            | ProblemCode::TooLarge => Self::Wrong,
        }
    }
}

/// The exit status of a command whose call has no result.
impl From<&ApiError> for Exit {
    fn from(error: &ApiError) -> Self {
        match error {
            ApiError::Refused(problem) | ApiError::AlreadyEnded { problem, .. } => problem.code.into(),
            ApiError::Lost(_) | ApiError::Unavailable(_) => Self::Nobody,
            ApiError::Foreign(_) => Self::Wrong,
        }
    }
}
