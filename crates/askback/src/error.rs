//! The error of a command, which knows its exit status.

use crate::exit::Exit;
use askback_api::ApiError;
use askback_hub::HubError;
use askback_term::TermError;
use std::fmt::Display;
use std::io;
use thiserror::Error;

/// The reason why a command failed.
#[derive(Debug, Error)]
pub(crate) enum CliError {
    /// An argument, a file or the environment is not as it must be. The message says what to do about it.
    #[error("{0}")]
    Wrong(String),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Hub(#[from] HubError),
    #[error(transparent)]
    Api(#[from] ApiError),
    #[error("nobody can be asked: {0}")]
    Nobody(String),
    /// The reason is printed already, or is a signal.
    #[error("the command has ended")]
    Ended(Exit),
}

impl CliError {
    /// An error of another type that no exit status of its own tells apart.
    pub(crate) fn wrong(error: impl Display) -> Self {
        Self::Wrong(error.to_string())
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Wrong(_) | Self::Io(_) | Self::Hub(_) => Exit::Wrong,
            Self::Api(error) => error.into(),
            Self::Nobody(_) => Exit::Nobody,
            Self::Ended(exit) => *exit,
        }
    }
}

impl From<TermError> for CliError {
    fn from(error: TermError) -> Self {
        if error.means_nobody() { Self::Nobody(error.to_string()) } else { Self::wrong(error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_api::{ProblemCode, ProblemDetails};

    // F15
    #[test]
    fn each_error_has_its_exit_status() {
        let refused = |code| ApiError::from(ProblemDetails::new(code, "refused"));
        for (error, exit) in [
            (CliError::wrong("no options"), Exit::Wrong),
            (io::Error::other("no disk").into(), Exit::Wrong),
            (HubError::Revoked.into(), Exit::Wrong),
            (ApiError::Lost("gone".to_owned()).into(), Exit::Nobody),
            (refused(ProblemCode::InvalidAnswer).into(), Exit::Refused),
            (refused(ProblemCode::Forbidden).into(), Exit::Wrong),
            (CliError::Nobody("no terminal".to_owned()), Exit::Nobody),
            (CliError::Ended(Exit::Signal(15)), Exit::Signal(15)),
        ] {
            assert_eq!(error.exit(), exit, "{error}");
        }
    }
}
