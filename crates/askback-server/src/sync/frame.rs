//! Frames of the WebSocket protocol (RFC 6455): those of clients are read, those of the server written.

/// Maximum bytes of a server frame's header.
const HEADER_BYTES: usize = 10;

/// Maximum bytes of a control frame's payload.
pub(super) const CONTROL_BYTES: usize = 125;

const FINAL: u8 = 0x80;
const RESERVED: u8 = 0x70;
const MASKED: u8 = 0x80;
const LENGTH_IN_TWO: u8 = 126;
const LENGTH_IN_EIGHT: u8 = 127;

/// The type of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opcode {
    Continuation,
    Text,
    Binary,
    Close,
    Ping,
    Pong,
}

impl Opcode {
    const CODES: [(u8, Self); 6] = [
        (0, Self::Continuation),
        (1, Self::Text),
        (2, Self::Binary),
        (8, Self::Close),
        (9, Self::Ping),
        (10, Self::Pong),
    ];

    fn code(self) -> u8 {
        Self::CODES.iter().find(|(_, opcode)| *opcode == self).map_or(0, |(code, _)| *code)
    }

    fn of(code: u8) -> Option<Self> {
        Self::CODES.iter().find(|(other, _)| *other == code).map(|(_, opcode)| *opcode)
    }

    /// Whether it may come between the fragments of a message.
    pub(super) fn is_control(self) -> bool {
        matches!(self, Self::Close | Self::Ping | Self::Pong)
    }
}

/// The error of an invalid frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameError {
    /// The frame violates the protocol.
    Protocol(&'static str),
    /// The message exceeds its maximum size.
    TooLarge,
}

/// The header of a client's frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FrameHeader {
    pub(super) opcode: Opcode,
    /// Whether it is the last frame of its message.
    pub(super) is_last: bool,
    pub(super) length: usize,
    pub(super) mask: [u8; 4],
    /// The size of the header itself.
    pub(super) size: usize,
}

impl FrameHeader {
    /// Reads the header of a frame whose payload may have `max` bytes; `None` while it is incomplete. A payload that is too large is
    /// refused before it arrives.
    pub(super) fn read(bytes: &[u8], max: usize) -> Result<Option<Self>, FrameError> {
        let [first, second, rest @ ..] = bytes else { return Ok(None) };
        let opcode = Opcode::of(first & 0x0f).ok_or(FrameError::Protocol("a frame for no known purpose"))?;
        if first & RESERVED != 0 {
            return Err(FrameError::Protocol("an extension that was not agreed on"));
        }
        if second & MASKED == 0 {
            return Err(FrameError::Protocol("a client's frame without a mask"));
        }
        let (length, wide) = match second & !MASKED {
            LENGTH_IN_TWO => (rest.first_chunk().map(|bytes| u64::from(u16::from_be_bytes(*bytes))), 2),
            LENGTH_IN_EIGHT => (rest.first_chunk().map(|bytes| u64::from_be_bytes(*bytes)), 8),
            length => (Some(u64::from(length)), 0),
        };
        let Some(length) = length else { return Ok(None) };
        let is_last = first & FINAL != 0;
        if opcode.is_control() && (length > CONTROL_BYTES as u64 || !is_last) {
            return Err(FrameError::Protocol("a control frame that is long or in pieces"));
        }
        let fits = |length: &usize| opcode.is_control() || *length <= max;
        let length = usize::try_from(length).ok().filter(fits).ok_or(FrameError::TooLarge)?;
        let mask = rest.get(wide..).and_then(|rest| rest.first_chunk().copied());
        Ok(mask.map(|mask| Self { opcode, is_last, length, mask, size: 2 + wide + mask.len() }))
    }
}

/// Removes the mask, with which clients keep proxies from misinterpreting a payload. Masking is its own inverse.
pub(super) fn unmask(payload: &mut [u8], mask: [u8; 4]) {
    for chunk in payload.chunks_mut(mask.len()) {
        chunk.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
    }
}

/// The header of a server's frame, which is a whole message or a control frame.
pub(super) struct ServerHeader {
    bytes: [u8; HEADER_BYTES],
    size: usize,
}

impl ServerHeader {
    pub(super) fn new(opcode: Opcode, length: usize) -> Self {
        let mut bytes = [0; HEADER_BYTES];
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
                HEADER_BYTES
            }
        };
        Self { bytes, size }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.size]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame as a client sends it.
    fn sent(first: u8, payload: &[u8]) -> Vec<u8> {
        let own = ServerHeader::new(Opcode::Binary, payload.len());
        let mut frame = own.as_bytes().to_vec();
        (frame[0], frame[1]) = (first, frame[1] | MASKED);
        frame.extend([1, 2, 3, 4]);
        let mut payload = payload.to_vec();
        unmask(&mut payload, [1, 2, 3, 4]);
        frame.extend(payload);
        frame
    }

    // S3
    #[test]
    fn a_frame_is_read_once_enough_of_it_is_there() {
        for length in [0, 1, 125, 126, 65_535, 65_536] {
            let payload = vec![7; length];
            let frame = sent(0x82, &payload);
            let header = FrameHeader::read(&frame, length).unwrap().unwrap();
            assert_eq!((header.opcode, header.is_last, header.length), (Opcode::Binary, true, length));
            let mut found = frame[header.size..].to_vec();
            unmask(&mut found, header.mask);
            assert_eq!(found, payload);
            for end in 0..header.size {
                assert_eq!(FrameHeader::read(&frame[..end], length), Ok(None), "{end} of {length}");
            }
        }
    }

    // S3
    #[test]
    fn what_is_too_large_or_no_frame_is_refused_by_its_head() {
        assert_eq!(FrameHeader::read(&sent(0x82, &[0; 200])[..4], 199), Err(FrameError::TooLarge));
        assert_eq!(
            FrameHeader::read(&[0x82, 0xff, 255, 255, 255, 255, 255, 255, 255, 255], 1 << 20),
            Err(FrameError::TooLarge)
        );
        let broken = |bytes: &[u8]| matches!(FrameHeader::read(bytes, 1_000), Err(FrameError::Protocol(_)));
        assert!(broken(&[0x82, 5]), "no mask");
        assert!(broken(&sent(0xc2, b"x")), "an extension");
        assert!(broken(&sent(0x83, b"x")) && broken(&sent(0x8f, b"x")), "no known purpose");
        assert!(broken(&sent(0x09, b"x")) && broken(&sent(0x89, &[0; 126])), "a ping in pieces, a long one");
        assert!(!broken(&sent(0x89, &[0; 125])) && !broken(&sent(0x02, b"x")));
    }
}
