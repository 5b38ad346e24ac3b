//! The end of a connection, with its close code and reason. Codes from 4400 to 4499 mean that a client must not reconnect unchanged.

use super::frame::{CONTROL_BYTES, FrameError, Opcode};
use super::socket::{Socket, SocketError};
use crate::fault::Fault;
use crate::limits::{CLOSE_TIMEOUT, MESSAGE_BYTES};
use askback_api::ProblemCode;
use std::io;
use tokio::time::{Instant, timeout_at};

/// The client closed the connection.
const NORMAL: u16 = 1000;
/// The hub stops, and another will start.
const GOING_AWAY: u16 = 1001;
/// A transient refusal.
const TRY_AGAIN_LATER: u16 = 1013;
/// Added to an HTTP status: 4401 stands for 401.
const PERMANENT: u16 = 4000;

/// The reason why a connection ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CloseReason {
    /// The client is disconnected, or does not read.
    Unreachable,
    ClosedByClient,
    Stopping,
    AnotherHistory,
    Other {
        code: u16,
        reason: String,
    },
}

impl CloseReason {
    pub(super) fn unreadable(why: &str) -> Self {
        Self::Other { code: PERMANENT + 400, reason: format!("the message can't be read: {why}") }
    }

    pub(super) fn revoked() -> Self {
        Self::from(Fault::new(ProblemCode::Unauthenticated, "the token was revoked, or has expired"))
    }

    /// The payload of the close frame: the code, and as many whole characters of the reason as fit.
    fn payload(self) -> Option<Vec<u8>> {
        let (code, reason) = match self {
            Self::Unreachable => return None,
            Self::ClosedByClient => (NORMAL, String::new()),
            Self::Stopping => (GOING_AWAY, "the hub is stopping: come back".to_owned()),
            Self::AnotherHistory => {
                (PERMANENT + 409, "this replica is of another history: begin with a new Y.Doc".to_owned())
            }
            Self::Other { code, reason } => (code, reason),
        };
        let mut payload = code.to_be_bytes().to_vec();
        let space = CONTROL_BYTES - payload.len();
        let ends = reason.char_indices().map(|(start, character)| start + character.len_utf8());
        let end = ends.take_while(|end| *end <= space).last().unwrap_or(0);
        payload.extend_from_slice(&reason.as_bytes()[..end]);
        Some(payload)
    }
}

impl From<SocketError> for CloseReason {
    fn from(error: SocketError) -> Self {
        match error {
            SocketError::Ended => Self::Unreachable,
            SocketError::Frame(FrameError::Protocol(why)) => Self::unreadable(why),
            SocketError::Frame(FrameError::TooLarge) => {
                let reason =
                    format!("a message has more than {MESSAGE_BYTES} bytes: delete answers whose verdict is known");
                Self::Other { code: PERMANENT + 413, reason }
            }
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
            ProblemCode::TooMany | ProblemCode::StoreFull | ProblemCode::StoreFailed => TRY_AGAIN_LATER,
            code => PERMANENT + code.status(),
        };
        Self::Other { code, reason: fault.detail }
    }
}

/// Sends the close frame, and waits a short time for the client to receive it: without the wait it would see a broken connection.
pub(super) async fn close(mut socket: Socket, reason: CloseReason) {
    // A client that has sent its close frame only waits for this one.
    let is_closed_by_client = reason == CloseReason::ClosedByClient;
    let Some(payload) = reason.payload() else { return };
    let until = Instant::now() + CLOSE_TIMEOUT;
    if let Ok(Ok(())) = timeout_at(until, socket.send(Opcode::Close, &payload)).await
        && !is_closed_by_client
    {
        let _ = timeout_at(until, socket.drain()).await;
    }
}
