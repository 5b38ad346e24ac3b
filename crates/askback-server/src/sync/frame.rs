//! Frames of the WebSocket protocol (RFC 6455): read as clients send them, written as servers do.

/// The most that stands before what a frame carries.
const HEAD_BYTES: usize = 10;

/// The most that a frame carries which is not part of a message.
pub(super) const CONTROL_BYTES: usize = 125;

const FINAL: u8 = 0x80;
const RESERVED: u8 = 0x70;
const MASKED: u8 = 0x80;
const LENGTH_IN_TWO: u8 = 126;
const LENGTH_IN_EIGHT: u8 = 127;

/// What a frame is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Continuation,
    Text,
    Binary,
    Close,
    Ping,
    Pong,
}

impl Purpose {
    const CODES: [(u8, Self); 6] = [
        (0, Self::Continuation),
        (1, Self::Text),
        (2, Self::Binary),
        (8, Self::Close),
        (9, Self::Ping),
        (10, Self::Pong),
    ];

    fn code(self) -> u8 {
        Self::CODES.iter().find(|(_, purpose)| *purpose == self).map_or(0, |(code, _)| *code)
    }

    fn of(code: u8) -> Option<Self> {
        Self::CODES.iter().find(|(other, _)| *other == code).map(|(_, purpose)| *purpose)
    }

    /// Whether it stands by itself, and between the pieces of a message, too.
    pub(super) fn is_control(self) -> bool {
        matches!(self, Self::Close | Self::Ping | Self::Pong)
    }
}

/// Why a client can't be understood any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// It does not keep to the protocol.
    Protocol(&'static str),
    /// A message is larger than may be.
    TooLarge,
}

/// What stands before what a frame carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) purpose: Purpose,
    /// Whether the message ends with it.
    pub(super) is_last: bool,
    pub(super) length: usize,
    pub(super) mask: [u8; 4],
    /// The bytes that it takes itself.
    pub(super) size: usize,
}

impl Head {
    /// Reads the beginning of a frame that may carry so much of a message; nothing if there is too little of it yet. What it carries
    /// need not have arrived: what is too large is refused before.
    pub(super) fn read(bytes: &[u8], most: usize) -> Result<Option<Self>, Broken> {
        let [first, second, rest @ ..] = bytes else { return Ok(None) };
        let purpose = Purpose::of(first & 0x0f).ok_or(Broken::Protocol("a frame for no known purpose"))?;
        if first & RESERVED != 0 {
            return Err(Broken::Protocol("an extension that was not agreed on"));
        }
        if second & MASKED == 0 {
            return Err(Broken::Protocol("a client's frame without a mask"));
        }
        let (length, wide) = match second & !MASKED {
            LENGTH_IN_TWO => (rest.first_chunk().map(|bytes| u64::from(u16::from_be_bytes(*bytes))), 2),
            LENGTH_IN_EIGHT => (rest.first_chunk().map(|bytes| u64::from_be_bytes(*bytes)), 8),
            length => (Some(u64::from(length)), 0),
        };
        let Some(length) = length else { return Ok(None) };
        let is_last = first & FINAL != 0;
        if purpose.is_control() && (length > CONTROL_BYTES as u64 || !is_last) {
            return Err(Broken::Protocol("a control frame that is long or in pieces"));
        }
        let fits = |length: &usize| purpose.is_control() || *length <= most;
        let length = usize::try_from(length).ok().filter(fits).ok_or(Broken::TooLarge)?;
        let mask = rest.get(wide..).and_then(|rest| rest.first_chunk().copied());
        Ok(mask.map(|mask| Self { purpose, is_last, length, mask, size: 2 + wide + mask.len() }))
    }
}

/// What was sent is masked, so that no proxy takes it for something else; masking it again takes that away.
pub(super) fn unmask(carried: &mut [u8], mask: [u8; 4]) {
    for piece in carried.chunks_mut(mask.len()) {
        piece.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
    }
}

/// What stands before a whole message of a server, or a control frame.
pub(super) struct OwnHead {
    bytes: [u8; HEAD_BYTES],
    size: usize,
}

impl OwnHead {
    pub(super) fn new(purpose: Purpose, length: usize) -> Self {
        let mut bytes = [0; HEAD_BYTES];
        bytes[0] = FINAL | purpose.code();
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
                HEAD_BYTES
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
    fn sent(first: u8, carried: &[u8]) -> Vec<u8> {
        let own = OwnHead::new(Purpose::Binary, carried.len());
        let mut frame = own.as_bytes().to_vec();
        (frame[0], frame[1]) = (first, frame[1] | MASKED);
        frame.extend([1, 2, 3, 4]);
        let mut carried = carried.to_vec();
        unmask(&mut carried, [1, 2, 3, 4]);
        frame.extend(carried);
        frame
    }

    // S3
    #[test]
    fn a_frame_is_read_once_enough_of_it_is_there() {
        for length in [0, 1, 125, 126, 65_535, 65_536] {
            let carried = vec![7; length];
            let frame = sent(0x82, &carried);
            let head = Head::read(&frame, length).unwrap().unwrap();
            assert_eq!((head.purpose, head.is_last, head.length), (Purpose::Binary, true, length));
            let mut found = frame[head.size..].to_vec();
            unmask(&mut found, head.mask);
            assert_eq!(found, carried);
            for end in 0..head.size {
                assert_eq!(Head::read(&frame[..end], length), Ok(None), "{end} of {length}");
            }
        }
    }

    // S3
    #[test]
    fn what_is_too_large_or_no_frame_is_refused_by_its_head() {
        assert_eq!(Head::read(&sent(0x82, &[0; 200])[..4], 199), Err(Broken::TooLarge));
        assert_eq!(Head::read(&[0x82, 0xff, 255, 255, 255, 255, 255, 255, 255, 255], 1 << 20), Err(Broken::TooLarge));
        let broken = |bytes: &[u8]| matches!(Head::read(bytes, 1_000), Err(Broken::Protocol(_)));
        assert!(broken(&[0x82, 5]), "no mask");
        assert!(broken(&sent(0xc2, b"x")), "an extension");
        assert!(broken(&sent(0x83, b"x")) && broken(&sent(0x8f, b"x")), "no known purpose");
        assert!(broken(&sent(0x09, b"x")) && broken(&sent(0x89, &[0; 126])), "a ping in pieces, a long one");
        assert!(!broken(&sent(0x89, &[0; 125])) && !broken(&sent(0x02, b"x")));
    }
}
