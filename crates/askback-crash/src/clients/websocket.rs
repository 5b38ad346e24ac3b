//! The client side of a WebSocket, for a server that may be killed: every error means that the connection is gone.

use crate::load::Token;
use askback_testkit::http::Connection;
use std::io::{self, BufReader, Read};
use std::net::SocketAddr;

const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;
const FINAL: u8 = 0x80;
const MASKED: u8 = 0x80;

pub(super) struct WebSocket(BufReader<Connection>);

impl WebSocket {
    pub(super) fn open(address: SocketAddr, path: &str, token: &Token) -> io::Result<Self> {
        let mut connection = Connection::open(address)?;
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            token.secret
        );
        connection.send(head.as_bytes())?;
        let mut socket = Self(BufReader::new(connection));
        let mut reply = Vec::new();
        while !reply.ends_with(b"\r\n\r\n") {
            reply.extend(socket.bytes(1)?);
        }
        if reply.starts_with(b"HTTP/1.1 101 ") {
            Ok(socket)
        } else {
            Err(io::Error::other(String::from_utf8_lossy(&reply).into_owned()))
        }
    }

    /// Sends a message.
    pub(super) fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.send_frame(BINARY, message)
    }

    /// The next message, whose frames are put together.
    pub(super) fn receive(&mut self) -> io::Result<Vec<u8>> {
        let mut message = Vec::new();
        loop {
            let head = self.bytes(2)?;
            let digits = match head[1] {
                126 => self.bytes(2)?,
                127 => self.bytes(8)?,
                short => vec![short],
            };
            let length = digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit));
            let payload = self.bytes(length)?;
            match head[0] & 0x0f {
                CLOSE => return Err(io::Error::other(format!("closed with {payload:?}"))),
                PING => self.send_frame(PONG, &payload)?,
                PONG => {}
                _ => {
                    message.extend(payload);
                    if head[0] & FINAL != 0 {
                        return Ok(message);
                    }
                }
            }
        }
    }

    /// Sends a frame, masked with nothing.
    fn send_frame(&mut self, kind: u8, payload: &[u8]) -> io::Result<()> {
        let mut frame = vec![FINAL | kind];
        match (u8::try_from(payload.len()), u16::try_from(payload.len())) {
            (Ok(length), _) if length < 126 => frame.push(MASKED | length),
            (_, Ok(length)) => {
                frame.push(MASKED | 126);
                frame.extend(length.to_be_bytes());
            }
            _ => {
                frame.push(MASKED | 127);
                frame.extend((payload.len() as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend_from_slice(payload);
        self.0.get_mut().send(&frame)
    }

    fn bytes(&mut self, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; count];
        self.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}
