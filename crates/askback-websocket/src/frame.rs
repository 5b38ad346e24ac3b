//! Frames: the headers of those of clients are read, the headers of the server's are written.

use crate::ReadError;

/// Maximum bytes of a server frame's header.
const SERVER_HEADER_BYTES: usize = 10;

/// Maximum bytes of a client frame's header, which has a mask.
pub(crate) const CLIENT_HEADER_BYTES: usize = 14;

/// Maximum bytes of a control frame's payload.
pub(crate) const CONTROL_BYTES: usize = 125;

const FINAL: u8 = 0x80;
const RESERVED: u8 = 0x70;
const MASKED: u8 = 0x80;
const LENGTH_IN_TWO: u8 = 126;
const LENGTH_IN_EIGHT: u8 = 127;

/// The largest length that eight bytes may have.
const LONGEST: u64 = u64::MAX >> 1;

/// The type of a frame that a server sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opcode {
    /// A whole text message.
    Text,
    /// A whole binary message.
    Binary,
    /// The last frame of a connection.
    Close,
    /// A request for a pong.
    Ping,
    /// The reply to a ping, with its payload.
    Pong,
}

impl Opcode {
    fn code(self) -> u8 {
        match self {
            Self::Text => 1,
            Self::Binary => 2,
            Self::Close => 8,
            Self::Ping => 9,
            Self::Pong => 10,
        }
    }
}

/// The header of a server's frame, which is a whole message or a control frame.
#[derive(Debug, Clone, Copy)]
pub struct FrameHeader {
    bytes: [u8; SERVER_HEADER_BYTES],
    size: usize,
}

impl FrameHeader {
    /// The header of a frame whose payload has `length` bytes.
    pub fn new(opcode: Opcode, length: usize) -> Self {
        let mut bytes = [0; SERVER_HEADER_BYTES];
        bytes[0] = FINAL | opcode.code();
        let size = match (u8::try_from(length), u16::try_from(length)) {
            (Ok(length), _) if length < LENGTH_IN_TWO => {
                bytes[1] = length;
                2
            }
            (_, Ok(length)) => {
                bytes[1] = LENGTH_IN_TWO;
                bytes[2..4].copy_from_slice(&length.to_be_bytes());
                4
            }
            _ => {
                bytes[1] = LENGTH_IN_EIGHT;
                bytes[2..].copy_from_slice(&(length as u64).to_be_bytes());
                SERVER_HEADER_BYTES
            }
        };
        Self { bytes, size }
    }

    /// The bytes to send before the payload.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.size]
    }
}

/// The type of a data frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DataOpcode {
    Continuation,
    Text,
    Binary,
}

/// The type of a control frame, which may come between the fragments of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ControlOpcode {
    Close,
    Ping,
    Pong,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClientOpcode {
    Data(DataOpcode),
    Control(ControlOpcode),
}

impl ClientOpcode {
    fn read(code: u8) -> Result<Self, ReadError> {
        Ok(match code {
            0 => Self::Data(DataOpcode::Continuation),
            1 => Self::Data(DataOpcode::Text),
            2 => Self::Data(DataOpcode::Binary),
            8 => Self::Control(ControlOpcode::Close),
            9 => Self::Control(ControlOpcode::Ping),
            10 => Self::Control(ControlOpcode::Pong),
            reserved => return Err(ReadError::ReservedOpcode(reserved)),
        })
    }
}

/// The header of a client's frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientHeader {
    pub(crate) opcode: ClientOpcode,
    /// Whether it is the last frame of its message.
    pub(crate) is_last: bool,
    pub(crate) length: u64,
    pub(crate) mask: [u8; 4],
}

