//! The end of a connection, with its close code and reason. Codes from 4400 to 4499 mean that a client must not reconnect unchanged.

use super::socket::{Socket, SocketError};
use crate::fault::Fault;
use crate::limits::CLOSE_TIMEOUT;
use askback_api::ProblemCode;
use askback_websocket::{CloseCode, CloseFrame, Opcode, ReadError};
use std::io;
use tokio::time::{Instant, timeout_at};

/// The close code of a permanent refusal with this HTTP status: 4401 stands for 401.
fn permanent(status: u16) -> CloseCode {
    CloseCode::new(4000 + status).unwrap_or(CloseCode::POLICY_VIOLATION)
}

/// The reason why a connection ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CloseReason {
    /// The client is disconnected, or does not read.
    Unreachable,
    ClosedByClient,
    Stopping,
    AnotherHistory,
    Other {
        code: CloseCode,
        reason: String,
    },
}

impl CloseReason {
    pub(super) fn unreadable(why: &str) -> Self {
        Self::Other { code: permanent(400), reason: format!("the message can't be read: {why}") }
    }

    fn try_again(why: &str) -> Self {
        Self::Other { code: CloseCode::TRY_AGAIN_LATER, reason: why.to_owned() }
    }

    pub(super) fn revoked() -> Self {
        Self::from(Fault::new(ProblemCode::Unauthenticated, "the token was revoked, or has expired"))
    }

    /// The close frame; `None` if the client can't receive one.
    fn frame(self) -> Option<CloseFrame> {
        let (code, reason) = match self {
            Self::Unreachable => return None,
            Self::ClosedByClient => (CloseCode::NORMAL, String::new()),
            Self::Stopping => (CloseCode::GOING_AWAY, "the hub is stopping: come back".to_owned()),
            Self::AnotherHistory => {
                (permanent(409), "this replica is of another history: begin with a new Y.Doc".to_owned())
            }
            Self::Other { code, reason } => (code, reason),
        };
        Some(CloseFrame { code, reason })
    }
}

impl From<SocketError> for CloseReason {
    fn from(error: SocketError) -> Self {
        match error {
            SocketError::Ended => Self::Unreachable,
            // A connection may stall: the same message may arrive next time.
            SocketError::Timeout => Self::try_again("the message took too long to arrive: connect again"),
            SocketError::NoSpace(error) => Self::from(Fault::from(error)),
            SocketError::Read(error @ ReadError::MessageTooLarge { .. }) => {
                Self::Other { code: permanent(413), reason: format!("{error}: delete answers whose verdict is known") }
            }
            // A limit of ours, which the same message exceeds again.
            SocketError::Read(error @ ReadError::TooManyFrames { .. }) => Self::unreadable(&error.to_string()),
            SocketError::Read(error) => Self::Other { code: error.close_code(), reason: error.to_string() },
        }
    }
}

impl From<io::Error> for CloseReason {
    fn from(_: io::Error) -> Self {
        Self::Unreachable
    }
}

impl From<Fault> for CloseReason {
    fn from(fault: Fault) -> Self {
        let code = match fault.code {
            ProblemCode::Stopping => return Self::Stopping,
            ProblemCode::TooMany | ProblemCode::StoreFull | ProblemCode::StoreFailed => CloseCode::TRY_AGAIN_LATER,
            code => permanent(code.status()),
        };
        Self::Other { code, reason: fault.detail }
    }
}

/// Sends the close frame, and waits a short time for the client to receive it: without the wait it would see a broken connection.
pub(super) async fn close(mut socket: Socket, reason: CloseReason) {
    // A client that has sent its close frame only waits for this one.
    let is_closed_by_client = reason == CloseReason::ClosedByClient;
    let Some(frame) = reason.frame() else { return };
    let until = Instant::now() + CLOSE_TIMEOUT;
    if let Ok(Ok(())) = timeout_at(until, socket.send(Opcode::Close, &frame.payload())).await
        && !is_closed_by_client
    {
        let _ = timeout_at(until, socket.drain()).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::IN_FLIGHT;
    use crate::pool::{Holder, Pool};

    // W3, S3
    #[test]
    fn connection_that_was_slow_or_past_its_share_may_come_back() {
        let mut lease = Pool::new(IN_FLIGHT).lease(Holder { token: 1, is_person: false });
        let no_space = lease.grow_to(IN_FLIGHT.of_token + 1).unwrap_err();
        for error in [SocketError::Timeout, SocketError::NoSpace(no_space)] {
            let frame = CloseReason::from(error).frame().unwrap();
            assert_eq!(frame.code, CloseCode::TRY_AGAIN_LATER, "y-websocket stops at 4400 and above: {}", frame.reason);
        }
    }
}
