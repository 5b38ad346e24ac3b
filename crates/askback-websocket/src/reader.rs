//! Messages of a client, out of its bytes in pieces of any size.

use crate::frame::{CLIENT_HEADER_BYTES, ClientHeader, ClientOpcode, ControlOpcode, DataOpcode, unmask};
use crate::{CloseFrame, ReadError};

/// The limits on one message.
#[derive(Debug, Clone, Copy)]
pub struct ReadLimits {
    /// Maximum bytes of a message, over all of its frames.
    pub message_bytes: usize,
    /// Maximum number of frames of a message.
    pub message_frames: usize,
}

/// A message or a control frame of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// A whole binary message.
    Binary(Vec<u8>),
    /// A whole text message.
    Text(String),
    /// A request for a pong with this payload.
    Ping(Vec<u8>),
    /// The reply to a ping, or an unsolicited one.
    Pong(Vec<u8>),
    /// The last message: the client waits for a close frame. Its own may be empty.
    Close(Option<CloseFrame>),
}

/// Reads the messages of one client.
#[derive(Debug)]
pub struct MessageReader {
    limits: ReadLimits,
    position: Position,
    /// The message whose last frame is incomplete or has not arrived.
    message: Option<PartialMessage>,
}

/// The place in the bytes of the client.
#[derive(Debug)]
enum Position {
    /// In the header of a frame, of which `size` bytes have arrived.
    Header { bytes: [u8; CLIENT_HEADER_BYTES], size: u8 },
    /// In the payload of a data frame.
    Data { is_last: bool, cursor: PayloadCursor },
    /// In the payload of a control frame.
    Control { opcode: ControlOpcode, payload: Vec<u8>, cursor: PayloadCursor },
    /// After the close frame, or after an error.
    End,
}

impl Position {
    const START: Self = Self::Header { bytes: [0; CLIENT_HEADER_BYTES], size: 0 };
}

/// How much of a payload has arrived.
#[derive(Debug, Clone, Copy)]
struct PayloadCursor {
    received: usize,
    length: usize,
    mask: [u8; 4],
}

impl PayloadCursor {
    /// Moves the bytes of this payload from the input to its buffer.
    fn take(&mut self, input: &mut &[u8], buffer: &mut Vec<u8>) {
        let (part, rest) = input.split_at(input.len().min(self.remaining()));
        let start = buffer.len();
        buffer.extend_from_slice(part);
        unmask(&mut buffer[start..], self.mask, self.received);
        self.received += part.len();
        *input = rest;
    }

    fn remaining(self) -> usize {
        self.length - self.received
    }
}

/// The payload of a message so far.
#[derive(Debug)]
struct PartialMessage {
    is_text: bool,
    frames: usize,
    bytes: Vec<u8>,
    /// The bytes of a text that are known to be UTF-8.
    valid_bytes: usize,
}

impl PartialMessage {
    /// Checks the bytes of a text that have arrived since the last check. The end may be an incomplete character.
    fn check_text(&mut self) -> Result<(), ReadError> {
        if !self.is_text {
            return Ok(());
        }
        match str::from_utf8(&self.bytes[self.valid_bytes..]) {
            Ok(_) => self.valid_bytes = self.bytes.len(),
            Err(error) if error.error_len().is_none() => self.valid_bytes += error.valid_up_to(),
            Err(_) => return Err(ReadError::InvalidUtf8),
        }
        Ok(())
    }

    fn finish(self) -> Result<Message, ReadError> {
        if self.is_text {
            String::from_utf8(self.bytes).map(Message::Text).map_err(|_| ReadError::InvalidUtf8)
        } else {
            Ok(Message::Binary(self.bytes))
        }
    }
}

impl MessageReader {
    /// A reader of a client that sends its first frame next.
    pub fn new(limits: ReadLimits) -> Self {
        Self { limits, position: Position::START, message: None }
    }

    /// Reads up to the end of the next message. Returns how many bytes it used, which are all of them unless they complete a
    /// message. After a close frame or an error, all bytes are used and none is read.
    pub fn read(&mut self, bytes: &[u8]) -> Result<(usize, Option<Message>), ReadError> {
        let mut input = bytes;
        match self.next(&mut input) {
            Ok(message) => {
                if let Some(Message::Close(_)) = message {
                    self.end();
                }
                Ok((bytes.len() - input.len(), message))
            }
            Err(error) => {
                self.end();
                Err(error)
            }
        }
    }

    /// Whether a frame or a message has begun and is not complete.
    pub fn is_incomplete(&self) -> bool {
        let is_between_frames = matches!(self.position, Position::Header { size: 0, .. } | Position::End);
        self.message.is_some() || !is_between_frames
    }

    /// The bytes of the incomplete message, as far as the headers of its frames announce them.
    pub fn announced_bytes(&self) -> usize {
        let remaining = match &self.position {
            Position::Data { cursor, .. } => cursor.remaining(),
            Position::Header { .. } | Position::Control { .. } | Position::End => 0,
        };
        self.message.as_ref().map_or(0, |message| message.bytes.len() + remaining)
    }

    /// The memory that incomplete messages use.
    pub fn buffered_bytes(&self) -> usize {
        let control = if let Position::Control { payload, .. } = &self.position { payload.capacity() } else { 0 };
        control + self.message.as_ref().map_or(0, |message| message.bytes.capacity())
    }

    fn end(&mut self) {
        (self.position, self.message) = (Position::End, None);
    }

