//! The server side of the WebSocket protocol (RFC 6455): bytes of a client in, messages out; headers of the server's frames out.
//!
//! [`MessageReader`] owns the state of a connection's incoming half: fragments, control frames between them, UTF-8, and the close
//! frame. It holds the payload of one incomplete message, within [`ReadLimits`], and nothing while a connection is idle. What is
//! sent is a [`FrameHeader`] and a payload that the caller keeps, so that all receivers of a message share its bytes. There is no
//! socket and no clock here, and no extension is offered.
//!
//! ```
//! use askback_websocket::{FrameHeader, Message, MessageReader, Opcode, ReadLimits};
//!
//! let mut reader = MessageReader::new(ReadLimits { message_bytes: 1 << 20, message_frames: 1_024 });
//!
//! // A ping of a client, masked with zeros, and the first byte of its next frame.
//! let (used, message) = reader.read(&[0x89, 0x82, 0, 0, 0, 0, b'h', b'i', 0x82])?;
//! assert_eq!((used, message), (8, Some(Message::Ping(b"hi".to_vec()))));
//!
//! let header = FrameHeader::new(Opcode::Pong, 2);
//! assert_eq!(header.as_bytes(), [0x8a, 2]);
//! # Ok::<(), askback_websocket::ReadError>(())
//! ```

mod close;
mod error;
mod frame;
mod handshake;
mod reader;

pub use close::{CloseCode, CloseFrame};
pub use error::ReadError;
pub use frame::{FrameHeader, Opcode};
pub use handshake::accept;
pub use reader::{Message, MessageReader, ReadLimits};
