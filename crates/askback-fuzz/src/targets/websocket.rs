//! The bytes of a WebSocket client. In any pieces they are the same messages, within limits, and nothing follows an error.

use super::check_printable;
use askback_websocket::{CloseCode, FrameHeader, Message, MessageReader, Opcode, ReadError, ReadLimits};

/// Small, so that inputs of the fuzzer reach them.
const LIMITS: ReadLimits = ReadLimits { message_bytes: 200, message_frames: 6 };

/// The most bytes of a buffer for one byte of payload: a vector doubles.
const GROWTH: usize = 2;

/// The smallest buffer that a vector allocates.
const SMALLEST_BUFFER: usize = 8;

/// Frames whose masks change nothing, and parts of them.
pub(super) const WORDS: &[&str] =
    &["\u{2}\u{0}", "\u{0}\u{0}\u{0}\u{0}", "\u{1}\u{7f}", "\u{3}\u{1}", "κόσμε", "\u{10ffff}"];

/// The messages of some bytes, and the error after them.
#[derive(Debug, PartialEq, Eq)]
struct Transcript {
    messages: Vec<Message>,
    error: Option<ReadError>,
    is_incomplete: bool,
}

/// Reads an input at once, in single bytes and in other pieces.
pub(super) fn accepts(input: &[u8]) -> bool {
    let transcript = read([input]);
    assert_eq!(read(input.chunks(1)), transcript, "single bytes");
    // The sizes of the pieces are the input's own bytes, which are as irregular as it is.
    let mut rest = input;
    let mut sizes = input.iter().map(|byte| 1 + usize::from(byte % 23)).rev();
    let pieces = std::iter::from_fn(|| {
        let (piece, after) = rest.split_at(rest.len().min(sizes.next()?));
        rest = after;
        Some(piece)
    });
    assert_eq!(read(pieces), transcript, "pieces");
    transcript.messages.iter().for_each(check_message);
    let payload: usize = transcript.messages.iter().map(payload_bytes).sum();
    assert!(payload <= input.len(), "{payload} bytes out of {}", input.len());
    if let Some(error) = transcript.error {
        check_printable(&error.to_string());
    }
    transcript.error.is_none() && !transcript.messages.is_empty()
}

/// Reads pieces of bytes, one after the other, and checks what the reader holds.
fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Transcript {
    let mut reader = MessageReader::new(LIMITS);
    let (mut messages, mut error) = (Vec::new(), None);
    for mut piece in pieces {
        while !piece.is_empty() {
            let is_ended = error.is_some() || matches!(messages.last(), Some(Message::Close(_)));
            match reader.read(piece) {
                Ok((used, message)) => {
                    assert!(used > 0 && (used == piece.len() || message.is_some()), "{used} of {} bytes", piece.len());
                    assert!(!is_ended || message.is_none(), "{message:?} after the end");
                    messages.extend(message);
                    piece = &piece[used..];
                }
                Err(found) => {
                    assert!(!is_ended, "{found} after the end");
                    error = Some(found);
                    piece = &[];
                }
            }
            check_memory(&reader);
        }
    }
    Transcript { messages, error, is_incomplete: reader.is_incomplete() }
}

fn check_memory(reader: &MessageReader) {
    assert!(reader.announced_bytes() <= LIMITS.message_bytes, "{} bytes announced", reader.announced_bytes());
    // A control frame may come between fragments, with a buffer of its own.
    let most = GROWTH * (LIMITS.message_bytes + CONTROL_BYTES) + SMALLEST_BUFFER;
    assert!(reader.buffered_bytes() <= most, "{} bytes buffered", reader.buffered_bytes());
    assert!(reader.is_incomplete() || reader.buffered_bytes() == 0, "an idle connection has no buffers");
}

/// Maximum bytes of a control frame's payload (RFC 6455, 5.5).
const CONTROL_BYTES: usize = 125;

fn payload_bytes(message: &Message) -> usize {
    match message {
        Message::Text(text) => text.len(),
        Message::Binary(bytes) | Message::Ping(bytes) | Message::Pong(bytes) => bytes.len(),
        Message::Close(frame) => frame.as_ref().map_or(0, |frame| 2 + frame.reason.len()),
    }
}

/// Checks the limits of a message, and that it is the same message in a frame of its own.
fn check_message(message: &Message) {
    let (opcode, payload, limit) = match message {
        Message::Text(text) => (Opcode::Text, text.clone().into_bytes(), LIMITS.message_bytes),
        Message::Binary(bytes) => (Opcode::Binary, bytes.clone(), LIMITS.message_bytes),
        Message::Ping(bytes) => (Opcode::Ping, bytes.clone(), CONTROL_BYTES),
        Message::Pong(bytes) => (Opcode::Pong, bytes.clone(), CONTROL_BYTES),
        Message::Close(None) => (Opcode::Close, Vec::new(), CONTROL_BYTES),
        Message::Close(Some(frame)) => {
            assert_eq!(CloseCode::new(frame.code.number()), Some(frame.code));
            (Opcode::Close, frame.payload(), CONTROL_BYTES)
        }
    };
    assert!(payload.len() <= limit, "{} bytes", payload.len());
    // A server's frame, made a client's by a mask.
    let mut sent = FrameHeader::new(opcode, payload.len()).as_bytes().to_vec();
    sent[1] |= 0x80;
    let mask = [0xa5, 0x0f, 0x3c, 0x01];
    sent.extend(mask);
    sent.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    let again = MessageReader::new(LIMITS).read(&sent);
    assert_eq!(again, Ok((sent.len(), Some(message.clone()))));
}
