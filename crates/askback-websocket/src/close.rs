//! Close frames and their codes.

use crate::ReadError;
use crate::frame::CONTROL_BYTES;

/// The code of a close frame. Every value may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CloseCode(u16);

impl CloseCode {
    /// The connection has fulfilled its purpose. Also the reply to a client's close frame.
    pub const NORMAL: Self = Self(1000);
    /// The server stops.
    pub const GOING_AWAY: Self = Self(1001);
    /// The other side has violated the protocol.
    pub const PROTOCOL_ERROR: Self = Self(1002);
    /// A text is not UTF-8.
    pub const INVALID_PAYLOAD: Self = Self(1007);
    /// A message violates a policy of the receiver.
    pub const POLICY_VIOLATION: Self = Self(1008);
    /// A message has too many bytes.
    pub const MESSAGE_TOO_LARGE: Self = Self(1009);
    /// A transient refusal.
    pub const TRY_AGAIN_LATER: Self = Self(1013);

    /// The code with this number; `None` if it must not be sent. 1004 to 1006 and 1015 are reserved, and so are the numbers that
    /// no registry assigns.
    pub const fn new(number: u16) -> Option<Self> {
        match number {
            1000..=1003 | 1007..=1014 | 3000..=4999 => Some(Self(number)),
            _ => None,
        }
    }

    /// The number of the code.
    pub const fn number(self) -> u16 {
        self.0
    }
}

/// The payload of a close frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloseFrame {
    /// Why the connection is closed.
    pub code: CloseCode,
    /// An explanation; empty if there is none.
    pub reason: String,
}

impl CloseFrame {
    /// Reads the payload of a client's close frame; `None` if it is empty.
    pub(crate) fn read(payload: &[u8]) -> Result<Option<Self>, ReadError> {
        let Some((number, reason)) = payload.split_first_chunk() else {
            return if payload.is_empty() { Ok(None) } else { Err(ReadError::HalfCloseCode) };
        };
        let number = u16::from_be_bytes(*number);
        let code = CloseCode::new(number).ok_or(ReadError::InvalidCloseCode(number))?;
        let reason = str::from_utf8(reason).map_err(|_| ReadError::InvalidUtf8)?.to_owned();
        Ok(Some(Self { code, reason }))
    }

    /// The payload of a close frame: the code, and as many whole characters of the reason as fit.
    pub fn payload(&self) -> Vec<u8> {
        let code = self.code.number().to_be_bytes();
        let space = CONTROL_BYTES - code.len();
        let ends = self.reason.char_indices().map(|(start, character)| start + character.len_utf8());
        let end = ends.take_while(|end| *end <= space).last().unwrap_or(0);
        [&code, &self.reason.as_bytes()[..end]].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::{CloseCode, CloseFrame};

    // W3
    #[test]
    fn reason_that_does_not_fit_is_cut_after_a_whole_character() {
        let frame = CloseFrame { code: CloseCode::NORMAL, reason: format!("{}é", "x".repeat(122)) };
        let payload = frame.payload();
        assert_eq!((payload.len(), payload.last()), (124, Some(&b'x')));
        let short = CloseFrame { reason: "é".repeat(3), ..frame };
        assert_eq!(CloseFrame::read(&short.payload()), Ok(Some(short)));
    }
}