    fn next(&mut self, input: &mut &[u8]) -> Result<Option<Message>, ReadError> {
        loop {
            match &mut self.position {
                Position::Header { bytes, size } => {
                    let Some((first, rest)) = input.split_first() else { return Ok(None) };
                    *input = rest;
                    // One at a time, so that an error does not depend on the pieces in which bytes arrive.
                    bytes[usize::from(*size)] = *first;
                    *size += 1;
                    if let Some(header) = ClientHeader::read(&bytes[..usize::from(*size)])? {
                        self.position = self.begin(&header)?;
                    }
                }
                Position::Data { is_last, cursor } => {
                    if let Some(message) = &mut self.message {
                        cursor.take(input, &mut message.bytes);
                        message.check_text()?;
                    }
                    if cursor.remaining() > 0 {
                        return Ok(None);
                    }
                    let is_last = *is_last;
                    self.position = Position::START;
                    if is_last {
                        return self.message.take().map(PartialMessage::finish).transpose();
                    }
                }
                Position::Control { opcode, payload, cursor } => {
                    cursor.take(input, payload);
                    if cursor.remaining() > 0 {
                        return Ok(None);
                    }
                    let (opcode, payload) = (*opcode, std::mem::take(payload));
                    self.position = Position::START;
                    return Ok(Some(match opcode {
                        ControlOpcode::Close => Message::Close(CloseFrame::read(&payload)?),
                        ControlOpcode::Ping => Message::Ping(payload),
                        ControlOpcode::Pong => Message::Pong(payload),
                    }));
                }
                Position::End => {
                    *input = &[];
                    return Ok(None);
                }
            }
        }
    }

    /// Begins the payload of a frame. A message that is too large is refused before its payload arrives.
    fn begin(&mut self, header: &ClientHeader) -> Result<Position, ReadError> {
        let limit = self.limits.message_bytes;
        let cursor = |room: usize| {
            let length = usize::try_from(header.length).ok().filter(|length| *length <= room);
            let length = length.ok_or(ReadError::MessageTooLarge { limit })?;
            Ok(PayloadCursor { received: 0, length, mask: header.mask })
        };
        let data = match header.opcode {
            ClientOpcode::Control(opcode) => {
                return Ok(Position::Control { opcode, payload: Vec::new(), cursor: cursor(usize::MAX)? });
            }
            ClientOpcode::Data(data) => data,
        };
        let begun = |is_text| PartialMessage { is_text, frames: 0, bytes: Vec::new(), valid_bytes: 0 };
        let message = match (data, self.message.take()) {
            (DataOpcode::Continuation, Some(message)) => message,
            (DataOpcode::Continuation, None) => return Err(ReadError::UnexpectedContinuation),
            (DataOpcode::Text, None) => begun(true),
            (DataOpcode::Binary, None) => begun(false),
            (DataOpcode::Text | DataOpcode::Binary, Some(_)) => return Err(ReadError::InterruptedMessage),
        };
        let message = PartialMessage { frames: message.frames + 1, ..message };
        if message.frames > self.limits.message_frames {
            return Err(ReadError::TooManyFrames { limit: self.limits.message_frames });
        }
        let cursor = cursor(limit - message.bytes.len())?;
        self.message = Some(message);
        Ok(Position::Data { is_last: header.is_last, cursor })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader() -> MessageReader {
        MessageReader::new(ReadLimits { message_bytes: 1_000, message_frames: 4 })
    }

    /// The header of a client's frame, whose mask changes nothing.
    fn header(first: u8, length: u16) -> Vec<u8> {
        match u8::try_from(length) {
            Ok(short) if short < 126 => [&[first, 0x80 | short][..], &[0; 4]].concat(),
            _ => [&[first, 0xfe][..], &length.to_be_bytes(), &[0; 4]].concat(),
        }
    }

    // S3
    #[test]
    fn announced_message_takes_memory_only_as_it_arrives() {
        let mut reader = reader();
        assert_eq!((reader.is_incomplete(), reader.announced_bytes(), reader.buffered_bytes()), (false, 0, 0));
        assert_eq!(reader.read(&header(0x02, 900)), Ok((8, None)));
        assert_eq!((reader.is_incomplete(), reader.announced_bytes(), reader.buffered_bytes()), (true, 900, 0));
        assert_eq!(reader.read(&[7; 100]), Ok((100, None)));
        assert_eq!(reader.announced_bytes(), 900);
        assert!((100..=200).contains(&reader.buffered_bytes()), "{}", reader.buffered_bytes());
        assert_eq!(reader.read(&[7; 800]), Ok((800, None)));
        assert!(reader.is_incomplete(), "the last frame has not arrived");
        assert_eq!(reader.read(&header(0x80, 1)[..3]), Ok((3, None)));
        assert_eq!(reader.read(&[0, 0, 0, 8, 0x82]), Ok((4, Some(Message::Binary([&[7; 900][..], &[8]].concat())))));
        assert_eq!((reader.is_incomplete(), reader.buffered_bytes()), (false, 0));
        assert_eq!(reader.read(&[0x82]), Ok((1, None)));
        assert!(reader.is_incomplete(), "half a header");
    }

    // S3
    #[test]
    fn reader_after_an_error_or_a_close_frame_holds_nothing_and_discards_the_rest() {
        for last in [&[0x88, 0x80, 0, 0, 0, 0][..], &[0x83], &[0x82, 0x00]] {
            let mut reader = reader();
            assert_eq!(reader.read(&header(0x02, 900)), Ok((8, None)));
            assert_eq!(reader.read(&[7; 900]), Ok((900, None)));
            assert!(!matches!(reader.read(last), Ok((_, None))), "{last:?}");
            assert_eq!((reader.is_incomplete(), reader.announced_bytes(), reader.buffered_bytes()), (false, 0, 0));
            assert_eq!(reader.read(&[0x89, 0x80, 0, 0, 0, 0]), Ok((6, None)));
        }
    }
}
