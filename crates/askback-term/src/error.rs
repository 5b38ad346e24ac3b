//! Why a terminal can't be asked. None of these is an answer.

use std::io;
use thiserror::Error;

/// What stands between a request and a person at this terminal.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TermError {
    /// Neither standard input nor standard error is a terminal.
    #[error("there is no terminal here: run this where standard input or standard error is one")]
    NoTerminal,
    /// Another program is in front: painting would spoil its screen, and keys would go to it.
    #[error("this program runs in the background of its terminal: run it in the foreground")]
    Background,
    /// The terminal went away while it was being used.
    #[error("the terminal went away before anyone answered")]
    Lost,
    /// Reading or painting failed.
    #[error("the terminal failed: {0}")]
    Io(#[from] io::Error),
}

impl TermError {
    /// Whether nobody can be asked here, as opposed to something having gone wrong.
    pub fn means_nobody(&self) -> bool {
        !matches!(self, Self::Io(_))
    }
}

impl From<rustix::io::Errno> for TermError {
    fn from(errno: rustix::io::Errno) -> Self {
        match errno {
            // The other side of the terminal is closed.
            rustix::io::Errno::IO | rustix::io::Errno::PIPE => Self::Lost,
            errno => Self::Io(errno.into()),
        }
    }
}