impl ClientHeader {
    /// Reads a header; `None` while it is incomplete. The first byte that is wrong is an error.
    pub(crate) fn read(bytes: &[u8]) -> Result<Option<Self>, ReadError> {
        let [first, rest @ ..] = bytes else { return Ok(None) };
        if first & RESERVED != 0 {
            return Err(ReadError::ReservedBits);
        }
        let opcode = ClientOpcode::read(first & 0x0f)?;
        let is_control = matches!(opcode, ClientOpcode::Control(_));
        let is_last = first & FINAL != 0;
        if is_control && !is_last {
            return Err(ReadError::FragmentedControl);
        }
        let [second, rest @ ..] = rest else { return Ok(None) };
        if second & MASKED == 0 {
            return Err(ReadError::Unmasked);
        }
        let short = second & !MASKED;
        if is_control && usize::from(short) > CONTROL_BYTES {
            return Err(ReadError::LongControl);
        }
        let (length, rest, shortest) = match short {
            LENGTH_IN_TWO => {
                let Some((length, rest)) = rest.split_first_chunk() else { return Ok(None) };
                (u64::from(u16::from_be_bytes(*length)), rest, u64::from(LENGTH_IN_TWO))
            }
            LENGTH_IN_EIGHT => {
                let Some((length, rest)) = rest.split_first_chunk() else { return Ok(None) };
                (u64::from_be_bytes(*length), rest, u64::from(u16::MAX) + 1)
            }
            length => (u64::from(length), rest, 0),
        };
        // RFC 6455, 5.2: the shortest form, and never the highest bit of eight bytes.
        if length < shortest || length > LONGEST {
            return Err(ReadError::InvalidLength);
        }
        Ok(rest.first_chunk().map(|mask| Self { opcode, is_last, length, mask: *mask }))
    }
}

/// Removes the mask of a part of a payload that begins at `offset`. Clients mask payloads to keep proxies from misinterpreting
/// them. Masking is its own inverse.
pub(crate) fn unmask(part: &mut [u8], mut mask: [u8; 4], offset: usize) {
    mask.rotate_left(offset % 4);
    for chunk in part.chunks_mut(mask.len()) {
        chunk.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // W3
    #[test]
    fn server_header_has_the_shortest_length() {
        for (length, expected) in [
            (0, &[0x82, 0][..]),
            (125, &[0x82, 125]),
            (126, &[0x82, 126, 0, 126]),
            (65_535, &[0x82, 126, 255, 255]),
            (65_536, &[0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] {
            assert_eq!(FrameHeader::new(Opcode::Binary, length).as_bytes(), expected, "{length}");
        }
        let opcodes = [Opcode::Text, Opcode::Binary, Opcode::Close, Opcode::Ping, Opcode::Pong];
        assert_eq!(opcodes.map(|opcode| FrameHeader::new(opcode, 0).as_bytes()[0]), [0x81, 0x82, 0x88, 0x89, 0x8a]);
    }

    // S3
    #[test]
    fn client_header_is_read_once_it_is_complete() {
        for (length, bytes) in
            [(5, &[0x02, 0x85][..]), (126, &[0x02, 0xfe, 0, 126]), (65_536, &[0x02, 0xff, 0, 0, 0, 0, 0, 1, 0, 0])]
        {
            let bytes = [bytes, &[1, 2, 3, 4]].concat();
            for end in 0..bytes.len() {
                assert_eq!(ClientHeader::read(&bytes[..end]), Ok(None), "{end} bytes of {length}");
            }
            let opcode = ClientOpcode::Data(DataOpcode::Binary);
            let expected = ClientHeader { opcode, is_last: false, length, mask: [1, 2, 3, 4] };
            assert_eq!(ClientHeader::read(&bytes), Ok(Some(expected)));
        }
    }

    // S3
    #[test]
    fn length_that_is_not_the_shortest_form_or_too_large_is_refused() {
        for bytes in [
            &[0x82, 0xfe, 0, 125][..],
            &[0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff],
            &[0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0],
        ] {
            assert_eq!(ClientHeader::read(&bytes[..bytes.len() - 1]), Ok(None));
            assert_eq!(ClientHeader::read(bytes), Err(ReadError::InvalidLength), "{bytes:x?}");
        }
        assert_eq!(ClientHeader::read(&[0x82, 0xff, 0x7f, 0xff, 0, 0, 0, 0, 0, 0]), Ok(None));
    }

    // W3
    #[test]
    fn payload_unmasked_in_parts_is_the_payload_unmasked_at_once() {
        let (mask, payload): ([u8; 4], Vec<u8>) = ([1, 20, 3, 40], (0..=255).collect());
        let mut whole = payload.clone();
        unmask(&mut whole, mask, 0);
        assert_eq!(whole[..5], [0x01, 0x15, 0x01, 0x2b, 0x05]);
        for size in 1..9 {
            let mut parts = payload.clone();
            for (index, part) in parts.chunks_mut(size).enumerate() {
                unmask(part, mask, index * size);
            }
            assert_eq!(parts, whole, "parts of {size}");
        }
    }
}
