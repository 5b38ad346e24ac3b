//! The socket of a browser's page, and how it ends with the session.

use crate::logins::session;
use crate::process::{PATIENCE, Server};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;

/// The purpose of the last frame.
const CLOSE: u8 = 8;

/// The bit of a frame that is the last of its message.
const FINAL: u8 = 0x80;

/// A page's connection to its inbox.
struct Socket(TcpStream);

impl Socket {
    /// Opens it as a browser does, which says which page it is.
    fn open(server: &Server, session: &str) -> Self {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (host, origin) = (server.address, server.origin());
        let head = format!(
            "GET /sync/@inbox HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n\
             Sec-WebSocket-Protocol: askback.v1, askback.bearer.{session}\r\n\
             Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Extensions: permessage-deflate\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            answer.extend(byte);
        }
        let answer = String::from_utf8(answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 101 "), "{answer}");
        assert!(answer.contains("sec-websocket-protocol: askback.v1\r\n") && !answer.contains(session), "{answer}");
        assert!(!answer.contains("sec-websocket-extensions"), "compression is not offered: {answer}");
        Self(stream)
    }

    fn bytes<const COUNT: usize>(&mut self) -> [u8; COUNT] {
        let mut bytes = [0; COUNT];
        self.0.read_exact(&mut bytes).unwrap();
        bytes
    }

    /// One frame: what it is for, and what it carries.
    fn frame(&mut self) -> (u8, Vec<u8>) {
        let [first, length] = self.bytes();
        let length = match length {
            126 => u64::from(u16::from_be_bytes(self.bytes())),
            127 => u64::from_be_bytes(self.bytes()),
            short => short.into(),
        };
        let mut carried = vec![0; usize::try_from(length).unwrap()];
        self.0.read_exact(&mut carried).unwrap();
        (first & 0x0f, carried)
    }

    /// Sends a frame of at most 125 bytes, whose mask changes nothing.
    fn send(&mut self, first: u8, payload: &[u8]) {
        let length = u8::try_from(payload.len()).unwrap();
        self.0.write_all(&[&[first, 0x80 | length, 0, 0, 0, 0], payload].concat()).unwrap();
    }

    /// The code with which it is closed, whatever is told before.
    fn closed(&mut self) -> u16 {
        loop {
            if let (CLOSE, carried) = self.frame() {
                return u16::from_be_bytes([carried[0], carried[1]]);
            }
        }
    }
}

// W3
#[test]
fn close_frame_with_an_invalid_code_or_reason_is_answered_with_an_error_code() {
    let server = Server::start();
    let session = session(&server, &server.person);
    let reply = |payload: &[u8]| {
        let mut socket = Socket::open(&server, &session);
        socket.send(FINAL | CLOSE, payload);
        socket.closed()
    };
    for code in [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999_u16] {
        assert_eq!(reply(&code.to_be_bytes()), 1002, "{code}");
    }
    for code in [1000, 1011, 1014, 3000, 4999_u16] {
        assert_eq!(reply(&code.to_be_bytes()), 1000, "{code}");
    }
    assert_eq!(reply(b""), 1000);
    assert_eq!(reply(b"\x03"), 1002, "half a code");
    assert_eq!(reply(b"\x03\xe8\xff"), 1007, "a reason that is not UTF-8");
}

// W3
#[test]
fn frame_against_the_protocol_closes_with_1002_and_text_closes_with_4400() {
    let server = Server::start();
    let session = session(&server, &server.person);
    let reply = |first: u8, payload: &[u8]| {
        let mut socket = Socket::open(&server, &session);
        socket.send(first, payload);
        socket.closed()
    };
    assert_eq!(reply(FINAL | 0x42, b"x"), 1002, "a reserved bit");
    assert_eq!(reply(FINAL | 0x03, b"x"), 1002, "a reserved opcode");
    assert_eq!(reply(FINAL, b"x"), 1002, "a continuation of no message");
    assert_eq!(reply(FINAL | 0x01, b"\xff"), 1007, "a text that is not UTF-8");
    assert_eq!(reply(FINAL | 0x01, b"text"), 4400);
    assert_eq!(reply(FINAL | 0x02, b"\xff"), 4400, "no message of Yjs");
}

// S1, S4
#[test]
fn a_session_that_ends_closes_its_socket() {
    let server = Server::start();
    let issuer = server.give(&json!({"role": "answerer", "name": "grace"}));
    let [logs_out, revoked, kept] = [(); 3].map(|()| session(&server, &server.person));
    let of_issuer = session(&server, &issuer.secret);
    let mut sockets = [&logs_out, &revoked, &of_issuer, &kept].map(|session| Socket::open(&server, session));
    server.until("room_connections", 4);

    let out = server.call("POST", "/api/v1/logout").session(&logs_out).send();
    assert_eq!((out.status, sockets[0].closed()), (204, 4401));

    let number = server.get("/api/v1/me").session(&revoked).send().is(200)["number"].clone();
    let gone = server.call("DELETE", &format!("/api/v1/tokens/{number}")).token(&server.person).send();
    assert_eq!((gone.status, sockets[1].closed()), (204, 4401));

    // With a token goes whatever it has issued.
    server.revoke(&issuer);
    assert_eq!(sockets[2].closed(), 4401);

    server.until("room_connections", 1);
    assert_eq!(server.get("/api/v1/me").session(&kept).send().status, 200, "the others have not suffered");
}
