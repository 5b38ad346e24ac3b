//! The server of the suite's conversations: it echoes.

use askback_websocket::{CloseCode, CloseFrame, FrameHeader, Message, MessageReader, Opcode, ReadLimits};

pub(super) const LIMITS: ReadLimits = ReadLimits { message_bytes: 1 << 17, message_frames: 128 };

/// A frame of the server, read back from its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reply {
    Text(String),
    Binary(Vec<u8>),
    Pong(Vec<u8>),
    Close(u16),
}

/// One end of a connection.
pub(super) struct Endpoint {
    reader: MessageReader,
    replies: Vec<Reply>,
}

impl Default for Endpoint {
    fn default() -> Self {
        Self { reader: MessageReader::new(LIMITS), replies: Vec::new() }
    }
}

impl Endpoint {
    pub(super) fn receive(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            match self.reader.read(bytes) {
                Ok((used, message)) => {
                    assert!(used == bytes.len() || message.is_some(), "bytes are left without a reason");
                    bytes = &bytes[used..];
                    if let Some(message) = message {
                        self.reply(message);
                    }
                }
                Err(error) => {
                    self.close(error.close_code());
                    bytes = &[];
                }
            }
        }
    }

    fn reply(&mut self, message: Message) {
        match message {
            Message::Text(text) => self.send(Opcode::Text, text.as_bytes()),
            Message::Binary(bytes) => self.send(Opcode::Binary, &bytes),
            Message::Ping(payload) => self.send(Opcode::Pong, &payload),
            Message::Pong(_) => {}
            Message::Close(_) => self.close(CloseCode::NORMAL),
        }
    }

    fn close(&mut self, code: CloseCode) {
        self.send(Opcode::Close, &CloseFrame { code, reason: String::new() }.payload());
    }

    /// Sends a frame: it is read back from its bytes, as the suite's client does.
    fn send(&mut self, opcode: Opcode, payload: &[u8]) {
        let header = FrameHeader::new(opcode, payload.len());
        let (length, size) = match *header.as_bytes() {
            [_, 126, a, b] => (usize::from(u16::from_be_bytes([a, b])), 4),
            [_, 127, .., a, b, c, d] => (u32::from_be_bytes([a, b, c, d]) as usize, 10),
            [_, short] => (usize::from(short), 2),
            _ => (usize::MAX, 0),
        };
        assert_eq!((length, size), (payload.len(), header.as_bytes().len()));
        let payload = payload.to_vec();
        self.replies.push(match header.as_bytes()[0] {
            0x81 => Reply::Text(String::from_utf8(payload).unwrap()),
            0x82 => Reply::Binary(payload),
            0x88 => Reply::Close(u16::from_be_bytes(*payload.first_chunk().unwrap())),
            0x8a => Reply::Pong(payload),
            first => panic!("a frame that begins with {first:#x}"),
        });
    }

    pub(super) fn into_replies(self) -> Vec<Reply> {
        self.replies
    }
}
