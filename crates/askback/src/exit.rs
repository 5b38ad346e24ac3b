//! What the exit status means: one list for every command.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It did what was asked.
    Done,
    /// An answer does not pass.
    Refused,
    /// The request or the usage is wrong.
    Wrong,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Done => Self::SUCCESS,
            Exit::Refused => Self::from(1),
            Exit::Wrong => Self::from(2),
        }
    }
}
