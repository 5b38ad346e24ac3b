//! What the exit status means: one list for every command.

use std::process::ExitCode;

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
