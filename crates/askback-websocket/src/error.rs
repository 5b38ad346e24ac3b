//! Why a client's bytes can't be read any further.

use crate::CloseCode;
use thiserror::Error;

/// The error of a client's bytes, after which nothing more of that client is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ReadError {
    /// A reserved bit is set. Extensions define these bits, and none is offered.
    #[error("a frame uses an extension that was not negotiated")]
    ReservedBits,
    /// The opcode is reserved.
    #[error("a frame has the reserved opcode {0}")]
    ReservedOpcode(u8),
    /// The payload is not masked.
    #[error("a client's frame has no mask")]
    Unmasked,
    /// A control frame is not final.
    #[error("a control frame is fragmented")]
    FragmentedControl,
    /// A control frame announces too many bytes.
    #[error("a control frame has more than 125 bytes")]
    LongControl,
    /// The length of a payload is written in more bytes than it needs, or is larger than any length may be.
    #[error("the length of a frame is not written as the protocol has it")]
    InvalidLength,
    /// A continuation frame comes before any first fragment.
    #[error("a continuation frame continues no message")]
    UnexpectedContinuation,
    /// A message starts between the fragments of another.
    #[error("a message starts before the one before it has ended")]
    InterruptedMessage,
    /// A text message or the reason of a close frame is not UTF-8.
    #[error("a text is not UTF-8")]
    InvalidUtf8,
    /// A close frame has one byte, which is half a code.
    #[error("a close frame has half a code")]
    HalfCloseCode,
    /// A close frame has a code that must not be sent.
    #[error("a close frame has the code {0}, which is reserved")]
    InvalidCloseCode(u16),
    /// A message has more bytes than its limit. The header of a frame announces this, before its payload.
    #[error("a message has more than {limit} bytes")]
    MessageTooLarge {
        /// The limit of the reader.
        limit: usize,
    },
    /// A message has more frames than its limit.
    #[error("a message has more than {limit} frames")]
    TooManyFrames {
        /// The limit of the reader.
        limit: usize,
    },
}

impl ReadError {
    /// The code that RFC 6455 has for this error.
    pub fn close_code(self) -> CloseCode {
        match self {
            Self::ReservedBits
            | Self::ReservedOpcode(_)
            | Self::Unmasked
            | Self::FragmentedControl
            | Self::LongControl
            | Self::InvalidLength
            | Self::UnexpectedContinuation
            | Self::InterruptedMessage
            | Self::HalfCloseCode
            | Self::InvalidCloseCode(_) => CloseCode::PROTOCOL_ERROR,
            Self::InvalidUtf8 => CloseCode::INVALID_PAYLOAD,
            Self::MessageTooLarge { .. } => CloseCode::MESSAGE_TOO_LARGE,
            Self::TooManyFrames { .. } => CloseCode::POLICY_VIOLATION,
        }
    }
}
