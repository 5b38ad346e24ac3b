//! How a connection ends, and with which words. Codes from 4400 to 4499 tell a client not to come back as it is.

use super::frame::{Broken, CONTROL_BYTES, Purpose};
use super::socket::{Lost, Socket};
use crate::fault::Fault;
use crate::limits::{CLOSE_PATIENCE, MESSAGE_BYTES};
use askback_api::ProblemCode;
use std::io;
use tokio::time::{Instant, timeout_at};

/// As asked for.
const NORMAL: u16 = 1000;
/// The hub goes; another will be there.
const GOING_AWAY: u16 = 1001;
/// Too many, or the disk is in trouble: later.
const TRY_AGAIN_LATER: u16 = 1013;
/// A call's status as a close code: 4401 is what 401 would have been.
const PERMANENT: u16 = 4000;

/// Why a connection ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Farewell {
    /// There is nobody to say it to.
    Silent,
    /// The client has said goodbye.
    Returned,
    /// The hub stops.
    Stopping,
    /// The replica is of another history.
    AnotherHistory,
    /// Something else, with its code.
    Told { code: u16, reason: String },
}

impl Farewell {
    pub(super) fn unreadable(why: &str) -> Self {
        Self::Told { code: PERMANENT + 400, reason: format!("the message can't be read: {why}") }
    }

    pub(super) fn revoked() -> Self {
        Self::from(Fault::new(ProblemCode::Unauthenticated, "the token was revoked, or has expired"))
    }

    /// What a close frame carries: the code, and as many whole characters of the reason as fit.
    fn carried(self) -> Option<Vec<u8>> {
        let (code, reason) = match self {
            Self::Silent => return None,
            Self::Returned => (NORMAL, String::new()),
            Self::Stopping => (GOING_AWAY, "the hub is stopping: come back".to_owned()),
            Self::AnotherHistory => {
                (PERMANENT + 409, "this replica is of another history: begin with a new Y.Doc".to_owned())
            }
            Self::Told { code, reason } => (code, reason),
        };
        let mut carried = code.to_be_bytes().to_vec();
        for character in reason.chars() {
            if carried.len() + character.len_utf8() > CONTROL_BYTES {
                break;
            }
            carried.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        Some(carried)
    }
}

impl From<Lost> for Farewell {
    fn from(lost: Lost) -> Self {
        match lost {
            Lost::Ended => Self::Silent,
            Lost::Broken(Broken::Protocol(why)) => Self::unreadable(why),
            Lost::Broken(Broken::TooLarge) => {
                let reason =
                    format!("a message has more than {MESSAGE_BYTES} bytes: delete answers whose verdict is known");
                Self::Told { code: PERMANENT + 413, reason }
            }
        }
    }
}

/// The client has gone, or does not read.
impl From<io::Error> for Farewell {
    fn from(_: io::Error) -> Self {
        Self::Silent
    }
}

impl From<Fault> for Farewell {
    fn from(fault: Fault) -> Self {
        let code = match fault.code {
            ProblemCode::Stopping => return Self::Stopping,
            ProblemCode::TooMany | ProblemCode::StoreFull | ProblemCode::StoreFailed => TRY_AGAIN_LATER,
            code => PERMANENT + code.status(),
        };
        Self::Told { code, reason: fault.detail }
    }
}

/// Says why, and waits a moment for the client to hear it: cut off at once, it would see that the connection broke.
pub(super) async fn close(mut socket: Socket, farewell: Farewell) {
    // Whoever has said goodbye waits for nothing but ours.
    let is_returned = farewell == Farewell::Returned;
    let Some(carried) = farewell.carried() else { return };
    let until = Instant::now() + CLOSE_PATIENCE;
    if let Ok(Ok(())) = timeout_at(until, socket.say(Purpose::Close, &carried)).await
        && !is_returned
    {
        let _ = timeout_at(until, socket.drain()).await;
    }
}
